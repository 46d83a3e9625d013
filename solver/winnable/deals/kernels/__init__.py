"""Compiled shuffles, one module a numbering. Importing any of them imports numba.

Kernels take arrays and fixed-width integers and write into the array they are given; the modules
of the same names one folder up convert their arguments. Words are ``uint64`` throughout, also where
the algorithm has 32-bit words: numba widens mixed arithmetic in ways of its own, and an explicit
mask says what is meant.
"""
