// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp serve: runs the hub. accp serve token: makes a bearer token for it.
#include <fcntl.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/settings.h"
#include "server/http/access.h"

namespace cli {
namespace {

void append_line(const std::string &path, const std::string &line) {
    constexpr mode_t kOwnerOnly = 0600;
    const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kOwnerOnly);
    const bool is_written =
        file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
        ::fsync(file) == 0;
    if (file >= 0) ::close(file);
    if (!is_written) throw Failure(path + ": cannot be written");
}

// Prints a new token once. Its line for --tokens is appended to that file if it is given, else
// printed too.
int make_token(const Arguments &arguments, Streams &io) {
    server::Grant grant;
    grant.name = arguments.name;
    grant.agents.clear();
    for (const std::string &list : arguments.agents)
        for (const std::string &agent : split_commas(list))
            grant.agents.append(grant.agents.empty() ? "" : ",").append(agent);
    for (const std::string &list : arguments.sessions)
        for (const std::string &session : split_commas(list)) grant.sessions.push_back(session);
    grant.is_trusted = arguments.trusted;
    grant.may_write = !arguments.read_only;
    grant.limits = {arguments.rate, arguments.max_sessions};
    const server::Access::Token made = server::Access::make(grant);
    if (!arguments.tokens_file.empty()) append_line(arguments.tokens_file, made.line + "\n");
    io.out.text.append(made.token).append("\n");
    if (arguments.tokens_file.empty()) io.out.text.append(made.line).append("\n");
    return 0;
}

}  // namespace

int run_serve(const Arguments &arguments, Streams &io) {
    return arguments.action == "token" ? make_token(arguments, io) : serve_hub(arguments, io);
}

}  // namespace cli
