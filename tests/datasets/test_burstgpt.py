"""BurstGPT in its dialects: the same rows come out in the order that vLLM's client expects."""

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.datasets.burstgpt import prepare_burstgpt
from burstlab.errors import BurstlabError

PLAIN = """Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
10,ChatGPT,100,10,110,Conversation log
12,GPT-4,200,20,220,Conversation log
12,GPT-4,300,0,300,API log
12.5,GPT-4,0,0,0,API log
13,GPT-4,400,40,9999,API log
14,GPT-4,0,5,5,API log
"""
WITH_SESSIONS = """\
Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type
10,1,0.5,ChatGPT,100,10,110,Conversation log
12,2,,GPT-4,200,20,220,Conversation log
12,,1.5,GPT-4,300,0,300,API log
12.5,,1.5,GPT-4,0,0,0,API log
13,,1.5,GPT-4,400,40,9999,API log
14,,1.5,GPT-4,0,5,5,API log
"""
HEADER = PLAIN.splitlines()[0]


def prepared_files(tmp_path: Path, content: str) -> tuple[str, str]:
    (tmp_path / "in.csv").write_text(content)
    prepare_burstgpt(tmp_path / "in.csv", tmp_path)
    return (tmp_path / "data.csv").read_text(), (tmp_path / "timestamps.csv").read_text()


@pytest.mark.parametrize("content", [PLAIN, WITH_SESSIONS, "\ufeff" + PLAIN, PLAIN.replace("\n", "\r\n")])
def test_both_dialects_give_the_same_files(tmp_path: Path, content: str) -> None:
    data, times = prepared_files(tmp_path, content)
    assert data == (f'{HEADER}\n12,"GPT-4",200,20,220,"Conversation log"\n13,"GPT-4",400,40,440,"API log"\n')
    assert times == ("arrival_s,input_tokens,output_tokens\n0,100,10\n2,200,20\n2,300,0\n3,400,40\n4,0,5\n")


def test_rows_too_long_for_an_engine_are_dropped_and_counted_and_still_arrived(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(PLAIN)
    prepared = prepare_burstgpt(tmp_path / "in.csv", tmp_path, max_total_tokens=439)
    assert prepared.rows_kept == 1
    assert prepared.rows_dropped["more than 439 tokens together"] == 1
    assert (tmp_path / "data.csv").read_text() == f'{HEADER}\n12,"GPT-4",200,20,220,"Conversation log"\n'
    assert len((tmp_path / "timestamps.csv").read_text().splitlines()) == 1 + 5
    assert prepare_burstgpt(tmp_path / "in.csv", tmp_path, max_total_tokens=440).rows_kept == 2


def test_rows_and_lengths_are_counted(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(PLAIN)
    prepared = prepare_burstgpt(tmp_path / "in.csv", tmp_path)
    assert prepared.rows_kept == 2
    assert prepared.rows_dropped == {
        "0 request and 0 response tokens": 1,
        "no response (failed)": 1,
        "0 request tokens": 1,
        "model is not GPT-4 (vLLM's client uses no other)": 1,
    }
    assert prepared.lengths is not None
    assert prepared.lengths.input.mean == 300
    assert prepared.lengths.output.mean == 30


def test_vllms_client_would_draw_the_same_rows_from_the_original(tmp_path: Path) -> None:
    # It takes the GPT-4 rows with a response and draws from them by place, with this call of pandas.
    lines = [f"{i},{('GPT-4', 'ChatGPT')[i % 3 == 0]},{i + 1},{i % 5},{0},API log" for i in range(200)]
    (tmp_path / "in.csv").write_text("\n".join([HEADER, *lines]))
    prepare_burstgpt(tmp_path / "in.csv", tmp_path)
    drawn = []
    for path in (tmp_path / "in.csv", tmp_path / "data.csv"):
        table = pd.read_csv(path)
        table = table[(table["Model"] == "GPT-4") & (table["Response tokens"] > 0)]
        drawn.append([row[2:4] for row in table.sample(n=50, random_state=3).values.tolist()])
    assert drawn[0] == drawn[1]


def test_rows_out_of_order_are_sorted_for_the_trace(tmp_path: Path) -> None:
    rows = "30,GPT-4,3,1,4,API log\n10,GPT-4,1,1,2,API log\n30,GPT-4,4,1,5,API log\n"
    _, times = prepared_files(tmp_path, f"{HEADER}\n{rows}")
    assert times.splitlines()[1:] == ["0,1,1", "20,3,1", "20,4,1"]


def test_rows_without_a_value_and_impossible_ones_are_dropped(tmp_path: Path) -> None:
    rows = ",GPT-4,1,1,2,API log\n1,,1,1,2,API log\n1,GPT-4,,1,2,API log\n1,GPT-4,-5,1,2,API log\n"
    rows += "-1,GPT-4,1,1,2,API log\nnan,GPT-4,1,1,2,API log\n1,GPT-4,7,1,,\n"
    (tmp_path / "in.csv").write_text(f"{HEADER}\n{rows}")
    prepared = prepare_burstgpt(tmp_path / "in.csv", tmp_path)
    assert prepared.rows_kept == 1
    assert sum(prepared.rows_dropped.values()) == 6
    assert (tmp_path / "data.csv").read_text().splitlines()[1] == '1,"GPT-4",7,1,8,""'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "one column 'Timestamp'"),
        ("Timestamp,Model\n1,GPT-4\n", "one column 'Request tokens'"),
        (f"{HEADER},Model\n", "one column 'Model', and has 2"),
        (f"{HEADER}\n", "no usable row"),
        (f"{HEADER}\n1,ChatGPT,1,1,2,API log\n", "not GPT-4.*1"),
        (f"{HEADER}\n1,GPT-4,many,1,2,API log\n", "many"),
        (f"{HEADER}\n1,GPT-4,1\n", "columns"),
    ],
)
def test_unusable_files_are_named_with_the_reason(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "in.csv").write_text(content)
    with pytest.raises(BurstlabError, match=rf"(?s)in\.csv.*{message}"):
        prepare_burstgpt(tmp_path / "in.csv", tmp_path)


CELL = st.sampled_from(
    ["", "1", "-1", "0", "2.5", "nan", "inf", "1e400", "x", '"', '"a,b"', "GPT-4", "é", "9" * 30]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.one_of(
        st.binary(max_size=80),
        st.binary(max_size=60).map(lambda rest: HEADER.encode() + b"\n" + rest),
        st.lists(st.lists(CELL, min_size=5, max_size=7), max_size=4).map(
            lambda rows: "\n".join([HEADER, *map(",".join, rows)]).encode()
        ),
    )
)
def test_nothing_but_a_burstlab_error_comes_of_any_bytes(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "in.csv").write_bytes(content)
    try:
        prepared = prepare_burstgpt(tmp_path / "in.csv", tmp_path)
    except BurstlabError as error:
        assert "in.csv" in str(error)
    else:
        assert prepared.rows_kept == len((tmp_path / "data.csv").read_text().splitlines()) - 1
