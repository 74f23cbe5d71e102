// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "registry/document.h"

#include <algorithm>

namespace accp::registry {

namespace {

void write_schema(const Schema &schema, value::ObjectWriter &to) {
    to.add(schema.name, schema.tree, schema.node);
}

// Writes every member of a document except its schemas.
void write_members(value::TreeView doc, value::ObjectWriter &to) {
    for (uint32_t i = 1; i < doc[0].next; i = doc[i].next)
        if (doc.key(i) != "schemas") to.add(doc, i);
}

Status write_form(value::TreeView tree, uint32_t node, Arena &arena, Buffer<char> &out) {
    Status status = value::write_hash_form(tree, node, arena, out);
    return move_to(status, 0);
}

bool has_string(value::TreeView tree, uint32_t list, std::string_view wanted) {
    for (uint32_t i = list + 1; list && i < tree[list].next; i = tree[i].next)
        if (tree[i].kind == ACCP_STRING && tree.string(i) == wanted) return true;
    return false;
}

}  // namespace

Status compare(value::TreeView a, uint32_t node_a, value::TreeView b, uint32_t node_b, Arena &arena,
               Buffer<char> &scratch, bool &equal) {
    const size_t begin = scratch.size();
    arena.reset();
    Status status = write_form(a, node_a, arena, scratch);
    const size_t middle = scratch.size();
    arena.reset();
    if (status.ok()) status = write_form(b, node_b, arena, scratch);
    equal = status.ok() && std::string_view(scratch.data() + begin, middle - begin) ==
                               std::string_view(scratch.data() + middle, scratch.size() - middle);
    scratch.resize_down(begin);
    return status;
}

void write_effective(const Registry &registry, Buffer<char> &out) {
    value::ObjectWriter whole(out);
    write_members(registry.document(), whole);
    whole.key("schemas");
    value::ObjectWriter schemas(out);
    for (uint32_t i = 0; i < registry.schema_count(); ++i)
        write_schema(registry.schemas()[i], schemas);
    schemas.end();
    whole.end();
}

Status write_delta(const Registry *from, const Registry &to, Arena &arena, Buffer<char> &out) {
    value::ObjectWriter delta(out);
    delta.key("add");
    value::ObjectWriter add(out);
    write_members(to.document(), add);
    add.key("schemas");
    value::ObjectWriter schemas(out);
    for (uint32_t i = 0; i < to.schema_count(); ++i) {
        const Schema &schema = to.schemas()[i];
        const Schema *old = from ? from->by_name(schema.name) : nullptr;
        bool equal = false;
        if (old) {
            Status status =
                compare(old->tree, old->node, schema.tree, schema.node, arena, out, equal);
            if (status.failed()) return status;
        }
        if (!equal) write_schema(schema, schemas);
    }
    schemas.end();
    add.end();
    delta.key("del");
    out.push('[');
    bool first = true;
    for (uint32_t i = 0; from && i < from->schema_count(); ++i) {
        if (to.by_name(from->schemas()[i].name)) continue;
        if (!first) out.push(',');
        first = false;
        value::write_json_string(from->schemas()[i].name, out);
    }
    out.push(']');
    delta.end();
    return {};
}

Status apply_delta(const Registry *from, value::TreeView delta, Buffer<char> &out) {
    const uint32_t add = delta[0].kind == ACCP_MAP ? delta.find(0, "add") : 0;
    const uint32_t gone = add ? delta.find(0, "del") : 0;
    const uint32_t made = add && delta[add].kind == ACCP_MAP ? delta.find(add, "schemas") : 0;
    if (!made || delta[made].kind != ACCP_MAP || !gone || delta[gone].kind != ACCP_ARRAY)
        return fail(ACCP_E1004, 0, "a delta must be an object with add and del");
    if (delta[gone].len > kMaxSchemas || delta[made].len > kMaxSchemas)
        return fail(ACCP_E1001, 0, "more schemas than a registry may have");
    value::ObjectWriter whole(out);
    for (uint32_t i = add + 1; i < delta[add].next; i = delta[i].next)
        if (i != made) whole.add(delta, i);
    whole.key("schemas");
    value::ObjectWriter schemas(out);
    for (uint32_t i = 0; from && i < from->schema_count(); ++i) {
        const Schema &schema = from->schemas()[i];
        if (!delta.find(made, schema.name) && !has_string(delta, gone, schema.name))
            write_schema(schema, schemas);
    }
    for (uint32_t i = made + 1; i < delta[made].next; i = delta[i].next) schemas.add(delta, i);
    schemas.end();
    whole.end();
    return {};
}

namespace {

Status conflict() {
    return fail(ACCP_E1003, 0, "the two registries give one name different meanings");
}

// Chooses the schema for the union: the higher version of the same schema.
Status choose(const Schema &a, const Schema *b, Arena &arena, Buffer<char> &scratch,
              const Schema *&chosen) {
    chosen = &a;
    if (!b) return {};
    if (b->name != a.name || b->code != a.code) return conflict();
    bool equal = false;
    Status status = compare(a.tree, a.node, b->tree, b->node, arena, scratch, equal);
    if (status.failed() || equal) return status;
    if (a.version == b->version) return conflict();
    if (b->version > a.version) chosen = b;
    return {};
}

Status unite_schemas(const Registry &a, const Registry &b, Arena &arena, Buffer<char> &out) {
    value::ObjectWriter to(out);
    for (int side = 0; side < 2; ++side) {
        const Registry &own = side ? b : a, &other = side ? a : b;
        for (uint32_t i = 0; i < own.schema_count(); ++i) {
            const Schema &schema = own.schemas()[i];
            const Schema *counterpart = other.by_name(schema.name),
                         *same_code = other.by_code(schema.code);
            if (counterpart != same_code) return conflict();
            if (side && counterpart) continue;  // chosen in the first round
            const Schema *chosen;
            Status status = choose(schema, counterpart, arena, out, chosen);
            if (status.failed()) return status;
            write_schema(*chosen, to);
        }
    }
    to.end();
    return {};
}

// Writes the names of both lists, each once and sorted, so that both sides write the same.
void unite_names(value::TreeView a, uint32_t list_a, value::TreeView b, uint32_t list_b,
                 Arena &arena, Buffer<char> &out) {
    arena.reset();
    auto *names = arena.allocate<std::string_view>(a[list_a].len + b[list_b].len + 1);
    size_t count = 0;
    for (uint32_t i = list_a + 1; i < a[list_a].next; i = a[i].next) names[count++] = a.string(i);
    for (uint32_t i = list_b + 1; i < b[list_b].next; i = b[i].next) names[count++] = b.string(i);
    std::sort(names, names + count);
    count = static_cast<size_t>(std::unique(names, names + count) - names);
    out.push('[');
    for (size_t i = 0; i < count; ++i) {
        if (i) out.push(',');
        value::write_json_string(names[i], out);
    }
    out.push(']');
}

// Writes both tables in one. Conflicts are found here or by load().
Status unite_aliases(value::TreeView a, uint32_t map_a, value::TreeView b, uint32_t map_b,
                     Buffer<char> &out) {
    value::ObjectWriter to(out);
    for (uint32_t i = map_a + 1; i < a[map_a].next; i = a[i].next) {
        uint32_t counterpart = b.find(map_b, a.key(i));
        if (counterpart && b.string(counterpart) != a.string(i)) return conflict();
        to.add(a, i);
    }
    for (uint32_t i = map_b + 1; i < b[map_b].next; i = b[i].next)
        if (!a.find(map_a, b.key(i))) to.add(b, i);
    to.end();
    return {};
}

// Writes a member, other than the schemas, that both documents have.
Status unite_member(const Registry &a, uint32_t i, const Registry &b, uint32_t j, Arena &arena,
                    Buffer<char> &out, value::ObjectWriter &to) {
    value::TreeView left = a.document(), right = b.document();
    std::string_view name = left.key(i);
    if (name == "operations") {
        to.key(name);
        unite_names(left, i, right, j, arena, out);
        return {};
    }
    if (name == "aliases") {
        to.key(name);
        return unite_aliases(left, i, right, j, out);
    }
    if (name == "version") {
        a.version() < b.version() ? to.add(name, right, j) : to.add(name, left, i);
        return {};
    }
    bool equal = false;
    Status status = compare(left, i, right, j, arena, out, equal);
    if (equal) to.add(name, left, i);
    return status;
}

}  // namespace

Status write_union(const Registry &a, const Registry &b, Arena &arena, Buffer<char> &out) {
    value::TreeView left = a.document(), right = b.document();
    value::ObjectWriter whole(out);
    for (uint32_t i = 1; i < left[0].next; i = left[i].next) {
        if (left.key(i) == "schemas") continue;
        uint32_t j = right.find(0, left.key(i));
        if (!j) whole.add(left, i);
        else if (Status status = unite_member(a, i, b, j, arena, out, whole); status.failed())
            return status;
    }
    for (uint32_t j = 1; j < right[0].next; j = right[j].next)
        if (right.key(j) != "schemas" && !left.find(0, right.key(j))) whole.add(right, j);
    whole.key("schemas");
    if (Status status = unite_schemas(a, b, arena, out); status.failed()) return status;
    whole.end();
    return {};
}

namespace {

// Writes the entries of two objects. For equal keys, the second object wins.
void write_merged(value::TreeView base, uint32_t map, value::TreeView over, uint32_t over_map,
                  Buffer<char> &out) {
    value::ObjectWriter to(out);
    for (uint32_t i = map + 1; map && i < base[map].next; i = base[i].next)
        if (!over_map || !over.find(over_map, base.key(i))) to.add(base, i);
    for (uint32_t i = over_map + 1; over_map && i < over[over_map].next; i = over[i].next)
        to.add(over, i);
    to.end();
}

uint32_t find_kind(value::TreeView tree, std::string_view name, uint8_t kind) {
    uint32_t node = tree.find(0, name);
    return node && tree[node].kind == kind ? node : 0;
}

}  // namespace

void write_addition(const Registry &base, value::TreeView addition, Arena &arena,
                    Buffer<char> &out) {
    value::TreeView doc = base.document();
    value::ObjectWriter whole(out);
    for (uint32_t i = 1; i < doc[0].next; i = doc[i].next)
        if (doc.key(i) != "schemas" && !addition.find(0, doc.key(i))) whole.add(doc, i);
    for (uint32_t i = 1; i < addition[0].next; i = addition[i].next) {
        std::string_view name = addition.key(i);
        if (name == "schemas") continue;
        const bool list = name == "operations" && addition[i].kind == ACCP_ARRAY,
                   map = name == "aliases" && addition[i].kind == ACCP_MAP;
        const uint32_t own = list || map ? doc.find(0, name) : 0;
        if (!own) {
            whole.add(name, addition, i);
            continue;
        }
        whole.key(name);
        list ? unite_names(doc, own, addition, i, arena, out)
             : write_merged(doc, own, addition, i, out);
    }
    whole.key("schemas");
    write_merged(doc, find_kind(doc, "schemas", ACCP_MAP), addition,
                 find_kind(addition, "schemas", ACCP_MAP), out);
    whole.end();
}

}  // namespace accp::registry
