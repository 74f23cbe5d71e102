// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The simulated store as a library of its own, without time, for `accp store conformance`: what the
// simulation rests on keeps the promises of a back end.
#include <map>
#include <mutex>
#include <utility>

#include "scale/store.h"

namespace {

struct Named {
    scale::Simulation simulation{1};
    scale::Cluster cluster{simulation, {.shards = 3}};
};

}  // namespace

extern "C" ACCP_API accp_status accp_store_backend_entry(const char *place, size_t place_len,
                                                         uint32_t flags,
                                                         const accp_store_backend **out,
                                                         void **user_out, accp_error *err) {
    static std::mutex lock;
    static std::map<std::string, Named> places;
    const std::lock_guard<std::mutex> held(lock);
    const std::string name(place, place_len);
    if ((flags & ACCP_STORE_EXISTING) && !places.count(name)) {
        err->message = "no such place";
        return ACCP_ERR_ARG;
    }
    *out = &scale::store_table();
    *user_out = scale::new_store_user(places[name].cluster, std::make_shared<scale::Caller>());
    return ACCP_OK;
}
