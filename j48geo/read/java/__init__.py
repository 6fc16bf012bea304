"""Reader of Weka's ``.model`` files (serialized Java objects); `reader.read` is the entry point."""
