// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "inputs.h"

#include <cstring>

namespace accp_addon {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_high(char16_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(char16_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Returns the byte in UTF-8 of the first surrogate without a partner, or -1.
int64_t lone_surrogate(const std::u16string &units) {
    int64_t byte = 0;
    for (size_t i = 0; i < units.size(); ++i) {
        const char16_t unit = units[i];
        if (is_high(unit) && i + 1 < units.size() && is_low(units[i + 1])) {
            ++i, byte += 4;
        } else if (is_high(unit) || is_low(unit)) {
            return byte;
        } else {
            byte += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
        }
    }
    return -1;
}

}  // namespace

std::string type_of(napi_env env, napi_value value) {
    static constexpr const char *kTypes[] = {"undefined", "null",     "a boolean", "a number",
                                             "a string",  "a symbol", "an object", "a function",
                                             "a handle",  "a bigint"};
    napi_valuetype type = napi_undefined;
    napi_typeof(env, value, &type);
    return static_cast<size_t>(type) < std::size(kTypes) ? kTypes[type] : "another type";
}

void name_argument(Fault &fault, const Entry &entry, size_t index) {
    std::string_view names = entry.arguments;
    for (size_t i = 0; i < index && !names.empty(); ++i) {
        const size_t space = names.find(' ');
        names = space == names.npos ? std::string_view() : names.substr(space + 1);
    }
    if (fault.code != ACCP_ERR_ARG) return;
    const std::string_view found = names.substr(0, names.find(' '));
    if (!found.empty()) fault.message = std::string(found) + ": " + fault.message;
}

bool TextIn::read(Reader &reader, napi_value value) {
    // A result that may have been cut is read again.
    const napi_status status =
        napi_get_value_string_utf8(reader.env, value, small_, sizeof small_, &len_);
    if (status == napi_string_expected) return read_bytes(reader, value);
    if (status != napi_ok) return reader.refuse("it cannot be read");
    data_ = small_;
    if (len_ + 4 >= sizeof small_) {
        size_t units = 0, bytes = 0;
        napi_get_value_string_utf16(reader.env, value, nullptr, 0, &units);
        napi_get_value_string_utf8(reader.env, value, nullptr, 0, &bytes);
        large_.reset(new (std::nothrow) char[bytes + 1]);
        if (!large_) return reader.fault.set(ACCP_ERR_NOMEM, "out of memory");
        // A text of ASCII has a byte for each unit. It is copied as Latin-1, which is much faster.
        const auto get = bytes == units ? napi_get_value_string_latin1 : napi_get_value_string_utf8;
        if (get(reader.env, value, large_.get(), bytes + 1, &len_) != napi_ok)
            return reader.refuse("it cannot be read");
        data_ = large_.get();
        if (bytes == units) return true;
    }
    // Node writes U+FFFD for a lone surrogate.
    if (memmem(data_, len_, kReplacement.data(), kReplacement.size()))
        return refuse_lone_surrogate(reader, value);
    return true;
}

bool TextIn::refuse_lone_surrogate(Reader &reader, napi_value value) const {
    size_t units = 0;
    napi_get_value_string_utf16(reader.env, value, nullptr, 0, &units);
    std::u16string copy(units + 1, u'\0');
    napi_get_value_string_utf16(reader.env, value, copy.data(), copy.size(), &units);
    copy.resize(units);
    const int64_t byte = lone_surrogate(copy);
    if (byte < 0) return true;
    reader.fault.offset = static_cast<uint64_t>(byte);
    return reader.fault.set(ACCP_E1004,
                            "the string has a lone surrogate, which UTF-8 cannot express; "
                            "String.prototype.toWellFormed() replaces it");
}

bool TextIn::read_bytes(Reader &reader, napi_value value) {
    napi_typedarray_type type = napi_int8_array;
    void *data = nullptr;
    size_t length = 0, offset = 0;
    napi_value buffer = nullptr;
    bool is_typed = false, is_plain = false;
    napi_is_typedarray(reader.env, value, &is_typed);
    if (!is_typed ||
        napi_get_typedarray_info(reader.env, value, &type, &length, &data, &buffer, &offset) !=
            napi_ok ||
        (type != napi_uint8_array && type != napi_uint8_clamped_array))
        return reader.refuse("it must be a string or a Uint8Array, not " +
                             type_of(reader.env, value));
    napi_is_arraybuffer(reader.env, buffer, &is_plain);
    if (!is_plain)
        return reader.refuse("its memory is shared with other threads; pass a copy of it");
    len_ = length;
    if (length == 0) return true;
    data_ = static_cast<const char *>(data);
    if (!reader.is_async) return true;
    large_.reset(new (std::nothrow) char[length]);
    if (!large_) return reader.fault.set(ACCP_ERR_NOMEM, "out of memory");
    std::memcpy(large_.get(), data, length);
    data_ = large_.get();
    return true;
}

bool IdsIn::read(Reader &reader, napi_value value) {
    napi_typedarray_type type = napi_int8_array;
    void *data = nullptr;
    size_t offset = 0;
    napi_value buffer = nullptr;
    bool is_typed = false, is_plain = false;
    napi_is_typedarray(reader.env, value, &is_typed);
    if (!is_typed ||
        napi_get_typedarray_info(reader.env, value, &type, &count_, &data, &buffer, &offset) !=
            napi_ok ||
        type != napi_uint32_array)
        return reader.refuse("it must be a Uint32Array, not " + type_of(reader.env, value));
    napi_is_arraybuffer(reader.env, buffer, &is_plain);
    if (!is_plain)
        return reader.refuse("its memory is shared with other threads; pass a copy of it");
    data_ = static_cast<const uint32_t *>(data);
    if (reader.is_async && count_) {
        copy_.assign(data_, data_ + count_);
        data_ = copy_.data();
    }
    return true;
}

bool StructIn<accp_peer>::read(Reader &reader, napi_value value) {
    bool good;
    if (!begin(reader, value, good)) return good;
    Members members(reader, value);
    if (!members.read(agents_) || !members.number(value_.origin)) return false;
    value_.agents = agents_.text();
    return true;
}

bool StructIn<accp_history_options>::read(Reader &reader, napi_value value) {
    bool good;
    if (!begin(reader, value, good)) return good;
    Members members(reader, value);
    if (!members.read(branch_) || !members.read(peer_)) return false;
    value_.size = sizeof value_;
    value_.branch = branch_.text();
    value_.peer = std::get<0>(peer_.pass());
    return true;
}

bool StructIn<accp_packet_request>::read(Reader &reader, napi_value value) {
    bool good;
    if (!begin(reader, value, good)) return good;
    Members members(reader, value);
    if (!members.read(task_) || !members.read(conversation_) ||
        !members.number(value_.an_interface) || !members.number(value_.depth) ||
        !members.number(value_.budget_tokens) || !members.read(creator_) ||
        !members.number(value_.now_ms) || !members.read(code_) || !members.read(items_) ||
        !members.number(value_.options))
        return false;
    value_.size = sizeof value_;
    value_.task = task_.text();
    value_.conversation = conversation_.text();
    value_.creator = creator_.text();
    value_.code = code_.pointer();
    value_.items = items_.text();
    return true;
}

bool StructIn<accp_run_request>::read(Reader &reader, napi_value value) {
    bool good;
    if (!begin(reader, value, good)) return good;
    Members members(reader, value);
    if (!members.read(message_) || !members.read(library_) || !members.read(policy_) ||
        !members.number(value_.flags) || !members.read(store_) || !members.read(session_) ||
        !members.number(value_.now_ms))
        return false;
    value_.size = sizeof value_;
    value_.message = message_.text();
    value_.library = library_.text();
    value_.policy = policy_.text();
    value_.store = store_.pointer();
    value_.session = session_.text();
    return true;
}

bool StructIn<accp_failure>::read(Reader &reader, napi_value value) {
    bool good;
    if (!begin(reader, value, good)) return good;
    Members members(reader, value);
    if (!members.number(value_.code) || !members.read(agent_) || !members.read(message_) ||
        !members.read(detail_) || !members.read(source_) || !members.read(cid_))
        return false;
    value_.agent = agent_.text();
    value_.message = message_.text();
    value_.detail = detail_.text();
    value_.source = source_.text();
    value_.cid = cid_.text();
    return true;
}

bool StructIn<accp_envelope>::read(Reader &reader, napi_value value) {
    napi_valuetype type = napi_undefined;
    napi_typeof(reader.env, value, &type);
    if (type == napi_undefined) return true;
    if (type != napi_object)
        return reader.refuse("it must be an object, not " + type_of(reader.env, value));
    is_null_ = false;
    return read_text(reader, value, "mid", ACCP_ENVELOPE_MID, mid_, value_.mid) &&
           read_number(reader, value, "seq", ACCP_ENVELOPE_SEQ, value_.seq) &&
           read_number(reader, value, "ts", ACCP_ENVELOPE_TS, value_.ts) &&
           read_text(reader, value, "cid", ACCP_ENVELOPE_CID, cid_, value_.cid) &&
           read_text(reader, value, "aid", ACCP_ENVELOPE_AID, aid_, value_.aid) &&
           read_text(reader, value, "sid", ACCP_ENVELOPE_SID, sid_, value_.sid) &&
           read_number(reader, value, "ttl", ACCP_ENVELOPE_TTL, value_.ttl);
}

// Reads a member; null if it is undefined. False if its getter has thrown.
static bool member(Reader &reader, napi_value object, const char *key, napi_value &value) {
    napi_valuetype type = napi_undefined;
    if (napi_get_named_property(reader.env, object, key, &value) != napi_ok)
        return reader.refuse("its members cannot be read");
    napi_typeof(reader.env, value, &type);
    if (type == napi_undefined) value = nullptr;
    return true;
}

bool StructIn<accp_envelope>::read_text(Reader &reader, napi_value object, const char *key,
                                        uint32_t bit, TextIn &holder, accp_text &to) {
    napi_value value = nullptr;
    if (!member(reader, object, key, value)) return false;
    if (!value) return true;
    if (!holder.read(reader, value)) return false;
    value_.fields |= bit;
    to = holder.text();
    return true;
}

bool StructIn<accp_envelope>::read_number(Reader &reader, napi_value object, const char *key,
                                          uint32_t bit, int64_t &to) {
    napi_value value = nullptr;
    if (!member(reader, object, key, value)) return false;
    if (!value) return true;
    NumberIn<int64_t> holder;
    if (!holder.read(reader, value)) return false;
    value_.fields |= bit;
    to = std::get<0>(holder.pass());
    return true;
}

napi_value rejected(napi_env env, const char *call, const Fault &fault) {
    napi_deferred deferred = nullptr;
    napi_value promise = nullptr, error = nullptr;
    bool is_pending = false;
    if (napi_create_promise(env, &deferred, &promise) != napi_ok) return nullptr;
    if (napi_is_exception_pending(env, &is_pending) == napi_ok && is_pending)
        napi_get_and_clear_last_exception(env, &error);
    else error = error_of(env, call, fault);
    napi_reject_deferred(env, deferred, error);
    return promise;
}

}  // namespace accp_addon
