from pathlib import Path

from tests.claims.made import cells, evidence, results


def test_larger_more_prompt_but_slower(tmp_path: Path) -> None:
    rows = cells(1.0, mean_mixed_tokens=300.0, mean_mixed_ms=100.0)
    rows += cells(0.1, mean_mixed_tokens=900.0, mean_mixed_ms=200.0)
    iterations = [
        {
            "cell": row["cell"],
            "kind": "mixed",
            "elapsed_ms": 1.0,
            "context_tokens": 800 if row["burstiness"] == 1 else 950 + row["seed"],
            "generation_tokens": 200 if row["burstiness"] == 1 else 50 - row["seed"],
        }
        for row in rows
    ]
    assert results("B7", evidence(tmp_path, rows, iterations)) == {
        "relative change of tokens in a mixed batch": "holds",
        "change of the prompt tokens' share in mixed batches": "holds",
        "relative change of duration of a mixed batch": "fails",
    }
