"""From files and tables to a `Model`: opened, recognised, put together."""
