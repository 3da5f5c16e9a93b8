"""The teaching pages of docs/figures: pass@k and the arena, to try."""
