import socket
from pathlib import Path

import pytest

from burstlab.errors import BurstlabError
from burstlab.models.resolve import model_arguments, reachable
from burstlab.study.schema import Model

HUB = Model(hub="meta-llama/Llama-3.1-8B", revision="abc")


def cached(cache: Path, revision: str, commit: str) -> None:
    repository = cache / "models--meta-llama--Llama-3.1-8B"
    (repository / "snapshots" / commit).mkdir(parents=True)
    (repository / "snapshots" / commit / "config.json").touch()
    if revision != commit:
        (repository / "refs" / revision).parent.mkdir(parents=True)
        (repository / "refs" / revision).write_text(commit)


def offline(url: str) -> bool:
    return False


def test_a_model_built_here_is_its_folder_with_random_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("resources/models/tiny-gqa")
    with pytest.raises(
        BurstlabError, match=r"models: t: build: .*tiny-gqa is not a folder.*snakemake models"
    ):
        model_arguments("t", Model(build="tiny-gqa"))
    folder.mkdir(parents=True)
    (folder / "config.json").touch()
    assert model_arguments("t", Model(build="tiny-gqa")) == [str(folder), "--load-format", "dummy"]


def test_a_folder_is_taken_as_it_is_if_there_is_a_model_in_it(tmp_path: Path) -> None:
    model = Model(path=str(tmp_path))
    with pytest.raises(BurstlabError, match=rf"models: mine: path: {tmp_path} has no config\.json; put"):
        model_arguments("mine", model)
    (tmp_path / "config.json").touch()
    assert model_arguments("mine", model) == [str(tmp_path)]


def test_a_model_of_the_hub_is_its_name_and_revision() -> None:
    assert model_arguments("llama", HUB, {}, lambda url: True) == [
        "meta-llama/Llama-3.1-8B",
        "--revision",
        "abc",
    ]
    assert model_arguments("q", Model(hub="Qwen/Qwen3"), {}, lambda url: True) == ["Qwen/Qwen3"]


@pytest.mark.parametrize(("revision", "commit"), [("abc", "abc"), ("abc", "0123")])
def test_offline_a_cached_revision_will_do(tmp_path: Path, revision: str, commit: str) -> None:
    cached(tmp_path / "hub", revision, commit)
    assert model_arguments("llama", HUB, {"HF_HOME": str(tmp_path)}, offline)[0] == HUB.hub
    assert model_arguments("llama", HUB, {"HF_HUB_CACHE": str(tmp_path / "hub")}, offline)[0] == HUB.hub


def test_offline_another_revision_will_not_do_and_the_message_says_what_to_put_where(tmp_path: Path) -> None:
    cached(tmp_path / "hub", "main", "0123")
    with pytest.raises(BurstlabError) as caught:
        model_arguments("llama", HUB, {"HF_HOME": str(tmp_path)}, offline)
    message = str(caught.value)
    for word in [
        "models: llama: hub:",
        "cannot be reached",
        str(tmp_path / "hub"),
        "--revision abc",
        "`path`",
    ]:
        assert word in message


def test_told_to_stay_offline_the_hub_is_not_asked(tmp_path: Path) -> None:
    def ask(url: str) -> bool:
        raise AssertionError(url)

    with pytest.raises(BurstlabError, match="HF_HUB_OFFLINE is set"):
        model_arguments("llama", HUB, {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}, ask)


def test_a_mirror_is_asked_in_place_of_the_hub(tmp_path: Path) -> None:
    asked: list[str] = []
    variables = {"HF_HOME": str(tmp_path), "HF_ENDPOINT": "http://mirror.example"}
    model_arguments("llama", HUB, variables, lambda url: not asked.append(url))  # type: ignore[func-returns-value]
    assert asked == ["http://mirror.example"]


def test_a_host_is_reachable_if_it_takes_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert reachable(f"http://127.0.0.1:{port}")
    assert not reachable(f"http://127.0.0.1:{port}")
