// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See read.h. This file has the packet as a whole and its seal; read_members.cc what members are.
#include "packet/file/read.h"

#include <utility>

#include "base/sha256.h"
#include "base/text.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

namespace accp::packet {

namespace {

constexpr std::string_view kSum = "sha256:";
constexpr size_t kSumDigits = 64;

bool is_sum(std::string_view text) {
    return text.size() == kSum.size() + kSumDigits && text.starts_with(kSum) &&
           text.substr(kSum.size()).find_first_not_of("0123456789abcdef") == text.npos;
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
    const uint32_t told = tree().find(0, "checksum");
    out.has_checksum = told && !is_null(told);
    return out.has_checksum ? check_sum(out, told) : Status{};
}

Status Reader::read_json(std::string_view json, Packet &out) {
    printable_.clear();
    value::append_printable_json(json, printable_);
    return read(printable_.view(), {kMaxTextBytes, kMaxPacketDepth}, out);
}

// Hashes what is there, then adds what the checksum does not cover.
Status Reader::write_seal(Packet &out) {
    out.value.close(0, out.members);
    out.nodes = out.value.nodes.size();
    out.text = out.value.text.size();
    hash_form_.clear();
    Status status = value::write_hash_form(out.view(), 0, arena_, hash_form_);
    if (status.failed()) return status;
    std::memcpy(out.sum, kSum.data(), kSum.size());
    std::memcpy(out.sum + kSum.size(), sha256(hash_form_.view()).hex, kSumDigits);
    uint32_t count = out.members;
    status = write_members(0, seal_members(), count, out.value);
    out.value.close(0, count);
    return status;
}

Status Reader::check_sum(const Packet &packet, uint32_t node) const {
    if (tree()[node].kind != ACCP_STRING) return wrong_type(node);
    const std::string_view told = tree().string(node);
    if (told.ends_with("...")) return refuse(node, "checksum placeholder");
    if (!is_sum(told)) return refuse(node, "bad checksum");
    return told == packet.checksum() ? Status{} : refuse(node, "checksum mismatch");
}

}  // namespace accp::packet
