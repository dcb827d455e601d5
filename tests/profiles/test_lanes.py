import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from burstlab.profiles.calls import Calls
from burstlab.profiles.lanes import Lanes
from burstlab.profiles.ranges import Ranges
from burstlab.profiles.schema import JOINED

NONE = Ranges.of([])

# Of each process and thread: bounds of ranges that do not overlap. Threads 0 and 1 are of process 0, thread 2 is of process 1.
PROCESS_OF = {0: 0, 1: 0, 2: 1}
bounds = st.lists(st.integers(0, 40), max_size=8, unique=True).map(sorted)
threads = st.fixed_dictionaries(dict.fromkeys(PROCESS_OF, bounds))
call = st.tuples(st.sampled_from([0, 1, 2]), st.integers(-2, 45))


def ranges_of(threads: dict[int, list[int]]) -> list[tuple[int, int, int]]:
    """Rows of (thread, begin, end)."""
    rows = [(t, *pair) for t, b in threads.items() for pair in zip(b[::2], b[1::2], strict=False)]
    return sorted(rows, key=lambda row: (PROCESS_OF[row[0]], row[1]))


def lanes(rows: list[tuple[int, int, int]]) -> Lanes:
    process = np.array([PROCESS_OF[row[0]] for row in rows], dtype=np.int64)
    return Lanes(process, Ranges.of(rows), NONE, np.empty(0, np.int64))


def expected(rows: list[tuple[int, int, int]], thread: int, time: int) -> tuple[int, str | None]:
    """The definition, one range at a time."""
    own = [number for number, row in enumerate(rows) if row[0] == thread]
    for number in own:
        if rows[number][1] <= time <= rows[number][2]:
            return number, "inside"
    candidates = own or [n for n, row in enumerate(rows) if PROCESS_OF[row[0]] == PROCESS_OF[thread]]
    begun = [number for number in candidates if rows[number][1] <= time]
    if not begun:
        return -1, None
    return max(begun, key=lambda number: rows[number][1]), "after" if own else "other-thread"


@given(threads, st.lists(call, max_size=20))
def test_a_call_is_where_the_definition_says(
    threads: dict[int, list[int]], calls: list[tuple[int, int]]
) -> None:
    rows = ranges_of(threads)
    thread, time = (np.array([one[i] for one in calls], dtype=np.int64) for i in (0, 1))
    process = np.array([PROCESS_OF[one] for one in thread.tolist()], dtype=np.int64)
    places = lanes(rows).locate(process, thread, time)
    found = [
        (int(i), JOINED[j] if j >= 0 else None) for i, j in zip(places.iteration, places.joined, strict=True)
    ]
    wanted = [expected(rows, *one) for one in calls]
    # Two threads of a process may begin at once; then either will do for a third one.
    same_begin = [rows[n][1] if n >= 0 else None for n, _ in found]
    assert same_begin == [rows[n][1] if n >= 0 else None for n, _ in wanted]
    assert [how for _, how in found] == [how for _, how in wanted]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(-1, 9)), unique=True, max_size=20), st.data())
def test_a_launch_is_where_its_call_was(ids: list[tuple[int, int]], data: st.DataObject) -> None:
    # One range a time unit, so that the iteration tells which call it was.
    rows = [(thread, 2 * number, 2 * number + 1) for thread in (0, 2) for number in range(20)]
    book = Calls(lanes(rows))
    cut = data.draw(st.integers(0, len(ids)))
    for some in (ids[:cut], ids[cut:]):
        process, correlation = (np.array([one[i] for one in some], dtype=np.int64) for i in (0, 1))
        time = np.array([2 * ids.index(one) for one in some], dtype=np.int64)
        book.add(process, correlation, process * 2, time)
    asked = [(process, correlation) for process in (0, 1, 7) for correlation in range(-1, 11)]
    process, correlation = (np.array([one[i] for one in asked], dtype=np.int64) for i in (0, 1))
    places = book.find(process, correlation)
    wanted = [ids.index(one) + 20 * one[0] if one in ids and one[1] >= 0 else -1 for one in asked]
    assert places.iteration.tolist() == wanted
    assert places.thread.tolist() == [
        one[0] * 2 if w >= 0 else -1 for one, w in zip(asked, wanted, strict=True)
    ]
