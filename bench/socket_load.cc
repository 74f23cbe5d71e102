// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The counterpart of wrk for WebSockets, for bench/serve: agents on one thread with epoll. Each
// sends some frames and a ping, and waits for the hub's pong, which confirms that they are durable.
// Usage:
//
//     accp_socket_load PORT CONNECTIONS SECONDS FRAMES
//
// Prints frames per second, the 99th percentile of the waits in ms, and the number of refused
// frames. A mask of zeros, which the RFC permits for tests only, leaves the text unchanged.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kText = 1, kClose = 8, kPing = 9, kPong = 10;  // of RFC 6455

[[noreturn]] void fail(const char *what) {
    std::perror(what);
    std::exit(1);
}

// Returns a message of a client.
std::string message(int kind, std::string_view text) {
    std::string out(1, static_cast<char>(0x80 | kind));
    if (text.size() < 126) {
        out += static_cast<char>(0x80 | text.size());
    } else {
        out += static_cast<char>(0x80 | 126);
        out += static_cast<char>(text.size() >> 8);
        out += static_cast<char>(text.size());
    }
    return out.append(4, '\0').append(text);
}

// Takes one message of a server off the front of `text`. Returns false if it is incomplete.
bool take_message(std::string &text, int &kind, std::string &payload) {
    const auto byte = [&](size_t at) {
        return static_cast<size_t>(static_cast<uint8_t>(text[at]));
    };
    if (text.size() < 4) return false;
    size_t head = 2, size = byte(1);
    if (size == 127) fail("a message of more than 64 KiB");
    if (size == 126) size = byte(2) << 8 | byte(3), head = 4;
    if (text.size() < head + size) return false;
    kind = text[0] & 15;
    payload.assign(text, head, size);
    text.erase(0, head + size);
    return true;
}

struct Tally {
    std::vector<double> waits_ms;
    uint64_t frames = 0, refused = 0;
};

class Agent {
public:
    Agent(int port, int number, int frames) : number_(number), frames_(frames) {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int on = 1;
        file = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(file, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
            fail("connect");
        setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        // The same number of agents per session as in the requests of bench/serve.
        write_all(
            "GET /accp/v1/ws?session=s" + std::to_string(number % 5) +
            " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
        while (got_.find("\r\n\r\n") == got_.npos) read_some();
        got_.erase(0, got_.find("\r\n\r\n") + 4);
        write_all(message(kText, name() + ">sync:registry{v:1}"));
    }

    // Sends the next frames, for an agent that is not connected, and a ping.
    void say() {
        std::string out;
        for (int i = 0; i < frames_; ++i) {
            char rest[160];
            std::snprintf(rest, sizeof rest,
                          ">ack:task{text:some_work_that_was_done|who:desk|n:%d}"
                          "[mid:a%03d%08d,seq:%d,ts:1795623612,cid:c00000000004]",
                          number_, number_, said_ + 1, said_ + 1);
            ++said_;
            out += message(kText, name() + rest);
        }
        char rest[80];
        std::snprintf(rest, sizeof rest, ">ping:hb{}[mid:b%03d%08d,seq:0,ts:1795623612]", number_,
                      said_);
        said_at_ = Clock::now();
        write_all(out + message(kText, name() + rest));
    }

    // Reads what has arrived. After a pong it sends the next frames.
    void hear(Tally &tally) {
        read_some();
        int kind = 0;
        std::string text;
        while (take_message(got_, kind, text)) {
            if (kind == kClose) fail("a connection was closed");
            if (kind == kPing) write_all(message(kPong, text));
            if (kind != kText || text.find(">sync:registry") != text.npos) continue;
            if (text.find(">pong:hb") == text.npos) {
                if (!tally.refused++) std::fprintf(stderr, "%s\n", text.c_str());
                continue;
            }
            const std::chrono::duration<double, std::milli> took = Clock::now() - said_at_;
            tally.waits_ms.push_back(took.count());
            tally.frames += static_cast<uint64_t>(frames_);
            say();
        }
    }

    int file = -1;

private:
    std::string name() const { return "@w" + std::to_string(number_); }
    void read_some() {
        char block[16 << 10];
        const ssize_t size = read(file, block, sizeof block);
        if (size <= 0) fail("a connection ended");
        got_.append(block, static_cast<size_t>(size));
    }
    void write_all(const std::string &text) {
        if (write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
            fail("write");
    }

    int number_, frames_, said_ = 0;
    std::string got_;
    Clock::time_point said_at_;
};

}  // namespace

int main(int count, char **arguments) {
    if (count != 5) return std::fprintf(stderr, "PORT CONNECTIONS SECONDS FRAMES\n"), 2;
    const int port = std::atoi(arguments[1]), connections = std::atoi(arguments[2]);
    const int seconds = std::atoi(arguments[3]), frames = std::atoi(arguments[4]);
    const int poll = epoll_create1(0);
    std::vector<std::unique_ptr<Agent>> agents;
    for (int i = 0; i < connections; ++i) {
        agents.push_back(std::make_unique<Agent>(port, i, frames));
        epoll_event event = {};
        event.events = EPOLLIN;
        event.data.ptr = agents.back().get();
        epoll_ctl(poll, EPOLL_CTL_ADD, agents.back()->file, &event);
    }
    Tally tally;
    const auto began = Clock::now(), ends = began + std::chrono::seconds(seconds);
    for (const auto &agent : agents) agent->say();
    while (Clock::now() < ends) {
        epoll_event events[256];
        const int ready = epoll_wait(poll, events, 256, 1000);
        for (int i = 0; i < ready; ++i) static_cast<Agent *>(events[i].data.ptr)->hear(tally);
    }
    const std::chrono::duration<double> took = Clock::now() - began;
    if (tally.waits_ms.empty()) return std::fprintf(stderr, "nothing was answered\n"), 1;
    const size_t late = tally.waits_ms.size() * 99 / 100;
    std::nth_element(tally.waits_ms.begin(), tally.waits_ms.begin() + static_cast<ptrdiff_t>(late),
                     tally.waits_ms.end());
    std::printf("%.0f %.3f %llu\n", static_cast<double>(tally.frames) / took.count(),
                tally.waits_ms[late], static_cast<unsigned long long>(tally.refused));
    return 0;
}
