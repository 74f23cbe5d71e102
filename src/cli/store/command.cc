// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp store: shows the status and counts of a store, verifies it, exports and imports its sessions
// as lines of JSON, and prunes it.
#include <filesystem>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/settings.h"
#include "cli/system/files.h"
#include "server/json/writer.h"

namespace cli {
namespace {

struct CloseStore {
    void operator()(accp_store *store) const { accp_store_close(store, nullptr); }
};
using Store = std::unique_ptr<accp_store, CloseStore>;

// Throws Failure if a call to the store failed.
void require_ok(accp_status status, const std::string &what, const accp_error &err) {
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
    require_ok(accp_store_open(place.data(), place.size(), flags, config.get(), &store, &err),
               place, err);
    return Store(store);
}

void append_rows(std::initializer_list<std::pair<std::string_view, uint64_t>> rows,
                 std::string &out) {
    for (const auto &[name, value] : rows)
        out.append(name).append(14 - name.size(), ' ').append(std::to_string(value)).append("\n");
}

accp_counts store_counts(accp_store *store) {
    accp_counts counts = {};
    accp_error err = {};
    require_ok(accp_store_counts(store, &counts, &err), "stats", err);
    return counts;
}

void stats(accp_store *store, std::string &out) {
    const accp_counts counts = store_counts(store);
    append_rows({{"sessions", counts.sessions},
                 {"records", counts.records},
                 {"record_bytes", counts.record_bytes},
                 {"blobs", counts.blobs},
                 {"blob_bytes", counts.blob_bytes},
                 {"mids", counts.mids},
                 {"grants", counts.grants}},
                out);
}

// Collects the status in blocks, one for each part; the store's own block is first.
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

// Prints all that is known, even if a part of the store does not answer.
void status(const Arguments &arguments, accp_store *store, std::string &out) {
    StatusParts parts;
    accp_error err = {};
    const accp_status code = accp_store_each_property(store, StatusParts::take, &parts, &err);
    if (arguments.json) parts.print_json(out);
    else parts.print(out);
    require_ok(code, "status", err);
}

void print_damage(const accp_damage *damage, void *user) {
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
    const accp_status status = accp_store_verify(store, print_damage, &out, &err);
    if (status == ACCP_ERR_CORRUPT) return 1;
    require_ok(status, "verify", err);
    return 0;
}

struct SessionExport {
    accp_store *store;
    Streams &io;
    int exit_status = 0;

    static int append(const char *text, size_t len, void *user) {
        Streams &io = *static_cast<Streams *>(user);
        io.out.text.append(text, len);
        io.flush_if_full();
        return 0;
    }
    // Exports one session. A failure is reported and does not stop the export of the others.
    static int write_session(const char *text, size_t len, void *user) {
        SessionExport &self = *static_cast<SessionExport *>(user);
        accp_error err = {};
        if (accp_store_export(self.store, text, len, append, &self.io, &err) == ACCP_OK) return 0;
        self.exit_status = 1;
        self.io.err.text.append("accp: session ");
        append_printable({text, len}, self.io.err.text);
        self.io.err.text.append(std::string(": ") + accp_status_code_name(err.code) + ": " +
                                message_of(err) + "\n");
        return 0;
    }
};

int export_sessions(const Arguments &arguments, accp_store *store, Streams &io) {
    SessionExport all = {store, io};
    accp_error err = {};
    for (size_t i = 1; i < arguments.files.size(); ++i)
        SessionExport::write_session(arguments.files[i].data(), arguments.files[i].size(), &all);
    if (arguments.files.size() == 1)
        require_ok(accp_store_each_session(store, SessionExport::write_session, &all, &err),
                   "export", err);
    return all.exit_status;
}

int import_sessions(accp_store *store, Streams &io) {
    const std::string text = read_input("-");
    accp_error err = {};
    const accp_status status = accp_store_import(store, text.data(), text.size(), &err);
    if (status == ACCP_OK) return 0;
    if (status != ACCP_E1001 && status != ACCP_E1004 && status != ACCP_ERR_BUSY)
        require_ok(status, "import", err);
    io.err.text.append("accp: line " + std::to_string(err.record + 1) + ": " + describe(err) +
                       "\n");
    return 1;
}

// Returns the size of a SQLite store with its log, and 0 for other stores.
uint64_t file_bytes(const std::string &place) {
    constexpr std::string_view kScheme = "sqlite:";
    if (!place.starts_with(kScheme)) return 0;
    uint64_t bytes = 0;
    for (const char *end : {"", "-wal"}) {
        std::error_code failed;
        const auto size =
            std::filesystem::file_size(path_of(place.substr(kScheme.size()) + end), failed);
        if (!failed) bytes += size;
    }
    return bytes;
}

// Prints the number of removed texts and grants, the bytes of these texts, and the new file size.
void prune(const Arguments &arguments, accp_store *store, std::string &out) {
    const std::string &place = arguments.files[0];
    const uint64_t before = store_counts(store).blob_bytes, size_before = file_bytes(place);
    uint64_t pruned = 0;
    accp_error err = {};
    require_ok(
        accp_store_prune(store, static_cast<uint64_t>(clock_ms()), arguments.keep, &pruned, &err),
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
        throw Failure("store " + arguments.action +
                      ": no store given; name one, such as sqlite:PATH");
    if (arguments.files.size() > 1 && arguments.action != "export")
        throw Failure("store " + arguments.action + ": more than one store given; name one");
    if (arguments.vacuum && arguments.action != "prune")
        throw Failure("store " + arguments.action + ": --vacuum is an option of store prune only");
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
