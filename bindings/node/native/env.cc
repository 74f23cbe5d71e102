// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "env.h"

namespace accp_addon {

std::shared_ptr<Instance> instance_of(napi_env env) {
    std::shared_ptr<Instance> *instance = nullptr;
    if (napi_get_instance_data(env, reinterpret_cast<void **>(&instance)) != napi_ok || !instance)
        return nullptr;
    return *instance;
}

napi_value undefined(napi_env env) {
    napi_value value = nullptr;
    napi_get_undefined(env, &value);
    return value;
}

napi_value number(napi_env env, double value) {
    napi_value made = nullptr;
    napi_create_double(env, value, &made);
    return made;
}

// Node converts UTF-8 several times slower than it copies characters of one byte.
static bool is_ascii(std::string_view bytes) {
    uint8_t all = 0;
    for (char byte : bytes) all |= static_cast<uint8_t>(byte);
    return all < 0x80;
}

napi_value text(napi_env env, std::string_view bytes, Fault &fault) {
    napi_value made = nullptr;
    const auto create = is_ascii(bytes) ? napi_create_string_latin1 : napi_create_string_utf8;
    if (create(env, bytes.data() ? bytes.data() : "", bytes.size(), &made) == napi_ok) return made;
    bool is_pending = false;
    napi_value thrown;
    if (napi_is_exception_pending(env, &is_pending) == napi_ok && is_pending)
        napi_get_and_clear_last_exception(env, &thrown);
    fault.set(ACCP_ERR_SPACE,
              "the result is longer than a string of JavaScript can be (512 MiB); ask for less");
    fault.had = bytes.size(), fault.limit = 536870888;
    return nullptr;
}

napi_value name(napi_env env, std::string_view bytes) {
    Fault ignored;
    napi_value made = text(env, bytes, ignored);
    return made ? made : undefined(env);
}

void set(napi_env env, napi_value object, const char *key, napi_value value) {
    napi_set_named_property(env, object, key, value);
}

napi_value error_of(napi_env env, const char *call, const Fault &fault) {
    const std::shared_ptr<Instance> instance = instance_of(env);
    napi_value make = nullptr, made = nullptr, self = undefined(env);
    if (!instance || napi_get_reference_value(env, instance->make_error, &make) != napi_ok || !make)
        return self;
    napi_value values[] = {name(env, call),
                           number(env, fault.code),
                           name(env, fault.message),
                           number(env, static_cast<double>(fault.offset)),
                           number(env, fault.record),
                           number(env, static_cast<double>(fault.had)),
                           number(env, static_cast<double>(fault.limit))};
    return napi_call_function(env, self, make, std::size(values), values, &made) == napi_ok ? made
                                                                                            : self;
}

napi_value throw_fault(napi_env env, const char *call, const Fault &fault) {
    bool is_pending = false;
    if (napi_is_exception_pending(env, &is_pending) != napi_ok || is_pending) return nullptr;
    napi_value error = error_of(env, call, fault);
    if (napi_is_exception_pending(env, &is_pending) == napi_ok && !is_pending)
        napi_throw(env, error);
    return nullptr;
}

}  // namespace accp_addon
