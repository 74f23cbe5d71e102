// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Lookups in a registry.
#include "registry/registry.h"

#include "registry/document.h"
#include "registry/registry_ref.h"

namespace accp::registry {

Registry::Registry(Memory &memory)
    : memory_(memory),
      source_(memory),
      canonical_(memory),
      default_text_(memory),
      doc_(memory),
      built_in_(memory),
      schemas_(memory),
      fields_(memory),
      bindings_(memory),
      operations_(memory),
      aliases_(memory),
      routes_(memory),
      codes_(memory),
      names_(memory),
      field_names_(memory),
      field_wires_(memory),
      operation_index_(memory),
      alias_codes_(memory),
      alias_keys_(memory),
      route_index_(memory) {}

const Schema *Registry::by_code(std::string_view code) const {
    uint32_t index = codes_.find(code, 0, [&](uint32_t i) { return schemas_[i].code == code; });
    return index == NameIndex::kNone ? nullptr : &schemas_[index];
}

const Schema *Registry::by_name(std::string_view name) const {
    uint32_t index = names_.find(name, 0, [&](uint32_t i) { return schemas_[i].name == name; });
    return index == NameIndex::kNone ? nullptr : &schemas_[index];
}

const Registry::Route *Registry::route(int intent, std::string_view operation) const {
    uint32_t index =
        route_index_.find(operation, static_cast<uint64_t>(intent + 1), [&](uint32_t i) {
            return routes_[i].intent == intent && routes_[i].operation == operation;
        });
    return index == NameIndex::kNone ? nullptr : &routes_[index];
}

const Schema *Registry::bound(int intent, std::string_view operation) const {
    const Route *found = intent < 0 ? nullptr : route(intent, operation);
    if (!found) found = route(-1, operation);
    return found && found->schema != kAmbiguous ? &schemas_[found->schema] : nullptr;
}

template <class NameOf>
const Field *Registry::find_field(const Schema &schema, std::string_view name,
                                  const NameIndex &index, NameOf name_of) const {
    const Field *first = schema.fields, *end = first + schema.field_count;
    if (schema.field_count <= kLinearFields) {
        for (const Field *field = first; field != end; ++field)
            if (name_of(*field) == name) return field;
        return nullptr;
    }
    uint32_t found = index.find(name, schema.index, [&](uint32_t i) {
        const Field *field = fields_.data() + i;
        return field >= first && field < end && name_of(*field) == name;
    });
    return found == NameIndex::kNone ? nullptr : &fields_[found];
}

const Field *Registry::field_by_name(const Schema &schema, std::string_view name) const {
    return find_field(schema, name, field_names_, [](const Field &field) { return field.name; });
}

const Field *Registry::field_by_wire(const Schema &schema, std::string_view wire) const {
    return find_field(schema, wire, field_wires_, [](const Field &field) { return field.wire; });
}

std::string_view Registry::short_key(std::string_view key) const {
    if (std::string_view code = find_abbreviation(key); !code.empty() || aliases_.empty())
        return code;
    uint32_t index = alias_keys_.find(key, 0, [&](uint32_t i) { return aliases_[i].key == key; });
    return index == NameIndex::kNone ? std::string_view() : aliases_[index].code;
}

std::string_view Registry::full_key(std::string_view code) const {
    if (std::string_view key = find_abbreviated(code); !key.empty() || aliases_.empty()) return key;
    uint32_t index =
        alias_codes_.find(code, 0, [&](uint32_t i) { return aliases_[i].code == code; });
    return index == NameIndex::kNone ? std::string_view() : aliases_[index].key;
}

KeyForm Registry::write_key(const Schema *schema, std::string_view key) const {
    if (schema) {
        if (const Field *field = field_by_name(*schema, key)) return {field->wire, field, false};
        if (field_by_wire(*schema, key)) return {key, nullptr, true};
    }
    auto taken = [&](std::string_view code) {
        return schema && (field_by_wire(*schema, code) || field_by_name(*schema, code));
    };
    std::string_view code = short_key(key);
    if (!code.empty() && !taken(code)) return {code, nullptr, false};
    return {key, nullptr, key == "schema" || !full_key(key).empty()};
}

KeyForm Registry::read_key(const Schema *schema, std::string_view wire) const {
    if (schema) {
        const Field *field = field_by_wire(*schema, wire);
        if (!field) field = field_by_name(*schema, wire);
        if (field) return {field->name, field, false};
    }
    std::string_view key = full_key(wire);
    if (key.empty()) return {wire, nullptr, false};
    return {key, schema ? field_by_name(*schema, key) : nullptr, false};
}

bool Registry::has_operation(std::string_view name) const {
    if (find_operation(name) >= 0) return true;
    if (operations_.empty()) return false;
    return operation_index_.find(name, 0, [&](uint32_t i) { return operations_[i] == name; }) !=
           NameIndex::kNone;
}

bool is_default(const Schema &schema, const Field &field, value::TreeView tree, uint32_t node) {
    if (!field.has_default()) return false;
    const value::Node *a = &schema.tree[field.default_node], *b = &tree[node];
    const uint32_t count = schema.tree[field.default_node].next - field.default_node;
    if (tree[node].next - node != count) return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (a[i].kind != b[i].kind || (a[i].flags ^ b[i].flags) & ACCP_NODE_TRUE) return false;
        if (i && a[i].key_len != b[i].key_len) return false;
        if (i && a[i].key_len && schema.tree.key(field.default_node + i) != tree.key(node + i))
            return false;
        if (a[i].kind == ACCP_NULL || a[i].kind == ACCP_BOOL) continue;
        if (a[i].len != b[i].len) return false;
        if (!value::is_container(a[i].kind) &&
            schema.tree.string(field.default_node + i) != tree.string(node + i))
            return false;
    }
    return true;
}

Status make_registry(const Settings &settings, uint32_t profiles, std::string_view text,
                     RegistryRef &out) {
    RegistryRef made(make_handle<accp_registry>(settings));
    made.get()->profiles = profiles;
    Status status = made.get()->registry.load(text, profiles, value::json_limits(settings));
    if (status.ok()) out = made;
    return status;
}

}  // namespace accp::registry
