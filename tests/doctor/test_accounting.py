from typing import Any

from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor import accounting
from burstlab.doctor.machine import Output


def platform(**slurm: Any) -> dict[str, Any]:
    return {"gpu": {"kind": "cuda", "cores": 4, "slurm": slurm}}


def test_an_account_of_this_users_is_fine(subject: Make) -> None:
    machine = FakeMachine({"sacct ": "1\n", "sacctmgr": "lab\nother\n"})
    found = list(accounting.check(subject(machine, platforms=platform(account="lab"))))
    assert [one.level for one in found] == ["ok"]


def test_another_account_is_an_error(subject: Make) -> None:
    machine = FakeMachine({"sacct ": "1\n", "sacctmgr": "lab\nother\n"})
    _, found = accounting.check(subject(machine, platforms=platform(account="lap")))
    assert (found.level, found.path) == ("error", ("platforms", "gpu", "slurm", "account"))
    assert found.cure.startswith("did you mean 'lab'?")


def test_a_cluster_without_accounts_is_a_warning_and_its_accounts_are_not_asked_for(subject: Make) -> None:
    machine = FakeMachine({"sacct ": Output(1, "", "Slurm accounting storage is disabled")})
    (found,) = accounting.check(subject(machine, platforms=platform(account="lab")))
    assert found.level == "warning" and "accounting storage is disabled" in found.found
    assert "squeue" in found.cure


def test_where_accounts_cannot_be_listed_none_is_called_unknown(subject: Make) -> None:
    machine = FakeMachine(
        {"sacctmgr": Output(1, "You are not running a supported accounting_storage plugin")}
    )
    assert list(accounting.accounts(subject(machine, platforms=platform(account="lab")))) == []
