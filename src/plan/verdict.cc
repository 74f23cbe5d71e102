// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See verdict.h.
#include "plan/verdict.h"

#include "base/name_list.h"
#include "value/json_writer.h"

namespace accp::plan {

namespace {

constexpr std::string_view kNames[] = {
    "",
#define ACCP_SACP_CODE(name, accp_code, retryable) #name,
#include "plan/codes.def"
#undef ACCP_SACP_CODE
};

}  // namespace

std::string_view code_name(Code code) { return kNames[static_cast<size_t>(code)]; }

Code find_code(std::string_view name) {
    for (size_t i = 1; i < sizeof kNames / sizeof *kNames; ++i)
        if (kNames[i] == name) return static_cast<Code>(i);
    return Code::kNone;
}

bool Verdict::refuse(Code code, std::string_view details, uint64_t byte) {
    if (failed()) return false;
    code_ = code;
    byte_ = byte;
    details_.assign(details);
    return false;
}

bool Verdict::refuse(Code code, std::string_view details, std::string_view step, uint64_t byte) {
    if (failed()) return false;
    refuse(code, details, byte);
    details_.append(details.ends_with(" for") ? " action step " : ": action step ");
    details_.append(step);
    step_len_ = static_cast<uint32_t>(step.size());
    return false;
}

void Verdict::need(std::string_view name) {
    if (has_name(needs_.view(), name)) return;
    needs_.append(name);
    needs_.push('\0');
    ++need_count_;
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
    char before = '[';
    for (size_t at = 0; at < needs_.size();) {
        const std::string_view name(needs_.data() + at);
        out.push(before);
        value::write_json_string(name, out);
        before = ',';
        at += name.size() + 1;
    }
    out.append("]}");
}

}  // namespace accp::plan
