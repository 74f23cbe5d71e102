#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""short_run.py BUILD-DIRECTORY: checks that `script/test` without --all leaves out each test whose preparation it leaves out."""
import json
import re
import subprocess
import sys
from pathlib import Path

script = (Path(__file__).parents[3] / "script/test").read_text()
left_out = re.compile(re.search(r"^long='(.*)'$", script, re.M).group(1))
listed = json.loads(subprocess.run(["ctest", "--test-dir", sys.argv[1], "--show-only=json-v1"], check=True, capture_output=True).stdout)
tests = [(test["name"], {each["name"]: each["value"] for each in test.get("properties", [])}) for test in listed["tests"]]
prepared = {fixture for name, properties in tests if not left_out.match(name) for fixture in properties.get("FIXTURES_SETUP", [])}
faults = [f"{name} needs {fixture}, whose preparation the short run leaves out: add the test to `long` in script/test"
          for name, properties in tests if not left_out.match(name)
          for fixture in properties.get("FIXTURES_REQUIRED", []) if fixture not in prepared]
print("\n".join(faults) or f"{len(tests)} tests: nothing is left unprepared")
sys.exit(1 if faults else 0)
