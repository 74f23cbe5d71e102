#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Holds data/conformance/rows.jsonl to what there is, so that no row is claimed by what does not exist.

rows.py BUILD ACCP: every test that a row names is in ctest's list of BUILD, every page says what it is named for, every file names its row,
every set has vectors for its rows and for no others; and docs/conformance.md is what ACCP writes. First, that each of these can fail.
rows.py --requirements FILE: the rows are those of FILE, a list of the requirements, and no others.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "data/conformance"
SETS = {"level1": "level 1", "level2": "level 2", "level3": "level 3", "profiles": "profiles", "commands": "commands", "sacp": "sacp"}
WORDS = {"MUST", "SHOULD", "MAY", "implied", "example", "future", "goal"}


def read(name):
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def faults_of(row, vectors, tests):
    """What is wrong with one row: texts."""
    said = []
    if re.split(r"[ (]", row["must"])[0] not in WORDS:
        said.append(f"no word of the specification: {row['must']}")
    if vectors.get(row["id"]) != row.get("at"):
        said.append(f"has vectors at {vectors.get(row['id'])}, not at {row.get('at')}")
    said += [f"no such test: {test}" for test in row.get("test", []) if test not in tests]
    if "file" in row and row["id"] not in (ROOT / row["file"]).read_text(encoding="utf-8"):
        said.append(f"is not named in {row['file']}")
    if "page" in row:
        page = (ROOT / "docs" / row["page"]).read_text(encoding="utf-8")
        said += [f"docs/{row['page']} does not say {text}" for text in row.get("says", [""]) if not text or text not in page]
    if not row.keys() & {"at", "test", "file", "page", "level", "waits"}:
        said.append("nothing shows it")
    return [f"{row['id']}: {text}" for text in said]


def self_test():
    sound = {"id": "ACCP-1.3-01", "must": "MUST", "test": ["A.B"], "page": "glossary.md", "says": ["| frame |"]}
    assert faults_of(sound, {}, {"A.B"}) == [], "a sound row"
    for wrong in ({"test": ["A.NoSuchTest"]}, {"says": ["no such text on it"]}, {"says": [""]}, {"must": "must"},
                  {"at": "level 1"}, {"file": "README.md"}):
        assert len(faults_of(sound | wrong, {}, {"A.B"})) == 1, f"taken: {wrong}"
    assert len(faults_of({"id": "R", "must": "MUST"}, {}, set())) == 1
    assert len(faults_of({"id": "R", "must": "MUST", "test": ["A.B"]}, {"R": "level 1"}, {"A.B"})) == 1


def check(build, accp):
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout
    tests = {test["name"] for test in json.loads(listed)["tests"]}
    rows = [row for row in read("rows") if "id" in row]
    vectors = {vector["id"]: name for file, name in SETS.items() for vector in read(file)}
    said = [text for row in rows for text in faults_of(row, vectors, tests)]
    ids = [row["id"] for row in rows]
    said += [f"{one}: twice" for one in set(ids) if ids.count(one) > 1]
    said += [f"{one}: vectors of no row" for one in vectors.keys() - set(ids)]
    page = subprocess.run([accp, "conformance", "--table"], capture_output=True, text=True, check=True).stdout
    if page != (ROOT / "docs/conformance.md").read_text(encoding="utf-8"):
        said.append("docs/conformance.md is not what `accp conformance --table` writes: write it anew")
    return said


def required_ids(text):
    """ACCP-4.1-01..12 are twelve; ACCP-10.1-EX1/2 are two. Those of packets (CCP) and of SACP too."""
    for name in re.findall(r"^\| ((?:A?CCP|SACP)-[^ |]+) \|", text, re.MULTILINE):
        many = re.fullmatch(r"(.*?)(\d+)\.\.(\d+)", name)
        first, *more = name.split("/")
        if many:
            width = len(many[2])
            yield from (f"{many[1]}{number:0{width}d}" for number in range(int(many[2]), int(many[3]) + 1))
        else:
            yield first
            yield from (first.rstrip("0123456789") + number for number in more)


def check_requirements(path):
    wanted = list(required_ids(pathlib.Path(path).read_text(encoding="utf-8")))
    have = [row["id"] for row in read("rows") if "id" in row]
    return [f"{one}: not in the rows" for one in wanted if one not in have] + [f"{one}: no requirement" for one in have if one not in wanted]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    self_test()
    said = check_requirements(sys.argv[2]) if sys.argv[1] == "--requirements" else check(sys.argv[1], sys.argv[2])
    print("\n".join(said))
    sys.exit(1 if said else 0)


main()
