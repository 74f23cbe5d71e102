#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Checks that no error text of the library names a symbol of C, because every binding passes
these texts on.

    messages.py [PROJECT]

A text names what the reader should use by kind and name, which a binding can spell in its own
language: "rule max_tokens", "limit json_bytes", "mode local", "call session_sync". So the name
of a rule or a limit must exist, and a call must be a function without its accp_. The command and
the servers print texts of their own and are left out. Exits 1 and prints each fault.
"""
import pathlib
import re
import sys

PROJECT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[3])
LITERALS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
NAMED = re.compile(r"\b(rule|limit|mode|call) ([a-z]+(?:_[a-z]+)+)\b")
MODES = {"read_only", "local"}
NAMES = {"proxy": {"accp_resolve"}}  # of a tool that the proxy gives to models


def texts(path):
    code = re.sub(r"^\s*#.*$|//.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
    for run in LITERALS.finditer(code):
        yield "".join(LITERAL.findall(run.group(0)))


def enumerators(header, prefix):
    path = PROJECT / "include/accp" / header
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {name.lower() for name in re.findall(rf"\b{prefix}([A-Z0-9_]+) =", text)}


def main():
    headers = "".join(p.read_text(encoding="utf-8") for p in (PROJECT / "include").rglob("*.h"))
    known = {
        "rule": enumerators("config.h", "ACCP_RULE_"),
        "limit": enumerators("config.h", "ACCP_LIMIT_"),
        "mode": MODES,
        "call": set(re.findall(r"\baccp_(\w+)\(", headers)),
    }
    faults = []
    for path in sorted((PROJECT / "src").rglob("*")):
        room = path.relative_to(PROJECT / "src").parts[0]
        if room in ("cli", "server", "nats", "conformance") or path.suffix not in (".cc", ".h"):
            continue
        for text in texts(path):
            if " " not in text:
                continue  # a name of the wire
            for name in set(re.findall(r"\bACCP_[A-Z]\w*|\baccp_[a-z]\w*", text)) - NAMES.get(room, set()):
                faults.append(f"{path}: names {name}: {text}")
            for kind, name in NAMED.findall(text):
                if name not in known[kind]:
                    faults.append(f"{path}: no {kind} {name}: {text}")
    for fault in faults:
        print(fault)
    sys.exit(bool(faults))


main()
