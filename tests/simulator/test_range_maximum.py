import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from burstlab.simulator.range_maximum import range_maximum

_LISTS = st.lists(st.integers(-50, 50), min_size=1, max_size=70)


@given(_LISTS, st.data())
def test_the_greatest_of_each_range(values: list[int], data: st.DataObject) -> None:
    ends = st.integers(1, len(values))
    pairs = data.draw(st.lists(ends.flatmap(lambda end: st.tuples(st.integers(0, end - 1), st.just(end)))))
    start, end = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    found = range_maximum(np.array(values), start, end)
    assert found.tolist() == [max(values[first:last]) for first, last in pairs]
