"""Texts become trees."""
