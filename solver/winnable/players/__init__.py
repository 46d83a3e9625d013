"""Players of games for one: they see what a person at the table sees, and no more.

`kinds` lists them and `levels` says how hard a deal is; what they decide is compiled, a module a
game. Importing this package loads neither numpy nor numba.
"""
