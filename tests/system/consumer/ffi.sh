#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Checks docs/ffi.md: each block is contained in the program that it names, word by word, and the program in Python prints the output shown on the
# page, with only the shared library. ffi.sh LIBRARY
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
PYTHONDONTWRITEBYTECODE=1 python3 - "$root" "$1" <<'PYTHON'
import pathlib, re, subprocess, sys

root, library = pathlib.Path(sys.argv[1]), sys.argv[2]
page = (root / "docs/ffi.md").read_text()
blocks = re.findall(r"^<!-- (\S+) -->\n```\w*\n(.*?)^```$", page, re.M | re.S)
assert len(blocks) > 5, "the page has lost its blocks"
expected = None
for name, block in blocks:
    if name == "output":
        expected = block
    elif block.strip() not in (root / "docs/examples/ffi" / name).read_text():
        sys.exit(f"{name}: a block of docs/ffi.md does not stand there:\n{block}")
for program in sorted((root / "docs/examples/ffi").glob("two_agents.*")):
    takes = program.read_text().split("\n")[2].split(": ", 1)[1]  # its own command, after its description
    for command in takes.split("; "):
        if f"\n{command}" not in page:
            sys.exit(f"docs/ffi.md does not say what {program.name} takes: {command}")
bare = subprocess.run([sys.executable, root / "docs/examples/ffi/two_agents.py"], capture_output=True, text=True)
if bare.returncode == 0 or "usage: two_agents.py LIBRARY" not in bare.stderr:
    sys.exit(f"two_agents.py without a library says {bare.stderr}")
said = subprocess.run([sys.executable, root / "docs/examples/ffi/two_agents.py", library], capture_output=True, text=True)
if said.returncode or said.stdout != expected:
    sys.exit(f"two_agents.py answered {said.returncode} and printed\n{said.stdout}{said.stderr}and not\n{expected}")
PYTHON
