#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Checks which module of src/ includes which: arrows.py [ROOT]. Prints every include against the arrows, and fails if one exists:

    base <- {value, text} <- frame <- {registry, token, store, render, transcript} <- {context, delivery} <- {codec, packet, sacp} <- session <- capi
         <- (the public headers) <- {server, nats} <- proxy <- cli

server, nats, proxy and cli include the public headers of the library, not its rooms; the conversations of proxy also include some rooms (CORE_USE). The core reads no clock and prints nothing. script/rooms draws FLOORS."""
import pathlib
import re
import sys

FLOORS = [["base"], ["value", "text"], ["frame"], ["registry", "token", "store", "render", "transcript"], ["context", "delivery"], ["codec", "packet", "sacp"],
          ["session"], ["capi"], ["server", "nats"], ["proxy"], ["cli"]]
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
FACE = FLOOR_OF["capi"]  # modules above it use only the public headers of the library
FORBIDDEN = {"iostream", "fstream", "cstdio", "stdio.h", "ctime", "time.h", "thread", "sys/socket.h"}
# <chrono> is allowed for its calendar; these names read the time.
CLOCK = re.compile(r"\b(?:system|steady|high_resolution|utc|tai|gps|file)_clock\b")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]*)[">]', re.M)
ALLOWED = {("src/packet/panes/files.cc", "cstdio"),    # renameat(), which replaces a file
           ("src/nats/stream.cc", "server/json/base64.h")}  # compiled into both

CORE_USE = {"proxy": {"base", "value", "token", "context", "store"}}


def fault(path, room, target):
    """Returns what is wrong with an include, or an empty text."""
    other = target.split("/")[0]
    names = path.rsplit("/", 1)[-1], target.rsplit("/", 1)[-1]
    if any("encode" in a and "decode" in b for a, b in (names, names[::-1])):
        return f"encode and decode know each other: {target}"
    if other in (room, "accp") or (path, target) in ALLOWED:
        return ""
    if target in FORBIDDEN and FLOOR_OF[room] <= FACE:
        return f"the core has no clock, no output, no threads: <{target}>"
    if other not in FLOOR_OF or "/" not in target or other in CORE_USE.get(room, ()):
        return ""
    is_seen = FLOOR_OF[other] < FLOOR_OF[room] and (FLOOR_OF[room] <= FACE or FLOOR_OF[other] > FACE)
    return "" if is_seen else f"{room} must not include {other}: {target}"


def faults(root):
    for file in sorted((root / "src").rglob("*")):
        if file.suffix not in (".h", ".cc", ".c"):
            continue
        path = file.relative_to(root).as_posix()
        room = path.split("/")[1]
        if room not in FLOOR_OF:
            yield path, f"no such room: {room}"
            continue
        text = file.read_text()
        clock = CLOCK.search(text)
        if clock and FLOOR_OF[room] <= FACE:
            yield path, f"the core has no clock: {clock[0]}"
        for target in INCLUDE.findall(text):
            if what := fault(path, room, target):
                yield path, what


if __name__ == "__main__":
    found = list(faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[3])))
    for path, what in found:
        print(f"{path}: {what}")
    sys.exit(bool(found))
