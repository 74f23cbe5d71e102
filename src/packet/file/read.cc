// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/read.h"

#include <utility>

#include "base/sha256.h"
#include "base/text.h"
#include "value/json_writer.h"
#include "value/time.h"
#include "value/yaml_plain.h"
#include "value/yaml_writer.h"

namespace accp::packet {

namespace {

constexpr std::string_view kChecksumPrefix = "sha256:";
constexpr size_t kChecksumDigits = 64;

bool is_checksum(std::string_view text) {
    return text.size() == kChecksumPrefix.size() + kChecksumDigits &&
           text.starts_with(kChecksumPrefix) &&
           text.substr(kChecksumPrefix.size()).find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_plain(const value::Node &node) {
    return node.kind == ACCP_STRING && (node.flags & value::kPlainScalar);
}

}  // namespace

void Packet::seal(uint64_t tokens, std::string_view tokenizer) {
    value.rewind(nodes, text);
    value.add_key("checksum");
    value.add_scalar(ACCP_STRING, 0, checksum());
    value.add_key("token_count");
    const auto offset = static_cast<uint32_t>(value.text.size());
    append_decimal(tokens, value.text);
    value.add_written(ACCP_INT, 0, offset);
    value.add_key("tokenizer");
    value.add_scalar(ACCP_STRING, 0, tokenizer);
    value.close(0, members + static_cast<uint32_t>(seal_members().size()));
    has_checksum = true;
}

void Packet::swap(Packet &other) noexcept {
    value.nodes.swap(other.value.nodes);
    value.text.swap(other.value.text);
    std::swap(sum, other.sum);
    std::swap(has_checksum, other.has_checksum);
    std::swap(nodes, other.nodes);
    std::swap(text, other.text);
    std::swap(members, other.members);
}

Status Reader::read(std::string_view text, const value::YamlLimits &limits, Packet &out) {
    out.value.clear();
    arena_.reset();
    Status status = yaml_.read(text, limits, read_);
    if (status.ok() && tree()[0].kind != ACCP_MAP) status = refuse(0, "not a mapping");
    if (status.failed()) return status;
    out.value.open(ACCP_MAP);
    out.members = 0;
    status = write_members(0, packet_members(), out.members, out.value);
    if (status.ok()) status = write_others(0, packet_members(), out.members, out.value);
    if (status.ok()) status = write_seal(out);
    if (status.failed()) {
        out.value.clear();
        return status;
    }
    const uint32_t stored = tree().find(0, "checksum");
    out.has_checksum = stored && !is_null(stored);
    return out.has_checksum ? verify_checksum(out, stored) : Status{};
}

Status Reader::read_json(std::string_view json, Packet &out) {
    printable_.clear();
    value::append_printable_json(json, printable_);
    return read(printable_.view(), {kMaxTextBytes, kMaxPacketDepth}, out);
}

// Computes the checksum, then adds the members that it does not cover.
Status Reader::write_seal(Packet &out) {
    out.value.close(0, out.members);
    out.nodes = out.value.nodes.size();
    out.text = out.value.text.size();
    hash_form_.clear();
    Status status = value::write_hash_form(out.view(), 0, arena_, hash_form_);
    if (status.failed()) return status;
    std::memcpy(out.sum, kChecksumPrefix.data(), kChecksumPrefix.size());
    std::memcpy(out.sum + kChecksumPrefix.size(), sha256(hash_form_.view()).hex, kChecksumDigits);
    uint32_t count = out.members;
    status = write_members(0, seal_members(), count, out.value);
    out.value.close(0, count);
    return status;
}

Status Reader::verify_checksum(const Packet &packet, uint32_t node) const {
    if (tree()[node].kind != ACCP_STRING) return wrong_type(node);
    const std::string_view stored = tree().string(node);
    if (stored.ends_with("...")) return refuse(node, "checksum placeholder");
    if (!is_checksum(stored)) return refuse(node, "bad checksum");
    return stored == packet.checksum() ? Status{} : refuse(node, "checksum mismatch");
}

bool Reader::is_null(uint32_t node) const {
    return is_plain(tree()[node]) && value::is_plain_null(tree().string(node));
}

// Writes known members in the order of the list. A null member counts as missing.
Status Reader::write_members(uint32_t map, std::span<const Member> members, uint32_t &count,
                             value::Value &out) {
    for (const Member &member : members) {
        const uint32_t node = tree().find(map, member.name);
        const bool there = node && !is_null(node);
        const bool text = there && member.shape == Shape::kText;
        if (member.missing && (!there || (text && tree()[node].kind == ACCP_STRING &&
                                          trim(tree().string(node)).empty())))
            return refuse(there ? node : map, member.missing);
        if (!there) continue;
        out.add_key(member.name);
        ++count;
        Status status = write_member(member, node, out);
        if (status.failed()) return status;
    }
    return {};
}

// Writes all other members unchanged.
Status Reader::write_others(uint32_t map, std::span<const Member> members, uint32_t &count,
                            value::Value &out) {
    for (uint32_t i = map + 1; i < tree()[map].next; i = tree()[i].next) {
        const std::string_view key = tree().key(i);
        if (find_member(members, key) || (map == 0 && find_member(seal_members(), key))) continue;
        out.add_key(key);
        ++count;
        Status status = write_resolved(i, out);
        if (status.failed()) return status;
    }
    return {};
}

Status Reader::write_map(uint32_t map, std::span<const Member> members, value::Value &out) {
    if (tree()[map].kind != ACCP_MAP) return wrong_type(map);
    uint32_t count = 0;
    const uint32_t opened = out.open(ACCP_MAP);
    Status status = write_members(map, members, count, out);
    if (status.ok()) status = write_others(map, members, count, out);
    out.close(opened, count);
    return status;
}

Status Reader::write_member(const Member &member, uint32_t node, value::Value &out) {
    switch (member.shape) {
        case Shape::kText: return write_text(node, out);
        case Shape::kTime: return write_time(node, out);
        case Shape::kVersion:
        case Shape::kRevision:
        case Shape::kCount: return write_number(member, node, out);
        case Shape::kContext: return write_map(node, context_members(), out);
        case Shape::kCodebase: return write_map(node, codebase_members(), out);
        default: return write_list(member, node, out);
    }
}

Status Reader::write_list(const Member &member, uint32_t node, value::Value &out) {
    if (tree()[node].kind != ACCP_ARRAY) return wrong_type(node);
    const uint32_t list = out.open(ACCP_ARRAY);
    for (uint32_t i = node + 1; i < tree()[node].next; i = tree()[i].next) {
        Status status = is_null(i) ? wrong_type(i) : write_element(member, i, out);
        if (status.failed()) return status;
    }
    out.close(list, tree()[node].len);
    return {};
}

Status Reader::write_element(const Member &member, uint32_t node, value::Value &out) {
    const bool map = tree()[node].kind == ACCP_MAP;
    switch (member.shape) {
        case Shape::kItems: return write_item(member, node, out);
        case Shape::kNotes: return map ? write_resolved(node, out) : write_text(node, out);
        case Shape::kChangelog: return write_change(node, out);
        default: return write_text(node, out);
    }
}

// Accepts an object; a string, which becomes the first member; or a map with one unknown key, whose
// key and value become the first two members.
Status Reader::write_item(const Member &member, uint32_t node, value::Value &out) {
    const value::Node &item = tree()[node];
    if (item.kind == ACCP_MAP) {
        const bool pair = item.len == 1 && !find_member(member.items(), tree().key(node + 1));
        return pair ? write_pair(member, node + 1, out) : write_map(node, member.items(), out);
    }
    if (item.kind == ACCP_ARRAY) return wrong_type(node);
    const Member &first = member.items()[0];
    if (trim(tree().string(node)).empty()) return refuse(node, first.missing);
    const uint32_t opened = out.open(ACCP_MAP);
    out.add_key(first.name);
    out.add_scalar(ACCP_STRING, 0, tree().string(node));
    out.close(opened, 1);
    return {};
}

Status Reader::write_pair(const Member &member, uint32_t node, value::Value &out) {
    const Member &first = member.items()[0], &second = member.items()[1];
    const std::string_view key = tree().key(node);
    if (trim(key).empty()) return fail(ACCP_E1001, yaml_.origin(node).key, first.missing);
    const uint32_t opened = out.open(ACCP_MAP);
    out.add_key(first.name);
    out.add_scalar(ACCP_STRING, 0, key);
    Status status;
    if (!is_null(node)) {
        out.add_key(second.name);
        status = write_text(node, out);
    }
    out.close(opened, is_null(node) ? 1 : 2);
    return status;
}

Status Reader::write_change(uint32_t node, value::Value &out) {
    if (tree()[node].kind != ACCP_MAP || tree()[node].len != 1 || is_null(node + 1))
        return wrong_type(node);
    const uint32_t opened = out.open(ACCP_MAP);
    out.add_key(tree().key(node + 1));
    Status status = write_text(node + 1, out);
    out.close(opened, 1);
    return status;
}

Status Reader::write_text(uint32_t node, value::Value &out) {
    if (tree()[node].kind != ACCP_STRING) return wrong_type(node);
    out.add_scalar(ACCP_STRING, 0, tree().string(node));
    return {};
}

Status Reader::write_time(uint32_t node, value::Value &out) {
    int64_t seconds = 0;
    if (tree()[node].kind != ACCP_STRING || !read_time(tree().string(node), seconds))
        return refuse(node, "bad created");
    out.add_scalar(ACCP_STRING, 0, packet::write_time(seconds).view());
    return {};
}

Status Reader::write_number(const Member &member, uint32_t node, value::Value &out) {
    uint64_t number = 0;
    const bool read =
        is_plain(tree()[node]) && value::read_plain_count(tree().string(node), number);
    if (member.shape == Shape::kVersion && (!read || number != 1))
        return refuse(node, "bad version");
    if (member.shape == Shape::kRevision && (!read || number < 1))
        return refuse(node, "bad context version");
    if (!read) return refuse(node, "bad token_count");
    const auto offset = static_cast<uint32_t>(out.text.size());
    append_decimal(number, out.text);
    out.add_written(ACCP_INT, 0, offset);
    return {};
}

// Writes a subtree of an unknown member; plain scalars follow the core schema of YAML.
Status Reader::write_resolved(uint32_t node, value::Value &out) {
    levels_.clear();
    const uint32_t end = tree()[node].next;
    for (uint32_t i = node; i < end; ++i) {
        if (i != node && tree()[levels_[levels_.size() - 1].map_or_list].kind == ACCP_MAP)
            out.add_key(tree().key(i));
        if (value::is_container(tree()[i].kind)) {
            levels_.push({i, tree()[i].next, out.open(tree()[i].kind)});
        } else {
            Status status = write_scalar(i, out);
            if (status.failed()) return status;
        }
        while (!levels_.empty() && levels_[levels_.size() - 1].end == i + 1) {
            const Level level = levels_[levels_.size() - 1];
            out.close(level.opened, tree()[level.map_or_list].len);
            levels_.resize_down(levels_.size() - 1);
        }
    }
    return {};
}

Status Reader::write_scalar(uint32_t node, value::Value &out) {
    const std::string_view text = tree().string(node);
    number_.clear();
    const value::PlainScalar plain = is_plain(tree()[node]) ? value::resolve_plain(text, number_)
                                                            : value::PlainScalar{ACCP_STRING};
    if (!plain.is_in_range)
        return fail(ACCP_E1004, yaml_.origin(node).value, "number out of range");
    if (plain.kind == ACCP_STRING) out.add_scalar(ACCP_STRING, 0, text);
    else if (plain.kind == ACCP_BOOL)
        out.add_scalar(ACCP_BOOL, plain.is_true ? ACCP_NODE_TRUE : 0,
                       plain.is_true ? "true" : "false");
    else if (plain.kind == ACCP_NULL) out.add_scalar(ACCP_NULL, 0, "null");
    else out.add_scalar(plain.kind, 0, number_.view());
    return {};
}

}  // namespace accp::packet
