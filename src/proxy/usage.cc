// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/usage.h"

#include <algorithm>

#include "base/bytes.h"
#include "proxy/http_text.h"
#include "value/json_reader.h"

namespace proxy {

namespace {

constexpr size_t kMaxKeyBytes = 16;  // longer than all keys of interest
constexpr uint32_t kMaxUsageDepth = 16;
constexpr std::string_view kData = "data", kEvent = "event";
constexpr std::string_view kError = "error", kFailed = "response.failed";
constexpr size_t kMaxField = 32;  // bytes of a field's name, and of the name of an event

std::string lower(std::string_view text) {
    std::string out(text);
    for (char &c : out) c = accp::to_lower(c);
    return out;
}

// The usage object of a response, as a value.
class UsageObject {
public:
    bool read(std::string_view json) {
        return reader_.read(json.data(), json.size(), {json.size(), kMaxUsageDepth}, value_).ok();
    }
    // Sets `out` to a count. Returns false if it is missing.
    bool get(std::string_view key, uint64_t &out) const { return get(0, key, out); }
    bool get(std::string_view map, std::string_view key, uint64_t &out) const {
        const uint32_t node = value_.view().find(0, map);
        return node && value_.nodes[node].kind == ACCP_MAP && get(node, key, out);
    }

private:
    bool get(uint32_t map, std::string_view key, uint64_t &out) const {
        const uint32_t node = value_.view().find(map, key);
        if (!node || value_.nodes[node].kind != ACCP_INT) return false;
        uint64_t number = 0;
        for (const char c : value_.view().string(node)) {
            if (!accp::is_digit(c) || number > UINT32_MAX) return false;
            number = number * 10 + static_cast<uint64_t>(c - '0');
        }
        out = number;
        return true;
    }

