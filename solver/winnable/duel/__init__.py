"""The two-player games Russian Bank and Zank-Patience.

`tables` holds the options and the rules in words, `rules` the plain truth, `deal` and `text` the
deals and positions, `view` what the players can see. `state` and `engine` are the compiled form,
which knows nothing of the plain rules; `arrays` carries positions between the two.
"""
