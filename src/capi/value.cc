// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/value.h
#include <algorithm>
#include <cstring>

#include "base/bytes.h"
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
    bool in_map = !value.open.empty() && value.open[value.open.size() - 1].is_map;
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
    size_t nodes = value->value.nodes.size(), text = value->value.text.size(),
           depth = value->open.size();
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
    if (depth) {
        accp_value::Open &outer = value->open[depth - 1];
        ++outer.count;
        if (key) outer.enter_key(value->value.text.data() + text, key_len);
    }
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

[[gnu::noinline]] accp_status add_any(accp_value *value, int32_t kind, const char *key,
                                      size_t key_len, const char *text, size_t text_len,
                                      accp_error *err) noexcept {
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

[[gnu::noinline]] accp_status begin_any(accp_value *value, const char *key, size_t key_len,
                                        uint8_t kind, accp_error *err) noexcept {
    const accp_status code = add(value, key, key_len, err, [&] {
        if (value->open.size() == value->settings.limit(ACCP_LIMIT_JSON_DEPTH))
            return fail_limit(ACCP_E1004, 0,
                              "arrays and objects are nested deeper than the limit json_depth "
                              "allows",
                              value->open.size() + 1, value->open.size());
        value->open.reserve(1);
        value->value.open(kind);
        return Status{};
    });
    if (code == ACCP_OK) value->open_last();
    return code;
}

// Most entries take a short path: an ASCII text, with a short key in a map, that fits the memory at
// hand. For any other entry, and for any error, these functions return false and change nothing.
// The general path then adds the entry or reports the error.

constexpr size_t kShort = 16;           // shorter texts fit a vector
constexpr size_t kMaxShortPath = 4096;  // longer texts gain nothing

// Returns whether a text of less than kShort bytes can be loaded as one vector.
[[gnu::always_inline]] inline bool is_loadable(const char *text, size_t len) {
    return len - 1 < kShort - 1 && can_read_past(text, kShort);
}
constexpr uint32_t own_bits(size_t len) { return (uint32_t{1} << len) - 1; }

// The writers return false for a text that they do not take.

[[gnu::always_inline]] inline bool write_key(const char *key, size_t len, char *to,
                                             uint32_t &flags) {
    if (!is_loadable(key, len)) return false;
    const Bytes16 bytes = Bytes16::load(key);
    bytes.store(to);
    to[len] = '\0';
    if (__builtin_expect(value::is_plain_key(bytes, key, len), 1)) {
        flags = value::kPlainKey;
        return true;
    }
    return !(bytes.high() & own_bits(len));
}

// Writes an ASCII text of at least kShort bytes. The last vector is aligned to its end. A text is
// classified up to its first space or delimiter.
[[gnu::always_inline]] inline bool write_ascii(const char *text, size_t len, char *to,
                                               uint32_t &flags) {
    Bytes16 bytes = Bytes16::load(text);
    uint32_t letters = bytes.letters();
    for (size_t at = 0; !bytes.unsafe(); letters |= bytes.letters()) {
        bytes.store(to + at);
        if (at + kShort == len) {
            if (letters && *text != '=' && *text != '"') flags |= value::kPlainText;
            return true;
        }
        at = std::min(at + kShort, len - kShort);
        bytes = Bytes16::load(text + at);
    }
    uint32_t high = 0;
    for (size_t at = 0; at + kShort < len; at += kShort) {
        bytes = Bytes16::load(text + at);
        bytes.store(to + at);
        high |= bytes.high();
    }
    bytes = Bytes16::load(text + len - kShort);
    bytes.store(to + len - kShort);
    return !(high | bytes.high());
}

[[gnu::always_inline]] inline bool write_string(const char *text, size_t len, char *to,
                                                uint32_t &flags) {
    if (len >= kShort) return write_ascii(text, len, to, flags);
    if (!is_loadable(text, len)) return false;
    const Bytes16 bytes = Bytes16::load(text);
    bytes.store(to);
    flags |= value::is_plain_word(bytes, text, len) * uint32_t{value::kPlainText};
    return !(bytes.high() & own_bits(len));
}

// Takes integers, and decimals that are plain. Sets `kind` to the exact kind.
[[gnu::always_inline]] inline bool write_number(const char *text, size_t len, char *to,
                                                uint32_t &flags, uint8_t &kind) {
    if (!is_loadable(text, len)) return false;
    const Bytes16 bytes = Bytes16::load(text);
    bytes.store(to);
    flags |= value::kPlainText;
    kind = ACCP_INT;
    uint32_t others = ~bytes.digits() & own_bits(len);
    if (__builtin_expect(!others && *text != '0', 1)) return true;
    const uint32_t sign = *text == '-';
    others &= ~sign;
    const bool zero = text[sign] == '0';
    if (!others) return zero ? len == 1 : len > sign;
    // One point, with digits before it and one to six after it. The general path takes what is not
    // plain: trailing zeros and -0.0.
    const auto point = static_cast<uint32_t>(__builtin_ctz(others));
    const size_t places = len - 1 - point;
    kind = ACCP_DEC;
    return !(others & (others - 1)) && text[point] == '.' && point > sign &&
           (!zero || (point == 1 && !sign)) &&
           (places == 1 ||
            (places - 2 < static_cast<size_t>(kDecimalPlaces) - 1 && text[len - 1] != '0'));
}

[[gnu::always_inline]] inline bool write_bool(const char *text, size_t len, uint32_t &flags) {
    const bool is_true = len == 4 && !std::memcmp(text, "true", 4);
    flags |= is_true * uint32_t{ACCP_NODE_TRUE};
    return is_true || (len == 5 && !std::memcmp(text, "false", 5));
}

// Adds a scalar that is no ref, or a container, which has no text.
template <bool kContainer>
[[gnu::always_inline]] inline bool add_short(accp_value &value, int32_t kind, const char *key,
                                             size_t key_len, const char *text, size_t len) {
    const size_t depth = value.open.size();
    if (!depth) return false;
    accp_value::Open &outer = value.open[depth - 1];
    Buffer<char> &texts = value.value.text;
    Buffer<value::Node> &nodes = value.value.nodes;
    const size_t before = texts.size(), count = nodes.size();
    if (outer.is_map != (key != nullptr) || len >= kMaxShortPath ||
        !texts.has_space(texts.end(), 2 * kShort + len) || !nodes.has_space(nodes.end(), 1) ||
        before > kMaxTextBytes - kMaxShortPath)
        return false;
    if (text ? lies_in(text, texts) : len != 0) return false;
    char *to = texts.data() + before;
    uint32_t flags = 0;
    if (key) {
        if (lies_in(key, texts) || !write_key(key, key_len, to, flags)) return false;
        to += key_len + 1;
    } else if (key_len) {
        return false;
    }
    uint8_t exact = static_cast<uint8_t>(kind);
    if (kContainer) {
    } else if (kind == ACCP_STRING) {
        if (!write_string(text, len, to, flags)) return false;
    } else if (static_cast<uint32_t>(kind) - ACCP_INT <= ACCP_NUMBER - ACCP_INT) {
        if (!write_number(text, len, to, flags, exact)) return false;
    } else if (kind == ACCP_BOOL) {
        if (!write_bool(text, len, flags)) return false;
        len = 0;  // a bool has flags instead of a text
    } else if (kind != ACCP_NULL || len) {
        return false;
    }
    const auto offset = static_cast<uint32_t>(to - texts.data());
    nodes.data()[count] = {exact,  static_cast<uint8_t>(flags), static_cast<uint16_t>(key_len),
                           offset, static_cast<uint32_t>(len),  static_cast<uint32_t>(count + 1)};
    nodes.advance(1);
    texts.set_end(to + len);
    // not from the copy: loads that overlap several recent stores would wait for them
    if (key) outer.enter_key(key, key_len);
    ++outer.count;
    return true;
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
    if (value && add_short<false>(*value, kind, key, key_len, text, text_len)) return ACCP_OK;
    return add_any(value, kind, key, key_len, text, text_len, err);
}

accp_status accp_value_begin(accp_value *value, int32_t kind, const char *key, size_t key_len,
                             accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (kind != ACCP_ARRAY && kind != ACCP_MAP) return capi::refuse(err, "not an array or a map");
    const size_t depth = value->open.size();
    if (depth < value->settings.limit(ACCP_LIMIT_JSON_DEPTH) &&
        value->open.has_space(value->open.end(), 1) &&
        add_short<true>(*value, kind, key, key_len, nullptr, 0)) {
        value->open_last();
        return ACCP_OK;
    }
    return begin_any(value, key, key_len, static_cast<uint8_t>(kind), err);
}

accp_status accp_value_end(accp_value *value, accp_error *err) noexcept {
    if (!value) return capi::refuse(err, capi::kNoHandle);
    if (value->open.empty()) return capi::refuse(err, "no array or map is open");
    const accp_value::Open &last = value->open[value->open.size() - 1];
    value->value.close(last.node, last.count);
    accp_status code = ACCP_OK;
    if (last.may_repeat) {
        code = capi::guard(err, [&] {
            value->arena.reset();
            if (value::find_equal_key(value->value.view(), last.node, value->arena, value->seed))
                return fail(ACCP_E1001, 0, "the map has this key twice");
            return Status{};
        });
    }
    if (code == ACCP_OK) value->open.resize_down(value->open.size() - 1);
    return code;
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
