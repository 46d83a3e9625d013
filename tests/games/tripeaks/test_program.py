"""The flat program of the pass, read back and compared with the graph that it is made from."""

import numpy as np

from winnable.games.tripeaks.graph import tripeaks_graph
from winnable.games.tripeaks.program import tripeaks_program


def masks_of(program):
    """(slots in, cards in, slots out, cards out) of each mask, in the order of the pass."""
    at = 0
    for into, out, masks in program.groups.tolist():
        for _ in range(masks):
            parts = np.split(
                program.code[at : at + 2 * (into + out)], [into, 2 * into, 2 * into + out]
            )
            yield [part.tolist() for part in parts]
            at += 2 * (into + out)
    assert at == len(program.code)


def test_a_slot_holds_just_the_edge_that_is_read_from_it():
    graph, program = tripeaks_graph(), tripeaks_program()
    full = int(graph.masks[0])
    # What each slot holds: the mask that a play leads to, and the card played.
    held = {
        slot: (full & ~(1 << card), card)
        for slot, card in zip(
            program.first_slots.tolist(), program.first_places.tolist(), strict=True
        )
    }
    seen = 0
    for slots_in, cards_in, slots_out, cards_out in masks_of(program):
        edges = [held.pop(slot) for slot in slots_in]
        (mask,) = {mask for mask, _ in edges}
        assert [card for _, card in edges] == cards_in
        for slot, card in zip(slots_out, cards_out, strict=True):
            assert slot not in held
            # The slots in are read to the end before the last slot out is written.
            assert slot not in slots_in
            held[slot] = (mask & ~(1 << card), card)
        seen += 1
    assert seen == len(graph.masks) - 2
    assert {held.pop(slot)[0] for slot in program.last_slots.tolist()} == {0}
    assert held == {}


def test_every_edge_is_there_once():
    graph, program = tripeaks_graph(), tripeaks_program()
    into, out, masks = program.groups.T.astype(int)
    assert (out * masks).sum() + len(program.first_slots) == len(graph.place) == program.edges
    assert (into * masks).sum() + len(program.last_slots) == len(graph.place)


def test_the_kernel_has_a_branch_for_every_number_of_edges_out():
    _, out, _ = tripeaks_program().groups.T
    assert set(out.tolist()) == set(range(1, 10))


def test_slots_are_few():
    assert tripeaks_program().slots == 11_650
