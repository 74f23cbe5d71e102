// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "handle.h"

#include <algorithm>
#include <new>

namespace accp_addon {
namespace {

constexpr uint32_t kMagic = 0xACC9A0DE;

void adjust(napi_env env, int64_t bytes) {
    int64_t now;
    napi_adjust_external_memory(env, bytes, &now);
}

// Frees what the handle owns, and the handle itself if it was collected.
void free_now(napi_env env, Handle *handle) {
    if (handle->pointer) {
        handle->kind->release(handle->pointer);
        handle->pointer = nullptr;
        adjust(env, -handle->kind->bytes);
    }
    for (napi_deferred deferred : handle->closed)
        napi_resolve_deferred(env, deferred, undefined(env));
    handle->closed.clear();
    if (handle->is_orphan) {
        handle->magic = 0;
        delete handle;
    }
}

void collected(napi_env env, void *data, void *) {
    Handle *handle = static_cast<Handle *>(data);
    handle->is_orphan = true;
    if (handle->uses == 0) free_now(env, handle);
}

}  // namespace

napi_value own(napi_env env, const Kind &kind, void *pointer, Fault &fault) {
    napi_value value = nullptr;
    Handle *handle = new (std::nothrow) Handle(kMagic, &kind, pointer, instance_of(env));
    if (!handle || napi_create_external(env, handle, collected, nullptr, &value) != napi_ok) {
        delete handle;
        kind.release(pointer);
        fault.set(ACCP_ERR_NOMEM, "out of memory");
        return nullptr;
    }
    adjust(env, kind.bytes);
    return value;
}

Handle *any_handle(napi_env env, napi_value value) {
    Handle *handle = nullptr;
    return napi_get_value_external(env, value, reinterpret_cast<void **>(&handle)) == napi_ok &&
                   handle && handle->magic == kMagic
               ? handle
               : nullptr;
}

Handle *handle_of(napi_env env, napi_value value, const Kind &kind, Fault &fault) {
    Handle *handle = any_handle(env, value);
    if (!handle || handle->kind != &kind) {
        fault.set(ACCP_ERR_ARG, std::string("it must be a ") + kind.name + " of this package");
        return nullptr;
    }
    if (!handle->pointer || handle->is_closing) {
        fault.set(kClosedHandle, std::string("the ") + kind.name + " was closed");
        return nullptr;
    }
    return handle;
}

void close(napi_env env, Handle *handle) {
    handle->is_closing = true;
    if (handle->uses == 0) free_now(env, handle);
}

napi_value AsyncCall::start(napi_env env, uint32_t token) {
    napi_value promise = nullptr;
    token_ = token;
    if (napi_create_promise(env, &deferred_, &promise) != napi_ok) {
        delete this;
        return nullptr;
    }
    for (Handle *handle : handles_) ++handle->uses;
    Handle *first = handles_.empty() ? nullptr : handles_[0];
    if (is_closed_ && first) first->is_closing = true;
    // A shared handle is closed after the calls that run; nothing else waits for it.
    const bool waits = first && (first->kind->is_shared ? is_closed_ && first->uses > 1
                                                        : first->is_busy || !first->queue.empty());
    if (waits) first->queue.push_back(this);
    else enqueue(env);
    return promise;
}

void AsyncCall::enqueue(napi_env env) {
    for (Handle *handle : handles_) {
        if (handle->kind->is_shared || !handle->is_busy) continue;
        Fault fault;
        fault.set(ACCP_ERR_BUSY,
                  std::string("a promise of this ") + handle->kind->name + " has not settled yet");
        return reject(env, fault);
    }
    for (Handle *handle : handles_)
        if (!handle->kind->is_shared) handle->is_busy = true;
    napi_value resource = name(env, name_);
    const auto execute = [](napi_env, void *data) { static_cast<AsyncCall *>(data)->run(); };
    const auto done = [](napi_env then, napi_status, void *data) {
        static_cast<AsyncCall *>(data)->complete(then);
    };
    if (napi_create_async_work(env, nullptr, resource, execute, done, this, &work_) == napi_ok &&
        napi_queue_async_work(env, work_) == napi_ok)
        return;
    Fault fault;
    fault.set(ACCP_ERR_BUSY, "no thread of Node can run it: the worker is ending");
    for (Handle *handle : handles_) handle->is_busy = false;
    reject(env, fault);
}

// Notes that JavaScript does not run any more, because the worker or the process ends: what waits
// is then dropped.
void AsyncCall::settled(napi_env env, napi_status status) {
    if (status == napi_ok) return;
    if (const std::shared_ptr<Instance> instance = instance_of(env)) instance->is_ending = true;
}

void AsyncCall::reject(napi_env env, const Fault &fault) {
    settled(env, napi_reject_deferred(env, deferred_, error_of(env, name_, fault)));
    release(env);
}

void AsyncCall::complete(napi_env env) {
    for (Handle *handle : handles_) handle->is_busy = false;
    Fault fault;
    napi_value value = finish(env, fault);
    if (!value) return reject(env, fault);
    settled(env, napi_resolve_deferred(env, deferred_, value));
    release(env);
}

// Ends the use of the handles, starts what waits for them, and frees the call.
void AsyncCall::release(napi_env env) {
    if (work_) napi_delete_async_work(env, work_);
    const std::vector<Handle *> handles = std::move(handles_);
    delete this;
    for (Handle *handle : handles) {
        --handle->uses;
        const bool is_free = !handle->kind->is_shared || handle->uses == handle->queue.size();
        if (!handle->queue.empty()) {
            if (is_free) next(env, handle);
        } else if (handle->uses == 0 && (handle->is_closing || handle->is_orphan)) {
            free_now(env, handle);
        }
    }
}

void AsyncCall::next(napi_env env, Handle *handle) {
    if (handle->is_busy) return;
    if (!handle->instance || handle->instance->is_ending) return drop_queue(env, handle);
    AsyncCall *call = handle->queue.front();
    handle->queue.pop_front();
    call->enqueue(env);
}

// Frees the calls that wait. Their promises are never settled.
void AsyncCall::drop_queue(napi_env env, Handle *handle) {
    std::deque<AsyncCall *> dropped;
    dropped.swap(handle->queue);
    for (AsyncCall *call : dropped) call->release(env);
}

bool AsyncCall::cancel(napi_env env, Handle *handle, uint32_t token) {
    const auto found = std::find_if(handle->queue.begin(), handle->queue.end(),
                                    [&](AsyncCall *call) { return call->token_ == token; });
    if (found == handle->queue.end()) return false;
    AsyncCall *call = *found;
    handle->queue.erase(found);
    Fault fault;
    fault.set(ACCP_DROPPED, "the signal was aborted before the call began");
    call->reject(env, fault);
    return true;
}

}  // namespace accp_addon
