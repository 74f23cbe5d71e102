// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Why a text is no YAML, for whoever wrote it: what libyaml found, in words that say what to do.
#pragma once

namespace accp::value {

// "not yaml: …", for ever. `problem` is libyaml's own text, which may be NULL.
const char *yaml_fault(const char *problem);

// The same of a character that no YAML has.
constexpr const char *kNoYamlCharacter =
    "not yaml: YAML does not have this character: leave it out, or write it in double quotes as "
    "\\x with two digits";

}  // namespace accp::value
