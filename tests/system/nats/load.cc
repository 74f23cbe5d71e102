// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See load.h.
#include "nats/load.h"

#include <unistd.h>

#include <chrono>

#include "nats/load_client.h"

namespace nats_tests {

std::shared_ptr<accp::store::Store> open_backend(accp_store_opener opener,
                                                 const std::string &place) {
    const accp_store_backend *table = nullptr;
    void *user = nullptr;
    accp_error err = {};
    if (opener(place.data(), place.size(), 0, &table, &user, &err) != ACCP_OK) return nullptr;
    auto made = std::make_shared<accp::store::Store>(accp::Settings());
    return made->open(*table, user, true).ok() ? made : nullptr;
}

int64_t load_time() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Load::Load(const LoadPlan &plan, OpenStore open)
    : plan_(plan), open_(std::move(open)), by_client_(plan.clients + 1), histories_(plan.sessions) {
    running_ = plan.clients;
    for (size_t i = 0; i < plan.clients; ++i)
        threads_.emplace_back([this, i] {
            LoadClient(*this, open_, i).run();
            --running_;
        });
}

void Load::finish() {
    ends_ = true;
    for (std::thread &one : threads_) one.join();
    threads_.clear();
}

void Load::note(size_t session, const Operation &op) {
    if (op.kind != Operation::kWrite) ++reads_;
    else if (op.outcome == Operation::kDone) ++acknowledged_;
    else if (op.outcome == Operation::kRefused) ++refused_;
    else ++unknown_;
    if (op.kind == Operation::kWrite && op.outcome == Operation::kDone)
        ++by_client_[static_cast<size_t>(op.client)];
    std::lock_guard<std::mutex> held(lock_);
    histories_[session].push_back(op);
}

void Load::note_broken(const std::string &what) {
    std::lock_guard<std::mutex> held(lock_);
    if (broken_.empty()) broken_ = what;
}

void Load::mark(const std::string &what) {
    std::lock_guard<std::mutex> held(lock_);
    marks_.push_back({load_time(), what});
}

void Load::read_all(const OpenStore &open) {
    LoadClient reader(*this, open, plan_.clients);
    for (size_t session = 0; session < plan_.sessions; ++session) {
        bool is_read = false;
        for (int tries = 0; !is_read && tries < 1200; ++tries) {
            is_read = reader.read_whole(session);
            if (!is_read) usleep(100000);
        }
        EXPECT_TRUE(is_read) << "session " << session;
    }
}

void Load::expect_linear(const std::string &name) {
    std::lock_guard<std::mutex> held(lock_);
    EXPECT_EQ(broken_, "") << name;
    for (size_t session = 0; session < plan_.sessions; ++session) {
        const std::string kept =
            keep_if_broken(histories_[session], name + "-" + session_name(session), marks_);
        EXPECT_EQ(kept, "") << "the history of a session is not linear: it is kept there";
    }
}

std::string Load::judge_all() {
    std::lock_guard<std::mutex> held(lock_);
    if (!broken_.empty()) return broken_;
    for (const History &one : histories_)
        if (judge(one).verdict != Verdict::kLinear) return "a history that is not linear";
    return "";
}

std::string Load::summary() const {
    return std::to_string(acknowledged_) + " writes acknowledged, " + std::to_string(refused_) +
           " refused, " + std::to_string(unknown_) + " unknown, " + std::to_string(reads_) +
           " reads";
}

}  // namespace nats_tests
