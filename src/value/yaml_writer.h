// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a value as YAML in one fixed style: blocks with two spaces for each level. A text is plain
// if every reader reads it as a string. It is a literal block if it has several lines, else in
// double quotes. YamlReader reads the result back.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/memory.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::value {

// Appends node `root`, a map or an array, and its descendants. Each line ends with a newline.
// Returns E1004 for a key of more than kMaxYamlKey characters, which is YAML's limit.
constexpr size_t kMaxYamlKey = 1000;
Status write_yaml(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out);

// Returns the length of the longest prefix of printable YAML characters. `text` must be valid
// UTF-8.
size_t printable_yaml_prefix(std::string_view text);

// Appends \xXX, \uXXXX or \UXXXXXXXX, depending on `kind`. The code point must fit.
void write_yaml_escape(char kind, uint32_t point, Buffer<char> &out);

// Appends JSON and escapes all characters that are not printable in YAML, so that it is also YAML.
void append_printable_json(std::string_view json, Buffer<char> &out);

// Returns whether the text can be written without quotes, also as a key, and is a string to every
// reader, also of YAML 1.1.
bool is_plain_yaml(std::string_view text);

// Returns whether the text can be a literal block (|) with unchanged lines.
bool is_yaml_block(std::string_view text);

// Appends the text in double quotes.
void write_quoted_yaml(std::string_view text, Buffer<char> &out);

}  // namespace accp::value
