// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "outputs.h"

#include <cstring>

namespace accp_addon {
namespace {

std::string_view view(const accp_text &from) { return {from.text ? from.text : "", from.len}; }

// An object that is built member by member.
class Object {
public:
    Object(napi_env env, Fault &fault) : env_(env), fault_(fault) {
        napi_create_object(env, &value_);
    }
    Object &add(const char *key, napi_value value) {
        if (value) set(env_, value_, key, value);
        else failed_ = true;
        return *this;
    }
    Object &add(const char *key, double value) { return add(key, number(env_, value)); }
    Object &add(const char *key, uint64_t value) { return add(key, static_cast<double>(value)); }
    Object &add(const char *key, std::string_view value) {
        return add(key, text(env_, value, fault_));
    }
    Object &add(const char *key, const accp_text &value) { return add(key, view(value)); }
    Object &flag(const char *key, bool value) {
        napi_value made = nullptr;
        napi_get_boolean(env_, value, &made);
        return add(key, made);
    }
    napi_value done() const { return failed_ ? nullptr : value_; }

private:
    napi_env env_;
    Fault &fault_;
    napi_value value_ = nullptr;
    bool failed_ = false;
};

// An array of `count` values that make(index) makes.
template <class Make>
napi_value list(napi_env env, size_t count, const Make &make) {
    napi_value made = nullptr;
    napi_create_array_with_length(env, count, &made);
    for (size_t i = 0; i < count; ++i) {
        napi_handle_scope scope;
        if (napi_open_handle_scope(env, &scope) != napi_ok) return nullptr;
        napi_value one = make(i);
        if (one) napi_set_element(env, made, static_cast<uint32_t>(i), one);
        napi_close_handle_scope(env, scope);
        if (!one) return nullptr;
    }
    return made;
}

template <class... T>
napi_value tuple(napi_env env, T... values) {
    napi_value all[] = {values...};
    for (napi_value one : all)
        if (!one) return nullptr;
    return list(env, sizeof...(values), [&](size_t i) { return all[i]; });
}

}  // namespace

napi_value value_of(napi_env env, const char *result, Fault &fault) {
    return result ? text(env, result, fault) : undefined(env);
}

napi_value value_of(napi_env env, const accp_text &result, Fault &fault) {
    return text(env, view(result), fault);
}

napi_value value_of(napi_env env, const std::string &result, Fault &fault) {
    return text(env, result, fault);
}

napi_value value_of(napi_env env, const Bytes &result, Fault &fault) {
    napi_value made = nullptr;
    void *data;
    if (napi_create_buffer_copy(env, result.bytes.len, view(result.bytes).data(), &data, &made) ==
        napi_ok)
        return made;
    fault.set(ACCP_ERR_NOMEM, "the result is too long for a buffer");
    return nullptr;
}

napi_value value_of(napi_env env, const Strings &result, Fault &fault) {
    return list(env, result.size(), [&](size_t i) { return text(env, result[i], fault); });
}

napi_value value_of(napi_env env, const std::vector<Property> &result, Fault &fault) {
    return list(env, result.size(), [&](size_t i) {
        return Object(env, fault)
            .add("part", result[i].part)
            .add("name", result[i].name)
            .add("value", result[i].value)
            .done();
    });
}

napi_value value_of(napi_env env, const std::vector<Damage> &result, Fault &fault) {
    return list(env, result.size(), [&](size_t i) {
        return Object(env, fault)
            .add("session", result[i].session)
            .add("what", result[i].what)
            .add("record", result[i].record)
            .add("name", result[i].name)
            .done();
    });
}

napi_value value_of(napi_env env, const std::vector<Delivered> &result, Fault &fault) {
    return list(env, result.size(), [&](size_t i) {
        const Delivered &one = result[i];
        return tuple(env, number(env, one.status), number(env, one.origin),
                     number(env, static_cast<double>(one.seq)), text(env, one.message, fault),
                     text(env, one.mid, fault), text(env, one.cid, fault),
                     value_of(env, one.reason, fault), number(env, one.warnings));
    });
}

napi_value value_of(napi_env env, const std::vector<Metric> &result, Fault &fault) {
    Object made(env, fault);
    for (const Metric &one : result) made.add(one.name, one.value);
    return made.done();
}

// [text, count, failures]: the texts of the accepted lines, the number of all lines, and undefined
// or a list of [line, status, reason, byte] for the rejected ones.
napi_value value_of(napi_env env, const Lines &result, Fault &fault) {
    napi_value failures = undefined(env);
    uint32_t failed = 0;
    for (size_t i = 0; i < result.count; ++i) {
        const accp_record &from = result.records[i];
        if (from.status == ACCP_OK) continue;
        if (failed == 0) napi_create_array(env, &failures);
        napi_handle_scope scope;
        if (napi_open_handle_scope(env, &scope) != napi_ok) continue;
        napi_set_element(env, failures, failed++,
                         tuple(env, number(env, static_cast<double>(i)), number(env, from.status),
                               name(env, from.message ? from.message : ""),
                               number(env, static_cast<double>(from.error_offset))));
        napi_close_handle_scope(env, scope);
    }
    return tuple(env, value_of(env, result.text, fault),
                 number(env, static_cast<double>(result.count)), failures);
}

napi_value value_of(napi_env env, const accp_budget &result, Fault &fault) {
    return Object(env, fault)
        .add("hotUsed", result.hot_used)
        .add("hotMax", result.hot_max)
        .add("warmUsed", result.warm_used)
        .add("warmMax", result.warm_max)
        .add("totalUsed", result.total_used)
        .add("totalMax", result.total_max)
        .done();
}

napi_value value_of(napi_env env, const accp_outcome &result, Fault &fault) {
    return Object(env, fault)
        .add("parts", result.parts)
        .add("kept", result.kept)
        .add("warnings", uint64_t{result.warnings})
        .done();
}

napi_value value_of(napi_env env, const accp_counts &result, Fault &fault) {
    return Object(env, fault)
        .add("sessions", result.sessions)
        .add("records", result.records)
        .add("recordBytes", result.record_bytes)
        .add("blobs", result.blobs)
        .add("blobBytes", result.blob_bytes)
        .add("mids", result.mids)
        .add("grants", result.grants)
        .done();
}

napi_value value_of(napi_env env, const accp_history_report &result, Fault &fault) {
    return Object(env, fault)
        .add("count", result.count)
        .add("same", result.same)
        .add("added", result.added)
        .add("item", result.item)
        .add("record", result.record)
        .flag("isBranched", result.is_branched != 0)
        .done();
}

napi_value value_of(napi_env env, const accp_log_record &result, Fault &fault) {
    const char kind = static_cast<char>(result.kind);
    return Object(env, fault)
        .add("kind", std::string_view(&kind, 1))
        .add("timeMs", static_cast<double>(result.time_ms))
        .add("text", result.text)
        .done();
}

napi_value value_of(napi_env env, const accp_frame_budget &result, Fault &fault) {
    const auto part = [&](const accp_part_budget &from) {
        return Object(env, fault)
            .add("tokens", from.tokens)
            .add("soft", from.soft)
            .add("hard", from.hard)
            .done();
    };
    return Object(env, fault)
        .add("header", part(result.header))
        .add("body", part(result.body))
        .add("metadata", part(result.metadata))
        .add("total", part(result.total))
        .done();
}

napi_value value_of(napi_env env, const accp_registry_info &result, Fault &fault) {
    return Object(env, fault)
        .add("text", result.text)
        .add("canonical", result.canonical)
        .add("hash", result.hash)
        .add("version", static_cast<double>(result.version))
        .add("schemaCount", uint64_t{result.schema_count})
        .done();
}

napi_value value_of(napi_env env, const accp_failure &result, Fault &fault) {
    return Object(env, fault)
        .add("status", static_cast<double>(result.code))
        .flag("isRetryable", result.retry != 0)
        .add("agent", result.agent)
        .add("message", result.message)
        .add("detail", result.detail)
        .add("source", result.source)
        .add("cid", result.cid)
        .done();
}

napi_value value_of(napi_env env, const accp_schema &result, Fault &fault) {
    return Object(env, fault)
        .add("name", result.name)
        .add("code", result.code)
        .add("version", static_cast<double>(result.version))
        .add("fieldCount", uint64_t{result.field_count})
        .flag("isBuiltIn", result.built_in != 0)
        .done();
}

napi_value value_of(napi_env env, const accp_field &result, Fault &fault) {
    return Object(env, fault)
        .add("name", result.name)
        .add("wire", result.wire)
        .add("default", result.default_json)
        .add("type", static_cast<double>(result.type))
        .flag("isRequired", result.required != 0)
        .done();
}

napi_value value_of(napi_env env, const accp_verdict &result, Fault &fault) {
    return Object(env, fault)
        .add("answer", double{static_cast<double>(result.answer)})
        .add("code", value_of(env, accp_sacp_code_name(result.code), fault))
        .add("offset", result.byte)
        .add("details", result.details)
        .add("step", result.step)
        .add("needCount", uint64_t{result.need_count})
        .done();
}

napi_value value_of(napi_env env, const accp_run_effect &result, Fault &fault) {
    return Object(env, fault)
        .add("kind", double{static_cast<double>(result.kind)})
        .add("step", uint64_t{result.step})
        .add("call", result.call)
        .add("dueMs", static_cast<double>(result.due_ms))
        .add("path", result.path)
        .add("verb", result.verb)
        .add("tool", result.tool)
        .add("text", result.text)
        .add("key", result.key)
        .done();
}

napi_value array_of(napi_env env, const accp_context_block *data, size_t count, Fault &fault) {
    return list(env, count, [&](size_t i) {
        const accp_context_block &one = data[i];
        return tuple(env, number(env, one.kind), number(env, one.is_stable),
                     number(env, one.checkpoint), number(env, static_cast<double>(one.tokens)),
                     number(env, static_cast<double>(one.since)), value_of(env, one.text, fault));
    });
}

napi_value array_of(napi_env env, const uint32_t *from, size_t count, Fault &fault) {
    void *data = nullptr;
    napi_value buffer = nullptr, made = nullptr;
    if (napi_create_arraybuffer(env, count * sizeof(uint32_t), &data, &buffer) != napi_ok ||
        napi_create_typedarray(env, napi_uint32_array, count, buffer, 0, &made) != napi_ok) {
        fault.set(ACCP_ERR_NOMEM, "out of memory");
        return nullptr;
    }
    if (count) std::memcpy(data, from, count * sizeof(uint32_t));
    return made;
}

}  // namespace accp_addon
