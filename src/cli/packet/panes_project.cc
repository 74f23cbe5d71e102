// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/packet/panes_project.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "cli/config/directories.h"
#include "cli/host.h"
#include "cli/settings.h"
#include "cli/system/files.h"

namespace cli {
namespace {

constexpr int64_t kMaxPane = 9999;
constexpr const char *kJournal = "/journal.sqlite";

// Returns the name of the journal's store and the flags to open it. The store is in memory if the
// journal is not needed, or if it does not exist and is only read.
std::pair<std::string, uint32_t> journal_store(const Arguments &arguments, JournalUse use) {
    if (use == JournalUse::kNone) return {"memory:", 0};
    const uint32_t flags =
        use == JournalUse::kRead ? ACCP_STORE_READ_ONLY | ACCP_STORE_EXISTING : 0;
    if (!arguments.store.empty())
        return {arguments.store, arguments.store == "memory:" ? 0 : flags};
    const std::string path = project_folder(arguments) + kJournal;
    refuse_link(project_folder(arguments));
    refuse_link(path);
    if (use == JournalUse::kRead && !std::filesystem::exists(path_of(path))) return {"memory:", 0};
    if (use == JournalUse::kWrite && !make_private_directory(project_folder(arguments)) &&
        errno != EEXIST)
        throw Failure(project_folder(arguments) + ": cannot be created");
    return {"sqlite:" + path, flags};
}

// Returns the file of --config, or the one in the user's home if it exists.
std::string config_path(const Arguments &arguments) {
    if (!arguments.panes_config.empty()) return arguments.panes_config;
    const std::string home = home_directory(), path = home + "/.agentwire/config.yaml";
    return !home.empty() && std::filesystem::exists(path_of(path)) ? path : std::string();
}

// Reads a pane such as 3, or %3 as tmux writes it. Returns -1 if the variable is not set.
int64_t pane_of_variable(const char *variable) {
    const char *value = std::getenv(variable);
    if (value == nullptr || *value == 0) return -1;
    std::string_view digits = value;
    if (digits[0] == '%') digits.remove_prefix(1);
    int64_t pane = -1;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), pane);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || pane < 0 ||
        pane > kMaxPane)
        throw Failure(std::string(variable) + " is not a pane: " + value);
    return pane;
}

}  // namespace

std::string project_folder(const Arguments &arguments) {
    return arguments.directory + "/.agentwire";
}

void refuse_link(const std::string &path) {
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(path_of(path))))
        throw Failure(path + " is a symbolic link");
}

PanesProject::PanesProject(const Arguments &arguments, JournalUse use)
    : config_(make_config(arguments)) {
    accp_error err = {};
    accp_store *store = nullptr;
    const auto [name, flags] = journal_store(arguments, use);
    if (accp_store_open(name.data(), name.size(), flags, config_.get(), &store, &err) != ACCP_OK)
        throw Failure(name + ": " + message_of(err));
    store_.reset(store);
    accp_panes *panes = nullptr;
    if (accp_panes_open(arguments.directory.data(), arguments.directory.size(), store,
                        config_.get(), &panes, &err) != ACCP_OK)
        throw Failure(arguments.directory + ": " + message_of(err));
    panes_.reset(panes);
    const std::string path = config_path(arguments);
    if (path.empty()) return;
    const std::string text = read_file(path);
    if (accp_panes_configure(panes, text.data(), text.size(), &err) != ACCP_OK)
        throw Failure(path + ": " + describe(err, text));
}

std::string PanesProject::frequent_gaps() const {
    accp_error err = {};
    accp_text stats = {};
    if (accp_panes_print_stats_json(panes_.get(), 0, &stats, &err) != ACCP_OK)
        throw Failure("the journal: " + message_of(err));
    return host::frequent_gaps(to_view(stats));
}

void check_pane_options(const Arguments &arguments) {
    if (!arguments.shared) return;
    const std::string &action = arguments.action;
    if (arguments.pane)
        throw Failure("--pane N and --shared both select a packet: give one of them");
    if (action == "generate" || action == "refresh" || action == "spawn")
        throw Failure(
            "context " + action +
            " cannot write the shared packet: write a file, check it, and run accp context "
            "push --shared FILE");
    if (action == "clear" || action == "restore")
        throw Failure("context " + action + " takes --pane N: it is not for the shared packet");
}

int64_t selected_pane(const Arguments &arguments) {
    if (arguments.shared) return ACCP_PANES_SHARED;
    if (arguments.pane) return *arguments.pane;
    throw Failure("context " + arguments.action + " takes --pane N");
}

int64_t pane_of_environment() {
    for (const char *variable : {"AGENTWIRE_PANE", "TMUX_PANE"})
        if (const int64_t pane = pane_of_variable(variable); pane >= 0) return pane;
    return -1;
}

int64_t own_pane(const Arguments &arguments, const PanesProject &project) {
    if (arguments.pane || arguments.shared) return selected_pane(arguments);
    if (const int64_t pane = pane_of_environment(); pane >= 0) return pane;
    if (const int64_t pane = project.setting(ACCP_PANES_OWN_PANE); pane >= 0) return pane;
    throw Failure(
        "the pane is not known: give --pane N, AGENTWIRE_PANE, or pane in the configuration");
}

std::string pane_option(int64_t pane) {
    return pane == ACCP_PANES_SHARED ? "--shared" : "--pane " + std::to_string(pane);
}

void apply_settings(const Arguments &arguments, accp_packet_request &request) {
    const PanesProject project(arguments, JournalUse::kNone);
    if (arguments.depth.empty())
        request.depth = static_cast<int32_t>(project.setting(ACCP_PANES_DEFAULT_DEPTH));
    if (arguments.budget == 0)
        request.budget_tokens =
            static_cast<uint64_t>(project.setting(ACCP_PANES_BUDGET_MINIMAL + request.depth));
}

int report_pane_error(int64_t pane, const accp_error &err, Streams &io, const std::string &advice) {
    return report_error(pane == ACCP_PANES_SHARED ? "shared" : "pane " + std::to_string(pane), err,
                        io, advice);
}

int report_error(const std::string &subject, const accp_error &err, Streams &io,
                 const std::string &advice) {
    const std::string line =
        subject + ": " + accp_status_code_name(err.code) + ": " + message_of(err) + advice;
    if (err.code == ACCP_ERR_ARG || err.code == ACCP_ERR_NOMEM || err.code == ACCP_ERR_IO)
        throw Failure(line);
    io.err.text.append("accp: ").append(line).append("\n");
    return 1;
}

}  // namespace cli
