"""The action: the only room that knows GitHub. Its door is ``python -m gate.github``; its face stays light for it."""
