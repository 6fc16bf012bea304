"""Reads: texts become trees and data sets."""
