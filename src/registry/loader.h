// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Loads a registry document: checks it and fills the tables of registry.h. Used once, by
// Registry::load().
#pragma once

#include "registry/registry.h"

#define ACCP_TRY(call) \
    if (::accp::Status status_ = (call); status_.failed()) return status_

namespace accp::registry {

// Returns whether a name may be written in a frame as it is: it has only word characters, and does
// not begin with the escape of q1 (`__`).
bool is_word_name(std::string_view text);

class Loader {
public:
    Loader(Registry &out, const value::JsonLimits &limits)
        : out_(out),
          arena_(out.memory_),
          reader_(out.memory_),
          local_(out.memory_),
          limits_(limits) {}

    Status run(std::string_view text, uint32_t profiles);

private:
    // The nodes of a schema's known members; 0: missing.
    struct Members {
        uint32_t code, version, fields, defaults, types, aliases, required, bind;
    };
    // A schema that is being loaded. Its pointers are set in finish(), when no array grows any
    // more.
    struct Draft {
        value::TreeView tree;
        uint32_t node;
        Members members;
        Field *fields;
        uint32_t count;
    };

    Status document(uint32_t profiles);
    Status operations(uint32_t list);
    Status aliases(uint32_t map);
    Status schemas(value::TreeView tree, uint32_t map, uint32_t profiles);
    bool restates_built_in(uint32_t node, uint32_t profiles);
    void finish();
    void fill_defaults();
    void add_route(const Binding &binding, uint32_t schema);
    Status seal();

    // load_schema.cc: one schema, member by member.
    Status schema(value::TreeView tree, uint32_t node, bool built_in);
    Status members(Draft &draft);
    Status head(const Draft &draft, Schema &made);
    Status fields(Draft &draft);
    Status types(const Draft &draft);
    Status defaults(const Draft &draft);
    Status charge(const Draft &draft, uint32_t node);
    Status required(const Draft &draft);
    Status wires(const Draft &draft);
    Status bindings(const Draft &draft, Schema &made);
    Status binding(std::string_view text, uint32_t node);
    Field *find(const Draft &draft, std::string_view name) const;

    Status wrong(uint32_t node, const char *message) const {
        return fail(ACCP_E1004, node, message);
    }

    Registry &out_;
    Arena arena_;
    value::JsonReader reader_;
    NameIndex local_;  // the fields of the schema that is being loaded
    value::JsonLimits limits_;
};

}  // namespace accp::registry
