"""The command ``winnable``."""
