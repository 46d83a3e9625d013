"""Spider. `rules` is the plain truth."""
