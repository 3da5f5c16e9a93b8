"""Pictures of the reports as their readers see them: ``make screenshots``."""
