// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A schema as lookups see it: plain data over the text of the document that it was read from,
// constant once its registry is loaded.
#pragma once

#include "registry/ontology.h"
#include "value/tree.h"

namespace accp::registry {

// Fields of a schema lie one after another, in the order of the document: the order of p1.
struct Field {
    std::string_view name;  // as a message has it
    // as a frame has it: the schema's alias, else the abbreviation in force, else the name itself
    std::string_view wire;
    // compact JSON, ready to be written; empty where there is no default
    std::string_view default_json;
    uint32_t default_node;  // the same as a node of Schema::tree; 0 where there is none
    FieldType type;
    bool required;

    bool has_default() const { return default_node != 0; }
};

// That a schema goes with an intent (-1: with every one) and an operation.
struct Binding {
    std::string_view operation;
    int32_t intent;
};

struct Schema {
    std::string_view name, code;
    int64_t version;
    const Field *fields;
    const Binding *bindings;
    uint32_t field_count, binding_count;
    uint32_t place;        // among the registry's schemas
    uint32_t node;         // its object in tree
    value::TreeView tree;  // of the document it stands in
    bool built_in;         // it comes with a profile, not from the document

    // A scan of a few bindings.
    bool is_bound(int intent, std::string_view operation) const {
        for (uint32_t i = 0; i < binding_count; ++i)
            if ((bindings[i].intent == intent || bindings[i].intent < 0) &&
                bindings[i].operation == operation)
                return true;
        return false;
    }
};

// Is this value, as it stands, the field's default? Numbers are compared as they are written and
// maps in their order, so that what a peer fills in is the very text that was left out. A scan of
// two flat trees; no recursion.
bool is_default(const Schema &schema, const Field &field, value::TreeView tree, uint32_t node);

}  // namespace accp::registry
