"""What lies where in each game, for pages that show a table.

Each module has a function `layout`, the piles of a game that begins in a position, and a function
`heaps`, what lies on them in a position.
"""
