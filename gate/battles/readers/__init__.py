"""One module a format: ``matches`` knows it by its content, ``battles`` reads it battle by battle."""
