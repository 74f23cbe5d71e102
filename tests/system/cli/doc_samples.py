#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Checks that the samples of docs/ do what they show.

doc_samples.py ACCP: a shell runs every `$ ` command in the fenced blocks of each page, in order, in a folder for that page with the project's data/
and docs/. It must print the text below it. `…` matches any text of a line, a line of `…` or `...` for any lines; a command with nothing below it
must only succeed. `cat FILE` creates the file from the text below it. The README's block that begins with `run=` must succeed as a whole. First it
is tested that a wrong sample is noticed.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Commands that only show what a reader would see, because they need a file, a program or a network that is not available. For each
# page, how they begin.
SHOWN = {
    "agents.md": ["cd my-project", "accp context generate"],
    "a2a.md": ["accp serve", "wscat", "curl"],
    "cli.md": ["accp registry diff old.json", "accp context validate packet.yaml", "accp context query"],
    "packets.md": ["accp context generate \"Make TLS", "accp context revise", "accp context log", "accp context query"],
    "panes.md": ["accp context stats", "accp context spawn", "accp context generate", "AGENTWIRE_PANE=1", "accp context record"],
    "server.md": ["accp serve", "wscat", "curl", "echo '{\"query\""],
}


def samples(page):
    """Returns the commands of a page, each with the text below it."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", page, re.M | re.S):
        for sample in re.split(r"^\$ ", block, flags=re.M)[1:] if not language else []:
            lines = sample.rstrip("\n").split("\n")
            here = re.search(r"<<'?(\w+)'?", lines[0])
            end = lines.index(here[1]) + 1 if here else 1
            while lines[end - 1].rstrip().endswith(("|", "\\")):
                end += 1
            yield "\n".join(lines[:end]), "\n".join(lines[end:]).strip("\n")


def is_answer(wanted, said):
    lines = (line.replace("\u00a0", " ") for line in wanted.split("\n"))
    pattern = "\n".join("(?:.*\n)*.*" if line in ("…", "...") else ".*".join(map(re.escape, line.split("…"))) for line in lines)
    return re.fullmatch(pattern, said.replace("\u00a0", " ")) is not None


def fault_of(command, wanted, folder, path):
    """Returns what is wrong with one sample, or None."""
    made = re.fullmatch(r"cat (\S+)", command)
    if made:
        (folder / made[1]).write_text(wanted + "\n", encoding="utf-8")
        return None
    run = subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=120, check=False)
    out, err = run.stdout.strip("\n"), run.stderr.strip("\n")
    if not wanted:
        return None if run.returncode == 0 else f"{command}\nends with {run.returncode}: {err}"
    if any(is_answer(wanted, said) for said in (out, f"{out}\n{err}".strip("\n"), f"{err}\n{out}".strip("\n"))):
        return None
    return f"{command}\nshows:\n{wanted}\nanswers:\n{out}\n{err}"


def faults_of(name, page, path):
    """Returns what is wrong with the samples of a page, and how many were run."""
    shown, seen, faults, count = SHOWN.get(name, []), set(), [], 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for linked in ("data", "docs"):
            (folder / linked).symlink_to(ROOT / linked)
        for command, wanted in samples(page):
            beginning = next((begin for begin in shown if command.startswith(begin)), None)
            if beginning:
                seen.add(beginning)
                continue
            fault = fault_of(command, wanted, folder, path)
            faults += [f"{name}: {fault}"] if fault else []
            count += 1
    return faults + [f"{name}: no sample begins with {begin}" for begin in shown if begin not in seen], count


def readme_fault(path):
    """Returns what is wrong with the commands that the README shows together, or None."""
    block = re.search(r"^```\n(run=.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "data").symlink_to(ROOT / "data")
        return fault_of("set -e\n" + block[1], "", folder, path)


def main():
    accp = pathlib.Path(sys.argv[1]).resolve()
    path = f"{accp.parent}:{os.environ['PATH']}"
    wrong = "```\n$ echo 1\n2\n$ false\n$ printf 'a b\\nc\\nd'\na …\n...\nd\n```\n"
    if len(faults_of("wrong.md", wrong, path)[0]) != 2:
        sys.exit("a wrong sample is not noticed")
    readme = readme_fault(path)
    faults, count = [f"README.md: {readme}"] if readme else [], 1
    for page in sorted((ROOT / "docs").glob("*.md")):
        found, run = faults_of(page.name, page.read_text(encoding="utf-8"), path)
        faults += found
        count += run
    print("\n\n".join(faults))
    print(f"{count} samples, {len(faults)} wrong")
    sys.exit(1 if faults or count < 30 or not shutil.which("bash") else 0)


if __name__ == "__main__":
    main()
