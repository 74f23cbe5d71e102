// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp serve: an engine, a hub and an event loop.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/packet/item_model.h"
#include "cli/session/sessions.h"
#include "cli/settings.h"
#include "server/http/caller.h"
#include "server/http/client_call.h"
#include "server/http/loop.h"
#include "server/hub/peer_links.h"
#include "server/library/backend.h"

namespace cli {
namespace {

constexpr int64_t kMaxShutDownMs = 10'000;  // the time for open requests at the end

// Used by the signal handler.
server::WebLoop *running_loop = nullptr;
volatile sig_atomic_t must_reload_tokens = 0;
std::atomic<bool> is_ending = false;  // calls of the model end

void on_signal(int number) {
    if (number == SIGHUP) {
        must_reload_tokens = 1;
    } else if (running_loop) {
        is_ending = true;
        running_loop->stop();
    }
}

void install_signal_handlers() {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaction(number, &action, nullptr);
}

server::WebOptions web_options(const Arguments &arguments) {
    server::WebOptions options;
    const size_t colon = arguments.listen.rfind(':');
    const std::string port = arguments.listen.substr(colon == std::string::npos ? 0 : colon + 1);
    options.address = arguments.listen.substr(0, colon);
    // An IPv6 address has brackets, as in URLs. The parser of arguments puts a space before them.
    options.address.erase(0, options.address.find_first_not_of(" ["));
    if (options.address.ends_with(']')) options.address.pop_back();
    if (options.address == "localhost") options.address = "127.0.0.1";
    const auto read = std::from_chars(port.data(), port.data() + port.size(), options.port);
    constexpr int kMaxPort = 65'535;
    if (colon == std::string::npos || options.address.empty() || read.ec != std::errc() ||
        read.ptr != port.data() + port.size() || options.port < 0 || options.port > kMaxPort)
        throw Failure("--listen " + arguments.listen +
                      ": not of the form ADDRESS:PORT, such as 127.0.0.1:7117");
    if (arguments.tokens_file.empty() && !server::is_loopback(options.address))
        throw Failure("--listen " + arguments.listen +
                      ": without --tokens the hub serves this machine only, because anybody could "
                      "use any agent's "
                      "name; listen on 127.0.0.1, or make tokens with accp serve token");
    options.certificate = arguments.certificate;
    options.key = arguments.key;
    options.max_connections = arguments.max_connections;
    options.max_message = record_limit(arguments, ACCP_LIMIT_FRAME_BYTES);
    return options;
}

// Returns the address at which others reach this hub, such as "http://127.0.0.1:7117":
// --public-url, or a guess from --listen.
std::string card_url(const Arguments &arguments, int port) {
    if (!arguments.public_url.empty()) {
        const server::HttpAddress address = server::HttpAddress::read(
            arguments.public_url,
            "--public-url must be the address of this hub, such as https://host:8443");
        const bool has_path = address.path != "/";
        const std::string origin =
            (address.is_tls ? "https://" : "http://") + address.host_header();
        return has_path ? origin + address.path.substr(0, address.path.find_last_not_of('/') + 1)
                        : origin;
    }
    std::string host = web_options(arguments).address;
    if (host == "0.0.0.0" || host == "::") {
        char name[256] = {};
        host = ::gethostname(name, sizeof name - 1) == 0 && name[0] ? name : "localhost";
    }
    const bool is_plain = arguments.certificate.empty();
    if (host.find(':') != host.npos) host = "[" + host + "]";
    return (is_plain ? "http://" : "https://") + host + ":" + std::to_string(port);
}

// Throws Failure if other users can write the file, because they could add tokens.
void check_tokens_file(const std::string &path) {
    struct stat about = {};
    constexpr mode_t kOthers = S_IWGRP | S_IWOTH;
    if (::stat(path.c_str(), &about) != 0 || !(about.st_mode & kOthers)) return;
    char mode[8];
    std::snprintf(mode, sizeof mode, "%03o", static_cast<unsigned>(about.st_mode & 0777));
    throw Failure("--tokens " + path + ": other users can write this file (mode " + mode +
                  ") and add tokens; remove that right: chmod 600 " + path);
}

server::HubRules hub_rules(const Arguments &arguments) {
    server::HubRules rules;
    rules.default_session = arguments.session;
    rules.wait_ms = static_cast<int64_t>(arguments.wait_ms);
    rules.logs = arguments.log;
    return rules;
}

// The config for frames, the engine and negotiations. Each agent has its own sequence numbers,
// frames are applied as they arrive, and messages are not split, so every frame is relayed
// unchanged.
Handle<accp_config> hub_config(const Arguments &arguments, const accp_registry *registry,
                               const accp_tokenizer *tokenizer, const SessionStore &store) {
    Handle<accp_config> made = make_config(arguments);
    accp_config *config = made.get();
    const server::HubRules rules;
    accp_config_set_registry(config, registry, nullptr);
    accp_config_set_tokenizer(config, tokenizer, nullptr);
    accp_config_set_store(config, store.get(), nullptr);
    accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, extensions(arguments), nullptr);
    constexpr std::pair<accp_rule, int64_t> kFixed[] = {{ACCP_RULE_BY_SENDER, 1},
                                                        {ACCP_RULE_WINDOW, 0},
                                                        {ACCP_RULE_PARTS, 0},
                                                        {ACCP_RULE_NAMES_SESSION, 1},
                                                        {ACCP_RULE_DURABLE, 0}};
    for (const auto &[rule, value] : kFixed) accp_config_set_rule(config, rule, value, nullptr);
    for (const std::string &text : arguments.rules) {
        const int32_t number = set_rule(config, text).number;
        for (const auto &[rule, value] : kFixed)
            if (rule == number)
                throw Failure("--rule " + text + ": the hub sets this rule itself; leave it out");
    }
    accp_error err = {};
    for (const std::string_view own :
         {std::string_view(rules.agent), server::McpEnvironment::kAgent})
        if (accp_config_add_own_agent(config, own.data(), own.size(), &err) != ACCP_OK)
            throw Failure(message_of(err));
    return made;
}

Handle<accp_engine> new_engine(const accp_config *config) {
    accp_engine *engine = nullptr;
    accp_error err = {};
    if (accp_engine_new(config, &engine, &err) != ACCP_OK)
        throw Failure("sessions: " + message_of(err));
    return Handle<accp_engine>(engine);
}

class Server {
public:
    Server(const Arguments &arguments, Streams &io)
        : arguments_(arguments),
          io_(io),
          limits_(make_config(arguments)),
          tokenizer_(open_tokenizer(arguments, limits_.get())),
          registry_(open_registry(arguments, limits_.get())),
          store_(arguments, false),
          config_(hub_config(arguments, registry_.get(), tokenizer_.get(), store_)),
          engine_(new_engine(config_.get())),
          access_(read_access(nullptr)),
          trial_config_(trial_config(arguments, registry_.get(), tokenizer_.get(), store_)),
          trial_engine_(new_engine(trial_config_.get())),
          pool_(engine_.get(), store_.get()),
          hub_(hub_rules(arguments), pool_, config_.get(), registry_.get()),
          bus_(join_gateways()),
          watch_(pool_, config_.get(), tokenizer_.get()),
          mcp_config_(make_config(arguments)),
          tools_(new_environment()),
          mcp_(tools_, arguments.session, item_finder(arguments, &is_ending)),
          a2a_(a2a_rules(), hub_, config_.get(), registry_.get()),
          spawner_(tools_.environment().library, arguments.spawn ? store_.get() : nullptr),
          sacp_(spawner_),
          service_(http_rules(), {access_, hub_, watch_, mcp_, a2a_, sacp_}),
          loop_(web_options(arguments), service_, hub_) {
        pool_.set_trial_engine(trial_engine_.get(), trial_store_.get());
        a2a_.set_url(card_url(arguments, loop_.port()));
        if (bus_) bus_->on_news([this] { loop_.wake(); });
        if (arguments.spawn) hub_.set_spawner(spawner_);
    }
    ~Server() {
        is_ending = true;
        if (bus_) bus_->on_news(nullptr);
    }
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;

