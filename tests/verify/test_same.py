import math

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.verify.same import same_number, table_differences


def table(values: list[float | None]) -> pa.Table:
    return pa.table({"row": range(len(values)), "value": pa.array(values, pa.float64())})


def test_the_first_row_that_differs_is_told() -> None:
    (said,) = table_differences(table([1.0, 2.0, 3.0]), table([1.0, 2.5, 3.5]), "row")
    assert said == "value of row 1 is 2.0, its raw files give 2.5"


def test_the_last_bits_of_a_number_do_not_matter() -> None:
    assert list(table_differences(table([0.1 + 0.2]), table([0.3]), "row")) == []
    assert list(table_differences(table([0.3]), table([0.3 * (1 + 1e-6)]), "row")) != []


@pytest.mark.parametrize(("one", "other"), [(None, 0.0), (None, math.nan), (math.inf, -math.inf)])
def test_null_nan_and_infinity_are_three_things(one: float | None, other: float | None) -> None:
    assert list(table_differences(table([one]), table([other]), "row")) != []
    assert list(table_differences(table([one]), table([one]), "row")) == []


def test_rows_and_columns_have_to_be_as_many() -> None:
    (said,) = table_differences(table([1.0]), table([]), "row")
    assert said == "has 1 rows, its raw files give 0"
    (said,) = table_differences(table([1.0]), table([1.0]).rename_columns(["row", "other"]), "row")
    assert "has the columns row, value, not row, other" in said


@given(st.lists(st.none() | st.floats()))
def test_every_table_is_the_same_as_itself(values: list[float | None]) -> None:
    assert list(table_differences(table(values), table(list(values)), "row")) == []


def test_a_missing_number_is_the_same_as_a_missing_one_only() -> None:
    assert same_number(None, None)
    assert not same_number(None, 0.0)
    assert same_number(math.nan, math.nan)
