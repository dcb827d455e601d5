from burstlab.claims.counts import by_evidence


def rows(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"verdict": verdict, "evidence": evidence} for verdict, evidence in pairs]


def test_what_was_not_measured_is_said_to_be_so() -> None:
    found = rows(
        ("not run", ""),
        ("reproduced", "published"),
        ("reproduced", "simulated"),
        ("reproduced", "published"),
        ("inconclusive", "measured"),
        ("inconclusive", "simulated"),
    )
    assert list(by_evidence(found)) == [
        ("reproduced", 3, "none measured, 1 simulated, 2 arithmetic on published numbers"),
        ("inconclusive", 2, "1 measured, 1 simulated"),
        ("not run", 1, ""),
    ]
