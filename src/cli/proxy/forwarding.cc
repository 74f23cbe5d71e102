// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp proxy: forwards the calls of agents to their providers.
#include <signal.h>
#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/proxy/accounts.h"
#include "cli/proxy/agent.h"
#include "cli/proxy/doctor.h"
#include "cli/proxy/known_agents.h"
#include "cli/proxy/option_uses.h"
#include "cli/proxy/report.h"
#include "cli/proxy/run_upstreams.h"
#include "cli/proxy/setup.h"
#include "cli/proxy/token_file.h"
#include "cli/settings.h"
#include "proxy/forward/forward_loop.h"
#include "proxy/page/proxy_page.h"
#include "server/http/caller.h"
#include "server/http/clock.h"

namespace cli {
namespace {

proxy::ForwardLoop *running_proxy = nullptr;  // for the signal handler

void stop_proxy(int) {
    if (running_proxy) running_proxy->stop();
}

void install_stop_handlers() {
    struct sigaction action = {};
    action.sa_handler = stop_proxy;
    for (const int number : {SIGTERM, SIGINT}) sigaction(number, &action, nullptr);
}

proxy::ForwardOptions forward_options(const Arguments &arguments, Streams &io) {
    constexpr int64_t kMs = 1000;
    constexpr size_t kMiB = 1 << 20;
    proxy::ForwardOptions options;
    options.address = arguments.address == "localhost" ? "127.0.0.1" : arguments.address;
    options.port = arguments.port;
    if (!arguments.token_file.empty()) options.token = read_token(arguments.token_file);
    if (options.token.empty() && !server::is_loopback(options.address))
        throw Failure("--address " + options.address +
                      ": without --token-file the proxy serves this machine only, because anybody "
                      "could use it; listen on 127.0.0.1, or give a file with a token");
    for (const std::string &list : arguments.origins)
        for (const std::string &origin : split_commas(list)) options.origins.push_back(origin);
    options.max_connections = arguments.max_connections;
    options.limits.max_body = arguments.max_body * kMiB;
    options.limits.idle_ms = static_cast<int64_t>(arguments.idle_timeout) * kMs;
    options.upstream.authorities = arguments.authorities;
    if (!arguments.authorities.empty()) read_file(arguments.authorities);  // to report a bad file
    options.upstream.connect_ms = static_cast<int64_t>(arguments.connect_timeout) * kMs;
    options.upstream.idle_seconds = static_cast<int64_t>(arguments.idle_timeout);
    if (arguments.log)
        options.log = [&io](const std::string &line) {
            io.err.text.append(line);
            io.flush();
        };
    return options;
}

std::string url_of(const std::string &address, int port) {
    const bool is_ipv6 = address.find(':') != address.npos;
    return "http://" + (is_ipv6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

void print_start(const std::string &url, const std::string &address,
                 const proxy::Upstreams &upstreams, bool has_page, Streams &io) {
    std::string &out = io.err.text;
    out.append("accp: proxy at ").append(url);
    const char *before = ", for ";
    for (const proxy::Upstream &one : upstreams.all()) {
        out.append(before).append(one.name).append(" ").append(one.url());
        before = ", ";
    }
    if (!server::is_loopback(address)) out.append(", WITHOUT TLS");
    if (has_page) out.append("; page at ").append(url).append("/_accp/");
    out.append("\n");
    io.flush();
}

}  // namespace

namespace {

proxy::ProxyPage::Facts page_facts(const proxy::Upstreams &upstreams) {
    proxy::ProxyPage::Facts facts = {accp_version(), server::clock_ms(), {}};
    for (const proxy::Upstream &one : upstreams.all())
        facts.upstreams.push_back({one.name, one.url()});
    return facts;
}

struct FileRemover {
    const std::string &path;  // empty: none
    ~FileRemover() {
        if (!path.empty()) std::remove(path.c_str());
    }
};

// Runs the agent while the proxy at `base` forwards its calls, and returns its exit status.
int run_agent(const Arguments &arguments, const std::string &base, const RunUpstreams &chosen,
              const proxy::Upstreams &upstreams, proxy::ForwardLoop &loop) {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;  // the terminal sends it to the agent too
    sigaction(SIGINT, &ignore, nullptr);
    const auto is_gateway = [](const proxy::Upstream &one) {
        return one.name == "anthropic" && one.url() != kAnthropicUrl;
    };
    const auto &all = upstreams.all();
    const AgentLaunch launch = launch_behind(arguments.worker_command, base, chosen,
                                             std::any_of(all.begin(), all.end(), is_gateway));
    const FileRemover remover{launch.temporary_file};
    AgentProcess agent(launch);
    int status = 0;
    std::thread waiter([&] {
        status = agent.wait();
        loop.stop();
        loop.stop();  // nobody waits for calls that still run
    });
    loop.run();
    agent.signal(SIGTERM);  // if it still runs, the proxy was stopped first
    waiter.join();
    return status;
}

}  // namespace

int run_proxy(const Arguments &arguments, Streams &io) {
    check_proxy_options(arguments);
    if (arguments.action == "report") return report_calls(arguments, io);
    if (arguments.action == "setup") return set_up_agent(arguments, io);
    if (arguments.action == "undo") return undo_setup(arguments, io);
    if (arguments.action == "doctor") return examine_proxy(arguments, io);
    const bool runs_agent = arguments.action == "run";
    if (runs_agent && arguments.worker_command.empty())
        throw Failure(
            "proxy run: give the agent's command after --, such as: accp proxy run -- claude");
    proxy::ForwardOptions options = forward_options(arguments, io);
    RunUpstreams chosen;
    if (runs_agent) {
        options.port = 0;
        chosen = choose_upstreams(arguments);
    }
    const proxy::Upstreams upstreams(runs_agent ? chosen.options : arguments.upstreams);
    ProxyAccounts accounts(arguments);
    proxy::CallMeter meter(accounts.traffic(), server::clock_us);
    proxy::ProxyPage page(page_facts(upstreams), meter, accounts.rewriter(), accounts.history());
    proxy::ForwardLoop loop(options, upstreams, &meter, &page);
    const std::string url = url_of(options.address, loop.port());
    accounts.note_address(url);
    running_proxy = &loop;
    install_stop_handlers();
    int status = 0;
    print_start(url, options.address, upstreams, accounts.history() != nullptr, io);
    if (runs_agent) {
        status = run_agent(arguments, url, chosen, upstreams, loop);
    } else {
        loop.run();
    }
    running_proxy = nullptr;
    const proxy::Ledger &ledger = accounts.ledger();
    io.err.text.append("accp: ").append(
        summary_of(ledger.totals(false), ledger.totals(true), ledger.last_failure()));
    return status;
}

}  // namespace cli
