// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/value.h
#include <charconv>

#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "frame/literal.h"
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

// May a value be added here, with or without this key?
Status check_place(const accp_value &value, Key key) {
    if (value.complete()) return fail(ACCP_ERR_ARG, 0, "the value is complete");
    bool in_map = !value.open.empty() &&
                  value.value.nodes[value.open[value.open.size() - 1].node].kind == ACCP_MAP;
    if (in_map != (key.text != nullptr))
        return fail(ACCP_ERR_ARG, 0,
                    in_map ? "an entry of a map needs a key" : "only an entry of a map has a key");
    if (key.len > kMaxKeyBytes) return fail(ACCP_E1004, 0, "a key of more than 65,535 bytes");
    if (key.len && !is_utf8(key.text, key.len))
        return fail(ACCP_E1004, valid_utf8_prefix(key.text, key.len), "a key that is not UTF-8");
    return {};
}

// Adds one value: all of it, or nothing where anything fails.
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
        if (text + key_len > kMaxTextBytes)
            return fail(ACCP_E1001, 0, "the value is larger than a value may be");
        if (key) value->value.add_key({key, key_len});
        return body();
    });
    if (code != ACCP_OK) value->value.rewind(nodes, text);
    else if (!value->open.empty() && value->open[value->open.size() - 1].node < nodes)
        ++value->open[value->open.size() - 1].count;
    return code;
}

accp_status add_text(accp_value *value, const char *key, size_t key_len, uint8_t kind,
                     uint8_t flags, std::string_view text, accp_error *err) noexcept {
    if (value && capi::lies_in(text.data(), value->value.text))
        return capi::refuse(err, capi::kOwnText);
    return add(value, key, key_len, err, [&] {
        if (text.size() > kMaxTextBytes)
            return fail(ACCP_E1001, 0, "the text is larger than a value may be");
        value->value.add_scalar(kind, flags, text);
        return Status{};
    });
}

accp_status begin(accp_value *value, const char *key, size_t key_len, uint8_t kind,
                  accp_error *err) noexcept {
    return add(value, key, key_len, err, [&] {
        if (value->open.size() == value->settings.limit(ACCP_LIMIT_JSON_DEPTH))
            return fail(ACCP_E1004, 0,
                        "arrays and objects are nested deeper than the limit allows");
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

accp_status accp_value_new(const accp_options *options, accp_value **out,
                           accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = make_handle<accp_value>(capi::settings_of(options));
        return Status{};
    });
}

void accp_value_free(accp_value *value) noexcept { end_handle(value); }

void accp_value_reset(accp_value *value) noexcept {
    if (value) value->clear();
}

const accp_node *accp_value_nodes(const accp_value *value, size_t *count_out) noexcept {
    static constexpr accp_node kNone = {};
    if (count_out) *count_out = value ? value->value.nodes.size() : 0;
    if (!value) return nullptr;
    return value->value.empty() ? &kNone : value->value.nodes.data();
}

const char *accp_value_text(const accp_value *value, size_t *len_out) noexcept {
    if (len_out) *len_out = value ? value->value.text.size() : 0;
    if (!value) return nullptr;
    return value->value.text.data() ? value->value.text.data() : "";
}

uint32_t accp_value_find(const accp_value *value, uint32_t parent, const char *key,
                         size_t key_len) noexcept {
    if (!value || !capi::is_text(key, key_len) || parent >= value->value.nodes.size() ||
        value->value.nodes[parent].kind != ACCP_MAP)
        return 0;
    return value->value.view().find(parent, {key, key_len});
}

accp_status accp_value_add_null(accp_value *value, const char *key, size_t key_len,
                                accp_error *err) noexcept {
    return add_text(value, key, key_len, ACCP_NULL, 0, {}, err);
}

accp_status accp_value_add_bool(accp_value *value, const char *key, size_t key_len, int on,
                                accp_error *err) noexcept {
    return add_text(value, key, key_len, ACCP_BOOL, on ? ACCP_NODE_TRUE : 0, {}, err);
}

accp_status accp_value_add_int(accp_value *value, const char *key, size_t key_len, int64_t number,
                               accp_error *err) noexcept {
    char digits[24];
    const char *end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return add_text(value, key, key_len, ACCP_INT, 0, {digits, static_cast<size_t>(end - digits)},
                    err);
}

accp_status accp_value_add_number(accp_value *value, const char *key, size_t key_len,
                                  const char *text, size_t text_len, accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (!text) return capi::refuse(err, capi::kNoText);
    value::NumberToken token = value::scan_number(text, text + text_len);
    if (!token.len || token.len != text_len)
        return capi::report(fail(ACCP_E1004, token.len, "not a JSON number"), err);
    return add_text(value, key, key_len, token.kind, 0, {text, text_len}, err);
}

accp_status accp_value_add_string(accp_value *value, const char *key, size_t key_len,
                                  const char *text, size_t text_len, accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    size_t valid = valid_utf8_prefix(text, text_len);
    if (valid < text_len) return capi::report(fail(ACCP_E1004, valid, "not UTF-8"), err);
    return add_text(value, key, key_len, ACCP_STRING, 0, {text, text_len}, err);
}

accp_status accp_value_add_ref(accp_value *value, const char *key, size_t key_len, const char *text,
                               size_t text_len, accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (!text) return capi::refuse(err, capi::kNoText);
    if (text_len > kMaxKeyBytes || !frame::is_ref(text, static_cast<uint32_t>(text_len)))
        return capi::report(
            fail(ACCP_E1004, 0, "a ref is labels of letters, digits and _ with a dot between them"),
            err);
    return add_text(value, key, key_len, ACCP_REF, 0, {text, text_len}, err);
}

accp_status accp_value_begin_array(accp_value *value, const char *key, size_t key_len,
                                   accp_error *err) noexcept {
    return begin(value, key, key_len, ACCP_ARRAY, err);
}

accp_status accp_value_begin_map(accp_value *value, const char *key, size_t key_len,
                                 accp_error *err) noexcept {
    return begin(value, key, key_len, ACCP_MAP, err);
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

accp_status accp_value_hash_form(accp_value *value, const char **out, size_t *len_out,
                                 accp_error *err) noexcept {
    if (!value || !out || !len_out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        if (!value->complete()) return fail(ACCP_ERR_ARG, 0, "the value is not complete");
        value->arena.reset();
        value->out.recycle(kKeptBytes);
        Status status = value::write_hash_form(value->value.view(), 0, value->arena, value->out);
        if (status.failed()) return status;
        *out = value->out.data();
        *len_out = value->out.size();
        return Status{};
    });
}

}  // extern "C"
