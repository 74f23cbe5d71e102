// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A schema as lookups see it: plain data over the text of the document that it was read from,
// constant once its registry is loaded.
#pragma once

#include "base/arena.h"
#include "base/sha256.h"
#include "base/status.h"
#include "registry/name_index.h"
#include "registry/ontology.h"
#include "value/json_reader.h"
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

// What two agents have agreed to know: schemas, the keys and operations of their own, and the name
// (a hash) of all of it. Spec 4, 6, 10.
//
// A registry is made once, by load(), and is constant from then on: any number of threads may ask
// it without a lock. A change is a new registry. Nothing below load() allocates, and every lookup
// is a hash of a short text or a scan of one short array, so that the codec may ask for each
// message. What it asks, in the order of specification 7.2 and 7.3:
//
//   find_intent(intent)               -1 is E1002
//                                     (ontology.h)
//   by_code(code)                     the schema that a message names; nullptr is E1003
//   bound(intent, operation)          the one schema bound to both, where a message names none
//   schema->is_bound(intent, op)      may it be sent by position (p1)?
//   write_key(schema, key)            a key of the payload on its way out: what to write, its
//                                     field, whether it must be escaped
//   read_key(schema, wire)            a key on its way in: what it stands for, and its field
//   schema->fields[place]             a value by its position; fields[place].default_json to fill
//                                     it in
//   is_default(schema, field, …)      may this value be left out?
//                                     (schema.h)
//   fits(field.type, kind)            else E1004
//                                     (ontology.h)
//
// Keys under a schema. A field is written by its alias, else by its abbreviation, else as it is,
// and read by either name. The schema comes first: an abbreviation which is also a field or an
// alias of the schema in hand means that there, and the general one is not in force. What then
// would be read as something else is escaped (`__`, the key rule of q1). So write_key() and
// read_key() are one to one under every schema. What they hand back is the key before the rest of
// q1's key rule (word characters, a leading `__`), which is the caller's (frame/key.h); and where
// p1 is in force a key that is some schema's code (by_code()) must be escaped too.
//
// Profiles (spec 10) are additive: each active one brings its schema, unless the document has one
// of that code or name. The error schema ER is always there. The hash covers all of it, as it is in
// force: two registries of one hash mean the same, whatever they were made of.

// A key on its way in or out. text: what to write, or what it stands for: the caller's own key, or
// one with a Buffer's slack after it. escape (write_key only): the text must take the `__` form of
// q1.
struct KeyForm {
    std::string_view text;
    const Field *field;  // nullptr: none of the schema
    bool escape;
};

class Registry {
public:
    explicit Registry(Memory &memory);

    // Reads the document (spec 6.2; docs/registry.md), or none where text is empty, and takes in
    // the built-in schemas of the profiles (bits of accp_profile). To be called once; after a
    // failure the registry is only good to be thrown away. E1001: not JSON, a key twice, or over a
    // limit. E1002: a binding to an unknown intent. E1004: a member of the wrong kind, names that
    // clash. The offset is a byte of the text.
    Status load(std::string_view text, uint32_t profiles, const value::JsonLimits &limits);

    // the document, byte for byte
    std::string_view source() const { return {source_.data(), source_.size()}; }
    // no document was given: a library of any version has these schemas
    bool is_built_in() const { return source() == kNoDocument; }
    // the hash form of all that is in force
    std::string_view canonical() const { return {canonical_.data(), canonical_.size()}; }
    // of that
    const Digest &hash() const { return hash_; }
    // the document's "version", else 0
    int64_t version() const { return version_; }

    const Schema *schemas() const { return schemas_.data(); }
    uint32_t schema_count() const { return static_cast<uint32_t>(schemas_.size()); }
    const Schema *by_code(std::string_view code) const;
    const Schema *by_name(std::string_view name) const;
    // The schema bound to both; one bound to the operation under every intent only where there is
    // none. nullptr where two would do.
    const Schema *bound(int intent, std::string_view operation) const;

    KeyForm write_key(const Schema *schema, std::string_view key) const;
    KeyForm read_key(const Schema *schema, std::string_view wire) const;
    const Field *field_by_name(const Schema &schema, std::string_view name) const;
    const Field *field_by_wire(const Schema &schema, std::string_view wire) const;

    // Abbreviations in force for every schema: those of the specification and the document's own
    // "aliases". Empty where there is none.
    std::string_view short_key(std::string_view key) const;
    std::string_view full_key(std::string_view code) const;

    // Is this one of the operations that everybody knows, or one of the document's own? The
    // vocabulary is open: an unknown one is no error (decision A34).
    bool has_operation(std::string_view name) const;

    // The document's own, for writing it anew (document.h).
    value::TreeView document() const { return doc_.view(); }

private:
    friend class Loader;
    struct Alias {
        std::string_view code, key;
    };
    struct Route {
        std::string_view operation;
        int32_t intent;
        uint32_t schema;  // kAmbiguous: more than one
    };
    static constexpr std::string_view kNoDocument = R"({"schemas":{}})";
    static constexpr uint32_t kAmbiguous = UINT32_MAX;
    static constexpr uint32_t kLinearFields = 16;  // up to here a scan is faster than a hash

    const Route *route(int intent, std::string_view operation) const;
    template <class NameOf>
    const Field *find_field(const Schema &schema, std::string_view name, const NameIndex &index,
                            NameOf name_of) const;
    void seal();

    Memory &memory_;
    Buffer<char> source_, canonical_, default_text_;
    value::Value doc_, built_in_;
    Buffer<Schema> schemas_;
    Buffer<Field> fields_;
    Buffer<Binding> bindings_;
    Buffer<std::string_view> operations_;  // the document's own
    Buffer<Alias> aliases_;
    Buffer<Route> routes_;
    NameIndex codes_, names_, field_names_, field_wires_, operation_index_, alias_codes_,
        alias_keys_, route_index_;
    int64_t version_ = 0;
    Digest hash_ = {};
};

}  // namespace accp::registry
