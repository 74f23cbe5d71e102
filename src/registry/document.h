// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Registries as documents: everything in force as one text, the difference between two registries,
// and their union. Each result is a document that Registry::load() accepts without profiles,
// because it contains the built-in schemas in force.
#pragma once

#include "registry/registry.h"
#include "value/json_writer.h"

namespace accp::registry {

// Sets `equal` to whether the two have the same meaning: the same hash form. The hash forms are
// appended to `scratch` and removed again. Resets the arena.
Status compare(value::TreeView a, uint32_t node_a, value::TreeView b, uint32_t node_b, Arena &arena,
               Buffer<char> &scratch, bool &equal);

// Appends everything in force as JSON: the members of the document, with the built-in schemas among
// its schemas.
void write_effective(const Registry &registry, Buffer<char> &out);

// Appends the difference from `from` (nullptr: nothing) to `to`: {"add":{a document with the new
// and changed schemas, and all other members},"del":[names of removed schemas]}.
Status write_delta(const Registry *from, const Registry &to, Arena &arena, Buffer<char> &out);

// Appends the document that results from applying a delta to `from`. E1004: not a delta. The result
// is unverified until its hash is compared.
Status apply_delta(const Registry *from, value::TreeView delta, Buffer<char> &out);

// Appends the union, which is the same from both sides. The union has the higher of two versions of
// a schema. Other members are kept if they are equal or only one side has them; "operations" and
// "aliases" are united. E1003: two schemas have the same code but not the same name, the same name
// but not the same code, or the same version but different content. In these cases no union exists.
Status write_union(const Registry &a, const Registry &b, Arena &arena, Buffer<char> &out);

// Appends the registry's document with an addition. A schema in the addition replaces the one with
// the same name. Operations and aliases are united. Other members are replaced.
void write_addition(const Registry &base, value::TreeView addition, Arena &arena,
                    Buffer<char> &out);

}  // namespace accp::registry
