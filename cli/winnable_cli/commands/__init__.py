"""One module a command, imported when the command runs."""
