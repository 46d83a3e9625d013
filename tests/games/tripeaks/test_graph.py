"""The graph of tableau masks against a naive enumeration by the plain rules."""

import numpy as np
import pytest
from plain_search import closed_masks, open_places

from winnable.games.tripeaks.graph import FULL_MASK, tripeaks_graph
from winnable.games.tripeaks.rules import TABLEAU_SIZE


@pytest.fixture(scope="module")
def graph():
    return tripeaks_graph()


@pytest.fixture(scope="module")
def by_mask(graph):
    """Mask to {place: index of the mask after it is emptied}, as the graph says."""
    target = np.empty(len(graph.place), np.int64)
    target[graph.in_edge] = np.repeat(np.arange(len(graph.masks)), np.diff(graph.first_in))
    out = {}
    for index, mask in enumerate(graph.masks.tolist()):
        edges = range(graph.first_out[index], graph.first_out[index + 1])
        out[mask] = {int(graph.place[edge]): int(target[edge]) for edge in edges}
    return out


def test_sizes(graph):
    assert len(graph.masks) == 22_932
    assert len(graph.place) == len(graph.source) == len(graph.in_edge) == 119_364
    assert len(graph.first_out) == len(graph.first_in) == 22_933
    assert graph.first_out[-1] == graph.first_in[-1] == 119_364
    pairs = np.diff(graph.first_in).astype(int) @ np.diff(graph.first_out).astype(int)
    assert pairs == 627_060


def test_types_are_those_the_kernels_were_compiled_for(graph):
    assert {array.dtype for array in graph} == {np.dtype(np.int32)}
    assert all(array.flags.c_contiguous for array in graph)


def test_the_masks_are_all_those_without_a_card_on_an_empty_place(graph):
    masks = graph.masks.tolist()
    assert len(set(masks)) == len(masks)
    assert set(masks) == closed_masks()
    assert (masks[0], masks[-1]) == (FULL_MASK, 0) == (2**TABLEAU_SIZE - 1, 0)


def test_the_edges_are_the_open_places(by_mask):
    for mask, edges in by_mask.items():
        assert tuple(sorted(edges)) == open_places(mask)


def test_each_edge_empties_its_place(graph, by_mask):
    masks = graph.masks.tolist()
    for mask, edges in by_mask.items():
        for place, after in edges.items():
            assert masks[after] == mask - (1 << place)


def test_topological_order(by_mask):
    for index, edges in enumerate(by_mask.values()):
        assert all(after > index for after in edges.values())


def test_source_and_entering_card_repeat_the_edges(graph):
    counts = np.diff(graph.first_out)
    assert (graph.source == np.repeat(np.arange(len(graph.masks)), counts)).all()
    assert (graph.in_place == graph.place[graph.in_edge]).all()
    assert sorted(graph.in_edge.tolist()) == [*range(119_364)]


def test_built_once(graph):
    assert tripeaks_graph() is graph
