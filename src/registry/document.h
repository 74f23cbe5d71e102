// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What everything that writes of documents needs: objects member by member, and whether two parts
// of documents mean the same.
#pragma once

#include "registry/registry.h"
#include "value/json_writer.h"

namespace accp::registry {

// Writes the entries of one object, a comma before all but the first. Keys have a Buffer's slack.
class ObjectWriter {
public:
    explicit ObjectWriter(Buffer<char> &out) : out_(out) { out_.push('{'); }
    void key(std::string_view key) {
        if (!first_) out_.push(',');
        first_ = false;
        value::write_json_string(key, out_);
        out_.push(':');
    }
    void entry(std::string_view name, value::TreeView tree, uint32_t node) {
        key(name);
        value::write_json(tree, node, out_);
    }
    void end() { out_.push('}'); }

private:
    Buffer<char> &out_;
    bool first_ = true;
};

// Do the two mean the same? Their hash forms are written after what `scratch` holds, and taken
// back. Resets the arena.
Status compare(value::TreeView a, uint32_t node_a, value::TreeView b, uint32_t node_b, Arena &arena,
               Buffer<char> &scratch, bool &equal);

// Registries as documents: all that is in force as one text, what one has and another lacks, and
// the union of two. Every result is a document that Registry::load() takes without profiles:
// built-in schemas that are in force stand in it.

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
