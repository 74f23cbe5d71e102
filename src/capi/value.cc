// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/value.h
#include "base/text.h"
#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "frame/scalar.h"
#include "value/json_writer.h"
#include "value/keys.h"
#include "value/number.h"

using namespace accp;
using namespace accp::capi;

namespace {

struct Key {
    const char *text;
    size_t len;
};

bool is_utf8(const char *text, size_t len) { return valid_utf8_prefix(text, len) == len; }

// Checks whether a value can be added here, with or without this key.
Status check_place(const accp_value &value, Key key) {
    if (value.complete()) return fail(ACCP_ERR_ARG, 0, "the value is complete");
    bool in_map = !value.open.empty() &&
                  value.value.nodes[value.open[value.open.size() - 1].node].kind == ACCP_MAP;
    if (in_map != (key.text != nullptr))
        return fail(ACCP_ERR_ARG, 0,
                    in_map ? "an entry of a map needs a key" : "only an entry of a map has a key");
    if (key.len > kMaxKeyBytes)
        return fail_limit(ACCP_E1004, 0, "the key is too long", key.len, kMaxKeyBytes);
    if (key.len && !is_utf8(key.text, key.len))
        return fail(ACCP_E1004, valid_utf8_prefix(key.text, key.len), "the key is not UTF-8");
    return {};
}

// Adds one value completely, or changes nothing if it fails.
template <class Body>
accp_status add(accp_value *value, const char *key, size_t key_len, accp_error *err,
                Body body) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(key, key_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(key, value->value.text)) return capi::refuse(err, capi::kOwnText);
    size_t nodes = value->value.nodes.size(), text = value->value.text.size();
    accp_status code = capi::guard(err, [&] {
        Status status = check_place(*value, {key, key_len});
        if (status.failed()) return status;
        if (text + key_len > kMaxTextBytes) return fail(ACCP_E1001, 0, "the value is too large");
        if (key) value->value.add_key({key, key_len});
        return body();
    });
    if (code != ACCP_OK) {
        value->value.rewind(nodes, text);
        return code;
    }
    value->value.set_plain_flags(nodes);
    if (!value->open.empty() && value->open[value->open.size() - 1].node < nodes)
        ++value->open[value->open.size() - 1].count;
    return code;
}

// Checks the text of a scalar, and returns its kind (for a number, the exact kind) and its flags.
Status check_scalar(int32_t kind, std::string_view text, uint8_t &kind_out, uint8_t &flags_out) {
    kind_out = static_cast<uint8_t>(kind);
    flags_out = 0;
    switch (kind) {
        case ACCP_NULL:
            return text.empty() ? Status{} : fail(ACCP_ERR_ARG, 0, "a null has no text");
        case ACCP_BOOL:
            flags_out = text == "true" ? ACCP_NODE_TRUE : 0;
            return text == "true" || text == "false"
                       ? Status{}
                       : fail(ACCP_ERR_ARG, 0, "a bool is true or false");
        case ACCP_INT:
        case ACCP_DEC:
        case ACCP_NUMBER: {
            const value::NumberToken token =
                value::scan_number(text.data(), text.data() + text.size());
            kind_out = token.kind;
            return token.len && token.len == text.size()
                       ? Status{}
                       : fail(ACCP_E1004, token.len, "not a JSON number");
        }
        case ACCP_STRING: {
            const size_t valid = valid_utf8_prefix(text.data(), text.size());
            return valid == text.size() ? Status{} : fail(ACCP_E1004, valid, "not UTF-8");
        }
        case ACCP_REF:
            return text.size() <= kMaxKeyBytes &&
                           frame::is_ref(text.data(), static_cast<uint32_t>(text.size()))
                       ? Status{}
                       : fail(ACCP_E1004, 0,
                              "a ref is labels of letters, digits and _, separated by dots");
        default: return fail(ACCP_ERR_ARG, 0, "unknown kind of scalar");
    }
}

accp_status begin(accp_value *value, const char *key, size_t key_len, uint8_t kind,
                  accp_error *err) noexcept {
    return add(value, key, key_len, err, [&] {
        if (value->open.size() == value->settings.limit(ACCP_LIMIT_JSON_DEPTH))
            return fail_limit(ACCP_E1004, 0,
                              "arrays and objects are nested deeper than the limit json_depth "
                              "allows",
                              value->open.size() + 1, value->open.size());
        value->open.reserve(1);
        // The container outside counts this child when it is closed: add() sees only the innermost.
        uint32_t node = value->value.open(kind);
        if (!value->open.empty()) ++value->open[value->open.size() - 1].count;
        value->open.push({node, 0});
        return Status{};
    });
}

}  // namespace

