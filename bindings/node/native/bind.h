// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Makes a function of JavaScript of a function of the C interface, by its type. Each argument or
// pair of arguments of C becomes a holder, which reads a value of JavaScript, passes arguments to
// C, or makes a value of an output:
//
//     const char *, size_t          a string or Uint8Array
//     a number                      a number; checked to be a whole number that the type has
//     accp_session *                a handle; it must be open
//     const accp_config *           a handle or undefined
//     const STRUCT *                an array with the members (structs.h)
//     accp_text *, uint64_t *, …    nothing; a result
//     accp_session **               nothing; the result is a new handle
//     accp_error *                  nothing; a failure is thrown
//
// A function with several results returns an array of them.
#ifndef ACCP_NODE_BIND_H
#define ACCP_NODE_BIND_H

#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "handle.h"
#include "outputs.h"

namespace accp_addon {

/// Reads the arguments of one call. The first fault counts.
struct Reader {
    napi_env env;
    bool is_async;  // arguments are copied
    Fault fault;
    std::array<Handle *, 4> handles = {};
    size_t handle_count = 0;

    bool refuse(const std::string &what) { return fault.set(ACCP_ERR_ARG, what); }
    bool use(Handle *handle) {
        if (handle_count == handles.size()) return refuse("it uses too many objects");
        handles[handle_count++] = handle;
        return true;
    }
};

/// Names the type of a value, for messages.
std::string type_of(napi_env env, napi_value value);

/// A text that is passed to the library.
class TextIn {
public:
    static constexpr size_t kInputs = 1, kOutputs = 0;
    TextIn() {}  // not = default, which would zero small_
    TextIn(const TextIn &) = delete;
    TextIn &operator=(const TextIn &) = delete;

    bool read(Reader &reader, napi_value value);
    std::tuple<const char *, size_t> pass() { return {data_, len_}; }
    accp_text text() const { return {data_, len_}; }

private:
    bool read_bytes(Reader &reader, napi_value value);
    bool refuse_lone_surrogate(Reader &reader, napi_value value) const;

