"""The numbering `aisleriot`."""

import numpy as np

from winnable.deals import NUMBERINGS, fill_packs, shuffled_pack

# Found by search: the draw for 21 cards rejects an output.
REJECTING_SEED = 5257882


def test_a_rejected_output():
    packs = np.empty((3, 52), np.uint8)
    fill_packs(NUMBERINGS["aisleriot"], REJECTING_SEED - 1, "tripeaks", packs)
    for row in range(3):
        number = REJECTING_SEED - 1 + row
        expected = shuffled_pack(NUMBERINGS["aisleriot"], number, "tripeaks")
        assert packs[row].tolist() == expected
