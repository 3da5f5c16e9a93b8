"""Pure functions on numpy arrays: no files, no configuration, nothing else of gate."""