    char small_[512];
    std::unique_ptr<char[]> large_;
    const char *data_ = "";
    size_t len_ = 0;
};

/// Ids of tokens that are passed to the library.
class IdsIn {
public:
    static constexpr size_t kInputs = 1, kOutputs = 0;
    bool read(Reader &reader, napi_value value);
    std::tuple<const uint32_t *, size_t> pass() { return {data_, count_}; }

private:
    const uint32_t *data_ = nullptr;
    size_t count_ = 0;
    std::vector<uint32_t> copy_;
};

/// A whole number, or a double.
template <class T>
class NumberIn {
public:
    static constexpr size_t kInputs = 1, kOutputs = 0;
    bool read(Reader &reader, napi_value value) {
        double given = 0;
        if (napi_get_value_double(reader.env, value, &given) != napi_ok)
            return reader.refuse("it must be a number, not " + type_of(reader.env, value));
        if constexpr (std::is_floating_point_v<T>) {
            value_ = given;
            return true;
        } else {
            constexpr double exact = 9007199254740992;  // 2^53
            const double low =
                std::max(-exact, static_cast<double>(std::numeric_limits<T>::lowest()));
            const double high = std::min(exact, static_cast<double>(std::numeric_limits<T>::max()));
            if (!(given >= low && given <= high) || given != std::floor(given))
                return reader.refuse("it must be a whole number from " + whole(low) + " to " +
                                     whole(high) +
                                     (std::isfinite(given) ? ", not " + whole(given) : ""));
            value_ = static_cast<T>(given);
            return true;
        }
    }
    std::tuple<T> pass() { return {value_}; }

private:
    static std::string whole(double number) {
        std::string text = std::to_string(number);
        text.erase(text.find_last_not_of('0') + 1);
        if (!text.empty() && text.back() == '.') text.pop_back();
        return text;
    }
    T value_ = 0;
};

/// A handle. `kOptional`: it may be undefined.
template <class T, bool kOptional = false>
class HandleIn {
public:
    static constexpr size_t kInputs = 1, kOutputs = 0;
    bool read(Reader &reader, napi_value value) {
        if constexpr (kOptional) {
            napi_valuetype type = napi_undefined;
            napi_typeof(reader.env, value, &type);
            if (type == napi_undefined) return true;
        }
        Handle *handle = handle_of(reader.env, value, kind_of<T>(), reader.fault);
        if (!handle) return false;
        if (!reader.is_async && !handle->kind->is_shared &&
            (handle->is_busy || !handle->queue.empty()))
            return reader.fault.set(ACCP_ERR_BUSY, std::string("a promise of this ") +
                                                       handle->kind->name + " has not settled yet");
        pointer_ = static_cast<T *>(handle->pointer);
        return reader.use(handle);
    }
    std::tuple<T *> pass() { return {pointer_}; }
    T *pointer() const { return pointer_; }

private:
    T *pointer_ = nullptr;
};

/// An error of the library.
struct ErrorOut {
    static constexpr size_t kInputs = 0, kOutputs = 0;
    std::tuple<accp_error *> pass() { return {&error}; }
    accp_error error = {};
};

/// Makes a value of what the library returned. Null with a fault: it failed.
template <class T>
requires std::is_arithmetic_v<T> napi_value value_of(napi_env env, T result, Fault &) {
    return number(env, static_cast<double>(result));
}

/// An output of the library by value.
template <class T>
struct ValueOut {
    static constexpr size_t kInputs = 0, kOutputs = 1;
    std::tuple<T *> pass() { return {&result}; }
    napi_value value(napi_env env, Fault &fault) { return value_of(env, result, fault); }
    T result = {};
};

/// An output that is an array of the library.
template <class T>
struct ArrayOut {
    static constexpr size_t kInputs = 0, kOutputs = 1;
    std::tuple<const T **, size_t *> pass() { return {&data, &count}; }
    napi_value value(napi_env env, Fault &fault);
    const T *data = nullptr;
    size_t count = 0;
};

/// A new handle.
template <class T>
struct HandleOut {
    static constexpr size_t kInputs = 0, kOutputs = 1;
    std::tuple<T **> pass() { return {&made}; }
    explicit HandleOut(T *of = nullptr) : made(of) {}
    HandleOut(const HandleOut &) = delete;
    HandleOut &operator=(const HandleOut &) = delete;
    napi_value value(napi_env env, Fault &fault) {
        if (!made) {
            fault.set(ACCP_E9999, "there is no such object");
            return nullptr;
        }
        return own(env, kind_of<T>(), std::exchange(made, nullptr), fault);
    }
    ~HandleOut() {
        if (made) kind_of<T>().release(made);
    }
    T *made;
};

/// A struct that is passed to the library: specialized in structs.h.
template <class T>
class StructIn;

template <class T>
concept IsHandle = requires {
    typename T::no_such;
}
|| !requires { sizeof(T); };

template <class T>
struct HolderOf;
template <class T>
requires std::is_arithmetic_v<T>
struct HolderOf<T> {
    using type = NumberIn<T>;
};
template <>
struct HolderOf<accp_error *> {
    using type = ErrorOut;
};
template <>
struct HolderOf<const accp_config *> {
    using type = HandleIn<accp_config, true>;
};
template <IsHandle T>
struct HolderOf<T *> {
    using type = HandleIn<T>;
};
template <IsHandle T>
requires(!std::is_same_v<T, accp_config>) struct HolderOf<const T *> {
    using type = HandleIn<T>;
};
template <IsHandle T>
struct HolderOf<T **> {
    using type = HandleOut<T>;
};
template <class T>
requires(!IsHandle<T> && !std::is_same_v<T, accp_error>) struct HolderOf<T *> {
    using type = ValueOut<T>;
};
template <class T>
requires(!IsHandle<T>) struct HolderOf<const T *> {
    using type = StructIn<T>;
};

template <class... T>
struct Types {};

/// The holders of a list of arguments.
template <class List, class... Done>
struct Holders;
template <class... Done>
struct Holders<Types<>, Done...> {
    using type = std::tuple<Done...>;
};
template <class First, class... Rest, class... Done>
struct Holders<Types<First, Rest...>, Done...>
    : Holders<Types<Rest...>, Done..., typename HolderOf<First>::type> {};
template <class... Rest, class... Done>
struct Holders<Types<const char *, size_t, Rest...>, Done...>
    : Holders<Types<Rest...>, Done..., TextIn> {};
template <class... Rest, class... Done>
struct Holders<Types<const uint32_t *, size_t, Rest...>, Done...>
    : Holders<Types<Rest...>, Done..., IdsIn> {};
template <class T, class... Rest, class... Done>
struct Holders<Types<const T **, size_t *, Rest...>, Done...>
    : Holders<Types<Rest...>, Done..., ArrayOut<T>> {};

template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
    using Result = R;
    using Arguments = typename Holders<Types<A...>>::type;
};
template <class R, class... A>
struct Signature<R (*)(A...) noexcept> : Signature<R (*)(A...)> {};

