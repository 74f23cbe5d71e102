// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The options of accp proxy.
#include "cli/arguments/options.h"

namespace cli {
namespace {

constexpr int64_t kMaxPort = 65'535;
constexpr int64_t kMaxMiB = 1024;
constexpr int64_t kMaxTimeout = 86'400;
constexpr int64_t kMaxProxyConnections = 100'000;

// Keeps the value of an option that may have none, which means "-".
CLI::callback_t kept_file(std::string &out) {
    return [&out](const CLI::results_t &values) {
        out = values.empty() || values.front().empty() ? "-" : values.front();
        return true;
    };
}

// Keeps an address. An IPv6 address may have brackets, as in a URL.
CLI::callback_t kept_address(std::string &out) {
    return [&out](const CLI::results_t &values) {
        std::string value = values.front();
        if (value.starts_with(' ')) value.erase(0, 1);  // the words of the command line: " [::1]"
        const bool has_brackets = value.starts_with('[') && value.ends_with(']');
        out = has_brackets ? value.substr(1, value.size() - 2) : value;
        return true;
    };
}

void add_limits(CLI::App &proxy, Arguments &out) {
    proxy
        .add_option("--max-body", out.max_body, "The largest body of a request in MiB (default 64)")
        ->check(whole_number(1, kMaxMiB))
        ->option_text("N")
        ->group(kMoreOptions);
    proxy
        .add_option("--max-connections", out.max_connections,
                    "The most connections of clients (default 4096). The next 256 get 503, further "
                    "ones are closed")
        ->check(whole_number(1, kMaxProxyConnections))
        ->option_text("N")
        ->group(kMoreOptions);
    proxy
        .add_option("--connect-timeout", out.connect_timeout,
                    "The seconds that connecting to an upstream may take (default 30)")
        ->check(whole_number(1, kMaxTimeout))
        ->option_text("N")
        ->group(kMoreOptions);
    proxy
        .add_option("--idle-timeout", out.idle_timeout,
                    "End a call if nothing of it moves for this many seconds (default 600)")
        ->check(whole_number(1, kMaxTimeout))
        ->option_text("N")
        ->group(kMoreOptions);
}

}  // namespace

void add_proxy(CLI::App &app, Arguments &out) {
    CLI::App *proxy = app.add_subcommand("proxy",
                                         "Forward the calls of agents to the providers of their "
                                         "models, and leave out old results of "
                                         "tools where that lowers the bill");
    proxy->group(kServers);
    proxy
        ->add_option("ACTION", out.action,
                     "run -- AGENT...\tRun an agent behind a proxy of its own, and print at its "
                     "end what was saved\n"
                     "report FILE\tSum up what --calls has written\n"
                     "setup AGENT\tMake an agent use a proxy that stays, in its own configuration\n"
                     "undo AGENT\tRestore what setup has changed\n"
                     "doctor [AGENT]\tCheck the proxy, its upstreams and its agents")
        ->check(one_of({"run", "report", "setup", "undo", "doctor"}));
    proxy->add_option(
        "FILE", out.files,
        "Of report: the file. Of setup, undo and doctor: aider, claude, cline, codex, "
        "gemini, opencode, openhands, pi or qwen");
    proxy->footer(
        "Without an action, the proxy runs until SIGTERM. Set the agent's base URL to its\n"
        "address:\n"
        "  ANTHROPIC_BASE_URL=http://127.0.0.1:7118\n"
        "  OPENAI_BASE_URL=http://127.0.0.1:7118/v1\n"
        "docs/proxy.md describes the proxy. SIGTERM and SIGINT end it; running calls\n"
        "have 30 seconds to finish.");
    proxy
        ->add_option("--address", kept_address(out.address),
                     "Listen on this address (default 127.0.0.1), a number or localhost. Of setup "
                     "and doctor: the proxy's address, also as a URL")
        ->option_text("ADDRESS");
    proxy
        ->add_option("--port", out.port,
                     "Listen on this port (default 7118); 0 picks a free one. Of setup and "
                     "doctor: the proxy's port")
        ->check(whole_number(0, kMaxPort))
        ->option_text("N");
    proxy
        ->add_option(
            "--upstream", out.upstreams,
            "Forward calls for NAME to this URL. anthropic and openai are known; any other "
            "NAME is reached by paths that begin with /NAME. Can be given several times")
        ->option_text("NAME=URL")
        ->allow_extra_args(false);
    proxy
        ->add_option("--token-file", out.token_file,
                     "Clients must show the token in this file: Proxy-Authorization: Bearer TOKEN. "
                     "Without it, only this machine is served. Of doctor: the token of the proxy")
        ->option_text("FILE");
    proxy
        ->add_option(
            "--store", out.store,
            "Keep what is known of conversations in sqlite:PATH, so that a restart changes "
            "nothing that is sent; the default is memory")
        ->option_text("STORE");
    proxy->add_option("--calls", out.calls_file, "Append a line of JSON for each call to this file")
        ->option_text("FILE");
    proxy
        ->add_option("--holdout", out.holdout,
                     "Leave this share of the conversations untouched, such as 0.1, to compare")
        ->check(CLI::Range(0.0, 1.0))
        ->option_text("SHARE");
    proxy->add_flag("--untouched", out.untouched, "Change no request; only account for calls");
    proxy->add_flag("--no-resolve", out.no_resolve,
                    "Do not give the model the tool accp_resolve, with which it sees again what "
                    "was left out");
    proxy
        ->add_option("--prices", out.prices,
                     "Use the prices in this file instead of the built-in ones "
                     "(data/prices/prices.json)")
        ->option_text("FILE")
        ->group(kMoreOptions);
    proxy
        ->add_option("--clock-header", out.clock_header,
                     "For replays of recorded sessions: the time of a call is in this header, in "
                     "milliseconds")
        ->option_text("NAME")
        ->group(kMoreOptions);
    proxy
        ->add_flag("--no-page", out.no_page,
                   "Leave out the page at /_accp/, and keep no names of tools and files for it")
        ->group(kMoreOptions);
    proxy
        ->add_flag("--marks", out.adds_marks,
                   "Set cache marks in conversations of the Messages interface whose client sets "
                   "none")
        ->group(kMoreOptions);
    proxy
        ->add_option(
            "--plot", kept_file(out.plot),
            "Of report: draw the bill with and without the proxy as an SVG into this file; "
            "without FILE, or -, as bars of text")
        ->expected(0, 1)
        ->option_text("[FILE]")
        ->group(kMoreOptions);
    proxy
        ->add_flag("--dry-run", out.dry_run,
                   "Of setup and undo: print what would change, and change nothing")
        ->group(kMoreOptions);
    proxy
        ->add_flag("--service", out.service,
                   "Of setup and undo: a systemd unit of this user that runs the proxy with these "
                   "--port and --upstream")
        ->group(kMoreOptions);
    proxy->add_flag("--json", out.json, "Of report and doctor: print one JSON object")
        ->group(kMoreOptions);
    proxy->add_flag("--log", out.log,
                    "Write a line of JSON for each call to standard error, without headers and "
                    "bodies");
    proxy
        ->add_option("--ca", out.authorities,
                     "Trust the certificates in this file, besides those of the machine")
        ->option_text("FILE")
        ->group(kMoreOptions);
    add_list(*proxy, "--origins", out.origins,
             "Web pages that may call the proxy, such as https://app.example")
        ->group(kMoreOptions);
    add_limits(*proxy, out);
}

}  // namespace cli
