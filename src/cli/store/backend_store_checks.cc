// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See backend_checks.h: what a store promises, over the back end and the public face alone.
#include "cli/store/backend_checks.h"
#include "server/library/failure.h"
#include "server/library/handles.h"

namespace cli {

namespace {

using host::Handle;

Handle<accp_store> open_over(BackendBench &it) {
    BackendProbe probe(it.open, it.place);
    const accp_store_backend &table = probe.table();
    accp_store *store = nullptr;
    accp_error err = {};
    const accp_status code =
        accp_store_open_backend(&table, probe.release(), 0, nullptr, &store, &err);
    expect(code == ACCP_OK, "no store over it: " + host::message_of(err));
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

// A session with everything that one has; of its texts two expire at 10, and three are of
// checkpoints.
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

void there_and_back(BackendBench &it) {
    const std::string text = session_text(it.session);
    {
        const auto store = open_over(it);
        import_text(store.get(), text);
        expect(exported(store.get(), it.session) == text, "an export is not what was imported");
        accp_error err = {};
        expect(accp_store_import(store.get(), text.data(), text.size(), &err) == ACCP_ERR_BUSY,
               "a session was imported over another");
    }
    const auto again = open_over(it);
    expect(exported(again.get(), it.session) == text, "an export after opening again is another");
    accp_error err = {};
    must_succeed(accp_store_verify(again.get(), nullptr, nullptr, &err), "verifying", err);
    must_succeed(accp_store_remove_session(again.get(), it.session.data(), it.session.size(), &err),
                 "removing", err);
    expect(exported(again.get(), it.session) == "E2001", "a session that was removed is there");
    import_text(again.get(), text);
    expect(exported(again.get(), it.session) == text, "imported anew, a session is another");
}

accp_counts counts_of(accp_store *store) {
    accp_counts out = {};
    accp_error err = {};
    must_succeed(accp_store_counts(store, &out, &err), "counting", err);
    return out;
}

void pruning(BackendBench &it) {
    const auto store = open_over(it);
    import_text(store.get(), session_text(it.session));
    accp_counts counts = counts_of(store.get());
    expect(counts.records >= 700 && counts.mids >= 600 && counts.blobs >= 4 && counts.grants >= 2,
           "the counts are too small");
    uint64_t pruned = 0;
    accp_error err = {};
    must_succeed(accp_store_prune(store.get(), 9, 0, &pruned, &err), "pruning", err);
    expect(pruned == 0, "pruning took what had not expired");
    must_succeed(accp_store_prune(store.get(), 10, 0, &pruned, &err), "pruning", err);
    expect(pruned == 3, "pruning did not take two texts and a grant that had expired");
    must_succeed(accp_store_prune(store.get(), 10, 1, &pruned, &err), "pruning", err);
    expect(pruned == 1, "pruning did not take the text of an old checkpoint, or took another");
    const std::string left = exported(store.get(), it.session);
    expect(left.find(R"("key":"c")") != std::string::npos &&
               left.find(R"("grantee":"other")") != std::string::npos &&
               left.find(R"("record":700)") != std::string::npos,
           "pruning took what is needed");
    const accp_counts after = counts_of(store.get());
    expect(after.blobs + 3 == counts.blobs && after.grants + 1 == counts.grants,
           "the counts after pruning are others");
}

void grants(BackendBench &it) {
    const std::string guest = it.other("/guest");
    const auto store = open_over(it);
    const auto head = [](const std::string &id, int records) {
        return R"({"session":")" + id +
               R"(","form":2,"version":0,"generation":0,"floor":0,"records":)" +
               std::to_string(records) + "}\n";
    };
    const std::string text = head(it.session, 0) + R"({"grantee":")" + guest +
                             R"(","prefix":"cold.","expires":0})" + "\n";
    import_text(store.get(), text + head(guest, 0));
    accp_error err = {};
    must_succeed(accp_store_remove_session(store.get(), guest.data(), guest.size(), &err),
                 "removing", err);
    expect(exported(store.get(), it.session) == head(it.session, 0),
           "a grant outlived its grantee");
}

// Two stores as two processes have them: who opens a session last has it.
void fencing(BackendBench &it) {
    struct Writer {
        Handle<accp_store> store;
        Handle<accp_config> config;
        Handle<accp_engine> engine;
        Handle<accp_session> session;

        accp_status say(const std::string &what) {
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
        made.store = open_over(it);
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
        must_succeed(
            accp_session_open(engine, it.session.data(), it.session.size(), 0, &session, &err),
            "opening a session", err);
        made.session.reset(session);
        return made;
    };
    Writer older = open_writer();
    expect(older.say("one") == ACCP_OK, "a session takes nothing");
    Writer newer = open_writer();
    expect(older.say("lost") == ACCP_ERR_CLOSED, "an older writer was not shut out");
    expect(newer.say("two") == ACCP_OK, "the newer writer was shut out");
    const std::string text = exported(newer.store.get(), it.session);
    expect(text.find("one") != std::string::npos && text.find("two") != std::string::npos &&
               text.find("lost") == std::string::npos,
           "an older writer's message is there, or a newer one's is not");
}

}  // namespace

std::vector<BackendCheck> store_checks() {
    return {{"export and import", there_and_back},
            {"pruning by tier, expiry and checkpoint", pruning},
            {"grants that end with their grantee", grants},
            {"one writer a session", fencing}};
}

}  // namespace cli
