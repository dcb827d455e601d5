# What is said last.
import sys

from burstlab.session.ending import failure_text, success_line


onsuccess:
    print(
        success_line(
            Path(RESULTS) / "report.html", sorted(workflow.dag_settings.targets)
        ),
        file=sys.stderr,
    )


onerror:
    print(failure_text(CAMPAIGNS), file=sys.stderr)
