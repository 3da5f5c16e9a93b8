"""Which version of a baseline is read, and who says so."""
