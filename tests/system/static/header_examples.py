#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Compiles the example in the file comment of each public header, and runs it.

    header_examples.py [--run LIBRARY] [PROJECT]

An example is the C between @code and @endcode in the first comment with @file. If it has a function
at the left margin it is compiled as it is. Otherwise it is compiled as the body of a function; with
--run it is also linked with the shared LIBRARY and run, and must print nothing on standard error.
A header without an example fails, unless EXEMPT gives a reason. An example must use a name that its
own header declares. Prints each fault, and exits 1 if there is one.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from headers import without_comments  # noqa: E402

parser = argparse.ArgumentParser(usage='header_examples.py [--run LIBRARY] [PROJECT]')
parser.add_argument('--run', metavar='LIBRARY', type=pathlib.Path)
parser.add_argument('project', nargs='?', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[3])
options = parser.parse_args()
HEADERS = options.project.resolve() / 'include'
EXEMPT = {'export.h': 'two macros for the declarations of the other headers; no caller uses them'}
NOT_RUN = {'present.h': 'it needs ICU, which may not be installed'}
UMBRELLAS = {'accp.h', 'parts.h'}  # they declare nothing themselves
MAX_LINES = 25
INCLUDES = '#include <accp/accp.h>\n#include <accp/parts.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'
FUNCTION = re.compile(r'^(?!return\b|else\b)\w+(?: \w+)*(?: \*| )\w+\([^;]*$', re.M)
COMPILE = [os.environ.get('CC', 'cc'), '-std=c11', '-Wall', '-Werror', '-I', str(HEADERS), '-x', 'c', '-']


def example(text):
    """The example of a header, or None."""
    comment = re.search(r'/\*\*\n \* @file\n.*?\*/', text, re.S)
    code = comment and re.search(r'^ \* @code\n(.*?)^ \* @endcode$', comment[0], re.S | re.M)
    return code and re.sub(r'^ \* ?', '', code[1], flags=re.M)


def program(code):
    if FUNCTION.search(code):
        return INCLUDES + '#line 1 "example"\n' + code
    return INCLUDES + 'void example(void);\nvoid example(void) {\n#line 1 "example"\n' + code + '}\n'


def output_of(command, **rest):
    """Returns the standard error of a command; not empty if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, **rest)
    return done.stderr or (f'exits with {done.returncode}' if done.returncode else '')


def run(code):
    """Links and runs an example in an empty folder, as it may write files."""
    with tempfile.TemporaryDirectory() as folder:
        link = COMPILE + ['-x', 'none', str(options.run.resolve()), f'-Wl,-rpath,{options.run.resolve().parent}', '-o', 'example']
        return output_of(link, input=program(code) + 'int main(void) { return example(), 0; }\n', cwd=folder) or output_of(['./example'], cwd=folder, stdin=subprocess.DEVNULL)


def faults(header):
    text = header.read_text(encoding='utf-8')
    code = example(text)
    if header.name in EXEMPT:
        return ['has an example: take it off the list of exempt headers'] if code else []
    if not code:
        return ['has no example in its file comment']
    declared = set(re.findall(r'\b(?:accp|ACCP)_\w+', without_comments(text)))
    if header.name not in UMBRELLAS and not declared & set(re.findall(r'\w+', code)):
        return ['its example uses nothing that it declares']
    if code.count('\n') > MAX_LINES:
        return [f'its example has {code.count(chr(10))} lines, more than {MAX_LINES}']
    fault = output_of(COMPILE + ['-fsyntax-only'], input=program(code))
    if not fault and options.run and not FUNCTION.search(code) and header.name not in NOT_RUN:
        fault = run(code)
    return [fault] if fault else []


def main():
    headers = sorted((HEADERS / 'accp').glob('*.h'))
    found = [f'{header.name}: {fault}' for header in headers for fault in faults(header)]
    if not headers:
        found.append(f'{HEADERS}: has no headers')
    print('\n'.join(found) if found else f'{len(headers) - len(EXEMPT)} examples are right')
    sys.exit(bool(found))


main()
