"""Azure's traces: times to 100 ns and lengths."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.datasets.azure import prepare_azure
from burstlab.errors import BurstlabError

HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens"
OF_2023 = f"""{HEADER}
2023-11-16 23:59:59.9999999,374,44
2023-11-17 00:00:00.0000000,396,109
2023-11-17 00:00:04.3144885,879,55
"""
OF_2024 = f"""{HEADER}
2024-05-10 00:00:00.009930+00:00,2162,5
2024-05-10 00:00:01+00:00,2399,6
"""


def arrivals(tmp_path: Path, content: str) -> list[str]:
    (tmp_path / "in.csv").write_text(content)
    prepare_azure(tmp_path / "in.csv", tmp_path)
    return (tmp_path / "timestamps.csv").read_text().splitlines()


def test_the_trace_of_2023(tmp_path: Path) -> None:
    assert arrivals(tmp_path, OF_2023) == [
        "arrival_s,input_tokens,output_tokens",
        "0,374,44",
        "1e-7,396,109",
        "4.3144886,879,55",
    ]


def test_the_trace_of_2024(tmp_path: Path) -> None:
    assert arrivals(tmp_path, OF_2024)[1:] == ["0,2162,5", "0.99007,2399,6"]


def test_columns_are_found_by_name(tmp_path: Path) -> None:
    content = "GeneratedTokens,extra,TIMESTAMP,ContextTokens\n7,x,2023-11-16 18:15:46,3\n"
    assert arrivals(tmp_path, content)[1:] == ["0,3,7"]


def test_rows_that_lack_a_value_are_counted(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(OF_2023 + ",1,2\n2023-11-17 00:00:05,,2\n2023-11-17 00:00:05,1,-2\n")
    prepared = prepare_azure(tmp_path / "in.csv", tmp_path)
    assert prepared.rows_kept == 3
    assert prepared.rows_dropped == {"no TIMESTAMP": 1, "no ContextTokens": 1, "GeneratedTokens negative": 1}
    assert prepared.lengths is not None
    assert prepared.lengths.input.p50 == 396


@pytest.mark.parametrize(
    "content",
    [
        "",
        HEADER,
        "TIMESTAMP\n2023-11-16 18:15:46\n",
        f"{HEADER}\nyesterday,1,2\n",
        f"{HEADER}\n2023-13-16,1,2\n",
    ],
)
def test_unusable_files_are_named(tmp_path: Path, content: str) -> None:
    with pytest.raises(BurstlabError, match=r"in\.csv"):
        arrivals(tmp_path, content)


CELL = st.sampled_from(
    ["", "1", "-1", "2.5", "x", '"', "2023-11-16 18:15:46.6805900", "9999-12-31", "0001-01-01", "now"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.binary(max_size=60).map(lambda rest: HEADER.encode() + b"\n" + rest)
    | st.lists(st.lists(CELL, min_size=2, max_size=4), max_size=4).map(
        lambda rows: "\n".join([HEADER, *map(",".join, rows)]).encode()
    )
)
def test_nothing_but_a_burstlab_error_comes_of_any_bytes(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "in.csv").write_bytes(content)
    try:
        prepare_azure(tmp_path / "in.csv", tmp_path)
    except BurstlabError as error:
        assert "in.csv" in str(error)


def test_a_text_that_pandas_takes_for_no_time_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"{OF_2023}NaT,1,2\n")
    with pytest.raises(BurstlabError, match=r"in\.csv: a TIMESTAMP is no date and time: 'NaT'"):
        prepare_azure(tmp_path / "in.csv", tmp_path)
