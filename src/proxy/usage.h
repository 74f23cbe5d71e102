// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads what the provider billed from a response while it passes: JSON, or events (SSE) in pieces
// of any size. Nothing of the response is kept except its "usage", which is small.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/traffic.h"

namespace proxy {

// Tokens that were billed. Each token is in one of the first four.
struct Usage {
    uint64_t input = 0;  // at the plain price
    uint64_t cache_read = 0;
    uint64_t cache_write = 0;       // kept for five minutes, or the usual time
    uint64_t cache_write_hour = 0;  // kept for an hour
    uint64_t output = 0;

    uint64_t all_input() const { return input + cache_read + cache_write + cache_write_hour; }
    bool operator==(const Usage &) const = default;
};

// Finds the objects "usage" in JSON text that comes in pieces: a member of the text itself, or of
// its member "message" or "response". Also finds whether the text is an error: it has a member
// "error" that is an object or a text, or its type is "error" or "response.failed".
class UsageScanner {
public:
    static constexpr size_t kMaxUsageBytes = 16 << 10;

    // Begins a new text.
    void reset();
    // Reads on. Calls found() for each complete object.
    template <class Found>
    void feed(std::string_view bytes, Found found) {
        for (const char c : bytes)
            if (step(c)) found(std::string_view(captured_));
    }
    // Returns whether a text so far was an error.
    bool has_error() const { return has_error_; }

private:
    bool step(char c);
    void step_in_string(char c);
    void end_string();
    bool opens_usage() const;
    // Returns whether a value of the text's own member with this name begins.
    bool opens(std::string_view key) const {
        return depth_ == 1 && !is_list_[1] && expect_ == Expect::kValue && key_ == key;
    }

    enum class Expect : uint8_t { kKey, kColon, kValue };

    uint32_t depth_ = 0;
    uint32_t captured_depth_ = 0;  // of the object that is captured; 0: none
    bool in_string_ = false, is_escaped_ = false;
    bool is_list_[3] = {};    // the first levels
    bool is_parent_ = false;  // the member of the text that is being read may have usage
    Expect expect_ = Expect::kValue;
    std::string key_;    // the last key of level 1 or 2, at most kMaxKeyBytes
    std::string value_;  // of a member "error" or "type", the same
    bool has_error_ = false;
    std::string captured_;
};

// Whether a response can be read, and how.
enum class AnswerForm : uint8_t { kUnknown, kJson, kEvents };
AnswerForm answer_form(int status, const Headers &headers);

class UsageReader {
public:
    // Call it with the head of the response, first.
    void read_head(int status, const Headers &headers) { form_ = answer_form(status, headers); }
    void read_bytes(std::string_view bytes);
    // Returns the usage that was read so far; nothing if the response has no usage, or is
    // compressed.
    const std::optional<Usage> &usage() const { return usage_; }
    // Returns whether the response, or an event of it, is an error although its status is none:
    // the event "error" or "response.failed", or data without a name of an event, as in streams of
    // chat completions.
    bool has_error() const { return has_error_event_ || scanner_.has_error(); }
    bool is_stream() const { return form_ == AnswerForm::kEvents; }

private:
    void read_event_byte(char c);
    void scan(std::string_view bytes);
    void merge(std::string_view json);

    void end_line();

    enum class Line : uint8_t { kField, kData, kEvent, kOther };

    AnswerForm form_ = AnswerForm::kUnknown;
    Line line_ = Line::kField;
    std::string field_;  // its name so far; of the event: its value
    bool has_error_event_ = false;
    bool after_return_ = false;
    UsageScanner scanner_;
    std::optional<Usage> usage_;
};

}  // namespace proxy
