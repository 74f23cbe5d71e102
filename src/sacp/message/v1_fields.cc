// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The members of each object of version 1.0.0, and the checks of their values.
#include <chrono>
#include <cstdlib>

#include "base/bytes.h"
#include "base/utf8.h"
#include "sacp/message/message.h"
#include "sacp/message/v1.h"
#include "value/number.h"

namespace accp::sacp {

namespace {

constexpr uint32_t kUnbounded = UINT32_MAX;

constexpr Field kMessageFields[] = {{"proto_ver", FieldType::kText, true, 1, kUnbounded},
                                    {"msg_id", FieldType::kId, true, 1, 128},
                                    {"reply_to", FieldType::kId, false, 1, 128},
                                    {"ts", FieldType::kTime, true, 0, 0},
                                    {"sender", FieldType::kId, true, 1, 128},
                                    {"recipient", FieldType::kId, false, 1, 128},
                                    {"g", FieldType::kText, true, 1, 128},
                                    {"ctx", FieldType::kObject, false, 0, 0},
                                    {"plan", FieldType::kArray, true, 0, 0},
                                    {"out_fmt", FieldType::kOutFmt, false, 0, 0},
                                    {"state", FieldType::kState, true, 0, 0},
                                    {"result", FieldType::kObject, false, 0, 0},
                                    {"error", FieldType::kObject, false, 0, 0},
                                    {"trace", FieldType::kObject, false, 0, 0},
                                    {"test_mode", FieldType::kBoolean, false, 0, 0},
                                    {"ext", FieldType::kObject, false, 0, 0}};
constexpr Field kStepFields[] = {{"id", FieldType::kId, true, 1, 64},
                                 {"verb", FieldType::kText, true, 1, 64},
                                 {"tool", FieldType::kText, true, 1, 64},
                                 {"params", FieldType::kObject, true, 0, 0},
                                 {"depends_on", FieldType::kArray, false, 0, 0},
                                 {"timeout_ms", FieldType::kInteger, false, 1, 3'600'000},
                                 {"retry", FieldType::kObject, false, 0, 0},
                                 {"on_error", FieldType::kOnError, false, 0, 0},
                                 {"fallback_step", FieldType::kId, false, 1, 64},
                                 {"output_key", FieldType::kId, false, 1, 64}};
constexpr Field kRetryFields[] = {{"max_attempts", FieldType::kInteger, true, 1, 10},
                                  {"backoff_ms", FieldType::kInteger, false, 0, 600'000},
                                  {"strategy", FieldType::kStrategy, false, 0, 0}};
constexpr Field kResultFields[] = {{"outputs", FieldType::kObject, true, 0, 0},
                                   {"summary", FieldType::kText, false, 1, kUnbounded},
                                   {"step_results", FieldType::kObject, false, 0, 0}};
constexpr Field kErrorFields[] = {{"code", FieldType::kCode, true, 1, 64},
                                  {"message", FieldType::kText, true, 1, 1024},
                                  {"step_id", FieldType::kId, false, 1, 64},
                                  {"retryable", FieldType::kBoolean, false, 0, 0},
                                  {"details", FieldType::kObject, false, 0, 0}};
constexpr Field kTraceFields[] = {{"trace_id", FieldType::kId, false, 1, 128},
                                  {"span_id", FieldType::kId, false, 1, 128},
                                  {"parent_span_id", FieldType::kId, false, 1, 128},
                                  {"attempt", FieldType::kInteger, false, 1, kUnbounded},
                                  {"metrics", FieldType::kObject, false, 0, 0}};
constexpr Field kMetricsFields[] = {{"latency_ms", FieldType::kInteger, false, 0, kUnbounded},
                                    {"queue_ms", FieldType::kInteger, false, 0, kUnbounded},
                                    {"tool_calls", FieldType::kInteger, false, 0, kUnbounded},
                                    {"tokens_in", FieldType::kInteger, false, 0, kUnbounded},
                                    {"tokens_out", FieldType::kInteger, false, 0, kUnbounded},
                                    {"cost_usd", FieldType::kNonNegative, false, 0, 0}};

// Accepts any notation without a fraction: 1, 1.0 and 1e0.
bool is_whole(std::string_view text, value::Decimal &out) {
    return value::read_decimal(text, out) && (!out.digit_count || out.exponent >= 0);
}

// An integer in a range; max may be kUnbounded.
bool is_between(std::string_view text, uint32_t min, uint32_t max) {
    value::Decimal number;
    if (!is_whole(text, number) || number.negative) return false;
    uint64_t value = 0;
    const char *digit = number.digits;
    for (size_t i = 0; i < number.digit_count && value <= kUnbounded; ++digit) {
        if (*digit == '.') continue;
        value = value * 10 + static_cast<uint64_t>(*digit - '0');
        ++i;
    }
    for (int64_t i = 0; number.digit_count && i < number.exponent && value <= kUnbounded; ++i)
        value *= 10;
    return value >= min && (max == kUnbounded || value <= max);
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

// YYYY-MM-DDTHH:MM:SS[.f]Z, an existing date. A leap second is valid only at the end of a day.
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

bool has_json_type(value::TreeView tree, uint32_t node, const Field &field) {
    const uint8_t kind = tree[node].kind;
    value::Decimal number;
    switch (field.type) {
        case FieldType::kObject: return kind == ACCP_MAP;
        case FieldType::kArray: return kind == ACCP_ARRAY;
        case FieldType::kBoolean: return kind == ACCP_BOOL;
        case FieldType::kInteger:
            return value::is_number(kind) && is_whole(tree.string(node), number);
        case FieldType::kNonNegative: return value::is_number(kind);
        default: return kind == ACCP_STRING;
    }
}

bool has_valid_value(value::TreeView tree, uint32_t node, const Field &field) {
    const std::string_view text = tree.string(node);
    value::Decimal number;
    switch (field.type) {
        case FieldType::kText: return has_length(text, field.min, field.max);
        case FieldType::kId: return is_id(text, field.max);
        case FieldType::kCode: return has_length(text, field.min, field.max) && is_code(text);
        case FieldType::kTime: return is_utc_time(text);
        case FieldType::kInteger: return is_between(text, field.min, field.max);
        case FieldType::kNonNegative:
            return text[0] != '-' || (value::read_decimal(text, number) && !number.digit_count);
        case FieldType::kOutFmt: return find_out_fmt(text) != OutFmt::kNone;
        case FieldType::kState: return find_state(Version::k100, text) != kNoState;
        case FieldType::kOnError:
            return text == "fail_fast" || text == "continue" || text == "fallback";
        case FieldType::kStrategy: return text == "fixed" || text == "exponential";
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
