#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Prints each test that failed or was skipped in a report of ctest --output-junit, and the end of its output.

failed.py REPORT
"""

import sys
import xml.etree.ElementTree

LINES = 25  # of each test: the reason is in its last lines
TESTS = 10  # a fault that fails more tests is visible in the first ones


def main(report):
    bad = [case for case in xml.etree.ElementTree.parse(report).iter("testcase") if case.get("status") != "run"]
    for case in bad[:TESTS]:
        print(f"{case.get('name')} ({case.get('status')}, {float(case.get('time')):.1f} s):")
        for line in (case.findtext("system-out") or "").rstrip().splitlines()[-LINES:]:
            print(f"    {line}")
    for case in bad[TESTS:]:
        print(case.get("name"))


main(*sys.argv[1:])
