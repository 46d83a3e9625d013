"""Studies: many numbered deals solved, kept in a store, and turned into statistics."""
