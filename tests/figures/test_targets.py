from burstlab.figures.targets import batches

GROUPS = [("cpu", "m", "e", f"w{number}") for number in range(7)]


def test_groups_are_cut_into_parts_in_order() -> None:
    parts = batches(GROUPS, 3)
    assert [len(part) for part in parts] == [3, 3, 1]
    assert [group for part in parts for group in part] == GROUPS


def test_no_group_is_one_part_too() -> None:
    assert batches([]) == [[]]
