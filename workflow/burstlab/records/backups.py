"""Snakemake's copies of records that a session is to renew, and what becomes of them when the session fails."""

from __future__ import annotations

import logging
from pathlib import Path

BACKUPS = Path(".snakemake/backups")
"""Where Snakemake keeps them, by their paths: `FileBackupMixin` of snakemake 9."""


def forget_backup(record: Path) -> None:
    """Remove the copy of an old `record`, since a new one is to stand there. Its path is relative to the study's folder.

    When a job fails, Snakemake puts the copies of its `update()` outputs back. A session that failed for one cell would so lose
    the new records of others.
    """
    if not record.is_absolute():  # the workflow's never are
        (BACKUPS / record).unlink(missing_ok=True)


class NoBackupNeeded(logging.Filter):
    """Drops Snakemake's warning that it cannot restore a record: new ones have no copy, and renewed ones must not have one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the message is to be shown."""
        text = record.getMessage()
        return not (text.startswith("Cannot restore ") and "/cell.json: no backup found" in text)
