import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.bench.requests_table import SCHEMA, check_against_saved, read_bench, requests_table
from burstlab.errors import BurstlabError

# Three requests: 3 tokens, 1 token, and one that failed without a reason.
CONTENT: dict[str, Any] = {
    "duration": 4.0,
    "completed": 2,
    "failed": 1,
    "total_input_tokens": 30,
    "total_output_tokens": 4,
    "request_throughput": 0.5,
    "request_rate": "inf",
    "input_lens": [10, 20, 30],
    "output_lens": [3, 1, 0],
    "ttfts": [0.5, 0.25, 0.0],
    "itls": [[0.125, 0.375], [], []],
    "latencies": [1.0, 0.25, 0.0],
    "start_times": [100.0, 101.5, 102.0],
    "errors": ["", "", ""],
    "mean_ttft_ms": 375.0,
    "median_ttft_ms": 375.0,
    "p90_ttft_ms": 475.0,
    "mean_tpot_ms": 250.0,
    "p99_tpot_ms": 250.0,
    "mean_e2el_ms": 625.0,
}
PLANNED_S = [0.25, 1.5, 2.25]


def write(folder: Path, content: Any = CONTENT, **changes: Any) -> Path:
    path = folder / "bench.json"
    path.write_text(json.dumps({**content, **changes} if isinstance(content, dict) else content))
    return path


def column(path: Path, name: str, start_clock_s: float | None = 99.75) -> list[Any]:
    values: list[Any] = requests_table(read_bench(path), PLANNED_S, start_clock_s)[name].to_pylist()
    return values


def test_latencies_in_milliseconds(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert column(path, "ttft_ms") == [500.0, 250.0, None]
    assert column(path, "e2el_ms") == [1000.0, 250.0, None]
    assert column(path, "max_itl_ms") == [375.0, None, None]


def test_tpot_needs_two_tokens(tmp_path: Path) -> None:
    assert column(write(tmp_path), "tpot_ms") == [250.0, None, None]


def test_versions_without_latencies_give_the_same(tmp_path: Path) -> None:
    old = {key: value for key, value in CONTENT.items() if key != "latencies"}
    assert column(write(tmp_path, old), "e2el_ms") == [1000.0, 250.0, None]


def test_a_failed_request_has_its_error_even_if_vllm_gave_none(tmp_path: Path) -> None:
    assert column(write(tmp_path), "error") == [None, None, "failed without a reason"]
    assert column(write(tmp_path, errors=["", "", "Bad gateway"]), "error") == [None, None, "Bad gateway"]


def test_a_request_that_broke_off_after_its_first_token_failed(tmp_path: Path) -> None:
    path = write(tmp_path, errors=["Traceback", "", ""])
    assert column(path, "ttft_ms") == [None, 250.0, None]


def test_send_times_count_from_the_start_of_the_run(tmp_path: Path) -> None:
    # Sent 0, 250 and 0 ms after their planned times.
    assert column(write(tmp_path), "send_s", start_clock_s=99.75) == [0.25, 1.75, 2.25]


def test_without_the_start_the_first_request_counts_as_punctual(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert column(path, "send_s", start_clock_s=None) == [0.25, 1.75, 2.25]
    first_not_sent = write(tmp_path, start_times=[0.0, 101.5, 102.0])
    assert column(first_not_sent, "send_s", start_clock_s=None) == [None, 1.5, 2.0]


def test_as_many_requests_as_planned(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="ttfts has 3 items; 2 requests were planned"):
        requests_table(read_bench(write(tmp_path)), [0.0, 1.0])


def test_our_numbers_are_those_that_vllm_saved(tmp_path: Path) -> None:
    bench = read_bench(write(tmp_path))
    check_against_saved(requests_table(bench, PLANNED_S), bench)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("mean_tpot_ms", 250.001),
        ("p90_ttft_ms", 500.0),
        ("completed", 3),
        ("failed", 0),
        ("total_input_tokens", 60),
        ("total_output_tokens", 5),
        ("request_throughput", 0.75),
    ],
)
def test_a_saved_number_that_differs_is_named(tmp_path: Path, key: str, value: float) -> None:
    bench = read_bench(write(tmp_path, **{key: value}))
    with pytest.raises(BurstlabError, match=f"{key} is saved as {value}"):
        check_against_saved(requests_table(bench, PLANNED_S), bench)


