// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/message/scopes.h"

#include "base/text.h"
#include "sacp/message/reference.h"

namespace accp::sacp {

void Scopes::write_path(const Scope &scope, uint32_t part, Buffer<char> &out) const {
    out.reserve(scope.prefix_len);  // `out` may be the buffer that has the prefix
    out.append(prefix(scope));
    // Five parallels, each with a list: at most eleven labels.
    uint32_t labels[2 * kMaxParallels + 2], count = 0;
    for (uint32_t i = part; i != kNoPart; i = parts[i].parent) labels[count++] = parts[i].label;
    while (count) {
        append_decimal(labels[--count], out);
        if (count) out.push('.');
    }
}

void Scopes::set_prefix(Scope &scope, const Scope &outer) {
    scope.prefix = static_cast<uint32_t>(prefixes.size());
    if (scope.part != kNoPart) {
        write_path(outer, scope.part, prefixes);
    } else {
        prefixes.reserve(outer.prefix_len);  // the appended text is in the same buffer
        prefixes.append(prefix(outer));
        prefixes.push('s');
        append_decimal(scope.number, prefixes);
    }
    prefixes.push('/');
    scope.prefix_len = static_cast<uint32_t>(prefixes.size()) - scope.prefix;
}

void Scopes::index_children(Scope &scope) {
    auto next = static_cast<uint32_t>(children.size());
    scope.children = next;
    next += scope.count;
    for (uint32_t i = scope.first; i < scope.end; ++i) {
        parts[i].children = next;
        next += parts[i].count;
    }
    children.reserve(next - children.size());
    children.advance(next - children.size());
    for (uint32_t i = scope.first; i < scope.end; ++i) {
        const uint32_t parent = parts[i].parent;
        const uint32_t base = parent == kNoPart ? scope.children : parts[parent].children;
        children[base + parts[i].label - 1] = i;
    }
}

uint32_t Scopes::find_child(const Scope &scope, uint32_t parent, std::string_view label) const {
    uint32_t number;
    const uint32_t count = parent == kNoPart ? scope.count : parts[parent].count;
    if (!read_label_number(label, 1, number) || number > count) return kNoPart;
    return children[(parent == kNoPart ? scope.children : parts[parent].children) + number - 1];
}

uint32_t Scopes::find_part(Scope &scope, std::string_view &labels) {
    if (scope.children == kNoPart) index_children(scope);
    uint32_t part = kNoPart;
    do {
        part = find_child(scope, part, take_label(labels));
    } while (part != kNoPart && parts[part].kind != Part::kStep && !labels.empty());
    return part;
}

bool Scopes::ends_before(uint32_t part, uint32_t other) const {
    // Climb to the part whose siblings include `other` or a part around it.
    for (uint32_t parent; (parent = parts[part].parent) != kNoPart; part = parent) {
        const bool around = parent <= other && other < parts[parent].end;
        if (around && parts[parent].kind == Part::kParallel) return false;
        if (around) break;
    }
    return parts[part].end <= other;
}

}  // namespace accp::sacp
