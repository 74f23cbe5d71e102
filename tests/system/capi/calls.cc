// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See calls.h: handles, and the checks after each call. calls_arguments.cc makes the arguments.
#include "calls.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "reference/ref_utf8.h"

// A number from outside may request more memory than is available; that gives ACCP_ERR_NOMEM.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() { return "allocator_may_return_null=1"; }

namespace accp_calls {

namespace {

thread_local World *current_world = nullptr;

// Any number of threads may use handles of these kinds (accp.h).
constexpr Kind kShared[] = {kind_accp_engine, kind_accp_library, kind_accp_registry,
                            kind_accp_store, kind_accp_tokenizer};

// These return bytes that the caller chose, because a token can be part of a character.
constexpr const char *kBytes[] = {"accp_counter_decode"};

bool is_one_of(const char *name, const char *const *begin, const char *const *end) {
    for (; begin != end; ++begin)
        if (!std::strcmp(name, *begin)) return true;
    return false;
}

const Call *ender_of(Kind kind) {
    for (size_t i = 0; i < kCallCount; ++i)
        if (kCalls[i].first == kind && kCalls[i].ends()) return &kCalls[i];
    return nullptr;
}

const Call *find(std::string_view name) {
    for (size_t i = 0; i < kCallCount; ++i)
        if (kCalls[i].name == name) return &kCalls[i];
    return nullptr;
}

accp_error untouched_error() {
    accp_error error;
    std::memset(&error, 0x5A, sizeof error);
    return error;
}

}  // namespace

Count *const kCounts = new Count[kCallCount];
const accp_text World::kUntouched = {"untouched", SIZE_MAX};

bool Call::ends() const {
    const std::string_view text = name;
    return text.ends_with("_free") || text.ends_with("_close");
}

void give_up(const char *call, const std::string &what) {
    std::fprintf(stderr, "%s: not so: %s\n%s\n", call, what.c_str(),
                 current_world ? current_world->trace().c_str() : "");
    std::abort();
}

void World::complain(const char *name, const std::string &what) {
    if (!complaints) give_up(name, what);
    complaints->insert(std::string(name) + ": " + what + ", after " + latest());
}

World::World(uint64_t seed, const std::vector<std::string> &corpus, Shared *shared)
    : random_(seed), corpus_(corpus), shared_(shared) {
    current_world = this;
}

World::~World() {
    free_all();
    if (current_world == this) current_world = nullptr;
}

World &World::current() { return *current_world; }

std::string World::latest() const { return calls_ < 2 ? "" : trace_[(calls_ - 2) % kTrace]; }

std::string World::trace() const {
    std::string text = "the last calls, those in functions of the host's too, the newest last:";
    const uint64_t count = calls_ < kTrace ? calls_ : kTrace;
    for (uint64_t i = calls_ - count; i < calls_; ++i)
        text += std::string("\n    ") + trace_[i % kTrace];
    return text;
}

void World::run(const Call &call) {
    if (depth_ >= sizeof errors_ / sizeof *errors_) return;
    const size_t held = texts_held_.size(), lent = views_lent_;
    trace_[calls_++ % kTrace] = call.name;
    if (!depth_) texts_ = 0;
    ++depth_;
    error_given_ = false;
    last_found_ = false;
    last_status_ = ACCP_OK;
    const accp_text view = last_view_;
    call.run(*this);
    // A call without a status may also invalidate a view, for example one that frees its handle.
    if (last_view_.text == view.text) last_view_ = {nullptr, 0};
    Count &count = kCounts[&call - kCalls];
    count.calls.fetch_add(1, std::memory_order_relaxed);
    count.last.store(last_status_, std::memory_order_relaxed);
    if (!call.answers || last_status_ == ACCP_OK)
        count.done.fetch_add(1, std::memory_order_relaxed);
    --depth_;
    if (!depth_) special_ = SIZE_MAX;
    views_lent_ = lent;
    release_texts(held);
}

// Half of the calls are of the kind of handle of the call before. They mostly use the same handle
// (pick), so that handles get into states that need many calls.
const Call &World::choose() {
    const size_t begin = random_.below(kCallCount);
    if (focus_ == kNoKind || random_.one_in(2)) return kCalls[begin];
    for (size_t i = 0; i < kCallCount; ++i)
        if (const Call &call = kCalls[(begin + i) % kCallCount]; call.first == focus_) return call;
    return kCalls[begin];
}

void World::run_one() {
    for (;;) {
        const Call &call = choose();
        if (call.ends() && !random_.one_in(pool_[call.first].size() < kMaxPool ? 8 : 1)) continue;
        if (call.makes != kNoKind && pool_[call.makes].size() >= kMaxPool) {
            focus_ = kNoKind;
            continue;
        }
        focus_ = call.first;
        return run(call);
    }
}

void World::free_all() {
    const Mode mode = mode_;
    mode_ = Mode::kRandom;  // in any order
    for (bool left = true; left;) {
        left = false;
        for (size_t i = 0; i < kKinds; ++i) {
            const Kind kind = static_cast<Kind>((i + calls_) % kKinds);
            if (pool_[kind].empty()) continue;
            left = true;
            free_one(kind);
        }
    }
    mode_ = mode;
    texts_kept_.clear();
}

void World::free_one(Kind kind) {
    const Call *ender = ender_of(kind);
    if (!ender) give_up(kKindNames[kind], "a function frees it");
    run(*ender);
}

void World::make(Kind kind) {
    if (making_ > 4) return;
    const Mode mode = mode_;
    mode_ = Mode::kSane;
    ++making_;
    for (int tries = 0; tries < 20 && pool_[kind].empty(); ++tries) {
        size_t begin = tries < 10 ? 0 : random_.below(kCallCount);
        for (size_t i = 0; i < kCallCount; ++i) {
            const Call &call = kCalls[(begin + i) % kCallCount];
            if (call.makes != kind || std::string_view(call.name).ends_with("_backend")) continue;
            run(call);
            break;
        }
    }
    if (kind == kind_accp_config && !pool_[kind].empty()) run(*find("accp_config_set_registry"));
    --making_;
    mode_ = mode;
}

void World::share_into(Shared &shared) {
    for (Kind kind : kShared) {
        if (pool_[kind].empty()) make(kind);
        shared.handles[kind].insert(shared.handles[kind].end(), pool_[kind].begin(),
                                    pool_[kind].end());
        pool_[kind].clear();
    }
}

void World::adopt(Shared &shared) {
    for (Kind kind : kShared) {
        pool_[kind].insert(pool_[kind].end(), shared.handles[kind].begin(),
                           shared.handles[kind].end());
        shared.handles[kind].clear();
    }
}

void *World::pick(Kind kind) {
    if (!is_sane() && random_.one_in(40)) return nullptr;
    if (shared_ && !shared_->handles[kind].empty() && random_.one_in(3))
        return shared_->handles[kind][random_.below(shared_->handles[kind].size())];
    if (pool_[kind].empty()) make(kind);
    if (pool_[kind].empty()) return nullptr;
    if (is_sane()) return pool_[kind].back();
    const auto used = std::find(pool_[kind].begin(), pool_[kind].end(), used_[kind]);
    if (used == pool_[kind].end() || random_.one_in(4))
        used_[kind] = pool_[kind][random_.below(pool_[kind].size())];
    return used_[kind];
}

void *World::remove(Kind kind) {
    if (pool_[kind].empty()) return nullptr;
    const size_t at = random_.below(pool_[kind].size());
    void *taken = pool_[kind][at];
    pool_[kind].erase(pool_[kind].begin() + static_cast<std::ptrdiff_t>(at));
    return taken;
}

// ---- After a call ----

accp_error *World::error() {
    accp_error &error = errors_[depth_ - 1];
    error = untouched_error();
    error_given_ = is_sane() || !random_.one_in(16);
    return error_given_ ? &error : nullptr;
}

bool World::check(const char *name, accp_status status) {
    last_status_ = status;
    const accp_error &error = errors_[depth_ - 1], before = untouched_error();
    const bool is_touched = std::memcmp(&error, &before, sizeof error) != 0;
    if (status == ACCP_OK) {
        if (is_touched) give_up(name, "a call that succeeds leaves the error alone");
    } else if (is_touched) {
        if (error.code != status) give_up(name, "the error has the code that the call answers");
        if (!error.message || !*error.message) give_up(name, "a failure has a message");
    }
    if (status == ACCP_E9999 && !hooks_run_) give_up(name, "no defect of the library");
    last_view_ = {nullptr, 0};
    return status == ACCP_OK;
}

void World::touch(const char *name, accp_text text) {
    if (text.text == kUntouched.text) return;
    if (text.len && *name) note_said(name, text);
    for (size_t i = 0; i < text.len; ++i) sum_ = static_cast<unsigned char>(sum_ ^ text.text[i]);
}

void World::touch_static(const char *text) {
    if (text) touch("", {text, std::strlen(text)});
}

void World::came_out(bool ok, const char *name, accp_text text) {
    // A result that could not be made durable is returned with ACCP_ERR_IO (session.h).
    if (!ok && text.text != kUntouched.text && last_status_ != ACCP_ERR_IO)
        complain(name, "a call that fails leaves its outputs alone");
    if (!ok || text.text == kUntouched.text) return;
    touch(name, text);
    if (!is_one_of(name, std::begin(kBytes), std::end(kBytes)) &&
        !accp_ref::code_points({text.text, text.len}))
        complain(name, "text that comes out is not UTF-8");
    last_view_ = text;
    if (text.len > 4096) return;
    if (recent_.size() < 64) recent_.emplace_back(text.text, text.len);
    else recent_[random_.below(recent_.size())].assign(text.text, text.len);
}

}  // namespace accp_calls
