# What is said last.
import sys
import time

from burstlab.session.ending import failure_text, success_line

STARTED_S = time.time()


onsuccess:
    print(
        success_line(
            Path(RESULTS) / "report.html", sorted(workflow.dag_settings.targets)
        ),
        file=sys.stderr,
    )


onerror:
    print(failure_text(CAMPAIGNS, STARTED_S), file=sys.stderr)
