// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What is said of a message, a library, or an agent's entry: it is valid, or what is wrong with it,
// or what it still needs.
#pragma once

#include <string_view>

#include "base/limits.h"
#include "base/slots.h"

namespace accp::sacp {

enum class Code : uint8_t {
    kNone,
#define ACCP_SACP_CODE(name, accp_code, retryable) k##name,
#include "sacp/message/codes.def"
#undef ACCP_SACP_CODE
};

// As it stands in a verdict; empty for kNone.
std::string_view code_name(Code code);
// kNone: there is no such code.
Code find_code(std::string_view name);

class Verdict {
public:
    explicit Verdict(Memory &memory);

    void clear() {
        code_ = Code::kNone;
        step_len_ = 0;
        byte_ = 0;
        details_.clear();
        needs_.clear();
        need_ends_.clear();
        need_index_.recycle(kKeptBytes);
    }

    bool valid() const { return code_ == Code::kNone && need_ends_.empty(); }
    bool failed() const { return code_ != Code::kNone; }
    Code code() const { return code_; }
    std::string_view details() const { return details_.view(); }
    // What is wrong, without where: static text, for callers that cannot keep another.
    const char *reason() const { return reason_; }
    // The path of the step that is wrong, empty where none is.
    std::string_view step() const {
        return details_.view().substr(details_.size() - step_len_, step_len_);
    }
    // Where in the JSON text the fault lies; 0 where nobody knows.
    uint64_t byte() const { return byte_; }

    // What is missing for it to be valid, none twice.
    uint32_t need_count() const { return static_cast<uint32_t>(need_ends_.size()); }
    std::string_view need_at(uint32_t i) const {
        const uint32_t begin = i ? need_ends_[i - 1] : 0;
        return {needs_.data() + begin, need_ends_[i] - begin};
    }

    // Only the first fault stands. False, so that a check can return it. `details` is static text.
    bool refuse(Code code, const char *details, uint64_t byte = 0);
    // The same, with a member's name before it.
    bool refuse_member(Code code, std::string_view name, const char *details, uint64_t byte = 0);
    // The same of a step: `action step PATH` is put behind the details.
    bool refuse(Code code, const char *details, std::string_view step, uint64_t byte);
    // The same, whose details begin with a name.
    bool refuse(Code code, std::string_view name, const char *details, std::string_view step,
                uint64_t byte);
    void need(std::string_view name);

    // The text lies so many bytes after the beginning of another one.
    void add_offset(uint64_t bytes) { byte_ += bytes; }

    // Appends it as JSON, members in the order that the specification prints them in, nothing more.
    void write(Buffer<char> &out) const;

private:
    Code code_ = Code::kNone;
    uint32_t step_len_ = 0;
    uint64_t byte_ = 0;
    const char *reason_ = "";
    Buffer<char> details_;
    Buffer<char> needs_;
    Buffer<uint32_t> need_ends_;
    Slots need_index_;  // one more than the number of each
    uint64_t seed_;
};

}  // namespace accp::sacp
