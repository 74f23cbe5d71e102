// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See yaml_fault.h.
#include "value/yaml_fault.h"

#include <string_view>

#include "base/lasting.h"

namespace accp::value {

namespace {

struct Fault {
    std::string_view problem;  // as libyaml has it
    const char *told;
};
constexpr Fault kFaults[] = {
    {"did not find expected ',' or ']'",
     "not yaml: a list in [ ] has no ] at its end, or no comma between two items"},
    {"did not find expected ',' or '}'",
     "not yaml: a map in { } has no } at its end, or no comma between two members"},
    {"did not find expected '-' indicator",
     "not yaml: an item of the list before this begins with a dash, in the column of the others"},
    {"did not find expected key",
     "not yaml: a key begins here, in the column of the keys before it, with a colon and a blank "
     "after it; or a text before this needs quotes"},
    {"did not find expected node content",
     "not yaml: a value is missing here, or a bracket is not closed; a text that begins with a "
     "mark of YAML needs quotes"},
    {"did not find expected <document start>",
     "not yaml: this belongs to nothing before it: look at the quotes, brackets and columns there"},
    {"could not find expected ':'",
     "not yaml: a line before this is no key with a colon and a blank after it; a text of several "
     "lines is indented more than its key"},
    {"mapping values are not allowed in this context",
     "not yaml: a colon with a blank after it stands in a text, or a key in the wrong column: put "
     "the text in quotes, or mend the column"},
    {"mapping keys are not allowed in this context",
     "not yaml: no key can stand here: begin it on a line of its own"},
    {"block sequence entries are not allowed in this context",
     "not yaml: no list can begin here: put each item on a line of its own, with a dash"},
    {"found unexpected end of stream",
     "not yaml: a text in quotes is not closed: put the quote at its end"},
    {"found unexpected document indicator",
     "not yaml: a line of a text in quotes begins with --- or ...: indent it, or close the quote"},
    {"found character that cannot start any token",
     "not yaml: no text begins with this character: put the text in quotes"},
    {"found unknown escape character",
     "not yaml: double quotes have no such escape: write \\\\ for a backslash, or use single "
     "quotes"},
    {"did not find expected hexdecimal number",
     "not yaml: \\x, \\u and \\U have 2, 4 and 8 hexadecimal digits after them"},
    {"found invalid Unicode character escape code",
     "not yaml: an escape names no character: it is half of a pair, or over 10FFFF"},
    {"did not find expected comment or line break",
     "not yaml: after | or > stands a digit, + or - alone, and the text begins on the next line"},
    {"found an indentation indicator equal to 0",
     "not yaml: after | or > stands a digit from 1 to 9"},
    {"found a tab character where an indentation space is expected",
     "not yaml: a text is indented with a tab: use blanks"},
    {"found a tab character that violates indentation",
     "not yaml: a text is indented with a tab: use blanks"},
    {"found unexpected ':'",
     "not yaml: a colon stands in a text in [ ] or { }: put the text in quotes"},
};

}  // namespace

const char *yaml_fault(const char *problem) {
    if (!problem) return "not yaml";
    for (const Fault &fault : kFaults)
        if (fault.problem == problem) return fault.told;
    return lasting_text({"not yaml: ", problem}, "not yaml");
}

}  // namespace accp::value
