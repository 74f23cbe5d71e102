// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Registries and their schemas. A schema is plain data with views of the text of its document. It
// is constant once its registry is loaded.
#pragma once

#include "base/arena.h"
#include "base/sha256.h"
#include "base/status.h"
#include "registry/name_index.h"
#include "registry/ontology.h"
#include "value/json_reader.h"
#include "value/tree.h"

namespace accp::registry {

// Fields of a schema are in the order of the document, which is the order of p1.
struct Field {
    std::string_view name;  // as in a message
    // as in a frame: the schema's alias, otherwise the abbreviation in force, otherwise the name
    std::string_view wire;
    // compact JSON; empty: no default
    std::string_view default_json;
    uint32_t default_node;  // the default as a node of Schema::tree; 0: none
    FieldType type;
    bool required;

    bool has_default() const { return default_node != 0; }
};

// Binds a schema to an operation and an intent (-1: every intent).
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
    uint32_t index;        // index in the registry's schemas
    uint32_t node;         // its object in tree
    value::TreeView tree;  // of the document that contains it
    bool built_in;         // from a profile, not from the document

    bool is_bound(int intent, std::string_view operation) const {
        for (uint32_t i = 0; i < binding_count; ++i)
            if ((bindings[i].intent == intent || bindings[i].intent < 0) &&
                bindings[i].operation == operation)
                return true;
        return false;
    }
};

// Returns whether a value equals the default of the field. Numbers are compared as text and maps in
// order, so the peer fills in exactly the omitted text.
bool is_default(const Schema &schema, const Field &field, value::TreeView tree, uint32_t node);

// The result of write_key() or read_key(). `text`: the text to write for a key to send, or the
// meaning of a received key. It is the caller's key, or has a Buffer's slack after it. `escape`
// (write_key only): the text must have the `__` form of q1.
struct KeyForm {
    std::string_view text;
    const Field *field;  // nullptr: not a field of the schema
    bool escape;
};

// The vocabulary that two agents have agreed on: schemas, their own keys and operations, and a hash
// that identifies all of it. Spec 4, 6, 10.
//
// A registry is created once, by load(), and is constant afterwards. Any number of threads may use
// it without a lock. A change creates a new registry. Lookups do not allocate: each is a hash of a
// short text or a scan of a short array. The codec uses them for each message, in the order of
// specification 7.2 and 7.3:
//
//   find_intent(intent)               -1 is E1002
//                                     (ontology.h)
//   by_code(code)                     the schema that a message names; nullptr: E1003
//   bound(intent, operation)          the one schema bound to both, if a message names none
//   schema->is_bound(intent, op)      whether it may be sent by position (p1)
//   write_key(schema, key)            for a key to send: the text to write, its field, and
//                                     whether the text must be escaped
//   read_key(schema, wire)            for a received key: its meaning, and its field
//   schema->fields[i]                 a value by its position; default_json to fill it in
//   is_default(schema, field, …)      whether this value may be omitted
//   fits(field.type, kind)            else E1004
//                                     (ontology.h)
//
// Keys under a schema: a field is written by its alias, otherwise by its abbreviation, otherwise by
// its name, and read by each of them. The schema has precedence: if an abbreviation is also a field
// or an alias of the schema, it has that meaning there. A key that would be read as something else
// is escaped (`__`, the key rule of q1). write_key() and read_key() are therefore one to one under
// every schema.
//
// The caller (frame/key.h) applies the rest of q1's key rule (word characters, a leading `__`).
// With p1 a key that is the code of a schema (by_code()) must also be escaped.
//
// Each active profile (spec 10) adds its schema, unless the document has a schema with that code or
// name. The error schema ER is always included. The hash covers everything in force: two registries
// with the same hash have the same meaning.
class Registry {
public:
    explicit Registry(Memory &memory);

    // Loads the document (spec 6.2; docs/registry.md), or none if text is empty, and the built-in
    // schemas of the profiles (bits of accp_profile). May be called once; after a failure the
    // registry must not be used. E1001: not JSON, a repeated key, or a limit is exceeded. E1002: a
    // binding to an unknown intent. E1004: a member of the wrong kind, or conflicting names. The
    // offset is a byte of the text.
    Status load(std::string_view text, uint32_t profiles, const value::JsonLimits &limits);

    // the document, byte for byte
    std::string_view source() const { return {source_.data(), source_.size()}; }
    // no document was given, so every version of the library has these schemas
    bool is_built_in() const { return source() == kNoDocument; }
    // the hash form of everything in force
    std::string_view canonical() const { return {canonical_.data(), canonical_.size()}; }
    // of canonical()
    const Digest &hash() const { return hash_; }
    // the document's "version", otherwise 0
    int64_t version() const { return version_; }

    const Schema *schemas() const { return schemas_.data(); }
    uint32_t schema_count() const { return static_cast<uint32_t>(schemas_.size()); }
    const Schema *by_code(std::string_view code) const;
    const Schema *by_name(std::string_view name) const;
    // Returns the schema bound to both. Without one, returns the schema bound to the operation
    // under every intent. nullptr: none, or more than one.
    const Schema *bound(int intent, std::string_view operation) const;

    KeyForm write_key(const Schema *schema, std::string_view key) const;
    KeyForm read_key(const Schema *schema, std::string_view wire) const;
    const Field *field_by_name(const Schema &schema, std::string_view name) const;
    const Field *field_by_wire(const Schema &schema, std::string_view wire) const;

    // Abbreviations for every schema: of the specification, and the document's own "aliases".
    // Empty: none.
    std::string_view short_key(std::string_view key) const;
    std::string_view full_key(std::string_view code) const;

    // Returns whether an operation is a standard one or one of the document. The vocabulary is
    // open: an unknown operation is not an error (decision A34).
    bool has_operation(std::string_view name) const;

    // The parsed document (see document.h).
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
    static constexpr uint32_t kLinearFields = 16;  // up to this size a scan is faster than a hash

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
    Buffer<std::string_view> operations_;  // of the document
    Buffer<Alias> aliases_;
    Buffer<Route> routes_;
    NameIndex codes_, names_, field_names_, field_wires_, operation_index_, alias_codes_,
        alias_keys_, route_index_;
    int64_t version_ = 0;
    Digest hash_ = {};
};

}  // namespace accp::registry
