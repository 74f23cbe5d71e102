// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Loads one schema. The offset of a failure is the node at fault.
#include <charconv>

#include "base/bytes.h"
#include "registry/loader.h"
#include "value/json_writer.h"

namespace accp::registry {

namespace {

bool is_code(std::string_view text) {
    return is_word_name(text) && is_alpha(static_cast<unsigned char>(text[0])) &&
           text.size() <= kMaxCodeBytes && text != "true" && text != "false" && text != "schema";
}

}  // namespace

Status Loader::schema(value::TreeView tree, uint32_t node, bool built_in) {
    Draft draft = {tree, node, {}, nullptr, 0};
    Schema made = {};
    made.name = tree.key(node);
    made.tree = tree;
    made.node = node;
    made.index = static_cast<uint32_t>(out_.schemas_.size());
    made.built_in = built_in;
    ACCP_TRY(members(draft));
    ACCP_TRY(head(draft, made));
    ACCP_TRY(fields(draft));
    ACCP_TRY(types(draft));
    ACCP_TRY(defaults(draft));
    ACCP_TRY(required(draft));
    ACCP_TRY(wires(draft));
    ACCP_TRY(bindings(draft, made));
    made.field_count = draft.count;
    out_.codes_.add(made.code, 0, made.index);
    out_.names_.add(made.name, 0, made.index);
    out_.schemas_.push(made);
    return {};
}

// Members without a meaning to the library are ignored. They stay in the document and in the hash.
Status Loader::members(Draft &draft) {
    struct Row {
        const char *name;
        uint32_t Members::*place;
        uint8_t kind;
        const char *message;
    };
    static constexpr Row kRows[] = {
        {"code", &Members::code, ACCP_STRING, "a code is a string"},
        {"version", &Members::version, ACCP_INT, "a version is a whole number"},
        {"fields", &Members::fields, ACCP_ARRAY, "fields are a list of names"},
        {"defaults", &Members::defaults, ACCP_MAP, "defaults are an object: field to value"},
        {"types", &Members::types, ACCP_MAP, "types are an object: field to type"},
        {"aliases", &Members::aliases, ACCP_MAP, "aliases are an object: short key to field"},
        {"required", &Members::required, ACCP_ARRAY, "required is a list of fields"},
        {"bind", &Members::bind, ACCP_ARRAY, "bind is a list of texts such as \"req:schedule\""},
    };
    if (draft.tree[draft.node].kind != ACCP_MAP) return wrong(draft.node, "a schema is an object");
    for (const Row &row : kRows) {
        uint32_t node = draft.tree.find(draft.node, row.name);
        draft.members.*row.place = node;
        if (node && draft.tree[node].kind != row.kind) return wrong(node, row.message);
    }
    if (!draft.members.code) return wrong(draft.node, "a schema has a code");
    if (!draft.members.fields) return wrong(draft.node, "a schema has fields");
    return {};
}

Status Loader::head(const Draft &draft, Schema &made) {
    made.code = draft.tree.string(draft.members.code);
    if (!is_code(made.code))
        return wrong(
            draft.members.code,
            "a code is a letter, then letters, digits and _, at most 32, and not a literal");
    if (made.name.empty()) return wrong(draft.node, "a schema has a name");
    if (out_.by_code(made.code)) return wrong(draft.members.code, "another schema has this code");
    made.version = 1;
    if (!draft.members.version) return {};
    std::string_view digits = draft.tree.string(draft.members.version);
    auto read = std::from_chars(digits.data(), digits.data() + digits.size(), made.version);
    if (read.ec != std::errc() || made.version < 0)
        return wrong(draft.members.version, "a version is a whole number that fits 63 bits");
    return {};
}

Field *Loader::find(const Draft &draft, std::string_view name) const {
    uint32_t index = local_.find(name, 0, [&](uint32_t i) { return draft.fields[i].name == name; });
    return index == NameIndex::kNone ? nullptr : draft.fields + index;
}

Status Loader::fields(Draft &draft) {
    const uint32_t list = draft.members.fields;
    if (draft.tree[list].len > kMaxSchemaFields)
        return fail_limit(ACCP_E1001, list, "more fields than a schema may have",
                          draft.tree[list].len, kMaxSchemaFields);
    draft.fields = out_.fields_.reserve(draft.tree[list].len);
    local_.reset(draft.tree[list].len);
    for (uint32_t i = list + 1; i < draft.tree[list].next; i = draft.tree[i].next) {
        std::string_view name = draft.tree.string(i);
        if (draft.tree[i].kind != ACCP_STRING || name.empty()) return wrong(i, "a field is a name");
        if (name.size() > kMaxRegistryKeyBytes)
            return fail_limit(ACCP_E1001, i, "too many bytes in the name of a field", name.size(),
                              kMaxRegistryKeyBytes);
        if (name == "schema") return wrong(i, "`schema` names the schema, and is no field");
        if (find(draft, name)) return wrong(i, "this field is repeated");
        local_.add(name, 0, draft.count);
        draft.fields[draft.count++] = {name, {}, {}, 0, FieldType::kAny, false};
    }
    out_.fields_.advance(draft.count);
    return {};
}

Status Loader::types(const Draft &draft) {
    const uint32_t map = draft.members.types;
    for (uint32_t i = map + 1; map && i < draft.tree[map].next; i = draft.tree[i].next) {
        Field *field = find(draft, draft.tree.key(i));
        if (!field) return wrong(i, "the type is for a name that is not a field");
        if (draft.tree[i].kind != ACCP_STRING || !find_type(draft.tree.string(i), field->type))
            return wrong(i, "no such type");
    }
    return {};
}

Status Loader::defaults(const Draft &draft) {
    const uint32_t map = draft.members.defaults;
    for (uint32_t i = map + 1; map && i < draft.tree[map].next; i = draft.tree[i].next) {
        Field *field = find(draft, draft.tree.key(i));
        if (!field) return wrong(i, "the default is for a name that is not a field");
        if (!fits(field->type, draft.tree[i].kind))
            return wrong(i, "the default is not of the field's type");
        field->default_node = i;
        ACCP_TRY(charge(draft, i));
    }
    out_.default_text_.clear();
    return {};
}

// Adds the size of a default as it is filled into a message: the name of its field and its value.
Status Loader::charge(const Draft &draft, uint32_t node) {
    value::write_json_string(draft.tree.key(node), out_.default_text_);
    out_.default_text_.push(':');
    value::write_json(draft.tree, node, out_.default_text_);
    out_.default_text_.push(',');
    if (out_.default_text_.size() <= kMaxDefaultBytes) return {};
    return fail_limit(ACCP_E1001, node, "too many bytes of JSON in the defaults of a schema",
                      out_.default_text_.size(), kMaxDefaultBytes);
}

Status Loader::required(const Draft &draft) {
    const uint32_t list = draft.members.required;
    for (uint32_t i = list + 1; list && i < draft.tree[list].next; i = draft.tree[i].next) {
        Field *field =
            draft.tree[i].kind == ACCP_STRING ? find(draft, draft.tree.string(i)) : nullptr;
        if (!field) return wrong(i, "required contains a name that is not a field");
        field->required = true;
    }
    return {};
}

// Determines the name of each field in a frame. An alias must not be a field, so chains and cycles
// are impossible, and a field has at most one alias.
Status Loader::wires(const Draft &draft) {
    const uint32_t map = draft.members.aliases;
    for (uint32_t i = map + 1; map && i < draft.tree[map].next; i = draft.tree[i].next) {
        std::string_view alias = draft.tree.key(i);
        if (!is_word_name(alias) || alias == "schema")
            return wrong(i, "an alias is a word of letters, digits and _, and not `schema`");
        Field *field =
            draft.tree[i].kind == ACCP_STRING ? find(draft, draft.tree.string(i)) : nullptr;
        if (!field) return wrong(i, "the alias is for a name that is not a field");
        if (find(draft, alias)) return wrong(i, "the alias is itself a field");
        if (!field->wire.empty()) return wrong(i, "this field has another alias");
        field->wire = alias;
    }
    for (uint32_t i = 0; i < draft.count; ++i) {
        Field &field = draft.fields[i];
        if (!field.wire.empty()) continue;
        std::string_view code = out_.short_key(field.name);
        bool taken = code.empty() || find(draft, code) || (map && draft.tree.find(map, code));
        field.wire = taken ? field.name : code;
    }
    return {};
}

Status Loader::bindings(const Draft &draft, Schema &made) {
    const uint32_t list = draft.members.bind;
    if (!list) return {};
    if (draft.tree[list].len > kMaxSchemaBindings)
        return fail(ACCP_E1001, list, "more bindings than a schema may have");
    for (uint32_t i = list + 1; i < draft.tree[list].next; i = draft.tree[i].next) {
        if (draft.tree[i].kind != ACCP_STRING)
            return wrong(i, "a binding is a text such as \"req:schedule\"");
        ACCP_TRY(binding(draft.tree.string(i), i));
    }
    made.binding_count = draft.tree[list].len;
    return {};
}

// Reads "req:schedule", or "schedule" for every intent.
Status Loader::binding(std::string_view text, uint32_t node) {
    size_t colon = text.find(':');
    Binding made = {text, -1};
    if (colon != std::string_view::npos) {
        made.intent = find_intent(text.substr(0, colon));
        made.operation = text.substr(colon + 1);
        if (made.intent < 0)
            return fail(ACCP_E1002, node, "the intent of the binding is not one of the twelve");
    }
    if (!is_word_name(made.operation))
        return wrong(node, "an operation is a word of letters, digits and _");
    out_.bindings_.push(made);
    return {};
}

}  // namespace accp::registry
