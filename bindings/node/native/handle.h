// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Handles of the library as values of JavaScript (externals), and calls on other threads.
//
// All members are used on the thread of the handle's environment only. While a call runs on another
// thread, a handle that one thread at a time may use is busy: further promises wait in its queue,
// and calls without a promise fail. A handle is freed when it is closed or collected, and no call
// uses it any more.
#ifndef ACCP_NODE_HANDLE_H
#define ACCP_NODE_HANDLE_H

#include <deque>
#include <vector>

#include "env.h"

namespace accp_addon {

/// A type of handles.
struct Kind {
    const char *name;         // for people: "session"
    void (*release)(void *);  // frees or closes it
    bool is_shared;           // any number of threads may use it
    int64_t bytes;            // roughly what it holds, for the garbage collector
};

class AsyncCall;

struct Handle {
    Handle(uint32_t mark, const Kind *of, void *owned, std::shared_ptr<Instance> in)
        : magic(mark), kind(of), pointer(owned), instance(std::move(in)) {}

    uint32_t magic;  // kMagic
    const Kind *kind;
    void *pointer;  // null: closed
    std::shared_ptr<Instance> instance;
    uint32_t uses = 0;
    bool is_busy = false, is_closing = false, is_orphan = false;
    std::deque<AsyncCall *> queue;
    std::vector<napi_deferred> closed;  // promises of close
};

/// The kind of a type of the C interface (kinds.cc).
template <class T>
const Kind &kind_of();

/// Makes the value of JavaScript that owns a handle of the library.
napi_value own(napi_env env, const Kind &kind, void *pointer, Fault &fault);

/// Returns the handle of a value, which must be open and of a kind; null with a fault otherwise.
Handle *handle_of(napi_env env, napi_value value, const Kind &kind, Fault &fault);

/// Returns the handle of a value, of any kind, open or not; null for any other value.
Handle *any_handle(napi_env env, napi_value value);

/// Frees a handle, or marks it to be freed after its last call. Promises of close are fulfilled
/// then.
void close(napi_env env, Handle *handle);

/// A call that returns a promise. It frees itself.
class AsyncCall {
public:
    AsyncCall(const AsyncCall &) = delete;
    AsyncCall &operator=(const AsyncCall &) = delete;

    /// Starts the call, or puts it into the queue of its first handle. Returns the promise.
    napi_value start(napi_env env, uint32_t token);
    void reject(napi_env env, const Fault &fault);

    /// Frees a call that was not started.
    void discard() { delete this; }

    /// Takes a waiting call out of the queue of its handle; its promise is never settled. False if
    /// there is none.
    static bool cancel(napi_env env, Handle *handle, uint32_t token);

protected:
    explicit AsyncCall(const char *name) : name_(name) {}
    virtual ~AsyncCall() = default;
    virtual void run() = 0;  // on any thread
    virtual napi_value finish(napi_env env,
                              Fault &fault) = 0;  // null with a fault: the call failed

    std::vector<Handle *> handles_;  // those that the call uses; the first one has the queue
    bool is_closed_ = false;         // it closes its first handle

private:
    void enqueue(napi_env env);
    void complete(napi_env env);
    void release(napi_env env);
    static void settled(napi_env env, napi_status status);
    static void next(napi_env env, Handle *handle);
    static void drop_queue(napi_env env, Handle *handle);

    const char *name_;
    napi_deferred deferred_ = nullptr;
    napi_async_work work_ = nullptr;
    uint32_t token_ = 0;
};

}  // namespace accp_addon

#endif
