// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/message/verdict.h"

#include "base/random.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

constexpr std::string_view kCodeNames[] = {
    "",
#define ACCP_SACP_CODE(name, accp_code, retryable) #name,
#include "sacp/message/codes.def"
#undef ACCP_SACP_CODE
};

}  // namespace

std::string_view code_name(Code code) { return kCodeNames[static_cast<size_t>(code)]; }

Code find_code(std::string_view name) {
    for (size_t i = 1; i < sizeof kCodeNames / sizeof *kCodeNames; ++i)
        if (kCodeNames[i] == name) return static_cast<Code>(i);
    return Code::kNone;
}

Verdict::Verdict(Memory &memory)
    : details_(memory),
      needs_(memory),
      need_ends_(memory),
      need_index_(memory),
      seed_(random_seed()) {}

bool Verdict::refuse(Code code, const char *details, uint64_t byte) {
    if (failed()) return false;
    code_ = code;
    byte_ = byte;
    reason_ = details;
    details_.assign(details);
    return false;
}

bool Verdict::refuse_member(Code code, std::string_view name, const char *details, uint64_t byte) {
    if (failed()) return false;
    refuse(code, details, byte);
    details_.assign(name);
    details_.append(details);
    return false;
}

bool Verdict::refuse(Code code, const char *details, std::string_view step, uint64_t byte) {
    return refuse(code, {}, details, step, byte);
}

bool Verdict::refuse(Code code, std::string_view name, const char *details, std::string_view step,
                     uint64_t byte) {
    if (failed()) return false;
    refuse(code, details, byte);
    details_.assign(name);
    details_.append(details);
    details_.append(details_.view().ends_with(" for") ? " action step " : ": action step ");
    details_.append(step);
    step_len_ = static_cast<uint32_t>(step.size());
    return false;
}

void Verdict::need(std::string_view name) {
    const auto at = [this](uint64_t place) { return need_at(static_cast<uint32_t>(place - 1)); };
    const auto hash_of = [&](uint64_t place) {
        return seeded_hash(at(place).data(), at(place).size(), seed_);
    };
    const uint64_t hash = seeded_hash(name.data(), name.size(), seed_);
    if (need_index_.find(hash, [&](uint64_t place) { return at(place) == name; })) return;
    need_index_.reserve(1, hash_of);
    needs_.append(name);
    need_ends_.push(static_cast<uint32_t>(needs_.size()));
    need_index_.add(hash, need_ends_.size());
}

void Verdict::write(Buffer<char> &out) const {
    if (valid()) return out.append(R"({"status":"VALID"})");
    if (failed()) {
        out.append(R"({"status":"ERR","code":")");
        out.append(code_name(code_));
        out.append(R"(","details":)");
        value::write_json_string(details(), out);
        return out.push('}');
    }
    out.append(R"({"status":"REQ_CLARIFY","need":)");
    for (uint32_t i = 0; i < need_count(); ++i) {
        out.push(i ? ',' : '[');
        value::write_json_string(need_at(i), out);
    }
    out.append("]}");
}

}  // namespace accp::sacp
