// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp store conformance: whether a back end of stores keeps what include/accp/store_backend.h
// asks for. A line a check.
#include <unistd.h>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/settings.h"
#include "cli/store/backend_checks.h"
#include "server/library/backend.h"

namespace cli {

namespace {

// What a run leaves in a place that is there already is nobody else's.
std::string fresh_name(const std::string &what) {
    return what + "-" + std::to_string(getpid()) + "-" + std::to_string(clock_ms());
}

void erase_all(BackendBench &bench) {
    bench.more.push_back(bench.session);
    for (const std::string &id : bench.more) (void)bench.probe.erase(id);
}

// What is wrong, or "".
std::string run_check(const BackendCheck &check, accp_store_opener open, const std::string &place,
                      const std::string &session) {
    try {
        BackendBench bench = {open, place, {open, place}, session};
        struct Clean {
            BackendBench &bench;
            ~Clean() { erase_all(bench); }
        } clean = {bench};
        check.run(bench);
    } catch (const CheckFailed &failed) {
        return failed.what();
    }
    return "";
}

}  // namespace

int run_store_conformance(const Arguments &arguments, Streams &io) {
    if (arguments.plugin.empty()) throw Failure("store conformance takes --plugin FILE");
    const accp_store_opener open = host::load_backend(arguments.plugin);
    const std::string place =
        arguments.files.empty() ? fresh_name("conformance") : arguments.files[0];
    std::vector<BackendCheck> all = table_checks();
    for (BackendCheck &check : store_checks()) all.push_back(std::move(check));
    const std::string session = fresh_name("check");
    size_t wrong = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        const std::string what = run_check(all[i], open, place, session + "-" + std::to_string(i));
        wrong += !what.empty();
        io.out.text.append(what.empty() ? "ok      " : "FAILED  ").append(all[i].name);
        if (!what.empty()) io.out.text.append(": ").append(what);
        io.out.text.append("\n");
        io.flush();
    }
    io.out.text.append(std::to_string(all.size() - wrong) + " of " + std::to_string(all.size()) +
                       " promises are kept\n");
    return wrong ? 1 : 0;
}

}  // namespace cli
