// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The sockets of the loop itself: which connection is served when. tests/system/server tests the
// protocols.
#include "server/http/loop.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "http_place.h"

namespace {

constexpr int kIdleUs = 500;
constexpr std::chrono::minutes kPatience(2);
const std::string kHealth = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string upgrade(const std::string &path) {
    return "GET " + path +
           " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
           "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
           "Sec-WebSocket-Version: 13\r\n\r\n";
}

class Peer {
public:
    explicit Peer(int socket) : socket_(socket) {}
    ~Peer() { ::close(socket_); }
    Peer(const Peer &) = delete;
    Peer &operator=(const Peer &) = delete;

    void write(const std::string &text) const {
        EXPECT_EQ(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(text.size()));
    }
    // Writes as much of the text as the socket accepts now, and removes it from `text`.
    void write_some(std::string &text) const {
        const ssize_t size = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (size > 0) text.erase(0, static_cast<size_t>(size));
    }
    // Returns what has arrived since the last call, at most `max` bytes.
    std::string read(size_t max = 1 << 20) const {
        std::string text(max, '\0');
        const ssize_t size = ::recv(socket_, text.data(), max, MSG_DONTWAIT);
        text.resize(size > 0 ? static_cast<size_t>(size) : 0);
        return text;
    }

private:
    int socket_;
};

// A WebSocket message of a client, of at most 125 bytes. Its mask of zeros changes nothing.
std::string message(const std::string &text) {
    return "\x81" + std::string(1, static_cast<char>(0x80 | text.size())) + std::string(4, '\0') +
           text;
}

class WebLoopTest : public hub_test::HttpPlace {
protected:
    // Returns a connection that the loop did not accept itself.
    std::unique_ptr<Peer> adopt(int sndbuf = 0) { return adopt_by(loop_, sndbuf); }
    static std::unique_ptr<Peer> adopt_by(server::WebLoop &loop, int sndbuf = 0) {
        int ends[2];
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        if (sndbuf) ::setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &sndbuf, sizeof sndbuf);
        EXPECT_TRUE(loop.adopt(ends[1]));
        return std::make_unique<Peer>(ends[0]);
    }
    std::unique_ptr<Peer> connect() const { return connect_to(loop_); }
    static std::unique_ptr<Peer> connect_to(const server::WebLoop &loop) {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<uint16_t>(loop.port()));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        EXPECT_EQ(::connect(made, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
        return std::make_unique<Peer>(made);
    }
    void settle() {
        for (int i = 0; i < 5; ++i) EXPECT_TRUE(loop_.step(kIdleUs));
    }
    // Runs the loop until the peer has something to read, at most for `kPatience`.
    std::string await(
        const Peer &peer, const std::function<void()> &meanwhile = [] {}) {
        using namespace std::chrono;
        const auto ends = steady_clock::now() + kPatience;
        std::string got;
        while (got.empty() && steady_clock::now() < ends) {
            meanwhile();
            EXPECT_TRUE(loop_.step(kIdleUs));
            got = peer.read();
        }
        return got;
    }

    std::unique_ptr<Peer> open_socket(const std::string &agent, int sndbuf = 0) {
        auto peer = adopt(sndbuf);
        peer->write(upgrade("/accp/v1/ws"));
        EXPECT_EQ(await(*peer).substr(0, 12), "HTTP/1.1 101");
        peer->write(message("@" + agent + ">sync:registry{v:1}"));
        EXPECT_NE(await(*peer).find("@hub>sync:registry{"), std::string::npos);
        return peer;
    }
    // Returns a counter of the hub, by its name and labels, or 0.
    size_t counter(const std::string &name) const {
        const std::string metrics = place_.hub->print_metrics(), begin = "\naccp_hub_" + name + " ";
        const size_t at = metrics.find(begin);
        return at == metrics.npos ? 0 : std::stoul(metrics.substr(at + begin.size()));
    }
    // How many frames were refused.
    size_t refused() const { return counter("frames_total{intent=\"other\",code=\"E1001\"}"); }
    static server::WebOptions options(int64_t read_ms) {
        server::WebOptions made;
        made.read_ms = read_ms;
        made.max_unknown_of_one = 512;  // all adopted connections have the same address
        return made;
    }

    // A peer that is not slow must not be closed as a slow one on a busy machine.
    static constexpr int64_t kLongMs = 600'000;
    explicit WebLoopTest(int64_t read_ms = kLongMs)
        : loop_(options(read_ms), service_, *place_.hub) {}

    server::WebLoop loop_;
};

class WebLoopLate : public WebLoopTest {
protected:
    WebLoopLate() : WebLoopTest(1000) {}
};

TEST_F(WebLoopTest, ARequestIsAnsweredInTheTurnThatItComesIn) {
    const auto peer = adopt();
    for (int i = 0; i < 3; ++i) {
        settle();
        peer->write(kHealth);
        EXPECT_TRUE(loop_.step(kIdleUs));
        EXPECT_EQ(peer->read().substr(0, 12), "HTTP/1.1 200");
    }
}

// The time of a turn may have passed before libwebsockets begins to wait.
TEST_F(WebLoopTest, ATurnOfNoTimeEnds) {
    using namespace std::chrono;
    const auto peer = open_socket("dev");  // libwebsockets sets timeouts of its own for it
    settle();
    // A busy machine may hold up a turn; one that waited would take as long each time.
    auto least = steady_clock::duration::max();
    for (int tries = 0; tries < 10 && least >= seconds(1); ++tries) {
        const auto began = steady_clock::now();
        for (int i = 0; i < 5; ++i) EXPECT_TRUE(loop_.step(0));
        least = std::min(least, steady_clock::now() - began);
    }
    EXPECT_LT(least, seconds(1));
}

TEST_F(WebLoopTest, ManyIdleConnectionsDoNotHideOthers) {
    std::vector<std::unique_ptr<Peer>> idle;
    for (int i = 0; i < 300; ++i) idle.push_back(adopt());
    settle();
    const auto peer = connect();
    for (int i = 0; i < 3; ++i) {
        peer->write(kHealth);
        EXPECT_EQ(await(*peer).substr(0, 12), "HTTP/1.1 200");
        idle[static_cast<size_t>(i)]->write(kHealth);
        EXPECT_EQ(await(*idle[static_cast<size_t>(i)]).substr(0, 12), "HTTP/1.1 200");
    }
}

// The busy connection always has data, so the loop never becomes idle.
TEST_F(WebLoopTest, BusyConnectionsDoNotHideOthers) {
    const auto busy = connect();
    settle();
    busy->write(kHealth);
    const auto keep_busy = [&] {
        if (!busy->read().empty()) busy->write(kHealth);
    };
    settle();
    const auto other = connect();
    other->write(kHealth);
    EXPECT_EQ(await(*other, keep_busy).substr(0, 12), "HTTP/1.1 200");
    other->write(
        "POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/accp\r\nContent-Length: 65000\r\n\r\n");
    other->write(std::string(65'000, 'x'));
    EXPECT_EQ(await(*other, keep_busy).substr(0, 12), "HTTP/1.1 400");
}

// New connections and the rest of a partial read are served without waiting for the rare scan of
// all connections. The test counts steps, because a step is much shorter than the time between two
// scans.
TEST_F(WebLoopTest, WhatIsLeftOfAReadIsReadInTheNextStep) {
    constexpr int kMaxSteps = 40;
    const auto busy = connect();
    settle();
    const auto other = connect(), socket = open_socket("dev");
    int steps = 0;
    const auto keep_busy = [&] {
        if (++steps == 1 || !busy->read().empty()) busy->write(kHealth);
    };
    other->write(kHealth);
    EXPECT_EQ(await(*other, keep_busy).substr(0, 12), "HTTP/1.1 200");
    EXPECT_LT(steps, kMaxSteps) << "a new connection";
    steps = 1;
    other->write(
        "POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/accp\r\nContent-Length: 65000\r\n\r\n" +
        std::string(65'000, 'x'));
    EXPECT_EQ(await(*other, keep_busy).substr(0, 12), "HTTP/1.1 400");
    EXPECT_LT(steps, kMaxSteps) << "a body";
    steps = 1;
    std::string text;
    for (int i = 0; i < 600; ++i) text += message(std::string(100, 'x'));
    socket->write(text);
    const size_t before = refused();
    while (refused() < before + 600 && steps < 10'000) {
        keep_busy();
        EXPECT_TRUE(loop_.step(kIdleUs));
        socket->read();
    }
    EXPECT_LT(steps, kMaxSteps) << "a WebSocket";
}

// Of the connections that one step serves, only the one that did not wait for its reply is closed.
TEST_F(WebLoopTest, WhoDoesNotWaitForItsReplyEndsItsOwnConnection) {
    const auto before = adopt(), hasty = adopt(), after = adopt();
    settle();
    for (int i = 0; i < 3; ++i) {
        before->write(kHealth);
        if (i == 1) hasty->write(kHealth + kHealth);
        after->write(kHealth);
        settle();
        for (const auto *one : {&before, &after}) {
            const std::string got = (*one)->read();
            EXPECT_EQ(got.substr(0, 12), "HTTP/1.1 200");
            EXPECT_EQ(got.find("connection: close"), got.npos);
        }
    }
    EXPECT_NE(hasty->read().find("connection: close"), std::string::npos);
    EXPECT_EQ(loop_.open_count(), 2u);
}

// The rest of a long reply is written in later turns. Then the next request is read.
TEST_F(WebLoopTest, AfterAReplyBeyondWhatASocketHoldsTheNextIsServed) {
    const auto peer = adopt(4096);
    for (int i = 0; i < 3; ++i) {
        peer->write("GET /plans.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
        std::string got;
        for (int quiet = 0; quiet < 20; ++quiet) {
            EXPECT_TRUE(loop_.step(kIdleUs));
            const std::string part = peer->read(1000);
            if (!part.empty()) quiet = 0;
            got += part;
        }
        const size_t head = got.find("\r\n\r\n"), length = got.find("content-length: ");
        ASSERT_NE(head, got.npos) << i << got;
        EXPECT_EQ(got.size() - head - 4, std::stoul(got.substr(length + 16)));
    }
}

TEST_F(WebLoopTest, AReplyBeyondWhatASocketHoldsComesWhole) {
    constexpr int kSmall = 4096;
    constexpr size_t kPart = 1000;
    const auto peer = adopt(kSmall);
    peer->write("GET /plans.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    std::string got;
    for (int quiet = 0; quiet < 20; ++quiet) {
        EXPECT_TRUE(loop_.step(kIdleUs));
        const std::string part = peer->read(kPart);
        if (!part.empty()) quiet = 0;
        got += part;
    }
    const size_t head = got.find("\r\n\r\n"), length = got.find("content-length: ");
    ASSERT_NE(head, got.npos) << got;
    ASSERT_LT(length, head);
    EXPECT_EQ(got.size() - head - 4, std::stoul(got.substr(length + 16)));
    EXPECT_GT(got.size(), size_t{kSmall});
}

TEST_F(WebLoopTest, ASignalBeforeItRunsEndsItToo) {
    loop_.stop();
    int turns = 0;
    loop_.run(
        [&] {
            if (++turns > 20) loop_.stop();
        },
        1000);
    EXPECT_LE(turns, 20);
}

TEST_F(WebLoopTest, WhoReadsNothingIsReadNoMore) {
    constexpr size_t kSaid = 100'000, kMaxHeard = 20'000;
    const auto peer = open_socket("dev");
    std::string text;
    for (size_t i = 0; i < kSaid; ++i) text += message("x");
    for (size_t left = 0, quiet = 0; quiet < 50; left = text.size()) {
        peer->write_some(text);
        quiet = text.size() == left ? quiet + 1 : 0;
        EXPECT_TRUE(loop_.step(kIdleUs));
    }
    EXPECT_LT(refused(), kMaxHeard);
    for (size_t turns = 0; refused() < kSaid && turns < 2 * kSaid; ++turns) {
        peer->write_some(text);
        EXPECT_TRUE(loop_.step(kIdleUs));
        peer->read();
    }
    EXPECT_EQ(refused(), kSaid);
}

TEST_F(WebLoopLate, WhoReadsNothingIsClosedAllTheSame) {
    using namespace std::chrono;
    constexpr int kSmall = 4096;
    const auto peer = open_socket("dev", kSmall);
    std::string text;
    for (size_t i = 0; i < 1000; ++i) text += message("x");
    peer->write(text);
    settle();
    const auto other = open_socket("dev");
    const auto ends = steady_clock::now() + kPatience;
    while (loop_.open_count() > 1 && steady_clock::now() < ends) EXPECT_TRUE(loop_.step(kIdleUs));
    EXPECT_EQ(loop_.open_count(), 1u);
}

TEST_F(WebLoopLate, WhoDoesNotTakeItsReplyIsLetGo) {
    using namespace std::chrono;
    constexpr int kSmall = 4096;
    const auto peer = adopt(kSmall);
    peer->write("GET /plans.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
    settle();
    EXPECT_EQ(loop_.open_count(), 1u);
    const auto ends = steady_clock::now() + kPatience;
    while (loop_.open_count() > 0 && steady_clock::now() < ends) EXPECT_TRUE(loop_.step(kIdleUs));
    EXPECT_EQ(loop_.open_count(), 0u);
}

const std::string kUnknown = "closed_connections_total{reason=\"unknown\"}",
                  kLate = "closed_connections_total{reason=\"late\"}";

TEST_F(WebLoopTest, ARefusedHeadIsCounted) {
    const auto peer = adopt();
    peer->write("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    EXPECT_EQ(await(*peer).substr(0, 12), "HTTP/1.1 400");
    EXPECT_EQ(counter("refused_heads_total"), 1u);
    EXPECT_EQ(counter("http_replies_total{status=\"400\"}"), 1u);
}

TEST_F(WebLoopTest, ARefusedWebSocketIsAReply) {
    const auto peer = adopt();
    peer->write(upgrade("/other"));
    EXPECT_EQ(await(*peer).substr(0, 12), "HTTP/1.1 404");
    EXPECT_EQ(counter("http_replies_total{status=\"404\"}"), 1u);
}

TEST_F(WebLoopTest, ConnectionsWithoutATokenAreCountedAsTheyAreClosed) {
    std::vector<std::unique_ptr<Peer>> idle;
    for (int i = 0; i < 515; ++i) idle.push_back(adopt());  // of one address 512 may be
    settle();
    EXPECT_EQ(counter(kUnknown), 3u);
    EXPECT_EQ(counter(kLate), 0u);
    EXPECT_EQ(loop_.open_count(), 512u);
}

TEST_F(WebLoopTest, ConnectionsFarBeyondTheLimitAreCounted) {
    server::WebOptions few = options(kLongMs);
    few.max_connections = 1;
    few.max_unknown = 512;
    server::WebLoop loop(few, service_, *place_.hub);
    std::vector<std::unique_ptr<Peer>> held;
    for (int i = 0; i < 257; ++i) held.push_back(adopt_by(loop));
    const auto more = connect_to(loop);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(loop.step(kIdleUs));
    EXPECT_EQ(counter("closed_connections_total{reason=\"excess\"}"), 1u);
    EXPECT_EQ(loop.open_count(), 257u);
}

TEST_F(WebLoopLate, SlowRequestsAreCountedAsTheyAreClosed) {
    using namespace std::chrono;
    const auto silent = adopt(), head = adopt(), body = adopt();
    head->write("GET / HTTP/1.1\r\n");
    body->write(
        "POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/accp\r\nContent-Length: 10\r\n\r\nx");
    const auto ends = steady_clock::now() + kPatience;
    while (loop_.open_count() > 0 && steady_clock::now() < ends) EXPECT_TRUE(loop_.step(kIdleUs));
    EXPECT_EQ(loop_.open_count(), 0u);
    EXPECT_EQ(counter(kLate), 3u);
}

TEST_F(WebLoopTest, WebSocketsAreCountedByTheCodeThatClosesThem) {
    struct Case {
        const char *code;
        std::string bytes;
        bool is_first;  // before any message
    };
    const Case kCases[] = {
        {"1002", std::string("\x81\x01x", 3), true},  // not masked
        {"1009", "\x81\xff\x40" + std::string(11, '\0'), true},
        {"1003", "\x82\x81" + std::string(5, '\0'), false},
        {"1009", "\x81\xff" + std::string(4, '\0') + "\x7f" + std::string(7, '\0') + "x", false}};
    std::map<std::string, size_t> expected;
    for (const Case &one : kCases) {
        const auto peer = one.is_first ? adopt() : open_socket("dev");
        if (one.is_first) {
            peer->write(upgrade("/accp/v1/ws"));
            EXPECT_EQ(await(*peer).substr(0, 12), "HTTP/1.1 101");
        }
        peer->write(one.bytes);
        await(*peer);
        ++expected[one.code];
        for (const auto &[code, count] : expected)
            EXPECT_EQ(counter("websocket_closes_total{code=\"" + code + "\"}"), count) << code;
    }
}

TEST_F(WebLoopTest, AStreamEndsWhenTheHubDoes) {
    const auto dev = open_socket("dev"), plan = adopt();
    const std::string asked = hub_test::frame("@plan>req:dev{n:1}", 1);
    plan->write(
        "POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/accp\r\nContent-Length: " +
        std::to_string(asked.size()) + "\r\n\r\n" + asked);
    std::string heard = await(*dev);
    while (heard.find("req:dev") == heard.npos && !heard.empty()) heard = await(*dev);
    dev->write(message(hub_test::answer("@dev>stream:dev{idx:0|d:a}", 1, asked)));
    std::string told = await(*plan);
    for (std::string more = told; told.find("idx:0") == told.npos && !more.empty(); told += more)
        more = await(*plan);
    EXPECT_EQ(told.find("\r\n0\r\n\r\n"), told.npos) << told;
    place_.hub->shut_down(place_.now);
    std::string rest = await(*plan);
    settle();
    rest += plan->read();
    EXPECT_NE(rest.find("code:E3001"), rest.npos) << rest;
    EXPECT_TRUE(rest.ends_with("\r\n0\r\n\r\n")) << rest;
}

}  // namespace
