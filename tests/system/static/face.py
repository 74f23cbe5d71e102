#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Checks that the C face follows the rules at the top of include/accp/accp.h, and that its verbs are those of docs/c-api.md:
face.py [ROOT]. Prints each violation, and then fails."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from headers import comments_of, declarations, function_types  # noqa: E402

HOME = pathlib.Path(__file__).resolve().parents[3]
ROOT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HOME
OPTIONS = {'peer', 'flags', 'profiles', 'reading', 'writing', 'ranking', 'round', 'rules', 'options', 'budget_tokens', 'keep_checkpoints', 'config'}
TIMES = {'now_ms'}
CHANGES = 'add|append|put|register|remove|set|write'
UNSIGNED = {'size_t', 'uint32_t', 'uint64_t'}
TEXT_QUESTIONS = {'accp_version', 'accp_status_meaning', 'accp_interface_tool'}  # static text, but not a name
problems = []


def complain(name, what):
    problems.append(f'{name}: {what}')


def is_output(kind, name, place):
    return kind.endswith('*') and not kind.startswith('const') and (kind, name) != ('void *', 'user') and place > 0 or name == 'out' or name.endswith('_out')


def is_helper(kind, name):
    """Returns whether a parameter is a further handle that the call uses (accp_sacp *sacp), a buffer, or an in-out struct."""
    return kind.removeprefix('struct ') == f'accp_{name} *' or name.startswith(('buf', 'chunk')) or (kind, name) == ('void *', 'context')


def outputs(parameters):
    """The names of what comes out, a buffer and what goes in too left out."""
    return [name for place, (kind, name) in enumerate(parameters)
            if kind != 'accp_error *' and is_output(kind, name, place) and not is_helper(kind, name)]


def check_outputs(answer, name, parameters):
    found = outputs(parameters)
    if 'out' in found and found[0] != 'out':
        complain(name, f'{found[0]} comes after out')
    if answer == 'accp_status' and len(found) == 1 and found != ['out'] and not any(is_helper(kind, each) for kind, each in parameters if each.startswith('buf')):
        complain(name, f'the one thing that comes out is out: {found[0]}')
    for each in found:
        if each != 'out' and not each.endswith('_out'):
            complain(name, f'{each} comes out, and so ends in _out')


def check_inputs(name, parameters):
    """The time comes after what is asked, and the options after the time."""
    last = ''
    for place, (kind, parameter) in enumerate(parameters):
        if is_output(kind, parameter, place) and not is_helper(kind, parameter) or kind == 'accp_error *':
            break
        if place == 0 and kind.startswith('accp_'):  # the handle
            continue
        if last and parameter not in OPTIONS:
            complain(name, f'{parameter} goes before {last}')
        if parameter in TIMES | OPTIONS:
            last = parameter
        if kind == 'int':
            complain(name, f'{parameter}: a number that goes in is int32_t')


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


def check_answer(answer, name, parameters, comment):
    """What a function answers, and how its name says so. The comment tells yes from a number."""
    is_question = re.search(r'_(is|has)_', name)
    if is_question and answer != 'int':
        complain(name, 'yes or no is an int')
    if re.search(r'Returns 1 (if|for) ', comment) and not is_question:
        complain(name, 'yes or no has a name with is_ or has_')
    if answer == 'int' and not is_question and not re.search(r'_next_', name):
        complain(name, 'an int is the answer of is_, has_ and next_')
    if answer in UNSIGNED and re.search(r'Returns (how many|the number of (?!the ))', comment) and not name.endswith('_count'):
        complain(name, 'a number of things ends in _count')
    if re.search(r'_(size|length|len|number)$', name) or '_count_' in name:
        complain(name, 'a number of things ends in _count, of bytes in _bytes, of tokens in _tokens')
    if answer != 'accp_status' and (re.search(rf'_({CHANGES})(_|$)', name) or 'accp_status' in comment and 'accp_status' not in answer + str(parameters)):
        complain(name, 'what can fail answers accp_status')
    if answer == 'int32_t' and name.endswith('_find') and ('const char *', 'name') not in parameters:
        complain(name, 'the number of a name is found by its name')
    if ('each' in (each for _, each in parameters)) != ('_each_' in name):
        complain(name, 'each_NAME passes elements to a callback')


def check(answer, name, parameters, comment):
    if '_get_' in name or name.endswith('_get'):
        complain(name, 'a question has no verb')
    for verb, words in VERBS.items():
        if found := re.search(rf'_({"|".join(words) or "$."})(_|$)', name):
            complain(name, f'{found[1]}: the verb is {verb} (docs/c-api.md)')
    check_answer(answer, name, parameters, comment)
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
    check_inputs(name, parameters)
    check_outputs(answer, name, parameters)
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


def check_verbs(names):
    """The verbs of docs/c-api.md are in use, and read and write are of handles that are opened."""
    for verb in VERBS if ROOT == HOME else ():
        if not any(re.search(rf'_{verb}(_|$)', name) for name in names):
            complain('docs/c-api.md', f'no function has the verb {verb}')
    for name in names:
        if (found := re.match(r'(accp_[a-z]+)_(read|write)(_|$)', name)) and f'{found[1]}_open' not in names:
            complain(name, f'{found[2]} is of a handle that is opened; a text is parsed and printed')


def check_failures():
    """No exported function hides a failure of what it calls."""
    for file in sorted((ROOT / 'src/capi').glob('*.cc')):
        for name, body in re.findall(r'^(?!accp_status )[a-z][^;{}]*?\b(accp_\w+)\([^;{}]*?\) noexcept \{\n(.*?)^\}', file.read_text(), re.M | re.S):
            if 'guard(nullptr' in body:
                complain(name, 'hides a failure: it has to answer accp_status')


def verbs():
    """The table of docs/c-api.md: each verb, and the words that mean the same and are not used."""
    rows = re.findall(r'^\| (`\w+`(?:, `\w+`)*) \|[^|\n]*\|([^|\n]*)\|$', (HOME / 'docs/c-api.md').read_text(), re.M)
    return {verb: re.findall(r'`(\w+)`', instead) for verbs, instead in rows for verb in re.findall(r'\w+', verbs)}


headers = ROOT / 'include/accp'
VERBS = verbs()
functions = [each for header in sorted(headers.glob('*.h')) for each in declarations(header.read_text())]
comments = {name: text for header in sorted(headers.glob('*.h')) for name, text in comments_of(header.read_text()).items()}
for each in functions:
    check(*each, comments.get(each[1], ''))
for header in sorted(headers.glob('*.h')):
    for answer, name, parameters in function_types(header.read_text()):
        check_outputs(answer, name, parameters)
check_handles({name for _, name, _ in functions})
check_verbs({name for _, name, _ in functions})
check_failures()
check_umbrellas(headers)
if not functions:
    complain(str(headers), 'declares nothing')
if not VERBS:
    complain('docs/c-api.md', 'has no table of verbs')
print('\n'.join(problems) if problems else f'{len(functions)} functions keep the rules')
sys.exit(bool(problems))
