// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The options of accp proxy.
#include "cli/arguments/options.h"

namespace cli {
namespace {

constexpr int64_t kMaxPort = 65'535;
constexpr int64_t kMaxMiB = 1024;
constexpr int64_t kMaxTimeout = 86'400;
constexpr int64_t kMaxProxyConnections = 100'000;

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
    CLI::App *proxy =
        app.add_subcommand("proxy", "Forward the calls of agents to the providers of their models");
    proxy->group(kServers);
    proxy->footer(
        "Set the agent's base URL to the proxy's address:\n"
        "  ANTHROPIC_BASE_URL=http://127.0.0.1:7118\n"
        "  OPENAI_BASE_URL=http://127.0.0.1:7118/v1\n"
        "docs/proxy.md describes the proxy. SIGTERM and SIGINT end it; running calls\n"
        "have 30 seconds to finish.");
    proxy
        ->add_option("--address", out.address,
                     "Listen on this address (default 127.0.0.1), a number or localhost")
        ->option_text("ADDRESS");
    proxy->add_option("--port", out.port, "Listen on this port (default 7118); 0 picks a free one")
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
                     "Without it, only this machine is served")
        ->option_text("FILE");
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
