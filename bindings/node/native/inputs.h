// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Structs that are passed to the library. In JavaScript each is an array with the members in their
// order, or undefined for NULL.
#ifndef ACCP_NODE_INPUTS_H
#define ACCP_NODE_INPUTS_H

#include "bind.h"

namespace accp_addon {

/// Reads the members of an array.
class Members {
public:
    Members(Reader &reader, napi_value list) : reader_(reader), list_(list) {}

    napi_value next() {
        napi_value value = undefined(reader_.env);
        napi_get_element(reader_.env, list_, index_++, &value);
        return value;
    }
    template <class Holder>
    bool read(Holder &holder) {
        return holder.read(reader_, next());
    }
    template <class T>
    bool number(T &to) {
        NumberIn<T> holder;
        if (!holder.read(reader_, next())) return false;
        to = std::get<0>(holder.pass());
        return true;
    }

private:
    Reader &reader_;
    napi_value list_;
    uint32_t index_ = 0;
};

/// Common parts of all structs: they may be NULL.
template <class T>
class StructHolder {
public:
    static constexpr size_t kInputs = 1, kOutputs = 0;
    StructHolder() = default;
    StructHolder(const StructHolder &) = delete;
    StructHolder &operator=(const StructHolder &) = delete;
    std::tuple<const T *> pass() { return {is_null_ ? nullptr : &value_}; }

protected:
    /// False if there is nothing more to read; `good` is then the result of read().
    bool begin(Reader &reader, napi_value value, bool &good) {
        bool is_list = false;
        napi_valuetype type = napi_undefined;
        napi_typeof(reader.env, value, &type);
        good = true;
        if (type == napi_undefined) return false;
        is_null_ = false;
        good = napi_is_array(reader.env, value, &is_list) == napi_ok && is_list;
        if (!good) reader.refuse("it must be a list");
        return good;
    }

    T value_ = {};
    bool is_null_ = true;
};

template <>
class StructIn<accp_peer> : public StructHolder<accp_peer> {
public:
    bool read(Reader &reader, napi_value value);

private:
    TextIn agents_;
};

template <>
class StructIn<accp_history_options> : public StructHolder<accp_history_options> {
public:
    bool read(Reader &reader, napi_value value);

private:
    TextIn branch_;
    StructIn<accp_peer> peer_;
};

template <>
class StructIn<accp_packet_request> : public StructHolder<accp_packet_request> {
public:
    bool read(Reader &reader, napi_value value);

private:
    TextIn task_, conversation_, creator_, items_;
    HandleIn<accp_packet_code, true> code_;
};

template <>
class StructIn<accp_run_request> : public StructHolder<accp_run_request> {
public:
    bool read(Reader &reader, napi_value value);

private:
    TextIn message_, library_, policy_, session_;
    HandleIn<accp_store, true> store_;
};

template <>
class StructIn<accp_failure> : public StructHolder<accp_failure> {
public:
    bool read(Reader &reader, napi_value value);

private:
    TextIn agent_, message_, detail_, source_, cid_;
};

/// In JavaScript an object with the fields that are present.
template <>
class StructIn<accp_envelope> : public StructHolder<accp_envelope> {
public:
    bool read(Reader &reader, napi_value value);

private:
    bool read_text(Reader &reader, napi_value object, const char *key, uint32_t bit, TextIn &holder,
                   accp_text &to);
    bool read_number(Reader &reader, napi_value object, const char *key, uint32_t bit, int64_t &to);

    TextIn mid_, cid_, aid_, sid_;
};

}  // namespace accp_addon

#endif