template <class Arguments>
constexpr bool kHasError = false;
template <class... T>
constexpr bool kHasError<std::tuple<T...>> = (std::is_same_v<T, ErrorOut> || ...);

/// The result of a function that returns a status.
enum class Mode {
    kPlain,   // any status but ACCP_OK fails
    kStatus,  // ACCP_OK, ACCP_DROPPED and ACCP_HELD are the result
    kHeld     // after ACCP_HELD the result is undefined
};

/// A function of the table in addon.cc.
struct Entry {
    const char *name;
    const char *arguments;  // the names of the arguments, separated by spaces
};

/// Sets the fault of an argument: "text must be …".
void name_argument(Fault &fault, const Entry &entry, size_t index);

/// One call: its arguments, its results.
template <auto F, Mode kMode>
class Call {
public:
    using Result = typename Signature<decltype(F)>::Result;
    using Arguments = typename Signature<decltype(F)>::Arguments;

    // Other functions return a number of the same type.
    static constexpr bool kHasStatus = std::is_same_v<Result, accp_status> && kHasError<Arguments>;

    template <size_t... I>
    static constexpr size_t count_inputs(std::index_sequence<I...>) {
        return (0 + ... + std::tuple_element_t<I, Arguments>::kInputs);
    }
    static constexpr auto kAll = std::make_index_sequence<std::tuple_size_v<Arguments>>();
    static constexpr size_t kInputs = count_inputs(kAll);

    bool read(Reader &reader, const Entry &entry, const napi_value *values) {
        return read_all(reader, entry, values, kAll);
    }

    void run() { run_all(kAll); }

    napi_value finish(napi_env env, Fault &fault) {
        if constexpr (kHasStatus) {
            if (kMode == Mode::kHeld && result_ == ACCP_HELD) return undefined(env);
            const bool is_good =
                result_ == ACCP_OK ||
                (kMode == Mode::kStatus && (result_ == ACCP_DROPPED || result_ == ACCP_HELD));
            if (!is_good) {
                fault.set(error());
                fault.code = result_;
                return nullptr;
            }
        }
        std::array<napi_value, std::tuple_size_v<Arguments> + 1> values;
        size_t count = 0;
        if constexpr (kHasStatus) {
            if (kMode == Mode::kStatus) values[count++] = number(env, result_);
        } else if constexpr (std::is_pointer_v<Result> && !std::is_same_v<Result, const char *>) {
            values[count++] =
                HandleOut<std::remove_pointer_t<Result>>{std::exchange(result_, nullptr)}.value(
                    env, fault);
            if (!values[0]) return nullptr;
        } else if constexpr (!std::is_void_v<Result>) {
            values[count++] = value_of(env, result_, fault);
            if (!values[0]) return nullptr;
        }
        if (!collect(env, fault, values.data(), count, kAll)) return nullptr;
        if (count == 0) return undefined(env);
        if (count == 1) return values[0];
        napi_value list = nullptr;
        napi_create_array_with_length(env, count, &list);
        for (size_t i = 0; i < count; ++i)
            napi_set_element(env, list, static_cast<uint32_t>(i), values[i]);
        return list;
    }

private:
    template <size_t... I>
    bool read_all([[maybe_unused]] Reader &reader, [[maybe_unused]] const Entry &entry,
                  [[maybe_unused]] const napi_value *values, std::index_sequence<I...>) {
        [[maybe_unused]] size_t at = 0;
        return (read_one(std::get<I>(arguments_), reader, entry, values, at) && ...);
    }

