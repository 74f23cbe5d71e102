// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See v1_fields.h.
#include <chrono>
#include <cstdlib>

#include "base/bytes.h"
#include "base/utf8.h"
#include "sacp/message/message.h"
#include "sacp/message/v1.h"
#include "value/number.h"

namespace accp::sacp {

namespace {

constexpr uint32_t kNoEnd = UINT32_MAX;

constexpr Field kMessageFields[] = {{"proto_ver", Form::kText, true, 1, kNoEnd},
                                    {"msg_id", Form::kId, true, 1, 128},
                                    {"reply_to", Form::kId, false, 1, 128},
                                    {"ts", Form::kTime, true, 0, 0},
                                    {"sender", Form::kId, true, 1, 128},
                                    {"recipient", Form::kId, false, 1, 128},
                                    {"g", Form::kText, true, 1, 128},
                                    {"ctx", Form::kObject, false, 0, 0},
                                    {"plan", Form::kArray, true, 0, 0},
                                    {"out_fmt", Form::kOutFmt, false, 0, 0},
                                    {"state", Form::kState, true, 0, 0},
                                    {"result", Form::kObject, false, 0, 0},
                                    {"error", Form::kObject, false, 0, 0},
                                    {"trace", Form::kObject, false, 0, 0},
                                    {"test_mode", Form::kBoolean, false, 0, 0},
                                    {"ext", Form::kObject, false, 0, 0}};
constexpr Field kStepFields[] = {{"id", Form::kId, true, 1, 64},
                                 {"verb", Form::kText, true, 1, 64},
                                 {"tool", Form::kText, true, 1, 64},
                                 {"params", Form::kObject, true, 0, 0},
                                 {"depends_on", Form::kArray, false, 0, 0},
                                 {"timeout_ms", Form::kWhole, false, 1, 3'600'000},
                                 {"retry", Form::kObject, false, 0, 0},
                                 {"on_error", Form::kOnError, false, 0, 0},
                                 {"fallback_step", Form::kId, false, 1, 64},
                                 {"output_key", Form::kId, false, 1, 64}};
constexpr Field kRetryFields[] = {{"max_attempts", Form::kWhole, true, 1, 10},
                                  {"backoff_ms", Form::kWhole, false, 0, 600'000},
                                  {"strategy", Form::kStrategy, false, 0, 0}};
constexpr Field kResultFields[] = {{"outputs", Form::kObject, true, 0, 0},
                                   {"summary", Form::kText, false, 1, kNoEnd},
                                   {"step_results", Form::kObject, false, 0, 0}};
constexpr Field kErrorFields[] = {{"code", Form::kCode, true, 1, 64},
                                  {"message", Form::kText, true, 1, 1024},
                                  {"step_id", Form::kId, false, 1, 64},
                                  {"retryable", Form::kBoolean, false, 0, 0},
                                  {"details", Form::kObject, false, 0, 0}};
constexpr Field kTraceFields[] = {{"trace_id", Form::kId, false, 1, 128},
                                  {"span_id", Form::kId, false, 1, 128},
                                  {"parent_span_id", Form::kId, false, 1, 128},
                                  {"attempt", Form::kWhole, false, 1, kNoEnd},
                                  {"metrics", Form::kObject, false, 0, 0}};
constexpr Field kMetricsFields[] = {
    {"latency_ms", Form::kWhole, false, 0, kNoEnd}, {"queue_ms", Form::kWhole, false, 0, kNoEnd},
    {"tool_calls", Form::kWhole, false, 0, kNoEnd}, {"tokens_in", Form::kWhole, false, 0, kNoEnd},
    {"tokens_out", Form::kWhole, false, 0, kNoEnd}, {"cost_usd", Form::kAmount, false, 0, 0}};

// Without a fraction, however it is written: 1, 1.0 and 1e0.
bool is_whole(std::string_view text, value::Decimal &out) {
    return value::read_decimal(text, out) && (!out.digit_count || out.exponent >= 0);
}

// A whole number; kNoEnd: there is no upper bound.
bool is_between(std::string_view text, uint32_t min, uint32_t max) {
    value::Decimal number;
    if (!is_whole(text, number) || number.negative) return false;
    uint64_t value = 0;
    const char *digit = number.digits;
    for (size_t i = 0; i < number.digit_count && value <= kNoEnd; ++digit) {
        if (*digit == '.') continue;
        value = value * 10 + static_cast<uint64_t>(*digit - '0');
        ++i;
    }
    for (int64_t i = 0; number.digit_count && i < number.exponent && value <= kNoEnd; ++i)
        value *= 10;
    return value >= min && (max == kNoEnd || value <= max);
}

bool has_length(std::string_view text, uint32_t min, uint32_t max) {
    const size_t count = count_code_points(text);
    return count >= min && count <= max;
}

template <class Is>
bool are_all(std::string_view text, Is is) {
    for (char c : text)
        if (!is(static_cast<unsigned char>(c))) return false;
    return true;
}

bool is_code(std::string_view text) {
    return are_all(
        text, [](unsigned char c) { return is_digit(c) || (c >= 'A' && c <= 'Z') || c == '_'; });
}

// YYYY-MM-DDTHH:MM:SS[.f]Z, a real date; a leap second is the last of a day.
bool is_utc_time(std::string_view text) {
    constexpr std::string_view kPattern = "dddd-dd-ddTdd:dd:dd";
    if (text.size() <= kPattern.size() || text.back() != 'Z') return false;
    for (size_t i = 0; i < kPattern.size(); ++i)
        if (kPattern[i] == 'd' ? !is_digit(static_cast<unsigned char>(text[i]))
                               : text[i] != kPattern[i])
            return false;
    std::string_view fraction = text.substr(kPattern.size());
    fraction.remove_suffix(1);
    if (!fraction.empty() &&
        (fraction[0] != '.' || fraction.size() == 1 ||
         !are_all(fraction.substr(1), [](unsigned char c) { return is_digit(c); })))
        return false;
    const auto pair = [&](size_t at) { return (text[at] - '0') * 10 + text[at + 1] - '0'; };
    const std::chrono::year_month_day date(std::chrono::year(pair(0) * 100 + pair(2)),
                                           std::chrono::month(static_cast<unsigned>(pair(5))),
                                           std::chrono::day(static_cast<unsigned>(pair(8))));
    const bool last_minute = pair(11) == 23 && pair(14) == 59;
    return date.ok() && pair(11) <= 23 && pair(14) <= 59 && pair(17) <= 59 + last_minute;
}

}  // namespace

const std::span<const Field> kV1Message(kMessageFields), kV1Step(kStepFields),
    kV1Retry(kRetryFields), kV1Result(kResultFields), kV1Error(kErrorFields),
    kV1Trace(kTraceFields), kV1Metrics(kMetricsFields);

const Field *find_field(std::span<const Field> fields, std::string_view name) {
    for (const Field &field : fields)
        if (field.name == name) return &field;
    return nullptr;
}

uint32_t find_unknown(value::TreeView tree, uint32_t object, std::span<const Field> fields) {
    for (uint32_t i = object + 1; i < tree[object].next; i = tree[i].next)
        if (!find_field(fields, tree.key(i))) return i;
    return 0;
}

const Field *find_missing(value::TreeView tree, uint32_t object, std::span<const Field> fields) {
    for (const Field &field : fields)
        if (field.required && !tree.find(object, field.name)) return &field;
    return nullptr;
}

bool has_form_type(value::TreeView tree, uint32_t node, const Field &field) {
    const uint8_t kind = tree[node].kind;
    value::Decimal number;
    switch (field.form) {
        case Form::kObject: return kind == ACCP_MAP;
        case Form::kArray: return kind == ACCP_ARRAY;
        case Form::kBoolean: return kind == ACCP_BOOL;
        case Form::kWhole: return value::is_number(kind) && is_whole(tree.string(node), number);
        case Form::kAmount: return value::is_number(kind);
        default: return kind == ACCP_STRING;
    }
}

bool has_form(value::TreeView tree, uint32_t node, const Field &field) {
    const std::string_view text = tree.string(node);
    value::Decimal number;
    switch (field.form) {
        case Form::kText: return has_length(text, field.min, field.max);
        case Form::kId: return is_id(text, field.max);
        case Form::kCode: return has_length(text, field.min, field.max) && is_code(text);
        case Form::kTime: return is_utc_time(text);
        case Form::kWhole: return is_between(text, field.min, field.max);
        case Form::kAmount:
            return text[0] != '-' || (value::read_decimal(text, number) && !number.digit_count);
        case Form::kOutFmt: return find_out_fmt(text) != OutFmt::kNone;
        case Form::kState: return find_state(Version::k100, text) != kNoState;
        case Form::kOnError: return text == "fail_fast" || text == "continue" || text == "fallback";
        case Form::kStrategy: return text == "fixed" || text == "exponential";
        default: return true;
    }
}

bool is_extension_name(std::string_view key) {
    const size_t dot = key.find('.');
    if (dot == key.npos || !dot || dot + 1 == key.size()) return false;
    return are_all(key.substr(0, dot),
                   [](unsigned char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); }) &&
           are_all(key.substr(dot + 1), [](unsigned char c) { return is_agent(c) || c == '.'; });
}

}  // namespace accp::sacp