    accp::Memory memory_{accp::private_allocator(), UINT64_MAX};
    accp::value::JsonReader reader_{memory_};
    accp::value::Value value_{memory_};
};

// The Messages interface counts cached tokens separately. Later events repeat only some of the
// counts.
void merge_messages(const UsageObject &object, Usage &out) {
    object.get("input_tokens", out.input);
    object.get("cache_read_input_tokens", out.cache_read);
    object.get("output_tokens", out.output);
    uint64_t written = out.cache_write + out.cache_write_hour, hour = out.cache_write_hour;
    object.get("cache_creation_input_tokens", written);
    object.get("cache_creation", "ephemeral_1h_input_tokens", hour);
    out.cache_write_hour = std::min(hour, written);
    out.cache_write = written - out.cache_write_hour;
}

// The interfaces of OpenAI count cached tokens as a part of all input.
void merge_parts(uint64_t all, uint64_t read, uint64_t written, Usage &out) {
    out.cache_read = std::min(read, all);
    out.cache_write = std::min(written, all - out.cache_read);
    out.input = all - out.cache_read - out.cache_write;
}

void merge_usage(const UsageObject &object, Usage &out) {
    uint64_t all = 0, read = 0, written = 0;
    if (object.get("prompt_tokens", all)) {  // chat completions
        if (!object.get("prompt_tokens_details", "cached_tokens", read))
            object.get("prompt_cache_hit_tokens", read);
        object.get("prompt_tokens_details", "cache_write_tokens", written);
        object.get("completion_tokens", out.output);
        return merge_parts(all, read, written, out);
    }
    if (object.get("input_tokens_details", "cached_tokens", read)) {  // Responses
        object.get("input_tokens", all);
        object.get("input_tokens_details", "cache_write_tokens", written);
        object.get("output_tokens", out.output);
        return merge_parts(all, read, written, out);
    }
    merge_messages(object, out);
}

}  // namespace

void UsageScanner::reset() {
    depth_ = captured_depth_ = 0;
    in_string_ = is_escaped_ = is_parent_ = false;
    expect_ = Expect::kValue;
    key_.clear();
    value_.clear();
    captured_.clear();
}

void UsageScanner::step_in_string(char c) {
    if (!is_escaped_ && c == '"') return end_string();
    is_escaped_ = !is_escaped_ && c == '\\';
    if (expect_ == Expect::kKey && depth_ <= 2 && key_.size() < kMaxKeyBytes) key_.push_back(c);
    if ((opens("error") || opens("type")) && value_.size() < kMaxKeyBytes) value_.push_back(c);
}

void UsageScanner::end_string() {
    in_string_ = false;
    has_error_ |= opens("error") && !value_.empty();
    has_error_ |= opens("type") && (value_ == kError || value_ == kFailed);
    if (expect_ == Expect::kKey) expect_ = Expect::kColon;
}

bool UsageScanner::opens_usage() const {
    return !captured_depth_ && key_ == "usage" && expect_ == Expect::kValue &&
           (depth_ == 1 ? !is_list_[1] : depth_ == 2 && is_parent_ && !is_list_[2]);
}

// Returns true after the last byte of a usage object.
bool UsageScanner::step(char c) {
    if (captured_depth_) {
        if (captured_.size() == kMaxUsageBytes) captured_depth_ = 0;
        else captured_.push_back(c);
    }
    if (in_string_) {
        step_in_string(c);
        return false;
    }
    switch (c) {
        case '"':
            in_string_ = true;
            is_escaped_ = false;
            value_.clear();
            if (expect_ == Expect::kKey && depth_ <= 2) key_.clear();
            break;
        case ':':
            if (depth_ == 1) is_parent_ = key_ == "message" || key_ == "response";
            expect_ = Expect::kValue;
            break;
        case ',':
            if (depth_ <= 2) expect_ = is_list_[depth_] ? Expect::kValue : Expect::kKey;
            break;
        case '{':
        case '[':
            has_error_ |= c == '{' && opens("error");
            if (c == '{' && opens_usage()) {
                captured_ = "{";
                captured_depth_ = depth_ + 1;
            }
            ++depth_;
            if (depth_ <= 2) {
                is_list_[depth_] = c == '[';
                key_.clear();
                expect_ = c == '{' ? Expect::kKey : Expect::kValue;
            }
            break;
        case '}':
        case ']':
            if (captured_depth_ && depth_ == captured_depth_) {
                captured_depth_ = 0;
                depth_ -= 1;
                return true;
            }
            if (depth_) --depth_;
            break;
        default: break;
    }
    return false;
}

AnswerForm answer_form(int status, const Headers &headers) {
    AnswerForm form = is_success(status) ? AnswerForm::kJson : AnswerForm::kUnknown;
    for (const auto &[name, value] : headers) {
        if (equals_ignoring_case(name, "content-encoding") &&
            !equals_ignoring_case(value, "identity"))
            form = AnswerForm::kUnknown;
        if (form == AnswerForm::kJson && equals_ignoring_case(name, "content-type") &&
            lower(value).find("text/event-stream") != std::string::npos)
            form = AnswerForm::kEvents;
    }
    return form;
}

void UsageReader::read_bytes(std::string_view bytes) {
    if (form_ == AnswerForm::kJson) return scan(bytes);
    if (form_ == AnswerForm::kEvents)
        for (const char c : bytes) read_event_byte(c);
}

// The text of an event is in its lines "data: …". A blank line ends the event.
void UsageReader::read_event_byte(char c) {
    const bool is_second_half = c == '\n' && after_return_;
    after_return_ = c == '\r';
    if (is_second_half) return;
    if (c == '\n' || c == '\r') return end_line();
    switch (line_) {
        case Line::kField:
            if (c == ':')
                line_ = field_ == kData    ? Line::kData
                        : field_ == kEvent ? Line::kEvent
                                           : Line::kOther;
            else if (field_.size() < kMaxField) field_.push_back(c);
            else line_ = Line::kOther;
            if (line_ != Line::kField) field_.clear();
            break;
        case Line::kEvent:
            if (c != ' ' && field_.size() < kMaxField) field_.push_back(c);
            break;
        case Line::kData: scan({&c, 1}); break;
        case Line::kOther: break;
    }
}

void UsageReader::end_line() {
    if (line_ == Line::kField && field_.empty()) scanner_.reset();
    if (line_ == Line::kData) scan("\n");
    if (line_ == Line::kEvent) has_error_event_ |= field_ == kError || field_ == kFailed;
    line_ = Line::kField;
    field_.clear();
}

void UsageReader::scan(std::string_view bytes) {
    scanner_.feed(bytes, [this](std::string_view json) { merge(json); });
}

void UsageReader::merge(std::string_view json) {
    UsageObject object;
    if (!object.read(json)) return;
    if (!usage_) usage_.emplace();
    merge_usage(object, *usage_);
}

}  // namespace proxy
