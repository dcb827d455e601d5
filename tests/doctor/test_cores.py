from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor import cores


def test_a_session_may_take_what_the_machine_has(subject: Make) -> None:
    platforms = {
        "some": {"kind": "cpu", "cores": 4},
        "many": {"kind": "cpu", "cores": 5},
        "all": {"kind": "cpu"},
    }
    found = {one.path: one.level for one in cores.check(subject(FakeMachine(cores=4), platforms=platforms))}
    assert found == {("platforms", "some", "cores"): "ok", ("platforms", "many", "cores"): "error"}
