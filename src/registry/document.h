// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Registries as documents: all that is in force as one text, what one has and another lacks, and
// the union of two. Every result is a document that Registry::load() takes without profiles:
// built-in schemas that are in force stand in it.
#pragma once

#include "registry/registry.h"

namespace accp::registry {

// Appends everything in force, as JSON: the document's members, and among its schemas the built-in
// ones.
void write_effective(const Registry &registry, Buffer<char> &out);

// Appends what makes `from` (nullptr: nothing at all) into `to`: {"add":{a document: what is new or
// other, and every member beside the schemas}, "del":[names of schemas that are gone]}.
Status write_delta(const Registry *from, const Registry &to, Arena &arena, Buffer<char> &out);

// Appends the document that such a delta makes of `from`. E1004 where it is none. What comes out is
// a peer's word until its hash is compared.
Status apply_delta(const Registry *from, value::TreeView delta, Buffer<char> &out);

// Appends the union, the same from both sides: of two versions of a schema the higher one; other
// members where they are equal or only one side has them, "operations" and "aliases" as unions.
// E1003 where two schemas share a code or a name and not the other, or a version and not the
// content: there is no union, and neither side may guess.
Status write_union(const Registry &a, const Registry &b, Arena &arena, Buffer<char> &out);

// Appends the registry's document with another laid over it: schemas of one name are replaced,
// operations and aliases come together, and of any other member the addition's stands.
void write_addition(const Registry &base, value::TreeView addition, Arena &arena,
                    Buffer<char> &out);

}  // namespace accp::registry
