#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Checks that the C face follows the rules at the top of include/accp/accp.h: face.py [ROOT]. Prints each violation,
and then fails."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from headers import declarations  # noqa: E402

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[3])
VERBS_OF_REMOVAL = 'erase|drop|abandon|revoke|delete|destroy|clear|release'
TEXT_QUESTIONS = {'accp_version', 'accp_status_meaning', 'accp_interface_tool'}  # static text, but not a name
problems = []


def complain(name, what):
    problems.append(f'{name}: {what}')


def is_output(kind, name, place):
    return kind.endswith('*') and not kind.startswith('const') and (kind, name) != ('void *', 'user') and place > 0 or name == 'out' or name.endswith('_out')


def is_helper(kind, name):
    """Returns whether a parameter is a further handle that the call uses: accp_sacp *sacp."""
    return kind == f'accp_{name} *' or name.startswith(('buf', 'chunk'))


def check_order(name, parameters):
    seen_output = False
    for place, (kind, parameter) in enumerate(parameters):
        if kind == 'accp_error *':
            if place != len(parameters) - 1:
                complain(name, 'the error comes last')
        elif is_output(kind, parameter, place) and not is_helper(kind, parameter):
            seen_output = True
        elif seen_output:
            complain(name, f'{parameter} goes in, and comes after what comes out')
    for place, (kind, parameter) in enumerate(parameters):
        if kind == 'const accp_config *' and parameters[place + 1][1] != 'out':
            complain(name, 'the config comes just before what comes out')


def check_texts(name, parameters):
    for place, (kind, parameter) in enumerate(parameters):
        following = parameters[place + 1] if place + 1 < len(parameters) else ('', '')
        if kind == 'const char *' and following != ('size_t', parameter + '_len'):
            complain(name, f'{parameter} is a text without {parameter}_len behind it')
        if kind in ('const char **', 'char **'):
            complain(name, f'{parameter}: text comes out as accp_text')


def check_numbers(name, parameters):
    for kind, parameter in parameters:
        if parameter.endswith('_ms') and kind not in ('int64_t', 'int64_t *'):
            complain(name, f'{parameter} is a time, and so int64_t')
        if re.match(r'(now|when|until|expires|deadline|time)$', parameter) and not kind.endswith('*'):
            complain(name, f'{parameter} is a time: {parameter}_ms')


def check(answer, name, parameters):
    if '_get_' in name or name.endswith('_get'):
        complain(name, 'a question has no verb')
    if found := re.search(rf'_({VERBS_OF_REMOVAL})(_|$)', name):
        complain(name, f'{found[1]}: what is in a handle is removed, a handle freed or closed')
    has_error = any(kind == 'accp_error *' for kind, _ in parameters)
    if (answer == 'accp_status') != has_error:
        complain(name, 'what can fail answers accp_status and has an accp_error, and nothing else does')
    if (answer == 'const char *') != (name.endswith('_name') and name != 'accp_tokenizer_name' or name in TEXT_QUESTIONS):
        complain(name, 'static text is answered by what ends in _name, and any other text is an accp_text')
    if answer.endswith('*') and answer.startswith('const accp_') and parameters[-1] != ('size_t *', 'count_out') and not name.endswith('_registry'):
        complain(name, 'an array has a count_out')
    if re.search(r'_new(_\w+)?$', name) and name != 'accp_config_new' and ('const accp_config *', 'config') not in parameters:
        complain(name, 'a handle is made with a config')
    check_order(name, parameters)
    check_texts(name, parameters)
    check_numbers(name, parameters)


def check_umbrellas(headers):
    umbrellas = {each: re.findall(r'#include "accp/(\w+\.h)"', (headers / each).read_text()) for each in ('accp.h', 'parts.h')}
    for header in sorted(headers.glob('*.h')):
        if header.name not in ('accp.h', 'parts.h', 'export.h') and sum(header.name in names for names in umbrellas.values()) != 1:
            complain(header.name, 'not in one of accp.h and parts.h')


def check_handles(names):
    for name in names:
        for make, end in (('_new', '_free'), ('_open', '_close')):
            if name.endswith(make) and name[:-len(make)] + end not in names:
                complain(name, f'makes what {end} does not end')


headers = ROOT / 'include/accp'
functions = [each for header in sorted(headers.glob('*.h')) for each in declarations(header.read_text())]
for each in functions:
    check(*each)
check_handles({name for _, name, _ in functions})
check_umbrellas(headers)
if not functions:
    complain(str(headers), 'declares nothing')
print('\n'.join(problems) if problems else f'{len(functions)} functions keep the rules')
sys.exit(bool(problems))
