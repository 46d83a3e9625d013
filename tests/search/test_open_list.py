"""The open list, compared with a sorted list."""

from random import Random

from winnable.search.open_list import lowest_priority, new_open_list, pop, push


def test_items_leave_in_order_and_the_last_of_equals_first():
    random = Random(1)
    queue, expected = new_open_list(10, 50), []
    for turn in range(400):
        if expected and (len(expected) == 50 or random.random() < 0.5):
            lowest = min(priority for priority, _ in expected)
            assert lowest_priority(queue) == lowest
            last = max(entry for entry in expected if entry[0] == lowest)
            expected.remove(last)
            assert pop(queue, lowest) == last[1]
        else:
            # Items grow, so that the last of equals is the greatest.
            expected.append((random.randrange(10), turn))
            assert push(queue, turn, expected[-1][0])


def test_an_empty_list_and_a_full_one():
    queue = new_open_list(5, 2)
    assert lowest_priority(queue) == 5
    assert push(queue, 7, 3)
    assert push(queue, 8, 4)
    assert not push(queue, 9, 0)
    assert lowest_priority(queue) == 3
