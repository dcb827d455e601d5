"""A failed engine is explained by its own words, not by three screens of traceback."""

from pathlib import Path

from burstlab.engine.log_tail import causes, explain, last_lines

LOG = """\
(APIServer pid=7) INFO 11-29 15:41:18 [api_utils.py:347] starting
(EngineCore pid=9) ERROR 11-29 15:41:20 [core.py:900] Traceback (most recent call last):
(EngineCore pid=9) ERROR 11-29 15:41:20 [core.py:900]   File "core.py", line 1, in run
(EngineCore pid=9) ERROR 11-29 15:41:20 [core.py:900] torch.OutOfMemoryError: CUDA out of memory. Tried 2 GiB
\x1b[0;36m(APIServer pid=7)\x1b[0;0m Traceback (most recent call last):
RuntimeError: Engine core initialization failed.

"""


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_the_exceptions_are_found_without_the_loggers_prefix(tmp_path: Path) -> None:
    assert causes(write(tmp_path / "log", LOG)) == [
        "torch.OutOfMemoryError: CUDA out of memory. Tried 2 GiB",
        "RuntimeError: Engine core initialization failed.",
    ]


def test_a_log_without_exceptions_is_explained_by_its_end(tmp_path: Path) -> None:
    assert explain(write(tmp_path / "log", "one\n\ntwo\n")) == "one\ntwo"


def test_colours_and_blank_lines_are_left_out(tmp_path: Path) -> None:
    assert (
        last_lines(write(tmp_path / "log", LOG), count=1)
        == "RuntimeError: Engine core initialization failed."
    )
    assert "\x1b" not in last_lines(tmp_path / "log")


def test_a_missing_or_empty_log_says_so(tmp_path: Path) -> None:
    assert last_lines(tmp_path / "none") == "(the log is empty)"
