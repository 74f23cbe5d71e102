#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Checks that every file that a page names in `backticks` exists: doc_paths.py [ROOT]. A name with a placeholder (NAME, *, <…>, {…}) is matched
as a pattern."""
import pathlib
import re
import sys

TOP = ("include", "src", "bindings", "ragel", "tests", "bench", "packaging", "pkgconfig", "script", "docs", "data", "cmake", ".github", ".ci")
NAMED = re.compile(r"`((?:%s)/[^`\s]+)`" % "|".join(re.escape(name) for name in TOP))


def exists(root, path):
    pattern = re.sub(r"\{[^}]*\}|<[^>]*>|\b[A-Z]{3,}\b|…", "*", path.split("#")[0].split(":")[0]).rstrip("/")
    return (root / pattern).exists() or ("*" in pattern and any(root.glob(pattern)))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[3])
    pages = [root / "README.md", *(root / "docs").rglob("*.md"), *(root / "bindings").glob("*/README.md"), *(root / ".github").rglob("*.md"),
             root / "bench/README.md"]
    missing = [f"{page.relative_to(root)}: {path}" for page in pages if page.exists() for path in NAMED.findall(page.read_text()) if not exists(root, path)]
    print("\n".join(sorted(missing)))
    sys.exit(bool(missing))


main()