extern "C" {

accp_status accp_value_new(const accp_config *config, accp_value **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = make_handle<accp_value>(capi::settings_of(config));
        return Status{};
    });
}

void accp_value_free(accp_value *value) noexcept { destroy_handle(value); }

void accp_value_reset(accp_value *value) noexcept {
    if (value) value->clear();
}

const accp_node *accp_value_nodes(const accp_value *value, size_t *count_out) noexcept {
    static constexpr accp_node kNone = {};
    if (count_out) *count_out = value ? value->value.nodes.size() : 0;
    if (!value) return nullptr;
    return value->value.empty() ? &kNone : value->value.nodes.data();
}

accp_text accp_value_text(const accp_value *value) noexcept {
    return value ? to_text(value->value.text.view()) : accp_text{nullptr, 0};
}

uint32_t accp_value_find(const accp_value *value, uint32_t parent, const char *key,
                         size_t key_len) noexcept {
    if (!value || !capi::is_text(key, key_len) || parent >= value->value.nodes.size() ||
        value->value.nodes[parent].kind != ACCP_MAP)
        return 0;
    return value->value.view().find(parent, {key, key_len});
}

accp_status accp_value_add(accp_value *value, int32_t kind, const char *key, size_t key_len,
                           const char *text, size_t text_len, accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, value->value.text)) return capi::refuse(err, capi::kOwnText);
    const std::string_view scalar = to_view(text, text_len);
    uint8_t found = 0, flags = 0;
    const Status status = check_scalar(kind, scalar, found, flags);
    if (status.failed()) return capi::report(status, err);
    return add(value, key, key_len, err, [&] {
        if (scalar.size() > kMaxTextBytes) return fail(ACCP_E1001, 0, "the text is too large");
        const bool is_told = found == ACCP_BOOL;  // a bool has flags instead of a text
        value->value.add_scalar(found, flags, is_told ? std::string_view() : scalar);
        return Status{};
    });
}

accp_status accp_value_begin(accp_value *value, int32_t kind, const char *key, size_t key_len,
                             accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (kind != ACCP_ARRAY && kind != ACCP_MAP) return capi::refuse(err, "not an array or a map");
    return begin(value, key, key_len, static_cast<uint8_t>(kind), err);
}

accp_status accp_value_end(accp_value *value, accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        if (value->open.empty()) return fail(ACCP_ERR_ARG, 0, "no array or map is open");
        accp_value::Open last = value->open[value->open.size() - 1];
        value->value.close(last.node, last.count);
        if (value->value.nodes[last.node].kind == ACCP_MAP && last.count > 1) {
            value->arena.reset();
            if (value::find_equal_key(value->value.view(), last.node, value->arena, value->seed))
                return fail(ACCP_E1001, 0, "the map has this key twice");
        }
        value->open.resize_down(value->open.size() - 1);
        return Status{};
    });
}

accp_status accp_value_parse_json(accp_value *value, const char *text, size_t text_len,
                                  accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, value->value.text)) return capi::refuse(err, capi::kOwnText);
    accp_status code = capi::guard(err, [&] {
        value->clear();
        return value->reader.read(text, text_len, value::json_limits(value->settings),
                                  value->value);
    });
    if (code != ACCP_OK) value->clear();
    return code;
}

accp_status accp_value_print_json(accp_value *value, accp_text *out, accp_error *err) noexcept {
    if (!value || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        if (!value->complete()) return fail(ACCP_ERR_ARG, 0, "the value is not complete");
        value->out.recycle(kKeptBytes);
        value::write_json(value->value.view(), 0, value->out);
        hand_out(value->out, out);
        return Status{};
    });
}

accp_status accp_value_print_hash_form(accp_value *value, accp_text *out,
                                       accp_error *err) noexcept {
    if (!value || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        if (!value->complete()) return fail(ACCP_ERR_ARG, 0, "the value is not complete");
        value->arena.reset();
        value->out.recycle(kKeptBytes);
        Status status = value::write_hash_form(value->value.view(), 0, value->arena, value->out);
        if (status.failed()) return status;
        hand_out(value->out, out);
        return Status{};
    });
}

}  // extern "C"
