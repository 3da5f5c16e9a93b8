"""The study behind docs/contamination.md: how often unrelated text looks like a leak, and how many leaks are found."""
