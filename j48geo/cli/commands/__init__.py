"""The commands, a file each: options -> library -> writer."""
