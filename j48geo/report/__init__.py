"""The report: one offline page about a tree, its cases, its costs and how sure it is.

Values become facts (plain data), facts become the page; nothing here knows a `Model`.
"""
