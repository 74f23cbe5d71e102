#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Writes C++ that calls every function of the C face: generate_calls.py INCLUDE-FOLDER OUT. A World (calls.h) makes the
arguments, for every_text_test.cc and random_calls.cc. Fails for a function whose arguments it cannot make, and for a line of
call_texts.txt that no call uses."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'static'))
from headers import declarations, function_types, handles, structs  # noqa: E402

HEADERS = [each.read_text() for each in sorted(pathlib.Path(sys.argv[1]).glob('accp/*.h')) if each.name != 'bus.h']  # not a function
FUNCTIONS = [each for text in HEADERS for each in declarations(text)]
HOOKS = {name: (answer, parameters) for text in HEADERS for answer, name, parameters in function_types(text)}
STRUCTS = dict(each for text in HEADERS for each in structs(text))
HANDLES = set().union(*(handles(text) for text in HEADERS))
USED_HOOKS = {kind for _, _, parameters in FUNCTIONS for kind, _ in parameters} | {kind for members in STRUCTS.values() for kind, _ in members if isinstance(kind, str)}
NUMBERS = {'int', 'int32_t', 'uint32_t', 'int64_t', 'uint64_t', 'size_t', 'double', 'accp_status', 'uint8_t', 'uint16_t'}

# Facts that the declarations do not contain.
BUFFER_BYTES = {'accp_traceparent_format': 56, 'accp_mid_format': 12}  # of a `buf` without a length
STATIC = {'accp_store_backend'}  # must stay valid as long as the object made from it
BY_HAND = {'accp_allocator'}  # defined in calls.cc
IN_AND_OUT = {('accp_chunk_next', 'chunk')}
KEPT = {'accp_frame_parse'}  # the text must outlive the call


def unmade(where, kind, name):
    sys.exit(f'{where}: {name}: a {kind} cannot be made: teach tests/system/capi/generate_calls.py')


def bare(kind):
    return kind.replace('const', '').replace('struct ', '').replace('*', '').strip()


def is_struct(kind):
    return bare(kind) in STRUCTS and bare(kind) != 'accp_text'


def names(parameters):
    return {name for _, name in parameters}


def is_length(parameters, place):
    return place > 0 and parameters[place][1] in (parameters[place - 1][1] + '_len',)


# ---- Structs as arguments and results ----

def make_struct(name, members):
    """Returns a function that fills a struct with the arguments of a call."""
    lines = [f'void fill(World &w, {name} &out) {{', '    std::memset(&out, 0, sizeof out);']
    for place, (kind, member) in enumerate(members):
        where = f'"{name}.{member}"'
        if isinstance(kind, tuple) or kind in HOOKS:
            lines.append(f'    out.{member} = hook_{name}_{member};' if isinstance(kind, tuple) else f'    if (w.with_hook()) out.{member} = hook_{kind};')
        elif kind == 'accp_text':
            lines.append(f'    out.{member} = w.view({where});')
        elif member == 'size':
            lines.append(f'    out.{member} = static_cast<decltype(out.{member})>(w.struct_size(sizeof out));')
        elif kind in NUMBERS:
            lines.append(f'    out.{member} = static_cast<{kind}>(w.number({where}));')
        elif kind == 'void *':
            lines.append(f'    out.{member} = nullptr;')
        elif bare(kind) in HANDLES and kind.endswith('*'):
            lines.append(f'    out.{member} = w.with_hook() ? w.handle<{bare(kind)}>() : nullptr;')
        elif kind == f'const {bare(kind)} *' and is_struct(kind):  # which is valid during the call
            lines += [f'    static thread_local {bare(kind)} its_{member};',
                      f'    if (w.with_hook()) fill(w, its_{member}), out.{member} = &its_{member};']
        elif kind != 'const char *':
            return None
    return '\n'.join([*lines, '}'])


def touch_struct(name, members):
    """Returns a function that reads everything that a struct points to."""
    lines = [f'[[maybe_unused]] void touch(World &w, const {name} &in) {{']
    for kind, member in members:
        if isinstance(kind, tuple):
            continue
        if kind == 'accp_text':
            lines.append(f'    w.touch("{name}.{member}", in.{member});')
        elif kind == 'const char *':
            lines.append(f'    w.touch_static(in.{member});')
        elif kind.endswith('*') and is_struct(kind) and f'{member[:-1]}_count' in names(members):
            lines.append(f'    for (size_t i = 0; i < in.{member[:-1]}_count; ++i) touch(w, in.{member}[i]);')
    return '\n'.join([*lines, '    (void)w, (void)in;', '}'])


