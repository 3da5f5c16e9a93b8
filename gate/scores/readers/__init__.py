"""One format a file; ``gate.scores.registry`` names them."""
