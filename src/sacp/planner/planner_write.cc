// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Places the steps in the new plan and writes the message.
#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "sacp/message/reference.h"
#include "sacp/planner/planner.h"
#include "value/json_writer.h"

namespace accp::sacp {

// Returns whether a step may be reordered. A parallel and the join after it may not.
bool Planner::is_movable(const Item &item) const {
    return item.part == kNoPart || (part(item.part).kind == Part::kStep && item.verb != kJoin);
}

void Planner::place_items(bool parallelize) {
    const auto count = static_cast<uint32_t>(items_.size());
    uint32_t level = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        // The last step stays alone, because its output is that of the plan.
        while (parallelize && end + 1 < count && is_movable(items_[end])) ++end;
        if (end == i) {
            items_[i++].level = ++level;
            continue;
        }
        for (uint32_t j = i; j < end; ++j) items_[j].level = level;
        find_levels(i, end);
        for (uint32_t j = i; j < end; ++j)
            if (items_[j].level > level) level = items_[j].level;
        i = end;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t place = 1, siblings = 0;
        for (uint32_t j = 0; j < count; ++j) {
            if (items_[j].level != items_[i].level) continue;
            ++siblings;
            place += j < i;
        }
        items_[i].number = items_[i].level;
        items_[i].branch = siblings > 1 ? place : 0;
    }
}

// Puts each step on the first level after all steps that it needs.
void Planner::find_levels(uint32_t begin, uint32_t end) {
    const uint32_t base = items_[begin].level;
    for (uint32_t i = begin; i < end; ++i) {
        uint32_t level = base;
        for (uint32_t j = begin; j < i; ++j)
            if (items_[j].level > level && needs(i, j)) level = items_[j].level;
        items_[i].level = level + 1;
    }
}

// Groups the fills by step; a step can have 256.
void Planner::sort_fills() {
    for (uint32_t i = 0; i < fills_.size(); ++i) fills_[i].number = i;
    std::sort(fills_.begin(), fills_.end(), [](const Fill &a, const Fill &b) {
        return std::tie(a.part, a.item, a.number) < std::tie(b.part, b.item, b.number);
    });
}

std::span<const Planner::Fill> Planner::fills_of(uint32_t part, uint32_t item) const {
    const std::pair<uint32_t, uint32_t> own(part, part == kNoPart ? item : 0);
    const auto owner = [](const Fill &fill) { return std::pair(fill.part, fill.item); };
    const Fill *const begin = std::partition_point(
        fills_.begin(), fills_.end(), [&](const Fill &fill) { return owner(fill) < own; });
    const Fill *const end = std::partition_point(
        begin, fills_.end(), [&](const Fill &fill) { return owner(fill) == own; });
    return {begin, end};
}

// Returns whether a step uses the output of another.
bool Planner::needs(uint32_t item, uint32_t other) const {
    const uint32_t own = items_[item].part;
    for (const Fill &fill : fills_of(own, item))
        if (fill.source == other) return true;
    if (own == kNoPart) return false;
    const uint32_t params = part(own).params;
    for (uint32_t i = params + 1; i < tree_[params].next; ++i) {
        if (tree_[i].kind != ACCP_STRING) continue;
        Reference reference = read_reference(tree_.string(i));
        uint32_t number;
        if (reference.kind == Reference::kStep &&
            read_label_number(take_label(reference.labels), 1, number) &&
            number <= item_of_part_.size() && item_of_part_[number - 1] == other)
            return true;
    }
    return false;
}

void Planner::write(Buffer<char> &out) {
    char before = '{';
    const auto key = [&](Member member) {
        out.push(before);
        before = ',';
        out.push('"');
        out.append(member_name(member));
        out.append("\":");
    };
    for (uint32_t i = 0; i < kMembers; ++i) {
        const auto member = static_cast<Member>(i);
        const uint32_t node = message().node(member == kReplyTo ? kMsgId : member);
        if (!node || member == kMsgId) continue;
        key(member);
        if (member == kPlan) write_items(out);
        else value::write_json(tree_, node, out);
    }
    out.push('}');
}

void Planner::write_items(Buffer<char> &out) {
    out.push('[');
    uint32_t level = 0;
    for (uint32_t done = 0; done < items_.size();) {
        ++level;
        bool opened = false;
        for (uint32_t i = 0; i < items_.size(); ++i) {
            if (items_[i].level != level) continue;
            if (opened || level > 1) out.push(',');
            if (items_[i].branch && !opened) out.append("{\"parallel\":[");
            opened = true;
            write_item(i, out);
            if (items_[i].branch == 0) opened = false;
            ++done;
        }
        if (opened) out.append("]}");
    }
    out.push(']');
}

