// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "codec/profile_rules.h"

#include <algorithm>

#include "accp/codec.h"
#include "codec/error_message.h"

namespace accp::codec {

namespace {

constexpr std::string_view kCurrencies[] = {
#define ACCP_CURRENCY(code) #code,
#include "codec/currencies.def"
#undef ACCP_CURRENCY
};

constexpr bool are_sorted() {
    for (size_t i = 1; i < std::size(kCurrencies); ++i)
        if (!(kCurrencies[i - 1] < kCurrencies[i])) return false;
    return true;
}
static_assert(are_sorted());

bool is_currency(std::string_view code) {
    return std::binary_search(std::begin(kCurrencies), std::end(kCurrencies), code);
}

enum Profile : uint8_t { kTool, kTransaction, kStream, kError };

// How the schema of a profile is recognised.
struct ProfileSchema {
    std::string_view code, name, field;
    registry::FieldType type;
};
constexpr ProfileSchema kProfileSchemas[] = {
    {"TC", "tool_call", "tool_name", registry::FieldType::kString},
    {"TX", "transaction", "amount", registry::FieldType::kDecimal},
    {"ST", "stream_chunk", "chunk_index", registry::FieldType::kInteger},
    {"ER", "error", "retry", registry::FieldType::kBoolean},
};

constexpr uint32_t bit(int intent) { return uint32_t{1} << intent; }
constexpr uint32_t kAllIntents = UINT32_MAX, kFail = bit(ACCP_INTENT_FAIL),
                   kStreams = bit(ACCP_INTENT_STREAM),
                   kResponses = bit(ACCP_INTENT_DONE) | kFail | bit(ACCP_INTENT_WAIT);

enum Check : uint8_t {
    kAlways,
    kNoCid,
    kGiven,
    kMissing,
    kInexact,
    kNoCurrency,
    kNoCode,
    kOtherRetry
};
enum Severity : uint8_t { kWarn, kRefuse };

struct Rule {
    Profile profile;
    uint32_t intents;
    Check check;
    std::string_view field;
    Severity sending, receiving;
    uint32_t warning;
    const char *message;
};
constexpr Rule kRules[] = {
#define ACCP_PROFILE_RULE(profile, intents, check, field, sending, receiving, warning, message) \
    {profile, intents, check, field, sending, receiving, warning, message},
#include "codec/rules.def"
#undef ACCP_PROFILE_RULE
};

int find_profile(const registry::Schema &schema) {
    for (int i = 0; i < static_cast<int>(std::size(kProfileSchemas)); ++i) {
        const ProfileSchema &profile = kProfileSchemas[i];
        if (schema.code != profile.code || schema.name != profile.name) continue;
        for (uint32_t f = 0; f < schema.field_count; ++f)
            if (schema.fields[f].name == profile.field)
                return schema.fields[f].type == profile.type ? i : -1;
    }
    return -1;
}

// 1 + the index of a field; 0: the schema has no field with this name.
uint32_t find_field(const registry::Schema &schema, std::string_view name) {
    for (uint32_t i = 0; i < schema.field_count && !name.empty(); ++i)
        if (schema.fields[i].name == name) return i + 1;
    return 0;
}

// The value of a field; nullptr: missing or null.
const value::Node *value_of(const ProfileMessage &message, uint32_t field) {
    const uint32_t node = field ? message.nodes[field - 1] : 0;
    return node && message.tree[node].kind != ACCP_NULL ? message.tree.nodes + node : nullptr;
}

bool has_other_retry(const ProfileMessage &message, const value::Node *retry) {
    const value::Node *code = value_of(message, find_field(*message.schema, "code"));
    if (!retry || retry->kind != ACCP_BOOL || !code || code->kind != ACCP_STRING) return false;
    const accp_status status = read_error_code({message.tree.text + code->offset, code->len});
    return is_standard_code(status) &&
           ((retry->flags & ACCP_NODE_TRUE) != 0) != (accp_status_is_retryable(status) != 0);
}

bool is_broken(const Rule &rule, const ProfileMessage &message, const value::Node *value) {
    const bool is_string = value && value->kind == ACCP_STRING;
    const std::string_view text =
        is_string ? std::string_view(message.tree.text + value->offset, value->len)
                  : std::string_view();
    switch (rule.check) {
        case kAlways: return true;
        case kNoCid: return !message.has_cid;
        case kGiven: return value != nullptr;
        case kMissing: return !value;
        case kInexact:
            return value && value->kind != ACCP_INT && value->kind != ACCP_DEC &&
                   value->kind != ACCP_REF;
        case kNoCurrency: return is_string && !is_currency(text);
        case kNoCode: return is_string && !read_error_code(text);
        case kOtherRetry: return has_other_retry(message, value);
    }
    return false;
}

}  // namespace

bool has_profile_rules(const registry::Schema *schema) {
    return schema && find_profile(*schema) >= 0;
}

bool is_tool_call(const registry::Schema *schema, int intent) {
    return schema && intent == ACCP_INTENT_REQ && schema->code == kProfileSchemas[kTool].code &&
           find_field(*schema, kProfileSchemas[kTool].field);
}

bool is_reply(const registry::Schema *schema, int intent) {
    if (intent == ACCP_INTENT_FAIL) return !schema || find_profile(*schema) != kError;
    return intent == ACCP_INTENT_DONE || intent == ACCP_INTENT_ACK;
}

Status check_profile_rules(const ProfileMessage &message, bool sending, bool strict,
                           uint32_t &warnings) {
    const int profile = find_profile(*message.schema);
    // An unknown intent only matches rules for all intents.
    const uint32_t intent = message.intent < 0 ? ~(UINT32_MAX >> 1) : bit(message.intent);
    for (const Rule &rule : kRules) {
        if (rule.profile != profile || !(rule.intents & intent)) continue;
        const uint32_t field = find_field(*message.schema, rule.field);
        if (!is_broken(rule, message, value_of(message, field))) continue;
        if (strict || (sending ? rule.sending : rule.receiving) == kRefuse)
            return fail(ACCP_E1004, field, rule.message);
        warnings |= rule.warning;
    }
    return {};
}

}  // namespace accp::codec
