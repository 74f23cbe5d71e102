// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <utility>

namespace accp_nats {

namespace {

struct Callee {
    explicit Callee(Callback::Function of) : function(std::move(of)) {}
    const Callback::Function function;
    std::shared_mutex runs;  // shared by calls; guards `ended`
    bool ended = false;
};

struct Callees {
    std::mutex lock;  // guards the others
    std::map<void *, std::shared_ptr<Callee>> all;
    uintptr_t newest = 0;
};

// Never destroyed: threads of libnats outlive main().
Callees &callees() {
    static Callees *const all = new Callees;
    return *all;
}

void call(void *number, natsMsg *message) {
    std::shared_ptr<Callee> callee;
    {
        Callees &known = callees();
        std::lock_guard<std::mutex> guard(known.lock);
        const auto found = known.all.find(number);
        if (found == known.all.end()) return;
        callee = found->second;
    }
    std::shared_lock<std::shared_mutex> guard(callee->runs);
    if (callee->ended) return;
    try {
        callee->function(message);
    } catch (const std::bad_alloc &) {  // as if the message had been lost
    }
}

}  // namespace

Callback::Callback(Function function) {
    auto callee = std::make_shared<Callee>(std::move(function));
    Callees &known = callees();
    std::lock_guard<std::mutex> guard(known.lock);
    number_ = reinterpret_cast<void *>(++known.newest);
    known.all.emplace(number_, std::move(callee));
}

Callback::~Callback() {
    std::shared_ptr<Callee> callee;
    {
        Callees &known = callees();
        std::lock_guard<std::mutex> guard(known.lock);
        const auto found = known.all.find(number_);
        callee = std::move(found->second);
        known.all.erase(found);
    }
    std::unique_lock<std::shared_mutex> guard(callee->runs);
    callee->ended = true;
}

void Callback::on_message(natsConnection *, natsSubscription *, natsMsg *message, void *closure) {
    call(closure, message);
    natsMsg_Destroy(message);
}

void Callback::on_event(natsConnection *, void *closure) { call(closure, nullptr); }

}  // namespace accp_nats