# ---- Functions of the host ----

def signature(answer, name, parameters):
    return f'{answer}{"" if answer.endswith("*") else " "}{name}({", ".join(f"{kind} {each}" for kind, each in parameters)})'


def hook(name, answer, parameters, calls_nothing):
    """Returns a function for the library to call. It reads its arguments, calls the library again, and returns some result. A function
    of a back end does not call the library, as accp/store_backend.h requires."""
    lines = ['    World &w = World::current();', '    const World::InHook in_hook(w);']
    late = []
    for place, (kind, parameter) in enumerate(parameters):
        following = parameters[place + 1] if place + 1 < len(parameters) else ('', '')
        if kind == 'const char *':
            lines.append(f'    w.touch("{name}", {{{parameter}, {following[1]}}});')
        elif is_length(parameters, place) or parameter in ('user', 'context', 'count_out'):
            lines.append(f'    (void){parameter};')
        elif kind == 'accp_text':
            lines.append(f'    w.touch("{name}", {parameter});')
        elif kind == 'accp_text *':
            late.append(f'    *{parameter} = w.hook_text("{name}.{parameter}");')
        elif kind == 'accp_store_write *':
            late.append(f'    for (size_t i = 0; i < count; ++i) touch(w, {parameter}[i]), w.answer_write({parameter}[i]);')
        elif kind == 'accp_error *':
            late.append(f'    if (w.with_hook()) {parameter}->message = "what the host says";')
        elif kind == 'const accp_text *' and following[1] == 'count':
            lines.append(f'    for (size_t i = 0; i < count; ++i) w.touch("{name}", {parameter}[i]);')
        elif kind == 'accp_vectors *':
            late.append(f'    w.answer_vectors(*{parameter}, count);')
        elif kind in HOOKS:
            given = ', '.join({'accp_text': f'w.hook_text("{name}.{each}")', 'uint64_t': f'static_cast<uint64_t>(w.number("{name}.{each}"))',
                               'void *': 'context'}[of] for of, each in HOOKS[kind][1])
            late.append(f'    for (int i = w.few(); i > 0; --i)\n        if ({parameter}({given})) break;')
        elif kind in NUMBERS:
            lines.append(f'    (void){parameter};')
        elif is_struct(kind) and kind.startswith('const'):
            lines.append(f'    touch(w, *{parameter});')
        elif is_struct(kind):
            late.append(f'    fill(w, *{parameter});')
        else:
            unmade(name, kind, parameter)
    if not calls_nothing:
        lines.append('    w.call_again();')
    result = {'void': '', 'accp_status': '    return w.hook_status();', 'int': '    return w.hook_stop();', 'int64_t': '    return w.hook_count();'}
    if answer not in result:
        unmade(name, answer, 'its answer')
    return '\n'.join([signature(answer, f'hook_{name}', parameters) + ' {', *lines, *late, result[answer], '}']).replace('\n\n}', '\n}')


# ---- Calls ----

