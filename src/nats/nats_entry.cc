// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The table of libaccp-nats, and its one exported function: what is thrown becomes an answer.
#include "nats/nats_backend.h"
#include "nats/nats_guard.h"

namespace accp_nats {

namespace {

Backend &of(void *user) { return *static_cast<Backend *>(user); }

void close(void *user) { delete static_cast<Backend *>(user); }

accp_status head(accp_text id, accp_store_entry_function give, void *context, accp_error *err,
                 void *user) {
    return answer(err, [&] { of(user).head(view_of(id), give, context); });
}

accp_status write(accp_store_write *writes, size_t count, accp_error *err, void *user) {
    return answer(err, [&] { of(user).write(writes, count); });
}

accp_status records(accp_text id, uint64_t first, uint64_t last, int32_t newest_first,
                    accp_store_entry_function give, void *context, accp_error *err, void *user) {
    return answer(err,
                  [&] { of(user).records(view_of(id), first, last, newest_first, give, context); });
}

accp_status value(accp_text id, accp_text key, accp_store_key_function give, void *context,
                  accp_error *err, void *user) {
    return answer(err, [&] { of(user).value(view_of(id), view_of(key), give, context); });
}

accp_status keys(accp_text id, accp_text prefix, accp_store_key_function give, void *context,
                 accp_error *err, void *user) {
    return answer(err, [&] { of(user).keys(view_of(id), view_of(prefix), give, context); });
}

accp_status sessions(uint64_t after, accp_store_entry_function give, void *context, accp_error *err,
                     void *user) {
    return answer(err, [&] { of(user).sessions(after, give, context); });
}

accp_status erase(accp_text id, accp_error *err, void *user) {
    return answer(err, [&] { of(user).erase(view_of(id)); });
}

const accp_store_backend kTable = {sizeof(accp_store_backend),
                                   ACCP_STORE_BACKEND_VERSION,
                                   ACCP_STORE_BACKEND_THREADS,
                                   0,
                                   close,
                                   head,
                                   write,
                                   records,
                                   value,
                                   keys,
                                   sessions,
                                   erase};

}  // namespace

}  // namespace accp_nats

extern "C" ACCP_API accp_status accp_store_backend_entry(const char *place, size_t place_len,
                                                         uint32_t flags,
                                                         const accp_store_backend **out,
                                                         void **user_out, accp_error *err) {
    return accp_nats::answer(err, [&] {
        const accp_nats::Place read = accp_nats::read_place({place_len ? place : "", place_len});
        const bool makes = !(flags & (ACCP_STORE_EXISTING | ACCP_STORE_READ_ONLY));
        *user_out = new accp_nats::Backend(read, makes);
        *out = &accp_nats::kTable;
    });
}
