"""The simulation study behind docs/validity.md: how often the gate errs, method by method and as a whole."""
