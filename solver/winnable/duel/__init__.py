"""The two-player games Russian Bank and Zank-Patience.

`tables` holds the options and the rules in words; `position` and `rules` are the plain truth;
`deal`, `text`, `check` and `save` the deals, positions and saved games; `view` what the players
can see; `game` what the rest of the project shows of them. `state`, `moves` and `engine` are the
compiled form, which knows nothing of the plain rules; `convert` carries positions between the two.

With all cards known, `judge` proves who wins and `solvable` finds lines with the opponent's help:
`position_graph` holds positions and their moves under exact keys, `judge_search` and
`solvable_search` choose which ones are looked at, `judge_values` says what that proves, and
`graph_line` turns a way through the graph into moves by the plain rules.
"""
