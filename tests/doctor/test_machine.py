import sys
from pathlib import Path

from burstlab.doctor.machine import NOT_STARTED, TIMED_OUT, Machine


def test_a_program_answers_with_status_and_output() -> None:
    answer = Machine().run([sys.executable, "-c", "print('out'); raise SystemExit('why')"], 60)
    assert (answer.status, answer.out, answer.reason) == (1, "out\n", "why")


def test_a_program_that_is_not_there_or_takes_too_long_is_no_exception(tmp_path: Path) -> None:
    assert Machine().run([str(tmp_path / "none")], 60).status == NOT_STARTED
    slow = Machine().run([sys.executable, "-c", "import time; time.sleep(60)"], 0.2)
    assert slow.status == TIMED_OUT and "0.2 s" in slow.reason


def test_a_program_gets_the_machines_variables_alone() -> None:
    program = [sys.executable, "-c", "import os; print(os.environ.get('MINE'), os.environ.get('HOME'))"]
    assert Machine({"MINE": "1"}).run(program, 60).out == "1 None\n"


def test_memory_cores_and_disk_are_there(tmp_path: Path) -> None:
    machine = Machine()
    assert machine.cores >= 1
    assert 0 < machine.available_bytes <= machine.memory_bytes
    assert machine.disk(tmp_path / "not" / "there")[0] == tmp_path.stat().st_dev
