import base64

import pandas as pd

from burstlab.report.shown import chosen, narrow


def test_what_is_the_same_in_all_rows_is_told_once_and_what_is_empty_not_at_all() -> None:
    frame = pd.DataFrame(
        {
            "cell": ["a", "b"],
            "evidence": ["measured"] * 2,
            "gates": [None, None],
            "seed": [0, 1],
            "x": [1.5, 2.0],
        }
    )
    table = narrow(frame, 10)
    assert table.header == ["seed", "x"]
    assert table.rows == [["0", "1.50"], ["1", "2"]]
    assert table.same == (("evidence", "measured"),)


def test_what_is_the_same_only_in_the_rows_shown_stays_in_them() -> None:
    table = narrow(pd.DataFrame({"rate": [1, 1, 2], "seed": [0, 1, 0]}), 2)
    assert (table.header, table.rows, table.total, table.same) == (
        ["rate", "seed"],
        [["1", "0"], ["1", "1"]],
        3,
        (),
    )


def test_a_single_row_keeps_its_columns() -> None:
    assert narrow(pd.DataFrame({"rate": [1], "seed": [0]}), 2).header == ["rate", "seed"]


def test_a_table_can_be_saved_as_it_is_shown() -> None:
    table = chosen(pd.DataFrame({"a": [True], "b": [None], "c": [3]}), {"a": "counted", "b": "x, y"}, 5)
    assert base64.b64decode(table.csv.partition(",")[2]).decode() == 'counted,"x, y"\nyes,–\n'