class Call:
    """Returns the code for one function: the preparation, the call, and the checks after it."""

    def __init__(self, answer, name, parameters):
        self.answer, self.name, self.parameters = answer, name, parameters
        self.before, self.given, self.after = [], [], []
        self.made = []
        for place in range(len(parameters)):
            self.parameter(place)

    def add(self, given, before=(), after=()):
        self.given.append(given)
        self.before += before
        self.after += after

    def parameter(self, place):
        kind, name = self.parameters[place]
        following = self.parameters[place + 1] if place + 1 < len(self.parameters) else ('', '')
        where = f'"{self.name}.{name}"'
        if is_length(self.parameters, place) or (name == 'count' and 'ids' in names(self.parameters)):
            return
        if kind == 'accp_error *':
            self.add('w.error()')
        elif kind == 'const char *' and following == ('size_t', name + '_len'):
            self.add(f'{name}.text, {name}.len', [f'const accp_text {name} = w.view({where}{", true" if self.name in KEPT else ""});'])
        elif kind == 'char *':
            length = following == ('size_t', name + '_len')
            size = f'w.buffer_size()' if length else str(BUFFER_BYTES.get(self.name) or unmade(self.name, kind, name))
            self.add(f'{name}.data()' + (f', {name}.size()' if length else ''), [f'const Bytes {name}(w, {size});'])
        elif kind == 'const uint32_t *' and following[1] == 'count':
            self.add(f'{name}.numbers(), {name}.size() / 4', [f'const Bytes {name}(w, w.buffer_size() * 4);'])
        elif kind == 'accp_text':
            self.add(f'w.view({where})')
        elif kind in HOOKS:
            self.add(f'w.with_function() ? hook_{kind} : nullptr')
        elif kind == 'void *' and name == 'user':
            self.add('nullptr')
        elif kind == 'double':
            self.add('w.fraction()')
        elif kind in NUMBERS:
            self.add(f'static_cast<{kind}>(w.number({where}))')
        elif bare(kind) in HANDLES:
            self.handle(kind, name, place)
        elif is_struct(kind):
            self.struct(kind, name, following)
        elif kind == 'accp_text *':
            self.add(f'w.output(&{name})', [f'accp_text {name} = World::kUntouched;'], [f'w.came_out(ok, "{self.name}", {name});'])
        elif kind == 'const uint32_t **':
            self.add(f'w.output(&{name})', [f'const uint32_t *{name} = nullptr;'], [f'if (ok) w.touch_array({name}, {following[1]});'])
        elif kind.endswith(' *') and kind[:-2] in NUMBERS:
            self.add(f'w.output(&{name})', [f'{kind[:-2]} {name} = 0;'])
        else:
            unmade(self.name, kind, name)

    def handle(self, kind, name, place):
        of = bare(kind)
        if kind == f'{of} **':
            self.add(f'w.output(&{name})', [f'{of} *{name} = nullptr;'], [f'w.keep(ok, {name});'])
            self.made.append(of)
        elif kind.endswith('*') and not kind.endswith('**'):
            ends = self.name.endswith(('_free', '_close')) and place == 0
            self.add(name, [f'{kind}{name} = w.{"take" if ends else "handle"}<{of}>();'])
        else:
            unmade(self.name, kind, name)

    def struct(self, kind, name, following):
        of = bare(kind)
        if kind == f'const {of} **' and following == ('size_t *', 'count_out'):
            self.add(f'w.output(&{name})', [f'const {of} *{name} = nullptr;'], [f'if (ok) w.touch_array({name}, count_out);', f'for (size_t i = 0; ok && {name} && i < count_out; ++i) touch(w, {name}[i]);'])
        elif kind == f'{of} *' and (self.name, name) not in IN_AND_OUT:
            self.add(f'w.output(&{name})', [f'{of} {name};', f'std::memset(&{name}, 0, sizeof {name});'], [f'if (ok) touch(w, {name});'])
        elif kind in (f'const {of} *', f'{of} *'):
            if of in BY_HAND or of in STATIC:
                self.add(f'w.{of[5:]}()')
                return
            self.add(f'w.input(&{name})', [f'{of} {name};', f'fill(w, {name});'], [f'if (ok) touch(w, {name});'] if kind[0] != 'c' else [])
        else:
            unmade(self.name, kind, name)

    def text(self):
        call = f'{self.name}({", ".join(self.given)})'
        lines = [f'void call_{self.name}([[maybe_unused]] World &w) {{', *('    ' + each for each in self.before)]
        if self.answer == 'accp_status':
            lines += [f'    const accp_status status = {call};', f'    [[maybe_unused]] const bool ok = w.check("{self.name}", status);']
        else:
            lines += [f'    {"" if self.answer == "void" else "const auto answer = "}{call};', '    [[maybe_unused]] const bool ok = true;',
                      *([] if self.answer == 'void' else ['    ' + self.look_at_answer()])]
        return '\n'.join([*lines, *('    ' + each for each in self.after), '}'])

    def look_at_answer(self):
        of = bare(self.answer)
        if self.answer == 'const char *':
            return 'w.touch_static(answer);'
        if self.answer == 'accp_text':
            return f'w.came_out(true, "{self.name}", answer);'
        if self.answer in NUMBERS:
            return 'w.find_answer(answer);' if self.name.endswith('_find') else '(void)answer;'
        if self.answer == f'{of} *' and of in HANDLES:
            self.made.append(of)
            return 'w.keep(true, answer);'
        if self.answer == f'const {of} *' and of in HANDLES:
            return '(void)answer;'
        if self.answer == f'const {of} *' and of in STRUCTS:
            return 'w.touch_array(answer, count_out);'
        return unmade(self.name, self.answer, 'its answer')


