// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The checks of a store over the back end, through the public API.
#include "cli/store/backend_checks.h"
#include "server/library/failure.h"
#include "server/library/handles.h"

namespace cli {
namespace {

using host::Handle;

Handle<accp_store> open_over(CheckBench &bench) {
    BackendProbe probe(bench.open, bench.place);
    const accp_store_backend &table = probe.table();
    accp_store *store = nullptr;
    accp_error err = {};
    const accp_status code =
        accp_store_open_backend(&table, probe.release(), 0, nullptr, &store, &err);
    expect(code == ACCP_OK, "a store over it cannot be opened: " + host::message_of(err));
    return Handle<accp_store>(store);
}

int append_exported(const char *text, size_t len, void *user) {
    static_cast<std::string *>(user)->append(text, len);
    return 0;
}

std::string exported(accp_store *store, const std::string &id) {
    std::string out;
    accp_error err = {};
    const accp_status code =
        accp_store_export(store, id.data(), id.size(), append_exported, &out, &err);
    return code == ACCP_OK ? out : accp_status_code_name(code);
}

void must_succeed(accp_status code, const std::string &what, const accp_error &err) {
    expect(code == ACCP_OK, what + ": " + host::message_of(err));
}

// Returns the export of a session with every kind of content. Two of its texts expire at time 10,
// and three belong to checkpoints.
std::string session_text(const std::string &id) {
    std::string out =
        R"({"session":")" + id +
        R"(","form":2,"version":3,"generation":3,"floor":2,"records":700,"state":"s"})"
        "\n";
    for (int i = 1; i <= 700; ++i)
        out +=
            R"({"record":)" + std::to_string(i) + R"(,"bytes":"# )" + std::to_string(i) + "\"}\n";
    out += R"({"tier":"hot","key":"h","expires":10,"generation":0,"blob":{"a":1}})"
           "\n"
           R"({"tier":"warm","key":"w","expires":10,"generation":1,"blob_text":"text"})"
           "\n"
           R"({"tier":"warm","key":"x","expires":0,"generation":1,"blob":[1,2]})"
           "\n"
           R"({"tier":"cold","key":"c","expires":0,"generation":3,"blob_text":")" +
           std::string(2 << 20, 'y') +
           "\"}\n"
           R"({"grantee":"guest","prefix":"cold.","expires":10})"
           "\n"
           R"({"grantee":"other","prefix":"","expires":0})"
           "\n";
    for (int i = 0; i < 600; ++i) {
        char mid[32];
        (void)std::snprintf(mid, sizeof mid, "%012x", i * 7919 + 5);
        out += std::string(R"({"mid":")") + mid + "\"}\n";
    }
    return out;
}

void import_text(accp_store *store, const std::string &text) {
    accp_error err = {};
    must_succeed(accp_store_import(store, text.data(), text.size(), &err), "an import", err);
}

void export_and_import(CheckBench &bench) {
    const std::string text = session_text(bench.session);
    {
        const auto store = open_over(bench);
        import_text(store.get(), text);
        expect(exported(store.get(), bench.session) == text, "an export differs from the import");
        accp_error err = {};
        expect(accp_store_import(store.get(), text.data(), text.size(), &err) == ACCP_ERR_BUSY,
               "an import replaced an existing session");
    }
    const auto again = open_over(bench);
    expect(exported(again.get(), bench.session) == text,
           "an export differs after the place is opened again");
    accp_error err = {};
    must_succeed(accp_store_verify(again.get(), nullptr, nullptr, &err), "verifying", err);
    must_succeed(
        accp_store_remove_session(again.get(), bench.session.data(), bench.session.size(), &err),
        "removing", err);
    expect(exported(again.get(), bench.session) == "E2001", "a removed session still exists");
    import_text(again.get(), text);
    expect(exported(again.get(), bench.session) == text,
           "a session differs after it is imported again");
}

accp_counts counts_of(accp_store *store) {
    accp_counts out = {};
    accp_error err = {};
    must_succeed(accp_store_counts(store, &out, &err), "counting", err);
    return out;
}

