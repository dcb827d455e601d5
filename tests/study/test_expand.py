from typing import Any

from burstlab.study.cells import Arrivals
from burstlab.study.expand import cells, sessions


def test_a_block_is_a_cross_product_of_its_lists(small: dict[str, Any], study_of: Any) -> None:
    found = [cell.id.removeprefix("cpu/llama/plain/random/") for cell in cells(study_of(small))]
    assert found == [
        "rate-10/burst-1/seed-0",
        "rate-10/burst-1/seed-1",
        "rate-10/burst-0.5/seed-0",
        "rate-10/burst-0.5/seed-1",
    ]


def test_traces_stand_beside_gamma_arrivals(small: dict[str, Any], study_of: Any) -> None:
    small["blocks"][0] |= {"traces": ["azure", "burst"], "burstiness": [1.0], "seeds": [7]}
    found = [cell.arrivals for cell in cells(study_of(small))]
    assert found == [Arrivals.gamma(1.0), Arrivals.replay("azure"), Arrivals.replay("burst")]


def test_a_session_has_one_platform_model_and_engine(small: dict[str, Any], study_of: Any) -> None:
    small["blocks"][0] |= {"models": ["llama", "local"], "workloads": ["random", "talk"]}
    study = study_of(small)
    found = sessions(cells(study), study)
    assert [session.id for session in found] == ["cpu/llama/plain/0", "cpu/local/plain/0"]
    assert [len(session.cells) for session in found] == [8, 8]


def test_the_bursts_of_a_seed_are_measured_one_after_the_other(small: dict[str, Any], study_of: Any) -> None:
    study = study_of(small)
    (session,) = sessions(cells(study), study)
    assert [(cell.seed, cell.arrivals.burstiness) for cell in session.cells] == [
        (0, 1.0),
        (0, 0.5),
        (1, 1.0),
        (1, 0.5),
    ]


def test_a_limit_cuts_sessions_and_loses_no_cell(small: dict[str, Any], study_of: Any) -> None:
    small["platforms"]["cpu"]["max_cells_per_session"] = 3
    study = study_of(small)
    found = sessions(cells(study), study)
    assert [(session.id, len(session.cells)) for session in found] == [
        ("cpu/llama/plain/0", 3),
        ("cpu/llama/plain/1", 1),
    ]
    assert {cell for session in found for cell in session.cells} == set(cells(study))
