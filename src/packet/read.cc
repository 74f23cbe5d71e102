// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See read.h. This file has the packet as a whole and its seal; read_members.cc what members are.
#include "packet/read.h"

#include "value/json_writer.h"
#include "value/yaml_plain.h"

namespace accp::packet {

namespace {

constexpr std::string_view kSum = "sha256:";
constexpr size_t kSumDigits = 64;

bool is_sum(std::string_view text) {
    return text.size() == kSum.size() + kSumDigits && text.substr(0, kSum.size()) == kSum &&
           text.substr(kSum.size()).find_first_not_of("0123456789abcdef") == text.npos;
}

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

Status Reader::read(std::string_view text, const value::YamlLimits &limits, value::Value &out) {
    out.clear();
    warnings_ = 0;
    arena_.reset();
    Status status = yaml_.read(text, limits, read_);
    if (status.ok() && tree()[0].kind != ACCP_MAP) status = refuse(0, "not a mapping");
    if (status.failed()) return status;
    uint32_t count = 0;
    out.open(ACCP_MAP);
    status = write_members(0, packet_members(), count, out);
    if (status.ok()) status = write_others(0, packet_members(), count, out);
    if (status.failed()) {
        out.clear();
        return status;
    }
    return write_seal(count, out);
}

// Hashes what is there, then adds what the checksum does not cover.
Status Reader::write_seal(uint32_t count, value::Value &out) {
    out.close(0, count);
    hash_form_.clear();
    Status status = value::write_hash_form(out.view(), 0, arena_, hash_form_);
    if (status.ok()) {
        digest_ = sha256(hash_form_.view());
        status = write_members(0, seal_members(), count, out);
    }
    if (status.failed()) {
        out.clear();
        return status;
    }
    out.close(0, count);
    const uint32_t told = tree().find(0, "checksum");
    if (told && !is_null(told)) return check_sum(tree().string(told), told);
    warnings_ |= kNoChecksum;
    return {};
}

Status Reader::check_sum(std::string_view told, uint32_t node) const {
    if (ends_with(told, "...")) return refuse(node, "checksum placeholder");
    if (!is_sum(told)) return refuse(node, "bad checksum");
    return told.substr(kSum.size()) == digest_.view() ? Status{}
                                                      : refuse(node, "checksum mismatch");
}

}  // namespace accp::packet
