"""nsys as a recorder, with a program of its name that only writes down what it is told."""

import stat
from pathlib import Path

import pytest

from burstlab.errors import BurstlabError
from burstlab.session.nsys_recorder import NsysRecorder, importer

PROGRAM = """#!/bin/sh
echo "$@" >> {folder}/told
case "$1" in
  start) for word in "$@"; do case "$word" in --output=*) echo "${{word#--output=}}" > {folder}/output;; esac; done;;
  stop) echo report > "$(cat {folder}/output){suffix}";;
  export) for last; do :; done; cp "$last" "${{3#--output=}}";;
esac
if [ "$1" = "{failing}" ]; then echo "no session"; exit 1; fi
"""


class Told:
    """The made-up nsys, and what it was told so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.make()

    def make(self, suffix: str = ".nsys-rep", failing: str = "") -> None:
        script(
            self.bin / "nsys", PROGRAM.format(folder=self.folder, suffix=suffix, failing=failing or "nothing")
        )

    @property
    def lines(self) -> list[str]:
        return (self.folder / "told").read_text().splitlines()


def script(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    made = Told(tmp_path)
    monkeypatch.setenv("PATH", f"{made.bin}:/usr/bin:/bin")
    return made


@pytest.fixture
def recorder(tmp_path: Path) -> NsysRecorder:
    (tmp_path / "traces").mkdir()
    return NsysRecorder(tmp_path / "traces", tmp_path / "nsys.log", ["--gpu-metrics-devices=all"])


def test_the_load_is_recorded_in_the_engines_own_session(
    told: Told, recorder: NsysRecorder, tmp_path: Path
) -> None:
    (session,) = [word for word in recorder.prefix if word.startswith("--session-new=")]
    name = session.removeprefix("--session-new=")
    (recorder.folder / "report.sqlite").write_text("of the last run")
    with recorder.recording():
        assert not (recorder.folder / "report.sqlite").exists()
        assert [line.split()[0] for line in told.lines] == ["start"]
    assert recorder.trace().read_text() == "report\n"
    start, stop, export = told.lines
    assert start == (
        f"start --session={name} --output={tmp_path}/traces/report --force-overwrite=true --sample=none "
        "--cpuctxsw=none --gpu-metrics-devices=all"
    )
    assert stop == f"stop --session={name}"
    assert export.endswith("/traces/report.nsys-rep")


def test_two_engines_have_two_sessions(tmp_path: Path) -> None:
    one, other = (NsysRecorder(tmp_path, tmp_path / "log") for _ in range(2))
    assert one.prefix != other.prefix


def test_a_failed_load_ends_its_recording(told: Told, recorder: NsysRecorder) -> None:
    with pytest.raises(BurstlabError, match="all requests failed"), recorder.recording():
        raise BurstlabError("all requests failed")
    assert [line.split()[0] for line in told.lines] == ["start", "stop"]


@pytest.mark.parametrize("failing", ["start", "stop"])
def test_when_nsys_fails_its_own_words_are_told(told: Told, recorder: NsysRecorder, failing: str) -> None:
    told.make(failing=failing)
    with (
        pytest.raises(
            BurstlabError, match=rf"nsys {failing} failed \(exit status 1\): no session; log: .*nsys\.log"
        ),
        recorder.recording(),
    ):
        pass


def test_a_report_that_is_not_there_is_told(told: Told, recorder: NsysRecorder) -> None:
    told.make(suffix=".txt")
    with recorder.recording():
        pass
    with pytest.raises(BurstlabError, match=r"leave report\.nsys-rep there; there is report\.txt"):
        recorder.trace()


def test_raw_data_are_imported_where_nsys_did_not(told: Told, recorder: NsysRecorder) -> None:
    told.make(suffix=".qdstrm")
    with recorder.recording():
        pass
    with pytest.raises(BurstlabError, match="there is no QdstrmImporter beside it"):
        recorder.trace()
    script(told.folder / "host-linux-x64/QdstrmImporter", '#!/bin/sh\nmv "$2" "${2%.qdstrm}.nsys-rep"\n')
    assert recorder.trace().read_text() == "report\n"


@pytest.mark.parametrize(
    ("program", "place"),
    [
        (
            "lib/x86_64-linux-gnu/nsight-systems/target-linux-x64/nsys",
            "lib/nsight-systems/host-linux-x64/QdstrmImporter",
        ),
        ("opt/nsys/target-linux-x64/nsys", "opt/nsys/host-linux-x64/QdstrmImporter"),
    ],
)
def test_the_importer_is_found_in_the_same_installation(tmp_path: Path, program: str, place: str) -> None:
    script(tmp_path / program, "")
    assert importer(tmp_path / program) is None
    script(tmp_path / place, "")
    assert importer(tmp_path / program) == tmp_path / place
