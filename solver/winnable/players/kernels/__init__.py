"""What players decide, compiled: a module a game, and what they share.

Compiled code depends on nothing else of the players, so that other files here can change without
compiling anew.
"""
