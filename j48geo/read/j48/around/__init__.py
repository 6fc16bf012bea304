"""What stands around a tree block: banners, options, headers, footers, wrappers."""
