// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See costs.h: how long a real store takes for the requests that the simulation makes.
#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "scale/costs.h"
#include "scale/place.h"

namespace scale {

namespace {

double now_us() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

class RealStore {
public:
    RealStore(const accp_store_backend &table, void *user) : table_(table), user_(user) {}
    ~RealStore() {
        for (const std::string &id : ids_) (void)table_.erase(text_of(id), &err_, user_);
        table_.close(user_);
    }
    RealStore(const RealStore &) = delete;
    RealStore &operator=(const RealStore &) = delete;

    // Writes a record of 200 bytes and a row in each of the first `count` sessions. Returns false
    // if one is refused.
    bool write(size_t count) {
        const std::string record(200, 'r'), row(88, 'w');
        const accp_text text = text_of(record);
        while (ids_.size() < count) {
            ids_.push_back("scale-" + std::to_string(ids_.size()));
            heads_.emplace_back();
        }
        std::vector<accp_store_write> writes(count);
        for (size_t i = 0; i < count; ++i) {
            writes[i] = {};
            writes[i].session = text_of(ids_[i]);
            writes[i].after = heads_[i].first;
            writes[i].row = text_of(row);
            writes[i].first = heads_[i].second + 1;
            writes[i].records = &text;
            writes[i].record_count = 1;
        }
        if (table_.write(writes.data(), count, &err_, user_) != ACCP_OK) return false;
        for (size_t i = 0; i < count; ++i) {
            if (writes[i].status != ACCP_OK) return false;
            heads_[i] = {writes[i].number, heads_[i].second + 1};
        }
        return true;
    }
    bool head() {
        const auto take = [](uint64_t, accp_text, void *) { return 0; };
        return table_.head(text_of(ids_[0]), take, nullptr, &err_, user_) == ACCP_OK;
    }
    bool record() {
        const auto take = [](uint64_t, accp_text, void *) { return 0; };
        return table_.records(text_of(ids_[0]), 1, 1, 0, take, nullptr, &err_, user_) == ACCP_OK;
    }

private:
    const accp_store_backend &table_;
    void *user_;
    accp_error err_ = {};
    std::vector<std::string> ids_;
    std::vector<std::pair<uint64_t, uint64_t>> heads_;  // number and last record
};

template <class Call>
bool print_times(const char *name, size_t each, int rounds, Call call) {
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
        const double began = now_us();
        if (!call()) return false;
        times.push_back(now_us() - began);
    }
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    std::printf("%-28s %9.0f %9.0f %12.1f\n", name, median, times[times.size() * 99 / 100],
                median / static_cast<double>(each));
    return true;
}

}  // namespace

bool print_store(const std::string &library, const std::string &place) {
    void *opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    void *entry = opened ? dlsym(opened, ACCP_STORE_BACKEND_ENTRY) : nullptr;
    const accp_store_backend *table = nullptr;
    void *user = nullptr;
    accp_error err = {};
    if (!entry || reinterpret_cast<accp_store_opener>(entry)(place.data(), place.size(), 0, &table,
                                                             &user, &err) != ACCP_OK)
        return false;
    RealStore store(*table, user);
    std::printf("%-28s %9s %9s %12s\n", "call", "p50, us", "p99, us", "us a session");
    const auto write = [&](size_t count) { return [&store, count] { return store.write(count); }; };
    return print_times("write of one session", 1, 2000, write(1)) &&
           print_times("head", 1, 2000, [&] { return store.head(); }) &&
           print_times("a record", 1, 2000, [&] { return store.record(); }) &&
           print_times("write of 16 sessions", 16, 300, write(16)) &&
           print_times("write of 256 sessions", 256, 60, write(256)) &&
           print_times("write of 1,000 sessions", 1000, 20, write(1000));
}

}  // namespace scale
