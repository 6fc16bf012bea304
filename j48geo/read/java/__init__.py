"""Weka's `.model` files: Java object streams read without Java."""