    int run() {
        running_loop = &loop_;
        is_ending = false;
        install_signal_handlers();
        print_start();
        loop_.run([this] { after_turn(); }, kMaxShutDownMs);
        running_loop = nullptr;
        accp_error err = {};
        if (store_.close(err) != ACCP_OK) throw Failure("the store: " + message_of(err));
        return 0;
    }

private:
    server::Access read_access(const server::Access *before) const {
        const server::CallerLimits limits = {arguments_.rate, arguments_.max_sessions};
        if (arguments_.tokens_file.empty()) return server::Access(limits);
        check_tokens_file(arguments_.tokens_file);
        return server::Access(read_file(arguments_.tokens_file), limits, before);
    }

    // Returns the hub's config with a separate store in memory.
    Handle<accp_config> trial_config(const Arguments &arguments, const accp_registry *registry,
                                     const accp_tokenizer *tokenizer, const SessionStore &store) {
        constexpr std::string_view kMemory = "memory:";
        accp_store *opened = nullptr;
        accp_error err = {};
        Handle<accp_config> made = hub_config(arguments, registry, tokenizer, store);
        if (accp_store_open(kMemory.data(), kMemory.size(), 0, made.get(), &opened, &err) !=
            ACCP_OK)
            throw Failure("sessions in memory: " + message_of(err));
        trial_store_.reset(opened);
        accp_config_set_store(made.get(), opened, nullptr);
        return made;
    }

