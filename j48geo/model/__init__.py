"""The living room: a tree together with what its training data says about it."""
