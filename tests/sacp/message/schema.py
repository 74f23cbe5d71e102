#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Compares the JSON Schemas of data/sacp with the library: both accept the same vectors, except those that a schema cannot reject. The library's verdicts are
# those of vectors/validate*.jsonl, which vectors_test.cc checks.
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    sys.exit('schema.py: no module jsonschema: apt-get install python3-jsonschema')

here = pathlib.Path(__file__).resolve().parent
schemas = here.parents[2] / 'data' / 'sacp'

WORDS = 'the verbs and tools of a library, and the types of their params'
GRAPH = 'dependencies between steps, and targets of references'
PLACE = 'the order of elements'
DEPTH = 'depth of nesting'

# Refused by the library, accepted by the schema.
UNSAID = {
    'validate.jsonl': {
        'seed-find-hotel-none-strict': WORDS,
        'unknown-verb': WORDS,
        'unknown-tool': WORDS,
        'mismatch': WORDS,
        'mismatch-open': WORDS,
        'define-outside-spawn': WORDS,
        'instantiate-undeclared': WORDS,
        'type-string-for-number': WORDS,
        'type-through-alias': WORDS,
        'type-integer-5.0': WORDS,
        'words-beat-types': WORDS,
        'ref-later-step': GRAPH,
        'ref-sibling-branch': GRAPH,
        'join-after-step': PLACE,
        'nest-6': DEPTH,
        'subtask-depth-6': DEPTH,
        'nested-200': DEPTH,
    },
    'validate-1.0.0.jsonl': {
        'C03-cycle-of-one': GRAPH,
        'C03-cycle-of-two': GRAPH,
        'C03-cycle-behind-a-step': GRAPH,
        'C04-double-id': GRAPH,
        'C05-unknown-dependency': GRAPH,
        'C05-unknown-fallback_step': GRAPH,
        'double-id-before-unknown': GRAPH,
        'unknown-before-cycle': GRAPH,
    },
}
# RFC 3339 has leap seconds; a `format` check that uses a calendar may reject them.
OPEN = {'A05-ts-leap-second'}
# A message of 0.1 among the vectors of 1.0.0.
OTHER_VERSION = {'nested-is-not-1.0.0'}


def message_of(case):
    """The parsed message, or None if the text is not JSON."""
    if 'message' in case:
        return case['message']

    def pairs(items):
        if len({key for key, _ in items}) < len(items):
            raise ValueError('a key stands twice')
        return dict(items)

    def no_constant(name):
        raise ValueError(name)

    try:
        return json.loads(case['raw'], object_pairs_hook=pairs, parse_constant=no_constant)
    except ValueError:
        return None


def check(file, schema):
    document = json.loads((schemas / schema).read_text())
    jsonschema.Draft202012Validator.check_schema(document)
    validator = jsonschema.Draft202012Validator(document, format_checker=jsonschema.FormatChecker())
    wrong, unsaid = [], dict(UNSAID[file])
    for line in (here / 'vectors' / file).read_text().splitlines():
        case = json.loads(line)
        name, message = case['name'], message_of(case)
        if 'reply_under' in case or message is None or name in OPEN | OTHER_VERSION:
            continue
        accepted = validator.is_valid(message)
        refused = case['verdict']['status'] == 'ERR'
        if accepted and refused and unsaid.pop(name, None):
            continue
        if accepted == refused:
            wrong.append(f'{file}: {name}: the schema {"accepts" if accepted else "refuses"} it')
    wrong += [f'{file}: {name}: the schema rejects it too, or there is no such vector' for name in unsaid]
    return wrong


found = check('validate.jsonl', 'sacp-0.1.schema.json') + check('validate-1.0.0.jsonl', 'sacp-1.0.0.schema.json')
print('\n'.join(found))
sys.exit(bool(found))
