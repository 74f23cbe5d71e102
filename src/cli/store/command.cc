// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp store: how a store is, what it holds, whether it is whole, its sessions as lines of JSON and
// back, and pruning.

#include <filesystem>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/settings.h"
#include "server/json/writer.h"

namespace cli {
namespace {

struct CloseStore {
    void operator()(accp_store *store) const { accp_store_close(store, nullptr); }
};
using Store = std::unique_ptr<accp_store, CloseStore>;

// A failure of the store itself ends the run.
void must(accp_status status, const std::string &what, const accp_error &err) {
    if (status != ACCP_OK)
        throw Failure(what + ": " + accp_status_code_name(status) + ": " + message_of(err));
}

Store open(const Arguments &arguments) {
    const std::string &place = arguments.files[0];
    uint32_t flags = arguments.action == "import" ? 0 : ACCP_STORE_EXISTING;
    if (arguments.action != "import" && arguments.action != "prune") flags |= ACCP_STORE_READ_ONLY;
    if (arguments.vacuum) flags |= ACCP_STORE_VACUUM;
    accp_store *store = nullptr;
    accp_error err = {};
    const Handle<accp_config> config = make_config(arguments);
    must(accp_store_open(place.data(), place.size(), flags, config.get(), &store, &err), place,
         err);
    return Store(store);
}

void append_rows(std::initializer_list<std::pair<std::string_view, uint64_t>> rows,
                 std::string &out) {
    for (const auto &[name, value] : rows)
        out.append(name).append(14 - name.size(), ' ').append(std::to_string(value)).append("\n");
}

accp_counts store_counts(accp_store *store) {
    accp_counts it = {};
    accp_error err = {};
    must(accp_store_counts(store, &it, &err), "stats", err);
    return it;
}

void stats(accp_store *store, std::string &out) {
    const accp_counts it = store_counts(store);
    append_rows({{"sessions", it.sessions},
                 {"records", it.records},
                 {"record_bytes", it.record_bytes},
                 {"blobs", it.blobs},
                 {"blob_bytes", it.blob_bytes},
                 {"mids", it.mids},
                 {"grants", it.grants}},
                out);
}

// A block for each part, the store's own first.
struct StatusParts {
    std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> all;

    static int take(accp_text part, accp_text name, accp_text value, void *user) {
        auto &all = static_cast<StatusParts *>(user)->all;
        const std::string of = part.len ? std::string(part.text, part.len) : "store";
        if (all.empty() || all.back().first != of) all.push_back({of, {}});
        all.back().second.push_back({{name.text, name.len}, {value.text, value.len}});
        return 0;
    }
    void print(std::string &out) const {
        for (const auto &[part, rows] : all) {
            append_printable(part, out);
            out.append("\n");
            for (const auto &[name, value] : rows) {
                out.append("  ").append(name);
                out.append(name.size() < 14 ? 14 - name.size() : 1, ' ');
                append_printable(value, out);
                out.append("\n");
            }
        }
    }
    void print_json(std::string &out) const {
        host::JsonObject object;
        for (const auto &[part, rows] : all) {
            host::JsonObject inner;
            for (const auto &[name, value] : rows) {
                const bool is_number = !value.empty() && value.size() < 16 &&
                                       (value == "0" || value[0] != '0') &&
                                       value.find_first_not_of("0123456789") == std::string::npos;
                if (is_number) inner.json(name, value);
                else inner.text(name, value);
            }
            object.json(part, inner.end());
        }
        out.append(object.end()).append("\n");
    }
};

// What could be said is printed, also where somebody does not answer.
void status(const Arguments &arguments, accp_store *store, std::string &out) {
    StatusParts parts;
    accp_error err = {};
    const accp_status code = accp_store_status(store, StatusParts::take, &parts, &err);
    if (arguments.json) parts.print_json(out);
    else parts.print(out);
    must(code, "status", err);
}

void tell(const accp_damage *damage, void *user) {
    std::string &out = *static_cast<std::string *>(user);
    if (damage->session.len) {
        out.append("session ");
        append_printable({damage->session.text, damage->session.len}, out);
        out.append(": ");
    }
    if (damage->record) out.append("record ").append(std::to_string(damage->record)).append(": ");
    out.append(damage->what);
    if (damage->name.len) {
        out.append(": ");
        append_printable({damage->name.text, damage->name.len}, out);
    }
    out.append("\n");
}

int verify(accp_store *store, std::string &out) {
    accp_error err = {};
    const accp_status status = accp_store_verify(store, tell, &out, &err);
    if (status == ACCP_ERR_CORRUPT) return 1;
    must(status, "verify", err);
    return 0;
}

struct Sessions {
    accp_store *store;
    Streams &io;
    int answer = 0;