# ---- The texts ----

def check_texts(code):
    """Each line of call_texts.txt is for a text of these calls, and its source, if any, is one that returns a text."""
    places = set(re.findall(r'w\.(?:view|hook_text)\("([^"]+)"', code))
    places |= {'*.' + each.rpartition('.')[2] for each in places} | {'*.text'}
    sources = set(re.findall(r'w\.(?:touch|came_out)\((?:ok, |true, )?"([^"]+)"', code))
    for number, line in enumerate((pathlib.Path(__file__).parent / 'call_texts.txt').read_text().splitlines(), 1):
        where, _, text = line.partition(' ')
        source = text[1:].partition(' ')[0] if text.startswith('<') else None
        if line.startswith('#'):
            continue
        if where not in places:
            sys.exit(f'call_texts.txt:{number}: {where!r} is no text of a call')
        if source is not None and source not in sources:
            sys.exit(f'call_texts.txt:{number}: {source!r} returns no text')


def main():
    calls = [Call(*each) for each in FUNCTIONS]
    parts = ['// Generated by generate_calls.py from include/accp.', '#include "calls.h"', 'namespace accp_calls {', 'namespace {']
    parts += [touch_struct(name, members) for name, members in STRUCTS.items() if name != 'accp_text']
    fills = {name: make_struct(name, members) for name, members in STRUCTS.items() if name not in BY_HAND | {'accp_text', 'accp_error'}}
    wanted = {each for each in fills if fills[each] and f', {each} &out)' in fills[each]}
    parts += [f'[[maybe_unused]] void fill(World &w, {each} &out);' for each in sorted(wanted)]
    parts += [hook(name, *of, False) for name, of in HOOKS.items() if name in USED_HOOKS]
    parts += [hook(f'{name}_{member}', kind[0], kind[1], True) for name, members in STRUCTS.items() if name in STATIC
              for kind, member in members if isinstance(kind, tuple)]
    parts += ['[[maybe_unused]] ' + fills[each] for each in sorted(wanted)]
    parts += [each.text() for each in calls]
    parts += ['}  // namespace']
    for each in sorted(STATIC):
        parts += [f'void fill_static(World &w, {each} &out) {{ fill(w, out); }}']
    parts += ['const Call kCalls[] = {']
    for each in calls:
        first = bare(each.parameters[0][0]) if each.parameters and bare(each.parameters[0][0]) in HANDLES else ''
        makes = ', '.join(f'kind_of<{of}>()' for of in each.made) or 'kNoKind'
        parts.append(f'    {{"{each.name}", call_{each.name}, {makes}, {"kind_of<" + first + ">()" if first else "kNoKind"}, {str(each.answer == "accp_status").lower()}}},')
    check_texts('\n'.join(parts))
    parts += ['};', 'const size_t kCallCount = sizeof kCalls / sizeof *kCalls;', '}  // namespace accp_calls', '']
    pathlib.Path(sys.argv[2]).write_text('\n'.join(parts))
    kinds = sorted(HANDLES)
    table = ['// Generated by generate_calls.py from include/accp.', '#pragma once', '#include "accp/accp.h"', '#include "accp/parts.h"', 'namespace accp_calls {',
             'enum Kind { ' + ', '.join(f'kind_{each}' for each in kinds) + ', kKinds, kNoKind = kKinds };', 'template <class Handle> constexpr Kind kind_of();']
    table += [f'template <> constexpr Kind kind_of<{each}>() {{ return kind_{each}; }}' for each in kinds]
    table += ['constexpr const char *kKindNames[] = {' + ', '.join(f'"{each}"' for each in kinds) + '};', '}  // namespace accp_calls', '']
    pathlib.Path(sys.argv[2]).with_suffix('.kinds.h').write_text('\n'.join(table))


main()
