// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The effects of changing from one registry to another, for a side that still has the first and
// exchanges frames with one that has the second. A change is breaking if the other side refuses a
// frame that is valid today, or reads it as another message. It is compatible if only new frames
// are refused. docs/registry.md has the rule of each kind.
#pragma once

#include "registry/registry.h"

namespace accp::registry {

// Returns the deprecation text of a schema (if field is empty) or of one of its fields; empty:
// none. A schema's member "deprecated" is a text for the whole schema, or an object: field to text.
// It has no effect on frames.
std::string_view deprecation(const Schema &schema, std::string_view field);

class Changes {
public:
    Changes(const Registry &from, const Registry &to, Memory &memory, Buffer<char> &out)
        : from_(from),
          to_(to),
          out_(out),
          arena_(memory),
          places_(memory),
          tails_(memory),
          before_(memory) {}

    // Appends a JSON array with an object for each change:
    // {"kind","breaking","schema"?,"field"?,"from"?,"to"?,"why"}. May be called once.
    Status write();

    // Returns whether one of the changes is breaking. Call after write().
    bool breaking() const { return breaking_; }

private:
    // One schema on both sides.
    struct Pair {
        const Schema &a, &b;
        bool by_position;  // both sides may use p1
    };
    // The old and new value of a change as JSON; empty: not applicable.
    struct Values {
        std::string_view from, to;
    };

    const Schema *counterpart(const Schema &schema, const Registry &own,
                              const Registry &other) const;
    void begin_change(const char *kind, bool breaking);
    void name(const char *key);
    void text(const char *key, std::string_view text);
    void json(const char *key, std::string_view json);
    void end_change(const char *why);
    void add(const char *kind, bool breaking, const Schema *schema, const char *why);
    void add(const char *kind, bool breaking, const Schema &schema, std::string_view field,
             Values values, const char *why);

    // changes.cc: the registry as a whole, and its schemas.
    Status members(value::TreeView a, uint32_t node_a, value::TreeView b, uint32_t node_b,
                   const Schema *schema);
    Status member(value::TreeView a, uint32_t i, value::TreeView b, uint32_t node_b,
                  const Schema *schema);
    void operations();
    void abbreviations();
    void abbreviation(std::string_view key, std::string_view from, std::string_view to);
    Status schemas();
    Status schema(const Schema &a, const Schema &b);
    void version(const Schema &a, const Schema &b);
    void bindings(const Schema &of, const Schema *other, const char *kind);
    void schema_deprecation(const Schema &a, const Schema &b);

    // changes_fields.cc: the fields of one schema.
    void fields(const Pair &pair);
    void added(const Pair &pair, const Field &field, bool is_last);
    void removed(const Pair &pair, const Field &field);
    void kept(const Pair &pair, const Field &a, const Field &b, bool moved);
    void type(const Pair &pair, const Field &a, const Field &b);
    void default_value(const Pair &pair, const Field &a, const Field &b);
    void required(const Pair &pair, const Field &a, const Field &b);
    void short_key(const Pair &pair, const Field &a, const Field &b);
    void field_deprecation(const Pair &pair, std::string_view field);
    void find_places(const Pair &pair);
    void keep_longest_run(const Pair &pair);

    const Registry &from_, &to_;
    Buffer<char> &out_;
    Arena arena_;
    // For each field of the first side, its place on the other side, or kGone. kMoved is added if
    // the field does not keep its order.
    Buffer<uint32_t> places_;
    Buffer<uint32_t> tails_, before_;
    bool breaking_ = false, first_ = true;
};

}  // namespace accp::registry
