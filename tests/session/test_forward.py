"""A workflow that is told to end takes its jobs along, then ends as it would have."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from burstlab.session import forward

# Like Snakemake: a handler of its own for SIGTERM, a job behind a shell, and a wait for the job.
WORKFLOW = """
import signal, subprocess, sys
from burstlab.session.forward import end_jobs_on_signals
signal.signal(signal.SIGTERM, lambda *_: print("told", flush=True))
signal.signal(signal.SIGINT, signal.default_int_handler)
end_jobs_on_signals()
leaf = "import time; print('running', flush=True); time.sleep(600)"
job = subprocess.Popen(f'{sys.executable} -c "{leaf}"; exit $?', shell=True)
try:
    job.wait()
except KeyboardInterrupt:
    print("interrupted", flush=True)
    job.wait()
print("job ended", flush=True)
"""


@pytest.mark.parametrize(("number", "said"), [(signal.SIGTERM, "told"), (signal.SIGINT, "interrupted")])
def test_the_job_ends_and_the_workflows_own_handler_runs(number: signal.Signals, said: str) -> None:
    workflow = subprocess.Popen(
        [sys.executable, "-c", WORKFLOW],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(forward.__file__).parents[2])},
    )
    assert workflow.stdout is not None
    assert workflow.stdout.readline() == "running\n"
    workflow.send_signal(number)
    output, _ = workflow.communicate(timeout=20)
    assert said in output
    assert "job ended" in output
