// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// nats_writer PLACE: a client that a test kills. Takes over the session "groups", prints "from N"
// if the groups in it are right, and then the number of each acknowledged group. Exits with 3 if
// another writer has taken over the session, and with 1 and a message after any other error.
#include <unistd.h>

#include <cstdio>

#include "nats/groups.h"
#include "nats/load.h"

using namespace nats_tests;

namespace {

constexpr uint64_t kChecked = 40;  // of the newest ones

int write_groups(Groups &groups) {
    for (;;) {
        const accp_status status = groups.write_next();
        if (status == ACCP_ERR_CLOSED) return 3;
        if (status == ACCP_OK)
            std::printf("%llu\n", static_cast<unsigned long long>(groups.done()));
        else if (status != ACCP_ERR_IO)
            return std::printf("%s\n", accp_status_code_name(status)), 1;
    }
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    setvbuf(stdout, nullptr, _IOLBF, 0);
    for (;; usleep(20000)) {
        const auto store = open_backend(accp_store_backend_entry, argv[1]);
        if (!store) continue;
        Groups groups(*store, "groups");
        if (groups.status() == ACCP_ERR_IO) continue;
        const std::string wrong = groups.status() == ACCP_OK
                                      ? groups.check(kChecked)
                                      : accp_status_code_name(groups.status());
        if (!wrong.empty()) return std::printf("%s\n", wrong.c_str()), 1;
        std::printf("from %llu\n", static_cast<unsigned long long>(groups.done()));
        return write_groups(groups);
    }
}
