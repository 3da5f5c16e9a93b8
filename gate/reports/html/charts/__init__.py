"""What the page draws, as places and lengths in the units of an SVG; the templates put the marks there.

Charts are WIDTH units wide and shown at most that many pixels wide: their text stays readable on a phone.
"""
