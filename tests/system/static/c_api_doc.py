#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Checks docs/c-api.md: it shows docs/examples/six_calls.c, links to every header except accp.h and parts.h, and names only
functions that exist. c_api_doc.py [DOCUMENT]. Prints each fault, and exits 1 if there is one."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from headers import declarations  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]


def main():
    document = (pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / 'docs/c-api.md').read_text(encoding='utf-8')
    headers = {path.name: path.read_text(encoding='utf-8') for path in (ROOT / 'include/accp').glob('*.h')}
    functions = {name for text in headers.values() for _, name, _ in declarations(text)}
    program = (ROOT / 'docs/examples/six_calls.c').read_text(encoding='utf-8').split('\n', 2)[2]
    shown = re.search(r'^<!-- examples/six_calls\.c -->\n```c\n(.*?)^```$', document, re.M | re.S)
    faults = [] if shown and shown[1] == program else ['it does not show docs/examples/six_calls.c']
    for name in sorted(headers.keys() - {'accp.h', 'parts.h'}):
        if document.count(f'| [{name}](../include/accp/{name}) |') != 1:
            faults.append(f'not one line of a table for {name}')
    faults += [f'{name}() does not exist' for name in sorted(set(re.findall(r'`(accp_\w+)\(\)`', document)) - functions)]
    for fault in faults:
        print(f'docs/c-api.md: {fault}')
    sys.exit(bool(faults))


main()
