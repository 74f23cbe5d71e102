// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The simulated store as a separate library without time, for `accp store conformance`: shows that
// the base of the simulation keeps the promises of a back end. The simulation has one thread and
// all that open a place share it, so each call takes one common lock.
#include <map>
#include <mutex>
#include <utility>

#include "scale/store.h"

namespace {

struct Named {
    scale::Simulation simulation{1};
    scale::Cluster cluster{simulation, {.shards = 3}};
};

std::mutex one_at_a_time;

template <auto kCall, class... Args>
accp_status locked(Args... args) {
    const std::lock_guard<std::mutex> held(one_at_a_time);
    return (scale::store_table().*kCall)(args...);
}

const accp_store_backend &locked_table() {
    static const accp_store_backend table = [] {
        accp_store_backend made = scale::store_table();
        made.head = locked<&accp_store_backend::head>;
        made.write = locked<&accp_store_backend::write>;
        made.records = locked<&accp_store_backend::records>;
        made.value = locked<&accp_store_backend::value>;
        made.keys = locked<&accp_store_backend::keys>;
        made.sessions = locked<&accp_store_backend::sessions>;
        made.erase = locked<&accp_store_backend::erase>;
        return made;
    }();
    return table;
}

}  // namespace

extern "C" ACCP_API accp_status accp_store_backend_entry(const char *place, size_t place_len,
                                                         uint32_t flags,
                                                         const accp_store_backend **out,
                                                         void **user_out, accp_error *err) {
    static std::map<std::string, Named> places;
    const std::lock_guard<std::mutex> held(one_at_a_time);
    const std::string name(place, place_len);
    if ((flags & ACCP_STORE_EXISTING) && !places.count(name)) {
        err->message = "no such place";
        return ACCP_ERR_ARG;
    }
    *out = &locked_table();
    *user_out = scale::new_store_user(places[name].cluster, std::make_shared<scale::Caller>());
    return ACCP_OK;
}
