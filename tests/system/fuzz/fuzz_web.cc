// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as what a client writes to a server's socket, with a line "--" between separate
// writes: HTTP, and a WebSocket after it. In any case the connection must end with its socket, the
// response must be HTTP, and the next client must be served.
#include "fuzz/server_base.h"

#include <sys/socket.h>
#include <unistd.h>

#include "server/http/loop.h"

using namespace accp_fuzz;

namespace {

constexpr std::string_view kBetween = "\n--\n";
constexpr int kIdleUs = 500;  // after this time without events everything has been answered

// A server whose sessions are in memory.
class Server {
public:
    Server() {
        server::HubRules rules;
        rules.default_session = "s";
        accp_config *config = base_.config();
        hub_ = std::make_unique<server::Hub>(rules, base_.pool(), config, base_.registry());
        watch_ = std::make_unique<server::Watch>(base_.pool(), config, base_.tokenizer());
        tools_ = std::make_unique<server::McpTools>(base_.mcp_house());
        mcp_ = std::make_unique<server::McpHttp>(*tools_, "default");
        a2a_ = std::make_unique<server::A2a>(server::A2aRules{}, *hub_, config, base_.registry());
        service_ = std::make_unique<server::HttpService>(
            server::HttpRules{}, server::HttpParts{access_, *hub_, *watch_, *mcp_, *a2a_, sacp_});
        loop = std::make_unique<server::WebLoop>(server::WebOptions{}, *service_, *hub_);
    }

private:
    ServerBase base_{true};
    server::Access access_;
    server::Spawner spawner_{"", nullptr};
    server::SacpHttp sacp_{spawner_};
    std::unique_ptr<server::Hub> hub_;
    std::unique_ptr<server::Watch> watch_;
    std::unique_ptr<server::McpTools> tools_;
    std::unique_ptr<server::McpHttp> mcp_;
    std::unique_ptr<server::A2a> a2a_;
    std::unique_ptr<server::HttpService> service_;

public:
    std::unique_ptr<server::WebLoop> loop;
};

class Client {
public:
    explicit Client(server::WebLoop &loop) : loop_(loop), before_(loop.open_count()) {
        int ends[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
        socket_ = ends[0];
        REQUIRE(loop.adopt(ends[1]));
    }
    ~Client() { ::close(socket_); }

    void write(std::string_view text) {
        while (!text.empty() && is_open_) {
            const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
            if (sent > 0) text.remove_prefix(static_cast<size_t>(sent));
            else if (errno != EAGAIN) is_open_ = false;
            serve();
        }
    }
    // Runs until the server has closed the connection of a client that sends nothing more.
    void end() {
        ::shutdown(socket_, SHUT_RDWR);
        for (int i = 0; loop_.open_count() > before_; ++i) {
            REQUIRE(i < 1000);
            REQUIRE(loop_.step(kIdleUs));
        }
    }
    const std::string &answer() const { return answer_; }

private:
    void serve() {
        constexpr int kQuiet = 3;  // steps: one reads and one writes
        for (int quiet = 0; quiet < kQuiet; ++quiet) {
            REQUIRE(loop_.step(kIdleUs));
            char got[4096];
            for (ssize_t n; (n = ::recv(socket_, got, sizeof got, 0)) > 0; quiet = 0)
                answer_.append(got, static_cast<size_t>(n));
        }
    }

    server::WebLoop &loop_;
    size_t before_;
    int socket_ = -1;
    bool is_open_ = true;
    std::string answer_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    constexpr int kInputs = 256;  // per server, so that its sessions stay small
    static std::unique_ptr<Server> server;
    static int used = 0;
    if (!server || ++used % kInputs == 0) server = std::make_unique<Server>();
    std::string_view rest = text_of(data, size);
    Client client(*server->loop);
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(kBetween), rest.size());
        client.write(rest.substr(0, end));
        rest.remove_prefix(std::min(end + kBetween.size(), rest.size()));
    }
    client.end();
    REQUIRE(client.answer().empty() || client.answer().starts_with("HTTP/1."));
    Client next(*server->loop);
    next.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    REQUIRE(next.answer().starts_with("HTTP/1.1 200"));
    next.end();
    return 0;
}
