// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A value to YAML, in one form: blocks, two spaces a level, texts plain where nobody reads them as
// anything else, in a block where they have lines, else in double quotes. YamlReader reads it back.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/memory.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::value {

// Appends node `root`, a map or an array, and all below it, each line with its newline. ACCP_E1004
// for a key of more than kMaxYamlKey characters, which YAML has not.
constexpr size_t kMaxYamlKey = 1000;
Status write_yaml(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out);

// Which characters YAML has, and how its writer spells a text.

// The first byte of what is no printable character of YAML, in valid UTF-8; the length: all are.
size_t printable_yaml_prefix(std::string_view text);

// Appends \xXX, \uXXXX or \UXXXXXXXX, as `kind` says, of a code point that has so many digits.
void write_yaml_escape(char kind, uint32_t point, Buffer<char> &out);

// Appends a JSON text with escapes for what is no printable character of YAML: so it is YAML too.
void append_printable_json(std::string_view json, Buffer<char> &out);

// Can it stand without quotes, as a key too, and is a text to every reader, of YAML 1.1 too?
bool is_plain_yaml(std::string_view text);

// Can it stand in a block of lines (|), every line as it is?
bool is_yaml_block(std::string_view text);

// Appends it in double quotes.
void write_quoted_yaml(std::string_view text, Buffer<char> &out);

}  // namespace accp::value
