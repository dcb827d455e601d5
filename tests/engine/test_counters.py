"""Counters are read from Prometheus' text and summed over their labels."""

from burstlab.engine.counters import counted_between, read_counters

PAGE = """\
# HELP vllm:prompt_tokens_total Number of prefill tokens processed.
# TYPE vllm:prompt_tokens_total counter
vllm:prompt_tokens_total{engine="0",model_name="m"} 1200.0
vllm:prompt_tokens_created{engine="0",model_name="m"} 1.7e+09
vllm:prompt_tokens_by_source_total{engine="0",source="local_compute"} 999.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"} 3.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="m"} 40.0
vllm:prefix_cache_hits_total{engine="0",model_name="m"} 1.6e+01
vllm:num_requests_running{engine="0"} 2.0
"""


def test_labels_are_summed_and_other_metrics_left_out() -> None:
    assert read_counters(PAGE) == {
        "prompt_tokens": 1200,
        "finished_requests": 43,
        "finished_by_length": 40,
        "prefix_cache_hits": 16,
    }


def test_growth_is_the_difference_and_unknown_where_a_reading_is_missing() -> None:
    found = counted_between({"prompt_tokens": 1000, "preemptions": 0}, {"prompt_tokens": 1200})
    assert found.prompt_tokens == 200
    assert found.preemptions is None
    assert found.generation_tokens is None


def test_counters_of_an_engine_that_started_anew_say_nothing() -> None:
    assert counted_between({"prompt_tokens": 1000}, {"prompt_tokens": 3}).prompt_tokens is None
