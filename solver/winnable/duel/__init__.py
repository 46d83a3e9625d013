"""The two-player games Russian Bank and Zank-Patience.

`tables` holds the options and the rules in words; `position` and `rules` are the plain truth;
`deal`, `text`, `check` and `save` the deals, positions and saved games; `view` what the players
can see; `game` what the rest of the project shows of them. `state`, `moves` and `engine` are the
compiled form, which knows nothing of the plain rules; `convert` carries positions between the two.
"""
