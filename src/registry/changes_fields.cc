// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Changes of the fields of one schema.
#include <algorithm>

#include "registry/changes.h"

namespace accp::registry {

namespace {

constexpr uint32_t kGone = UINT32_MAX, kMoved = uint32_t{1} << 31;

// Returns whether a frame without this field is refused.
bool is_needed(const Field &field) { return field.required && !field.has_default(); }

// Returns whether a field of type b accepts every value of type a.
bool is_wider(FieldType a, FieldType b) {
    for (uint8_t kind = 0; kind <= ACCP_MAP; ++kind)
        if (fits(a, kind) && !fits(b, kind)) return false;
    return true;
}

bool reads(const Registry &registry, const Schema &schema, const Field &field) {
    return registry.read_key(&schema, field.wire).text == field.name;
}

}  // namespace

void Changes::fields(const Pair &pair) {
    find_places(pair);
    keep_longest_run(pair);
    uint32_t last = 0;  // after the last field that both have
    for (uint32_t i = 0; i < pair.a.field_count; ++i) {
        const Field &field = pair.a.fields[i];
        if (places_[i] == kGone) {
            removed(pair, field);
        } else {
            const uint32_t place = places_[i] & ~kMoved;
            last = std::max(last, place + 1);
            kept(pair, field, pair.b.fields[place], places_[i] & kMoved);
        }
    }
    for (uint32_t i = 0; i < pair.b.field_count; ++i) {
        const Field &field = pair.b.fields[i];
        if (from_.field_by_name(pair.a, field.name)) continue;
        added(pair, field, i >= last);
        field_deprecation(pair, field.name);
    }
}

void Changes::added(const Pair &pair, const Field &field, bool is_last) {
    bool breaking = true;
    const char *why = field.has_default() ? "frames without it read as its default"
                                          : "frames without it read as before";
    if (is_needed(field)) why = "frames without it are refused (E1004)";
    else if (!is_last && pair.by_position) why = "by position, the values after it move";
    else if (!reads(from_, pair.a, field)) why = "its key in a frame reads as another";
    else breaking = false;
    add("field_added", breaking, pair.b, field.name, {{}, field.default_json}, why);
}

void Changes::removed(const Pair &pair, const Field &field) {
    bool breaking = true;
    const char *why = "its value arrives as a member that is no field";
    if (pair.by_position) why = "by position, its value is refused or read as another's";
    else if (field.has_default()) why = "frames leave its default out, which is not filled in";
    else if (is_needed(field)) why = "frames without it are refused (E1004)";
    else if (!reads(to_, pair.b, field)) why = "its key in a frame reads as another";
    else breaking = false;
    add("field_removed", breaking, pair.a, field.name, {field.default_json, {}}, why);
}

void Changes::kept(const Pair &pair, const Field &a, const Field &b, bool moved) {
    if (moved)
        add("field_moved", pair.by_position, pair.b, b.name, {},
            pair.by_position ? "by position, its value reads as another's"
                             : "the schema is not bound: no payload of it goes by position");
    type(pair, a, b);
    default_value(pair, a, b);
    required(pair, a, b);
    short_key(pair, a, b);
    field_deprecation(pair, b.name);
}

void Changes::type(const Pair &pair, const Field &a, const Field &b) {
    if (a.type == b.type) return;
    const bool wider = is_wider(a.type, b.type);
    begin_change("field_type", !wider);
    text("schema", pair.b.name);
    text("field", b.name);
    for (const Field *field : {&a, &b}) {
        name(field == &a ? "from" : "to");
        out_.push('"');
        out_.append(type_name(field->type));
        out_.push('"');
    }
    end_change(wider ? "wider: what was taken still is"
                     : "values that were taken are refused (E1004)");
}

void Changes::default_value(const Pair &pair, const Field &a, const Field &b) {
    if (a.default_json == b.default_json) return;
    add("field_default", true, pair.b, b.name, {a.default_json, b.default_json},
        "a frame that leaves the field out reads otherwise");
}

void Changes::required(const Pair &pair, const Field &a, const Field &b) {
    if (a.required == b.required) return;
    const bool breaking = is_needed(b) && !is_needed(a);
    const char *why = "the default stands in for it";
    if (breaking) why = "frames without it are refused (E1004)";
    else if (is_needed(a)) why = "only frames without it are refused (E1004)";
    add("field_required", breaking, pair.b, b.name,
        {a.required ? "true" : "false", b.required ? "true" : "false"}, why);
}

void Changes::short_key(const Pair &pair, const Field &a, const Field &b) {
    if (a.wire == b.wire && reads(from_, pair.a, b) && reads(to_, pair.b, a)) return;
    const bool breaking = !reads(from_, pair.a, b) || !reads(to_, pair.b, a);
    begin_change("field_key", breaking);
    text("schema", pair.b.name);
    text("field", b.name);
    text("from", a.wire);
    text("to", b.wire);
    end_change(breaking ? "its key in a frame reads as another" : "both sides read either key");
}

void Changes::field_deprecation(const Pair &pair, std::string_view field) {
    const std::string_view before = deprecation(pair.a, field), now = deprecation(pair.b, field);
    if (before == now) return;
    begin_change("deprecated", false);
    text("schema", pair.b.name);
    text("field", field);
    text("from", before);
    text("to", now);
    end_change("no frame is written or read by it");
}

void Changes::find_places(const Pair &pair) {
    places_.clear();
    for (uint32_t i = 0; i < pair.a.field_count; ++i) {
        const Field *counterpart = to_.field_by_name(pair.b, pair.a.fields[i].name);
        places_.push(counterpart ? static_cast<uint32_t>(counterpart - pair.b.fields) : kGone);
    }
}

// Marks as few fields as possible as moved: all except a longest increasing subsequence of places.
// tails_[n] is the last field of the best subsequence of n + 1 fields, and before_[i] is the field
// before field i in its subsequence.
void Changes::keep_longest_run(const Pair &pair) {
    tails_.clear();
    before_.clear();
    for (uint32_t i = 0; i < pair.a.field_count; ++i) {
        before_.push(kGone);
        if (places_[i] == kGone) continue;
        auto *tail = std::lower_bound(tails_.begin(), tails_.end(), i, [&](uint32_t x, uint32_t y) {
            return places_[x] < places_[y];
        });
        const auto at = static_cast<size_t>(tail - tails_.begin());
        if (at) before_[i] = tails_[at - 1];
        if (at == tails_.size()) tails_.push(i);
        else tails_[at] = i;
    }
    for (uint32_t i = 0; i < pair.a.field_count; ++i)
        if (places_[i] != kGone) places_[i] |= kMoved;
    for (uint32_t i = tails_.empty() ? kGone : tails_[tails_.size() - 1]; i != kGone;
         i = before_[i])
        places_[i] &= ~kMoved;
}

}  // namespace accp::registry
