// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See stated.h.
#include "packet/extract/stated.h"

#include <algorithm>

#include "value/json_writer.h"

namespace accp::packet {

namespace {

constexpr size_t kMaxMemberBytes = 160;  // of a text of a failure

// What a message of this intent states.
Kind kind_of(std::string_view intent) {
    if (intent == "req") return Kind::kConstraint;
    if (intent == "fail") return Kind::kFailure;
    return intent == "esc" ? Kind::kQuestion : Kind::kDecision;
}

// Is a member a text or a number that is short enough to be said in a line?
bool is_short(value::TreeView tree, uint32_t node) {
    if (value::is_container(tree[node].kind) || tree[node].kind == ACCP_NULL) return false;
    return tree[node].kind != ACCP_STRING || tree.string(node).size() <= kMaxMemberBytes;
}

// On one line, and a packet has no NUL.
void write_text(std::string_view text, Buffer<char> &out) {
    for (char c : text) out.push(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
}

void write_scalar(value::TreeView tree, uint32_t node, Buffer<char> &out) {
    if (tree[node].kind == ACCP_STRING) return write_text(tree.string(node), out);
    value::write_json(tree, node, out);
}

}  // namespace

void StatedFacts::clear() {
    arena_.reset();
    for (Buffer<char> *text : {&records_, &text_}) text->recycle(kKeptBytes);
    sources_.recycle(kKeptBytes);
    items_.recycle(kKeptBytes);
    events_ = event_bytes_ = 0;
}

void StatedFacts::add(const message::Message &message, uint32_t number, Who who) {
    // what is said of packets is nothing that a packet says
    if (message.is_text() || message.operation == "tool" || message.operation == "context") return;
    const Kind kind = kind_of(message.intent);
    if (kind == Kind::kFailure || kind == Kind::kQuestion)
        return add_event(message, {kind, who, number});
    const size_t before = records_.size();
    arena_.reset();
    context::write_facts(message, number, scratch_, records_);
    if (records_.size() != before) sources_.push({number, who, kind});
}

// `fetch api.crm`, and why: `err: timeout, retry: 3`. The first member says what it is about.
void StatedFacts::add_event(const message::Message &message, Item item) {
    const value::TreeView tree = message.tree;
    text_.resize_down(event_bytes_);
    item.begin = text_.size();
    text_.append(message.operation);
    const uint32_t first = message.payload + 1, end = tree[message.payload].next;
    const bool has_subject = first < end && is_short(tree, first);
    if (has_subject) {
        text_.push(' ');
        write_scalar(tree, first, text_);
    }
    item.reason = text_.size();
    for (uint32_t i = has_subject ? tree[first].next : first; i < end; i = tree[i].next) {
        if (!is_short(tree, i)) continue;
        if (text_.size() != item.reason) text_.append(", ");
        else if (item.kind == Kind::kQuestion) text_.append(": ");
        text_.append(tree.key(i));
        text_.append(": ");
        write_scalar(tree, i, text_);
    }
    if (item.kind == Kind::kQuestion) item.reason = text_.size();  // it has no reason apart
    keep_event(item);
}

// Its text ends where text_ does.
void StatedFacts::keep_event(Item item) {
    item.end = event_bytes_ = text_.size();
    items_.resize_down(events_++);
    items_.push(item);
}

void StatedFacts::add_packet(value::TreeView packet, uint32_t number) {
    struct List {
        int list;
        Kind kind;
    };
    constexpr List kLists[] = {{ACCP_PACKET_CONSTRAINT, Kind::kConstraint},
                               {ACCP_PACKET_DECISION, Kind::kDecision},
                               {ACCP_PACKET_FAILURE, Kind::kFailure},
                               {ACCP_PACKET_QUESTION, Kind::kQuestion},
                               {ACCP_PACKET_FILE, Kind::kDecision}};
    Buffer<packet::Item> items(*memory_);
    append_items(packet, items);
    for (const packet::Item &each : items)
        for (const List &list : kLists)
            if (list.list == each.kind) add_item(packet, each, {list.kind, Who::kAgent, number});
}

void StatedFacts::add_item(value::TreeView packet, const packet::Item &from, Item item) {
    const bool decides = from.kind == ACCP_PACKET_DECISION || from.kind == ACCP_PACKET_FAILURE;
    text_.resize_down(event_bytes_);
    item.begin = text_.size();
    write_text(what_of(packet, from.node), text_);
    item.reason = text_.size();
    if (decides) write_text(why_of(packet, from.node), text_);
    if (from.kind == ACCP_PACKET_CONSTRAINT || (decides && is_of_user(packet, from.node)))
        item.who = Who::kUser;
    item.is_file = from.kind == ACCP_PACKET_FILE;
    item.is_sure = true;
    keep_event(item);
}

const StatedFacts::Source &StatedFacts::source_of(uint32_t fact) const {
    return *std::lower_bound(
        sources_.begin(), sources_.end(), facts_[fact].number,
        [](const Source &source, uint64_t number) { return source.message < number; });
}

bool StatedFacts::are_of_one_item(uint32_t fact, uint32_t other) const {
    return facts_[fact].line == facts_[other].line && source_of(fact).kind == source_of(other).kind;
}

// Those that hold, one item after the other, each in the order in which it was said.
void StatedFacts::sort_facts() {
    facts_.clear();
    order_.clear();
    std::string_view records = records_.view();
    for (context::Fact fact; !records.empty() && context::read_fact(records, fact);)
        facts_.push(fact);
    arena_.reset();
    context::keep_newest(arena_, kSeed, facts_);
    for (uint32_t i = 0; i < facts_.size(); ++i) order_.push(i);
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
        if (facts_[a].line != facts_[b].line) return facts_[a].line < facts_[b].line;
        const Kind kind = source_of(a).kind, other = source_of(b).kind;
        return kind != other ? kind < other : a < b;
    });
}

// Of each entity and author one item, with the newest of each attribute.
void StatedFacts::write_facts() {
    items_.resize_down(events_);
    text_.resize_down(event_bytes_);
    sort_facts();
    for (size_t i = 0; i < order_.size(); ++i) {
        const context::Fact &fact = facts_[order_[i]];
        const bool again = i && are_of_one_item(order_[i], order_[i - 1]);
        const Source &source = source_of(order_[i]);
        if (!again) {
            items_.push({source.kind, source.who, 0, text_.size()});
            text_.append(fact.entity);
        }
        text_.append(again ? ", " : " ");
        text_.append(fact.attribute);
        text_.push(':');
        text_.append(fact.value);
        Item &item = items_[items_.size() - 1];
        item.message = source.message;
        item.reason = item.end = text_.size();
    }
}

void StatedFacts::write(Buffer<Said> &out) {
    write_facts();
    for (const Item &item : items_) {
        Said said = {item.who, text_.view().substr(item.begin, item.reason - item.begin), false,
                     item.message};
        said.stated = item.kind;
        said.names_files = item.is_file;
        said.is_stated = !item.is_file;
        said.is_sure = item.is_sure;
        said.reason = text_.view().substr(item.reason, item.end - item.reason);
        out.push(said);
    }
}

}  // namespace accp::packet
