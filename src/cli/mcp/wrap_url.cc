// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp wrap --url URL: relays to an MCP server that is reached by HTTP (server/mcp/remote.h).
#include <signal.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>

#include "cli/mcp/wrap.h"
#include "cli/settings.h"
#include "server/http/client.h"
#include "server/mcp/remote.h"

namespace cli {
namespace {

constexpr int64_t kMaxStepMs = 60'000;
constexpr int64_t kMaxAnswersMs = 5000;  // the time for open calls after the client has ended

server::HttpClient *running_caller = nullptr;
volatile sig_atomic_t is_stopping = 0;

void end_caller(int) {
    is_stopping = 1;
    if (running_caller) running_caller->wake();
}

// Replaces "${NAME}" by the environment variable, because every user of the machine can read a
// token on a command line.
std::string with_environment(std::string_view text) {
    std::string made;
    for (size_t at = 0; at < text.size();) {
        const size_t end = text.substr(at).starts_with("${") ? text.find('}', at) : text.npos;
        if (end == text.npos) {
            made += text[at++];
            continue;
        }
        const std::string name(text.substr(at + 2, end - at - 2));
        const char *value = std::getenv(name.c_str());
        if (!value)
            throw Failure("--header: the environment has no " + name + "; set this variable");
        made += value;
        at = end + 1;
    }
    return made;
}

server::HttpHeaders headers_of(const Arguments &arguments) {
    server::HttpHeaders headers;
    for (const std::string &line : arguments.web_headers) {
        const size_t colon = line.find(':');
        std::string name = line.substr(0, colon);
        for (char &c : name)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        const bool is_name =
            !name.empty() &&
            name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == name.npos;
        if (colon == line.npos || !is_name)
            throw Failure("--header: '" + line + "' is not of the form 'NAME: VALUE'");
        const size_t begin = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
        std::string value = with_environment(std::string_view(line).substr(begin));
        if (value.find_first_of(std::string_view("\r\n\0", 3)) != value.npos)
            throw Failure("--header: a value is one line, without line breaks");
        headers.emplace_back(std::move(name), std::move(value));
    }
    return headers;
}

// Reports a file that cannot be read, because libwebsockets does not.
const std::string &readable(const std::string &path) {
    if (!path.empty()) read_file(path);
    return path;
}

// A proxy cannot reach the loopback addresses of this machine.
void disable_proxy_for_loopback(const server::HttpAddress &address) {
    if (address.host != "localhost" && address.host != "::1" && !address.host.starts_with("127."))
        return;
    for (const char *name : {"http_proxy", "https_proxy", "all_proxy"}) unsetenv(name);
}

class WrapRemote {
public:
    WrapRemote(const Arguments &arguments, Streams &io)
        : relay_(arguments, io),
          remote_({headers_of(arguments), static_cast<int64_t>(arguments.max_silence) * 1000}),
          caller_(address_of(arguments), readable(arguments.authorities), STDIN_FILENO,
                  queueing()) {}
    ~WrapRemote() { running_caller = nullptr; }

    int run() {
        running_caller = &caller_;
        struct sigaction action = {};
        action.sa_handler = end_caller;
        for (const int number : {SIGTERM, SIGINT}) sigaction(number, &action, nullptr);
        bool reads_client = true;
        int64_t ends_at = 0;
        while (!ends_at || clock_ms() < ends_at) {
            if (is_stopping) reads_client = false;
            if (reads_client) reads_client = read_client();
            if (!reads_client && !ends_at) ends_at = clock_ms() + kMaxAnswersMs;
            handle_events();
            server::McpRemote::Effects effects;
            const bool is_over = !reads_client && remote_.finish(effects);
            apply(effects);
            relay_.flush();
            if (is_over) break;
            caller_.wait(wait_ms(ends_at));
        }
        relay_.flush();
        relay_.finish();
        return 0;
    }

private:
    static server::HttpAddress address_of(const Arguments &arguments) {
        server::HttpAddress address = server::HttpAddress::read(arguments.url);
        disable_proxy_for_loopback(address);
        return address;
    }

    // Queues events until wait() has returned, because calls can be started only then.
    server::HttpClientEvents queueing() {
        using Effects = server::McpRemote::Effects;
        server::HttpClientEvents events;
        events.head = [this](uint64_t call, const server::HttpCallHead &head) {
            events_.push_back([this, call, head](Effects &effects) {
                remote_.on_head(call, head, clock_ms(), effects);
            });
        };
        events.body = [this](uint64_t call, std::string_view bytes) {
            events_.push_back([this, call, text = std::string(bytes)](Effects &effects) {
                remote_.on_body(call, text, clock_ms(), effects);
            });
        };
        events.end = [this](uint64_t call) {
            events_.push_back(
                [this, call](Effects &effects) { remote_.on_end(call, clock_ms(), effects); });
        };
        events.failure = [this](uint64_t call, std::string_view why) {
            events_.push_back([this, call, text = std::string(why)](Effects &effects) {
                remote_.on_failure(call, text, clock_ms(), effects);
            });
        };
        events.input = [] {};
        return events;
    }

    int64_t wait_ms(int64_t ends_at) const {
        if (!events_.empty()) return 0;
        const int64_t now = clock_ms(), due = remote_.due_ms();
        int64_t left = kMaxStepMs;
        if (due >= 0) left = std::min(left, due - now);
        if (ends_at) left = std::min(left, ends_at - now);
        return std::max<int64_t>(left, 0);
    }

    // Reads what standard input has now. Returns false at its end.
    bool read_client() {
        std::vector<std::string> lines;
        const bool is_open = relay_.read_client(lines);
        server::McpRemote::Effects effects;
        for (const std::string &line : lines) remote_.send(line, clock_ms(), effects);
        apply(effects);
        return is_open;
    }

    void handle_events() {
        server::McpRemote::Effects due;
        remote_.tick(clock_ms(), due);
        apply(due);
        while (!events_.empty()) {
            const auto event = std::move(events_.front());
            events_.pop_front();
            server::McpRemote::Effects effects;
            event(effects);
            apply(effects);
        }
    }

    void apply(server::McpRemote::Effects &effects) {
        std::vector<std::string> none;  // a line from the server never causes one to the server
        for (const std::string &line : effects.to_client) relay_.from_server(line, none);
        for (const std::string &fault : effects.faults) relay_.print_fault(fault);
        for (const uint64_t call : effects.drops) caller_.drop(call);
        for (server::HttpCall &call : effects.calls) caller_.start(std::move(call));
    }

    WrapRelay relay_;
    server::McpRemote remote_;
    std::deque<std::function<void(server::McpRemote::Effects &)>> events_;
    server::HttpClient caller_;
};

}  // namespace

int wrap_remote(const Arguments &arguments, Streams &io) { return WrapRemote(arguments, io).run(); }

}  // namespace cli
