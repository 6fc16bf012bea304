"""A tree for people and programs: text, words, rules, Graphviz."""