    template <class Holder>
    static bool read_one(Holder &holder, Reader &reader, const Entry &entry,
                         const napi_value *values, size_t &at) {
        if constexpr (Holder::kInputs != 0) {
            if (!holder.read(reader, values[at])) {
                name_argument(reader.fault, entry, at);
                return false;
            }
            ++at;
        }
        return true;
    }

    template <size_t... I>
    void run_all(std::index_sequence<I...>) {
        const auto call = [this](auto... values) {
            if constexpr (std::is_void_v<Result>) F(values...);
            else result_ = F(values...);
        };
        std::apply(call, std::tuple_cat(std::get<I>(arguments_).pass()...));
    }

    template <size_t... I>
    bool collect([[maybe_unused]] napi_env env, [[maybe_unused]] Fault &fault,
                 [[maybe_unused]] napi_value *values, [[maybe_unused]] size_t &count,
                 std::index_sequence<I...>) {
        return (collect_one(std::get<I>(arguments_), env, fault, values, count) && ...);
    }

    template <class Holder>
    static bool collect_one(Holder &holder, napi_env env, Fault &fault, napi_value *values,
                            size_t &count) {
        if constexpr (Holder::kOutputs != 0) {
            values[count] = holder.value(env, fault);
            return values[count++] != nullptr;
        }
        return true;
    }

    accp_error error() const {
        if constexpr (kHasError<Arguments>) return std::get<ErrorOut>(arguments_).error;
        else return accp_error{};
    }

    struct Nothing {};
    Arguments arguments_;
    std::conditional_t<std::is_void_v<Result>, Nothing, Result> result_ = {};
};

/// Reads the values of a call of JavaScript; missing ones are undefined.
template <size_t kCount>
const Entry &values_of(napi_env env, napi_callback_info info,
                       std::array<napi_value, kCount> &values) {
    size_t count = kCount;
    void *entry = nullptr;
    napi_get_cb_info(env, info, &count, values.data(), nullptr, &entry);
    return *static_cast<const Entry *>(entry);
}

/// The call of JavaScript that returns the result.
template <auto F, Mode kMode>
napi_value call_now(napi_env env, napi_callback_info info) {
    using TheCall = Call<F, kMode>;
    std::array<napi_value, TheCall::kInputs + 1> values;
    const Entry &entry = values_of(env, info, values);
    Reader reader{env, false, {}};
    TheCall call;
    if (!call.read(reader, entry, values.data())) return throw_fault(env, entry.name, reader.fault);
    call.run();
    Fault fault;
    napi_value result = call.finish(env, fault);
    return result ? result : throw_fault(env, entry.name, fault);
}

template <auto F, Mode kMode>
class Later final : public AsyncCall {
public:
    explicit Later(const Entry &entry) : AsyncCall(entry.name) {}
    bool read(Reader &reader, const Entry &entry, const napi_value *values) {
        const bool is_read = call_.read(reader, entry, values);
        if (is_read)
            handles_.assign(reader.handles.begin(), reader.handles.begin() + reader.handle_count);
        return is_read;
    }

private:
    void run() override { call_.run(); }
    napi_value finish(napi_env env, Fault &fault) override { return call_.finish(env, fault); }

    Call<F, kMode> call_;
};

/// Returns a rejected promise.
napi_value rejected(napi_env env, const char *call, const Fault &fault);

/// The call of JavaScript that returns a promise. Its last argument is the token for cancel().
template <auto F, Mode kMode>
napi_value call_later(napi_env env, napi_callback_info info) {
    constexpr size_t inputs = Call<F, kMode>::kInputs;
    std::array<napi_value, inputs + 1> values;
    const Entry &entry = values_of(env, info, values);
    Reader reader{env, true, {}};
    double token = 0;
    napi_get_value_double(env, values[inputs], &token);
    Fault fault;
    auto *call = new (std::nothrow) Later<F, kMode>(entry);
    if (!call) {
        fault.set(ACCP_ERR_NOMEM, "out of memory");
        return rejected(env, entry.name, fault);
    }
    if (!call->read(reader, entry, values.data())) {
        call->discard();
        return rejected(env, entry.name, reader.fault);
    }
    return call->start(env, static_cast<uint32_t>(token));
}

}  // namespace accp_addon

#endif
