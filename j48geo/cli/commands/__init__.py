"""The commands of ``j48geo``, a module each: options -> library -> writer."""
