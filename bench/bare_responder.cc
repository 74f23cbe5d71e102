// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An upper bound for the speed of a server, for bench/serve. One thread with epoll finds the end of
// an HTTP request or of a WebSocket message, writes a fixed reply, and replies to each ping of an
// agent. Prints its port on standard output, and runs until it is killed.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>

namespace {

constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\ncontent-type: application/accp\r\ncontent-length: "
    "21\r\n\r\n@a>done:x{text:hallo}";

constexpr std::string_view kUpgraded =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
constexpr std::string_view kPong =
    "\x81\x45@hub>pong:hb{}[mid:a00000000001,seq:0,ts:1794000000,cid:b00000000001]";
static_assert(kPong.size() == 2 + 0x45);

struct Client {
    std::string text;
    bool is_socket = false;
};

int listen_anywhere() {
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(server, reinterpret_cast<sockaddr *>(&address), size) != 0 ||
        listen(server, 1024) != 0 ||
        getsockname(server, reinterpret_cast<sockaddr *>(&address), &size) != 0) {
        std::perror("bare_responder");
        std::exit(1);
    }
    std::printf("%d\n", ntohs(address.sin_port));
    std::fflush(stdout);
    return server;
}

// Returns the size of the request at the start of `text`; 0 if it is incomplete.
size_t request_size(std::string_view text) {
    const size_t head = text.find("\r\n\r\n");
    if (head == text.npos) return 0;
    constexpr std::string_view kLength = "ontent-Length: ";
    const size_t at = text.find(kLength);
    const size_t body =
        at < head ? std::strtoul(text.data() + at + kLength.size(), nullptr, 10) : 0;
    return text.size() >= head + 4 + body ? head + 4 + body : 0;
}

// The same for a WebSocket message of less than 64 KiB.
size_t message_size(std::string_view text) {
    const auto byte = [&](size_t at) {
        return static_cast<size_t>(static_cast<uint8_t>(text[at]));
    };
    if (text.size() < 4) return 0;
    constexpr size_t kMask = 4;
    const size_t size = byte(1) & 127;
    const size_t whole = size < 126 ? 2 + kMask + size : 4 + kMask + (byte(2) << 8 | byte(3));
    return text.size() >= whole ? whole : 0;
}

// Returns false if the connection has ended.
bool serve(int file, Client &client) {
    char block[16 << 10];
    const ssize_t got = read(file, block, sizeof block);
    if (got <= 0) return false;
    client.text.append(block, static_cast<size_t>(got));
    std::string_view rest = client.text;
    for (size_t size; (size = client.is_socket ? message_size(rest) : request_size(rest)) != 0;
         rest.remove_prefix(size)) {
        const std::string_view one = rest.substr(0, size);
        std::string_view answer = kAnswer;
        if (client.is_socket) answer = one.find(">ping:hb") != one.npos ? kPong : "";
        else if (one.find("Upgrade: websocket") != one.npos) answer = kUpgraded;
        client.is_socket |= answer == kUpgraded;
        if (!answer.empty() && write(file, answer.data(), answer.size()) < 0) return false;
    }
    client.text.erase(0, client.text.size() - rest.size());
    return true;
}

}  // namespace

int main() {
    const int server = listen_anywhere(), poll = epoll_create1(0);
    std::unordered_map<int, Client> clients;
    const auto watch = [&](int file) {
        epoll_event event = {};
        event.events = EPOLLIN;
        event.data.fd = file;
        epoll_ctl(poll, EPOLL_CTL_ADD, file, &event);
    };
    watch(server);
    for (;;) {
        epoll_event events[256];
        const int count = epoll_wait(poll, events, 256, -1);
        for (int i = 0; i < count; ++i) {
            const int file = events[i].data.fd;
            if (file == server) {
                const int client = accept(server, nullptr, nullptr), on = 1;
                setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                watch(client);
            } else if (!serve(file, clients[file])) {
                clients.erase(file);
                close(file);
            }
        }
    }
}
