"""A model from a hub, over real sockets."""

from __future__ import annotations

import socket

import pytest

from embedded.conftest import Listener, from_hub, from_index, tiny_model
from embedded.origins import CONTENT, sha256
from metaclaw_tray.embedded.fetch import fetch, plan
from metaclaw_tray.errors import ModelError


def partial(paths):
    return paths.models_dir / "tiny.gguf.partial"


def test_the_file_gets_its_name_when_all_of_it_was_checked(paths, hub):
    listener = Listener()
    file = fetch(tiny_model(from_hub(hub)), paths, listener)
    assert file == paths.models_dir / "tiny.gguf"
    assert file.read_bytes() == CONTENT
    assert not partial(paths).exists()
    assert listener.heard[-1].done == listener.heard[-1].total == len(CONTENT)
    assert listener.heard[-1].host == "127.0.0.1"


def test_a_model_that_is_here_is_not_asked_for_again(paths, hub):
    model = tiny_model(from_hub(hub))
    fetch(model, paths, Listener())
    hub.asked.clear()
    assert fetch(model, paths, Listener()).exists()
    assert plan(model, paths).present
    assert hub.asked == []


def test_a_download_that_was_cut_goes_on_where_it_was_cut(paths, hub):
    hub.cut_at = [100_000, 250_000]
    file = fetch(tiny_model(from_hub(hub)), paths, Listener())
    assert file.read_bytes() == CONTENT
    assert hub.asked == [None, "bytes=100000-", "bytes=250000-"]


def test_what_an_interrupted_process_left_is_continued(paths, hub):
    paths.models_dir.mkdir()
    partial(paths).write_bytes(CONTENT[:123_456])
    assert plan(tiny_model(from_hub(hub)), paths).missing == len(CONTENT) - 123_456
    fetch(tiny_model(from_hub(hub)), paths, Listener())
    assert hub.asked == ["bytes=123456-"]


def test_a_server_without_ranges_sends_everything_again(paths, hub):
    hub.ranges = False
    hub.cut_at = [100_000]
    assert fetch(tiny_model(from_hub(hub)), paths, Listener()).read_bytes() == CONTENT


def test_another_file_is_refused_by_its_announced_hash_and_nothing_of_ours_is_lost(paths, hub):
    paths.models_dir.mkdir()
    partial(paths).write_bytes(CONTENT[:1000])
    hub.content = bytes(reversed(CONTENT))
    hub.announced = sha256(hub.content)
    with pytest.raises(ModelError, match="another file"):
        fetch(tiny_model(from_hub(hub)), paths, Listener())
    assert partial(paths).read_bytes() == CONTENT[:1000]


def test_another_file_that_announces_nothing_is_not_kept(paths, hub):
    hub.content = bytes(reversed(CONTENT))
    hub.announced = None
    with pytest.raises(ModelError, match="nothing of it was kept"):
        fetch(tiny_model(from_hub(hub)), paths, Listener())
    assert not partial(paths).exists()
    assert not (paths.models_dir / "tiny.gguf").exists()


def test_a_sign_in_page_is_not_taken_for_the_file(paths, hub):
    paths.models_dir.mkdir()
    partial(paths).write_bytes(CONTENT[:1000])
    hub.page = b"<html>Welcome to our hotel</html>"
    with pytest.raises(ModelError, match="serves 33 bytes"):
        fetch(tiny_model(from_hub(hub)), paths, Listener())
    assert partial(paths).read_bytes() == CONTENT[:1000]


def test_a_hub_that_refuses_is_said_with_its_status(paths, hub):
    hub.status = 404
    with pytest.raises(ModelError, match="answered with status 404") as fault:
        fetch(tiny_model(from_hub(hub)), paths, Listener())
    assert "network" in fault.value.remedy


def test_where_the_hub_cannot_be_reached_the_repack_is_used_and_said(paths, hub, repack):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}/model"
    listener = Listener()
    source = {**from_hub(hub), "url": nobody}
    file = fetch(tiny_model(source, from_index(repack)), paths, listener)
    assert file.read_bytes() == CONTENT
    assert "could not be reached" in listener.news[0]
    assert "used instead" in listener.news[0]
    assert "an anonymous repack" in listener.news[0]


def test_a_hub_that_breaks_off_for_good_leaves_its_bytes_to_the_repack(paths, hub, repack):
    hub.cut_at = [250_000, 250_000]  # the second answer brings nothing
    listener = Listener()
    file = fetch(tiny_model(from_hub(hub), from_index(repack)), paths, listener)
    assert file.read_bytes() == CONTENT
    assert "part 1 of 3" not in listener.news
    assert "part 2 of 3" in listener.news


def test_an_exception_of_the_listener_ends_the_download_and_keeps_what_came(paths, hub):
    class StopError(Exception):
        pass

    def stop(progress):
        if progress.done:
            raise StopError

    with pytest.raises(StopError):
        fetch(tiny_model(from_hub(hub)), paths, stop)
    kept = partial(paths).read_bytes()
    assert 0 < len(kept) < len(CONTENT)
    assert CONTENT.startswith(kept)
