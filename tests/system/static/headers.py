# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Reads the declarations of include/accp/*.h: functions, structs, function types. face.py checks their names with it, and
tests/system/capi/generate_calls.py writes a call of each with it."""
import re


def without_comments(text):
    return re.sub(r'/\*.*?\*/', '', text, flags=re.S)


def parameters(text):
    """The parameters of a declaration, as (type, name)."""
    split = [re.fullmatch(r'(.*?)(\w+)', ' '.join(each.split())) for each in text.split(',') if each.strip() not in ('', 'void')]
    return [(m[1].strip(), m[2]) for m in split]


def declarations(text):
    """Returns each function of a header: its result type, its name, its parameters as (type,
    name)."""
    pattern = r'ACCP_API\s+([^;(]*?)\b(accp_\w+)\s*\(([^;]*?)\)\s*ACCP_NOEXCEPT;'
    for answer, name, rest in re.findall(pattern, without_comments(text), re.S):
        yield ' '.join(answer.split()), name, parameters(rest)


def comments_of(text):
    """The comment of each function that has one, as one line."""
    pattern = r'/\*\*((?:(?!\*/).)*)\*/\s*ACCP_API\s[^;(]*?\b(accp_\w+)\s*\('
    return {name: ' '.join(re.sub(r'^ *\* ?', '', comment, flags=re.M).split()) for comment, name in re.findall(pattern, text, re.S)}


def function_types(text):
    """Each typedef of a function pointer, in the form of declarations()."""
    for answer, name, rest in re.findall(r'typedef\s+([^;{(]*?)\s*\(\*(\w+)\)\s*\(([^;]*?)\);', without_comments(text), re.S):
        yield ' '.join(answer.split()), name, parameters(rest)


def structs(text):
    """Each struct with a body: its name and its members as (type, name). The type of a function pointer is (result type,
    parameters)."""
    for body, name in re.findall(r'typedef struct \w+ \{(.*?)\}\s*(\w+);', without_comments(text), re.S):
        members = []
        for each in (' '.join(one.split()) for one in body.split(';')):
            function = re.fullmatch(r'(.*?)\(\*(\w+)\)\s*\((.*)\)', each)
            if function:
                members.append(((function[1].strip(), parameters(function[3])), function[2]))
            elif each:
                kind, names = re.fullmatch(r'(.*?)(\w+(?:, \w+)*)', each).groups()
                members += [(kind.strip(), one) for one in names.split(', ')]
        yield name, members


def handles(text):
    """Returns the types that a header declares by name only."""
    found = set(re.findall(r'typedef struct (\w+) \w+;', without_comments(text)))
    return found - {name for name, _ in structs(text)}