void Planner::write_item(uint32_t item, Buffer<char> &out) {
    const Item &own = items_[item];
    if (own.part != kNoPart) return write_part(own.part, out);
    out.push('[');
    value::write_json_string(library_->text(own.verb), out);
    out.push(',');
    value::write_json_string(library_->text(own.tool), out);
    out.push(',');
    write_params(kNoPart, item, out);
    out.push(']');
}

void Planner::write_part(uint32_t i, Buffer<char> &out) {
    const Part &own = part(i);
    if (own.kind == Part::kStep) {
        const uint32_t verb = own.node + 1;
        out.push('[');
        value::write_json(tree_, verb, out);
        out.push(',');
        value::write_json(tree_, tree_[verb].next, out);
        out.push(',');
        write_params(i, 0, out);
        return out.push(']');
    }
    out.append(own.kind == Part::kParallel ? "{\"parallel\":[" : "[");
    for (uint32_t j = i + 1; j < own.end; j = part(j).end) {
        if (j != i + 1) out.push(',');
        write_part(j, out);
    }
    out.append(own.kind == Part::kParallel ? "]}" : "]");
}

// Writes the original params and the filled ones.
void Planner::write_params(uint32_t own, uint32_t item, Buffer<char> &out) {
    char before = '{';
    const auto key = [&](std::string_view name) {
        out.push(before);
        before = ',';
        value::write_json_string(name, out);
        out.push(':');
    };
    const std::span<const Fill> fills = fills_of(own, item);
    const uint32_t params = own == kNoPart ? 0 : part(own).params;
    for (uint32_t i = params + 1; params && i < tree_[params].next; i = tree_[i].next) {
        bool filled = false;  // it replaces a null
        for (const Fill &fill : fills) filled |= library_->text(fill.input) == tree_.key(i);
        if (filled) continue;
        key(tree_.key(i));
        write_value(i, i == part(own).subtask, out);
    }
    for (const Fill &fill : fills) {
        key(library_->text(fill.input));
        out.append(fill.source == kFromCtx ? "\"$ctx" : "\"$step.");
        if (fill.source != kFromCtx) write_path(fill.source, out);
        if (fill.source == kFromCtx || fill.member) {
            out.push('.');
            write_escaped(library_->text(fill.input), out);
        }
        out.push('"');
    }
    if (before == '{') out.push('{');
    out.push('}');
}

// Writes a value and updates references to steps. In a nested message only its ctx refers to this
// plan.
void Planner::write_value(uint32_t node, bool message, Buffer<char> &out) {
    const value::Node &own = tree_[node];
    if (own.kind == ACCP_STRING) return write_string(tree_.string(node), out);
    if (!value::is_container(own.kind)) return value::write_json(tree_, node, out);
    const bool map = own.kind == ACCP_MAP;
    out.push(map ? '{' : '[');
    for (uint32_t i = node + 1; i < own.next; i = tree_[i].next) {
        if (i != node + 1) out.push(',');
        if (map) {
            value::write_json_string(tree_.key(i), out);
            out.push(':');
        }
        if (message && tree_.key(i) != "ctx") value::write_json(tree_, i, out);
        else write_value(i, false, out);
    }
    out.push(map ? '}' : ']');
}

void Planner::write_string(std::string_view text, Buffer<char> &out) {
    Reference reference = read_reference(text);
    uint32_t number;
    const std::string_view rest = reference.labels;
    if (reference.kind != Reference::kStep ||
        !read_label_number(take_label(reference.labels), 1, number) ||
        number > item_of_part_.size())
        return value::write_json_string(text, out);
    out.append("\"$step.");
    write_path(item_of_part_[number - 1], out);
    write_escaped(rest.substr(std::min(rest.find('.'), rest.size())), out);
    out.push('"');
}

// Writes the inside of a JSON string.
void Planner::write_escaped(std::string_view text, Buffer<char> &out) {
    const size_t at = out.size();
    value::write_json_string(text, out);
    std::memmove(out.data() + at, out.data() + at + 1, out.size() - at - 2);
    out.resize_down(out.size() - 2);
}

void Planner::write_path(uint32_t item, Buffer<char> &out) {
    append_decimal(items_[item].number, out);
    if (!items_[item].branch) return;
    out.push('.');
    append_decimal(items_[item].branch, out);
}

}  // namespace accp::sacp
