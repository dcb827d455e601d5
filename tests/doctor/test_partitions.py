from tests.doctor.conftest import FakeMachine

from burstlab.doctor import partitions
from burstlab.doctor.partitions import Nodes


def test_rows_of_sinfo_are_read() -> None:
    listing = (
        "short*|up|(null)|gpu:fake:1\n"
        "gpu|up|sxm5,nvlink|gpu:h200:8(S:0-1),shard:h200:16\n"
        "old|drain|pcie|gpu:2,lustre:1\n"
        "cpu|up|(null)|(null)\n"
        "slurm_load_partitions: something else\n"
    )
    assert partitions.read(listing) == [
        Nodes("short", True, True, frozenset(), {"fake": 1}),
        Nodes("gpu", False, True, frozenset({"sxm5", "nvlink"}), {"h200": 8}),
        Nodes("old", False, False, frozenset({"pcie"}), {"": 2}),
        Nodes("cpu", False, True, frozenset(), {}),
    ]


def test_sinfo_is_asked_for_the_columns_that_are_read() -> None:
    machine = FakeMachine({"sinfo --noheader --format=%P|%a|%f|%G": "a*|up|x|gpu:1\n"})
    assert partitions.read(partitions.ask(machine).out)[0].partition == "a"