void prune_expired(CheckBench &bench) {
    const auto store = open_over(bench);
    import_text(store.get(), session_text(bench.session));
    accp_counts counts = counts_of(store.get());
    expect(counts.records >= 700 && counts.mids >= 600 && counts.blobs >= 4 && counts.grants >= 2,
           "the counts are too small");
    uint64_t pruned = 0;
    accp_error err = {};
    must_succeed(accp_store_prune(store.get(), 9, 0, &pruned, &err), "pruning", err);
    expect(pruned == 0, "pruning removed something that had not expired");
    must_succeed(accp_store_prune(store.get(), 10, 0, &pruned, &err), "pruning", err);
    expect(pruned == 3, "pruning did not remove the two texts and the grant that had expired");
    must_succeed(accp_store_prune(store.get(), 10, 1, &pruned, &err), "pruning", err);
    expect(pruned == 1, "pruning did not remove exactly the text of the old checkpoint");
    const std::string left = exported(store.get(), bench.session);
    expect(left.find(R"("key":"c")") != std::string::npos &&
               left.find(R"("grantee":"other")") != std::string::npos &&
               left.find(R"("record":700)") != std::string::npos,
           "pruning removed something that is needed");
    const accp_counts after = counts_of(store.get());
    expect(after.blobs + 3 == counts.blobs && after.grants + 1 == counts.grants,
           "the counts after pruning are wrong");
}

void grants(CheckBench &bench) {
    const std::string guest = bench.other("/guest");
    const auto store = open_over(bench);
    const auto head = [](const std::string &id, int records) {
        return R"({"session":")" + id +
               R"(","form":2,"version":0,"generation":0,"floor":0,"records":)" +
               std::to_string(records) + "}\n";
    };
    const std::string text = head(bench.session, 0) + R"({"grantee":")" + guest +
                             R"(","prefix":"cold.","expires":0})" + "\n";
    import_text(store.get(), text + head(guest, 0));
    accp_error err = {};
    must_succeed(accp_store_remove_session(store.get(), guest.data(), guest.size(), &err),
                 "removing", err);
    expect(exported(store.get(), bench.session) == head(bench.session, 0),
           "a grant remained after its grantee was removed");
}

// Opens a session from two stores, as two processes would. The last one to open it owns it.
void one_writer(CheckBench &bench) {
    struct Writer {
        Handle<accp_store> store;
        Handle<accp_config> config;
        Handle<accp_engine> engine;
        Handle<accp_session> session;

        accp_status append(const std::string &what) {
            const std::string text =
                R"({"agent":"a","intent":"done","operation":"say","payload":{"out":")" + what +
                "\"}}";
            accp_error err = {};
            const accp_status status =
                accp_session_append(session.get(), text.data(), text.size(), 1, &err);
            return status == ACCP_OK ? accp_session_sync(session.get(), &err) : status;
        }
    };
    const auto open_writer = [&] {
        Writer made;
        made.store = open_over(bench);
        accp_error err = {};
        accp_config *config = nullptr;
        accp_engine *engine = nullptr;
        must_succeed(accp_config_new(&config, &err), "a config", err);
        made.config.reset(config);
        must_succeed(accp_config_set_store(made.config.get(), made.store.get(), &err), "a store",
                     err);
        must_succeed(accp_engine_new(made.config.get(), &engine, &err), "an engine", err);
        made.engine.reset(engine);
        accp_session *session = nullptr;
        must_succeed(accp_session_open(engine, bench.session.data(), bench.session.size(), 0,
                                       &session, &err),
                     "opening a session", err);
        made.session.reset(session);
        return made;
    };
    Writer older = open_writer();
    expect(older.append("one") == ACCP_OK, "the first writer cannot write");
    Writer newer = open_writer();
    expect(older.append("lost") == ACCP_ERR_CLOSED, "the older writer was not refused");
    expect(newer.append("two") == ACCP_OK, "the newer writer was refused");
    const std::string text = exported(newer.store.get(), bench.session);
    expect(text.find("one") != std::string::npos && text.find("two") != std::string::npos &&
               text.find("lost") == std::string::npos,
           "a message of the older writer is stored, or one of the newer writer is missing");
}

}  // namespace

std::vector<BackendCheck> store_checks() {
    return {{"export and import", export_and_import},
            {"pruning by tier, expiry and checkpoint", prune_expired},
            {"grants that end with their grantee", grants},
            {"one writer a session", one_writer}};
}

}  // namespace cli
