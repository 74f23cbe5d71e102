// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See panes_project.h.
#include "cli/packet/panes_project.h"

#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr int64_t kMaxPane = 9999;
constexpr const char *kJournal = "/journal.sqlite";

// The store, and how it is opened; in memory where there is nothing to be read.
std::pair<std::string, uint32_t> store_of(const Arguments &arguments, JournalUse use) {
    if (use == JournalUse::kNone) return {"memory:", 0};
    const uint32_t flags =
        use == JournalUse::kRead ? ACCP_STORE_READ_ONLY | ACCP_STORE_EXISTING : 0;
    if (!arguments.store.empty())
        return {arguments.store, arguments.store == "memory:" ? 0 : flags};
    const std::string path = project_folder(arguments) + kJournal;
    refuse_link(project_folder(arguments));
    refuse_link(path);
    if (use == JournalUse::kRead && !std::filesystem::exists(path)) return {"memory:", 0};
    if (use == JournalUse::kWrite && mkdir(project_folder(arguments).c_str(), 0700) != 0 &&
        errno != EEXIST)
        throw Failure(project_folder(arguments) + ": cannot be made");
    return {"sqlite:" + path, flags};
}

// --config; else the one of the user's home, where it is there.
std::string config_of(const Arguments &arguments) {
    if (!arguments.panes_config.empty()) return arguments.panes_config;
    const char *home = std::getenv("HOME");
    const std::string path = std::string(home ? home : "") + "/.agentwire/config.yaml";
    return home && *home && std::filesystem::exists(path) ? path : std::string();
}

// A pane as the environment has it: 3, and tmux: %3. -1: no such variable.
int64_t pane_in(const char *variable) {
    const char *value = std::getenv(variable);
    if (value == nullptr || *value == 0) return -1;
    std::string_view digits = value;
    if (digits[0] == '%') digits.remove_prefix(1);
    int64_t pane = -1;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), pane);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || pane < 0 ||
        pane > kMaxPane)
        throw Failure(std::string(variable) + " is no pane: " + value);
    return pane;
}

}  // namespace

std::string project_folder(const Arguments &arguments) {
    return arguments.directory + "/.agentwire";
}

void refuse_link(const std::string &path) {
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(path)))
        throw Failure(path + " is a symbolic link");
}

PanesProject::PanesProject(const Arguments &arguments, JournalUse use)
    : config_(make_config(arguments)) {
    accp_error err = {};
    accp_store *store = nullptr;
    const auto [name, flags] = store_of(arguments, use);
    if (accp_store_open(name.data(), name.size(), flags, config_.get(), &store, &err) != ACCP_OK)
        throw Failure(name + ": " + message_of(err));
    store_.reset(store);
    accp_panes *panes = nullptr;
    if (accp_panes_open(arguments.directory.data(), arguments.directory.size(), store,
                        config_.get(), &panes, &err) != ACCP_OK)
        throw Failure(arguments.directory + ": " + message_of(err));
    panes_.reset(panes);
    const std::string path = config_of(arguments);
    if (path.empty()) return;
    const std::string text = read_file(path);
    if (accp_panes_configure(panes, text.data(), text.size(), &err) != ACCP_OK)
        throw Failure(path + ": " + describe(err, text));
}

void check_place(const Arguments &arguments) {
    if (!arguments.shared) return;
    const std::string &action = arguments.action;
    if (arguments.pane) throw Failure("--pane N or --shared: both name a packet");
    if (action == "generate" || action == "refresh" || action == "spawn")
        throw Failure("context " + action +
                      " makes no shared packet: make it a file, look at it, and then accp context "
                      "push --shared FILE");
    if (action == "clear")
        throw Failure("context clear takes --pane N: it does not clear the shared packet");
}

int64_t said_pane(const Arguments &arguments) {
    if (arguments.shared) return ACCP_PANES_SHARED;
    if (arguments.pane) return *arguments.pane;
    throw Failure("context " + arguments.action + " takes --pane N");
}

int64_t pane_of_environment() {
    for (const char *variable : {"AGENTWIRE_PANE", "TMUX_PANE"})
        if (const int64_t pane = pane_in(variable); pane >= 0) return pane;
    return -1;
}

int64_t own_pane(const Arguments &arguments, const PanesProject &project) {
    if (arguments.pane || arguments.shared) return said_pane(arguments);
    if (const int64_t pane = pane_of_environment(); pane >= 0) return pane;
    if (const int64_t pane = project.setting(ACCP_PANES_OWN_PANE); pane >= 0) return pane;
    throw Failure(
        "which pane this is is not known: --pane N, AGENTWIRE_PANE, or pane in the configuration");
}

std::string place_option(int64_t pane) {
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

int refuse_pane(int64_t pane, const accp_error &err, Streams &io, const std::string &advice) {
    return refuse(pane == ACCP_PANES_SHARED ? "shared" : "pane " + std::to_string(pane), err, io,
                  advice);
}

int refuse(const std::string &what, const accp_error &err, Streams &io, const std::string &advice) {
    const std::string line =
        what + ": " + accp_status_code_name(err.code) + ": " + message_of(err) + advice;
    if (err.code == ACCP_ERR_ARG || err.code == ACCP_ERR_NOMEM || err.code == ACCP_ERR_IO)
        throw Failure(line);
    io.err.text.append("accp: ").append(line).append("\n");
    return 1;
}

}  // namespace cli
