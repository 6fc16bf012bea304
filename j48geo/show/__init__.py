"""What people and other programs see: text, tables, JSON, Graphviz."""