    static int append(const char *text, size_t len, void *user) {
        Streams &io = *static_cast<Streams *>(user);
        io.out.text.append(text, len);
        io.flush_if_full();
        return 0;
    }
    // A session that cannot be exported is told of, and the others are.
    static int one(const char *text, size_t len, void *user) {
        Sessions &it = *static_cast<Sessions *>(user);
        accp_error err = {};
        if (accp_store_export(it.store, text, len, append, &it.io, &err) == ACCP_OK) return 0;
        it.answer = 1;
        it.io.err.text.append("accp: session ");
        append_printable({text, len}, it.io.err.text);
        it.io.err.text.append(std::string(": ") + accp_status_code_name(err.code) + ": " +
                              message_of(err) + "\n");
        return 0;
    }
};

int export_sessions(const Arguments &arguments, accp_store *store, Streams &io) {
    Sessions all = {store, io};
    accp_error err = {};
    for (size_t i = 1; i < arguments.files.size(); ++i)
        Sessions::one(arguments.files[i].data(), arguments.files[i].size(), &all);
    if (arguments.files.size() == 1)
        must(accp_store_each_session(store, Sessions::one, &all, &err), "export", err);
    return all.answer;
}

int import_sessions(accp_store *store, Streams &io) {
    const std::string text = read_input("-");
    accp_error err = {};
    const accp_status status = accp_store_import(store, text.data(), text.size(), &err);
    if (status == ACCP_OK) return 0;
    if (status != ACCP_E1001 && status != ACCP_E1004 && status != ACCP_ERR_BUSY)
        must(status, "import", err);
    io.err.text.append("accp: line " + std::to_string(err.record + 1) + ": " + describe(err) +
                       "\n");
    return 1;
}

// The size of a SQLite store with its log; 0 for other stores.
uint64_t file_bytes(const std::string &place) {
    constexpr std::string_view kScheme = "sqlite:";
    if (!place.starts_with(kScheme)) return 0;
    uint64_t bytes = 0;
    for (const char *end : {"", "-wal"}) {
        std::error_code failed;
        const auto size = std::filesystem::file_size(place.substr(kScheme.size()) + end, failed);
        if (!failed) bytes += size;
    }
    return bytes;
}

// Prints how many texts and grants were removed, the bytes of the texts, and the file's new size.
void prune(const Arguments &arguments, accp_store *store, std::string &out) {
    const std::string &place = arguments.files[0];
    const uint64_t before = store_counts(store).blob_bytes, size_before = file_bytes(place);
    uint64_t pruned = 0;
    accp_error err = {};
    must(accp_store_prune(store, static_cast<uint64_t>(clock_ms()), arguments.keep, &pruned, &err),
         "prune", err);
    append_rows({{"pruned", pruned}, {"freed_bytes", before - store_counts(store).blob_bytes}},
                out);
    const uint64_t size = file_bytes(place);
    if (!size) return;
    append_rows({{"file_bytes", size}}, out);
    if (arguments.vacuum)
        append_rows({{"file_freed", size_before > size ? size_before - size : 0}}, out);
}

}  // namespace

int run_store(const Arguments &arguments, Streams &io) {
    if (arguments.action == "conformance") return run_store_conformance(arguments, io);
    if (arguments.files.empty())
        throw Failure("store " + arguments.action + " takes a store, such as sqlite:PATH");
    if (arguments.files.size() > 1 && arguments.action != "export")
        throw Failure("store " + arguments.action + " takes one store");
    if (arguments.vacuum && arguments.action != "prune")
        throw Failure("--vacuum goes with store prune alone");
    const Store store = open(arguments);
    if (arguments.action == "verify") return verify(store.get(), io.out.text);
    if (arguments.action == "export") return export_sessions(arguments, store.get(), io);
    if (arguments.action == "import") return import_sessions(store.get(), io);
    if (arguments.action == "status") status(arguments, store.get(), io.out.text);
    else if (arguments.action == "prune") prune(arguments, store.get(), io.out.text);
    else stats(store.get(), io.out.text);
    return 0;
}

}  // namespace cli
