// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Changes of the registry as a whole, and of each schema except its fields.
#include "registry/changes.h"

#include "registry/document.h"
#include "value/json_writer.h"

namespace accp::registry {

namespace {

constexpr const char *kOnlyForPeople = "no frame is written or read by it";

// Returns whether the members of this name have change kinds of their own.
bool has_own_kind(std::string_view member, bool of_schema) {
    static constexpr std::string_view kOfSchema[] = {"code",     "version",  "fields",
                                                     "types",    "defaults", "aliases",
                                                     "required", "bind",     "deprecated"};
    static constexpr std::string_view kOfRegistry[] = {"schemas", "operations", "aliases"};
    if (of_schema) {
        for (std::string_view name : kOfSchema)
            if (name == member) return true;
        return false;
    }
    for (std::string_view name : kOfRegistry)
        if (name == member) return true;
    return false;
}

bool has_binding(const Schema *schema, const Binding &wanted) {
    for (uint32_t i = 0; schema && i < schema->binding_count; ++i)
        if (schema->bindings[i].intent == wanted.intent &&
            schema->bindings[i].operation == wanted.operation)
            return true;
    return false;
}

}  // namespace

std::string_view deprecation(const Schema &schema, std::string_view field) {
    uint32_t node = schema.tree.find(schema.node, "deprecated");
    if (node && !field.empty())
        node = schema.tree[node].kind == ACCP_MAP ? schema.tree.find(node, field) : 0;
    return node && schema.tree[node].kind == ACCP_STRING ? schema.tree.string(node)
                                                         : std::string_view();
}

// Finds the same schema on the other side: the one with this name, otherwise the one with this code
// if its name does not exist here.
const Schema *Changes::counterpart(const Schema &schema, const Registry &own,
                                   const Registry &other) const {
    if (const Schema *same = other.by_name(schema.name)) return same;
    const Schema *coded = other.by_code(schema.code);
    return coded && !own.by_name(coded->name) ? coded : nullptr;
}

Status Changes::write() {
    out_.push('[');
    Status status = members(from_.document(), 0, to_.document(), 0, nullptr);
    operations();
    abbreviations();
    if (status.ok()) status = schemas();
    out_.push(']');
    return status;
}

// Compares the members that have no meaning to the library: of both documents, or of one schema on
// both sides.
Status Changes::members(value::TreeView a, uint32_t node_a, value::TreeView b, uint32_t node_b,
                        const Schema *schema) {
    for (uint32_t i = node_a + 1; i < a[node_a].next; i = a[i].next)
        if (Status status = member(a, i, b, node_b, schema); status.failed()) return status;
    for (uint32_t i = node_b + 1; i < b[node_b].next; i = b[i].next) {
        if (has_own_kind(b.key(i), schema) || a.find(node_a, b.key(i))) continue;
        begin_change("member", false);
        if (schema) text("schema", schema->name);
        text("member", b.key(i));
        end_change(kOnlyForPeople);
    }
    return {};
}

Status Changes::member(value::TreeView a, uint32_t i, value::TreeView b, uint32_t node_b,
                       const Schema *schema) {
    if (has_own_kind(a.key(i), schema)) return {};
    const uint32_t other = b.find(node_b, a.key(i));
    bool equal = false;
    Status status = other ? compare(a, i, b, other, arena_, out_, equal) : Status{};
    if (status.failed() || equal) return status;
    begin_change("member", false);
    if (schema) text("schema", schema->name);
    text("member", a.key(i));
    end_change(kOnlyForPeople);
    return {};
}

void Changes::operations() {
    const Registry *sides[] = {&from_, &to_};
    for (int side = 0; side < 2; ++side) {
        value::TreeView doc = sides[side]->document();
        const uint32_t list = doc.find(0, "operations");
        for (uint32_t i = list + 1; list && i < doc[list].next; i = doc[i].next) {
            if (sides[1 - side]->has_operation(doc.string(i))) continue;
            begin_change(side ? "operation_added" : "operation_removed", false);
            text("operation", doc.string(i));
            end_change("an operation that is not known is no error");
        }
    }
}

void Changes::abbreviations() {
    value::TreeView a = from_.document(), b = to_.document();
    const uint32_t map_a = a.find(0, "aliases"), map_b = b.find(0, "aliases");
    for (uint32_t i = map_a + 1; map_a && i < a[map_a].next; i = a[i].next)
        abbreviation(a.string(i), a.key(i), to_.short_key(a.string(i)));
    for (uint32_t i = map_b + 1; map_b && i < b[map_b].next; i = b[i].next)
        if (from_.short_key(b.string(i)).empty()) abbreviation(b.string(i), {}, b.key(i));
}

void Changes::abbreviation(std::string_view key, std::string_view from, std::string_view to) {
    if (from == to) return;
    begin_change("abbreviation", true);
    text("key", key);
    text("from", from);
    text("to", to);
    end_change("a frame has the short key, which the other side does not expand");
}

Status Changes::schemas() {
    for (uint32_t i = 0; i < from_.schema_count(); ++i) {
        const Schema &a = from_.schemas()[i];
        const Schema *b = counterpart(a, from_, to_);
        Status status;
        if (b) status = schema(a, *b);
        else
            add("schema_removed", true, &a,
                "frames under it are refused, or read without its defaults and short keys");
        if (status.failed()) return status;
    }
    for (uint32_t i = 0; i < to_.schema_count(); ++i) {
        const Schema &b = to_.schemas()[i];
        if (counterpart(b, to_, from_)) continue;
        add("schema_added", false, &b, "only frames that name it are refused (E1003)");
        bindings(b, nullptr, "binding_added");
    }
    return {};
}

Status Changes::schema(const Schema &a, const Schema &b) {
    bool equal = false;
    if (a.name == b.name) {
        Status status = compare(a.tree, a.node, b.tree, b.node, arena_, out_, equal);
        if (status.failed()) return status;
    }
    if (!equal) {
        if (a.name != b.name) add("schema_name", false, &b, "frames carry the code");
        if (a.code != b.code) add("schema_code", true, &b, "frames name a schema by its code");
        version(a, b);
        bindings(a, &b, "binding_removed");
        bindings(b, &a, "binding_added");
        schema_deprecation(a, b);
        Status status = members(a.tree, a.node, b.tree, b.node, &b);
        if (status.failed()) return status;
    }
    // Also if both are equal as text: their short keys depend on the whole registry.
    fields({a, b, a.binding_count && b.binding_count});
    return {};
}

void Changes::version(const Schema &a, const Schema &b) {
    if (a.version < b.version)
        add("version", false, &b, "of two versions a negotiation takes the higher");
    else if (a.version > b.version)
        add("version", false, &b, "lower: a negotiation takes the older schema");
    else
        add("version", false, &b,
            "not higher: a negotiation finds no union, and both go on without a registry");
}

// Writes the bindings of `of` that the other side does not have.
void Changes::bindings(const Schema &of, const Schema *other, const char *kind) {
    for (uint32_t i = 0; i < of.binding_count; ++i) {
        const Binding &binding = of.bindings[i];
        if (has_binding(other, binding)) continue;
        begin_change(kind, true);
        text("schema", of.name);
        name("binding");
        out_.push('"');
        if (binding.intent >= 0) {
            out_.append(intent_code(binding.intent));
            out_.push(':');
        }
        out_.append(binding.operation);
        out_.push('"');
        end_change(
            "a frame of it does not name the schema, or goes by position, which the other refuses");
    }
}

void Changes::schema_deprecation(const Schema &a, const Schema &b) {
    const std::string_view before = deprecation(a, {}), now = deprecation(b, {});
    if (before == now) return;
    begin_change("deprecated", false);
    text("schema", b.name);
    text("from", before);
    text("to", now);
    end_change(kOnlyForPeople);
}

// One change as JSON.
void Changes::begin_change(const char *kind, bool breaking) {
    if (!first_) out_.push(',');
    first_ = false;
    breaking_ = breaking_ || breaking;
    out_.append(R"({"kind":")");
    out_.append(std::string_view(kind));
    out_.append(breaking ? R"(","breaking":true)" : R"(","breaking":false)");
}

// `text` must have a Buffer's slack after it.
void Changes::text(const char *key, std::string_view text) {
    if (text.empty()) return;
    name(key);
    value::write_json_string(text, out_);
}

void Changes::json(const char *key, std::string_view json) {
    if (json.empty()) return;
    name(key);
    out_.append(json);
}

void Changes::name(const char *key) {
    out_.append(",\"");
    out_.append(std::string_view(key));
    out_.append("\":");
}

void Changes::end_change(const char *why) {
    out_.append(R"(,"why":")");
    out_.append(std::string_view(why));
    out_.append("\"}");
}

void Changes::add(const char *kind, bool breaking, const Schema *schema, const char *why) {
    begin_change(kind, breaking);
    if (schema) text("schema", schema->name);
    end_change(why);
}

void Changes::add(const char *kind, bool breaking, const Schema &schema, std::string_view field,
                  Values values, const char *why) {
    begin_change(kind, breaking);
    text("schema", schema.name);
    text("field", field);
    json("from", values.from);
    json("to", values.to);
    end_change(why);
}

}  // namespace accp::registry