    std::unique_ptr<server::TableBus> join_gateways() {
        const accp_bus_opener open = host::bus_of_store(arguments_.store);
        if (!open) return nullptr;
        auto bus = std::make_unique<server::TableBus>(open, arguments_.store);
        hub_.join_gateways(*bus);
        return bus;
    }

    server::McpEnvironment new_environment() {
        server::McpEnvironment made(pool_, mcp_config_.get(), registry_.get(), tokenizer_.get());
        made.max_model_tokens = arguments_.model_tokens;
        if (arguments_.model != "none")
            made.new_packet_config = [this] { return make_config(arguments_); };
        if (!arguments_.library.empty()) made.library = read_file(arguments_.library);
        return made;
    }

    server::HttpRules http_rules() const {
        server::HttpRules rules;
        for (const std::string &list : arguments_.origins)
            for (const std::string &origin : split_commas(list)) rules.origins.push_back(origin);
        rules.max_body = record_limit(arguments_, ACCP_LIMIT_FRAME_BYTES);
        return rules;
    }

    void after_turn() {
        const std::string log = hub_.take_log();
        io_.err.text.append(log);
        if (!log.empty()) io_.flush();
        report_store();
        if (must_reload_tokens) reload_tokens();
    }

    server::A2aRules a2a_rules() const {
        server::A2aRules rules;
        rules.needs_token = !access_.is_open();
        return rules;
    }

    void reload_tokens() {
        must_reload_tokens = 0;
        try {
            if (!access_.is_open()) access_ = read_access(&access_);
            service_.end_revoked();
            io_.err.text.append("accp: the tokens were read again\n");
        } catch (const Failure &failure) {
            io_.err.text.append("accp: ")
                .append(failure.what())
                .append("; the old tokens stay valid\n");
        }
        io_.flush();
    }

    void print_start() {
        const std::string address = web_options(arguments_).address;
        const bool is_plain = arguments_.certificate.empty();
        std::string &out = io_.err.text;
        out.append(is_plain ? "accp: serving http://" : "accp: serving https://");
        out.append(address.find(':') == address.npos ? address : "[" + address + "]");
        out.append(":").append(std::to_string(loop_.port()));
        const std::string kind = arguments_.store.substr(0, arguments_.store.find(':'));
        out.append(", sessions in ").append(kind.empty() ? "memory" : kind);
        if (access_.is_open()) out.append(", without tokens: this machine only");
        else out.append(", tokens: ").append(std::to_string(access_.count()));
        out.append(!server::is_loopback(address) && is_plain ? ", WITHOUT TLS\n" : "\n");
        io_.flush();
    }

    // Prints a line when the store begins to fail, and one when it works again.
    void report_store() {
        if (hub_.is_store_failing() == was_failing_) return;
        was_failing_ = !was_failing_;
        io_.err.text.append(was_failing_ ? "accp: the store cannot be written; retrying\n"
                                         : "accp: the store can be written again\n");
        io_.flush();
    }

    const Arguments &arguments_;
    Streams &io_;
    bool was_failing_ = false;
    Handle<accp_config> limits_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_registry> registry_;
    SessionStore store_;
    Handle<accp_config> config_;
    Handle<accp_engine> engine_;
    server::Access access_;
    // This engine tries the first frame of a new session, before the session is created.
    Handle<accp_store> trial_store_;
    Handle<accp_config> trial_config_;
    Handle<accp_engine> trial_engine_;
    server::SessionPool pool_;
    server::Hub hub_;
    std::unique_ptr<server::TableBus> bus_;  // nullptr if no other gateway uses the store
    server::Watch watch_;
    Handle<accp_config> mcp_config_;
    server::McpTools tools_;
    server::McpHttp mcp_;
    server::A2a a2a_;
    server::Spawner spawner_;
    server::SacpHttp sacp_;
    server::HttpService service_;
    server::WebLoop loop_;
};

}  // namespace

int serve_hub(const Arguments &arguments, Streams &io) { return Server(arguments, io).run(); }

}  // namespace cli
