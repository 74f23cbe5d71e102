// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The verdict on a message, a library or an agent's entry: valid, an error, or what it still needs.
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

// Returns the code as written in a verdict; empty for kNone.
std::string_view code_name(Code code);
// Returns kNone for an unknown name.
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
    // The reason without the place: static text, for callers that cannot store another.
    const char *reason() const { return reason_; }
    // The path of the step with the error, or empty.
    std::string_view step() const {
        return details_.view().substr(details_.size() - step_len_, step_len_);
    }
    // The offset of the error in the JSON text; 0 if it is unknown.
    uint64_t byte() const { return byte_; }

    // The names of missing values, without duplicates.
    uint32_t need_count() const { return static_cast<uint32_t>(need_ends_.size()); }
    std::string_view need_at(uint32_t i) const {
        const uint32_t begin = i ? need_ends_[i - 1] : 0;
        return {needs_.data() + begin, need_ends_[i] - begin};
    }

    // Stores an error unless there is one already. Returns false. `details` is static text.
    bool refuse(Code code, const char *details, uint64_t byte = 0);
    // The same with a member's name before the details.
    bool refuse_member(Code code, std::string_view name, const char *details, uint64_t byte = 0);
    // The same for a step: appends `action step PATH` to the details.
    bool refuse(Code code, const char *details, std::string_view step, uint64_t byte);
    // The same with a name before the details.
    bool refuse(Code code, std::string_view name, const char *details, std::string_view step,
                uint64_t byte);
    void need(std::string_view name);

    // Adds the offset of the text inside a larger one.
    void add_offset(uint64_t bytes) { byte_ += bytes; }

    // Appends the verdict as JSON, with the members and the order of the specification.
    void write(Buffer<char> &out) const;

private:
    Code code_ = Code::kNone;
    uint32_t step_len_ = 0;
    uint64_t byte_ = 0;
    const char *reason_ = "";
    Buffer<char> details_;
    Buffer<char> needs_;
    Buffer<uint32_t> need_ends_;
    Slots need_index_;  // numbers of needs plus 1
    uint64_t seed_;
};

}  // namespace accp::sacp