def test_all_failed_agrees_with_the_zeros_vllm_saves(tmp_path: Path) -> None:
    zeros = {key: 0.0 for key in CONTENT if key.endswith("_ms")}
    path = write(
        tmp_path,
        **zeros,
        ttfts=[0.0] * 3,
        latencies=[0.0] * 3,
        output_lens=[0] * 3,
        itls=[[]] * 3,
        completed=0,
        failed=3,
        total_input_tokens=0,
        total_output_tokens=0,
        request_throughput=0.0,
    )
    bench = read_bench(path)
    check_against_saved(requests_table(bench, PLANNED_S), bench)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ttfts": "0.5"}, "ttfts has '0.5'; a list was expected"),
        ({"ttfts": [0.5, None, 0.0]}, "ttfts has None; a number of seconds"),
        ({"ttfts": [0.5, -1.0, 0.0]}, "ttfts has -1.0"),
        ({"ttfts": [0.5, float("nan"), 0.0]}, "ttfts has nan"),
        ({"start_times": [1.0, float("inf"), 2.0]}, "start_times has inf"),
        ({"input_lens": [1.5, 2, 3]}, "input_lens has 1.5; a whole number"),
        ({"output_lens": [True, 2, 3]}, "output_lens has True"),
        ({"itls": [1.0, [], []]}, "itls has 1.0; lists of seconds"),
        ({"errors": [None, "", ""]}, "errors has None; texts"),
        ({"errors": ["\ud800", "", ""]}, "not Unicode"),
        ({"input_lens": [1, 2]}, "input_lens has 2 items, ttfts 3"),
        ({"duration": 0.0}, "duration is 0.0"),
    ],
)
def test_a_faulty_value_is_named(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BurstlabError, match=message) as caught:
        read_bench(write(tmp_path, **changes))
    assert "bench.json" in str(caught.value)


@pytest.mark.parametrize("key", ["duration", "completed", "ttfts", "itls", "start_times", "errors"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    content = {name: value for name, value in CONTENT.items() if name != key}
    with pytest.raises(BurstlabError, match=f"key {key} is missing"):
        read_bench(write(tmp_path, content))


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[1]", b"\xff", b"[" * 100_000, b'{"a": 1' + b"0" * 5000 + b"}"]
)
def test_what_is_not_the_file_is_an_error(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "bench.json"
    path.write_bytes(text)
    with pytest.raises(BurstlabError, match=r"bench\.json"):
        read_bench(path)


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="cannot be read"):
        read_bench(tmp_path / "bench.json")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted(CONTENT))
# The first draw of a text may be slow on a busy machine.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@PATIENT
@given(st.dictionaries(KEYS, JSON_VALUES, max_size=3), KEYS)
def test_any_change_gives_a_table_or_one_kind_of_error(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any], dropped: str
) -> None:
    content = {key: value for key, value in CONTENT.items() if key != dropped} | changes
    path = write(tmp_path_factory.mktemp("bench"), content)
    try:
        bench = read_bench(path)
        table = requests_table(bench, PLANNED_S)
        check_against_saved(table, bench)
    except BurstlabError:
        return
    assert table.schema == SCHEMA
    assert table.num_rows == 3


@PATIENT
@given(st.binary(max_size=200))
def test_any_bytes_give_one_kind_of_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("bench") / "bench.json"
    path.write_bytes(data)
    with pytest.raises(BurstlabError):
        read_bench(path)


def test_a_last_token_before_the_first_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"bench\.json: latencies has 0\.25 s for request 0, .* 0\.5 s"):
        read_bench(write(tmp_path, latencies=[0.25, 0.25, 0.0]))
