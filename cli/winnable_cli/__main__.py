"""So that ``python -m winnable_cli`` is the command too."""

from winnable_cli.main import main

main()
