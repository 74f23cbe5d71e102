// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a server cannot be faster than, for bench/serve: one thread and epoll, which finds the end
// of an HTTP request and writes a fixed answer. It says its port on standard output, and runs until
// it is killed.
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

// The bytes of the request that `text` begins with; 0: more of it has to come.
size_t request_size(std::string_view text) {
    const size_t head = text.find("\r\n\r\n");
    if (head == text.npos) return 0;
    constexpr std::string_view kLength = "ontent-Length: ";
    const size_t at = text.find(kLength);
    const size_t body =
        at < head ? std::strtoul(text.data() + at + kLength.size(), nullptr, 10) : 0;
    return text.size() >= head + 4 + body ? head + 4 + body : 0;
}

// False: it has ended.
bool serve(int client, std::string &text) {
    char block[16 << 10];
    const ssize_t got = read(client, block, sizeof block);
    if (got <= 0) return false;
    text.append(block, static_cast<size_t>(got));
    for (size_t size; (size = request_size(text)) != 0; text.erase(0, size))
        if (write(client, kAnswer.data(), kAnswer.size()) < 0) return false;
    return true;
}

}  // namespace

int main() {
    const int server = listen_anywhere(), poll = epoll_create1(0);
    std::unordered_map<int, std::string> clients;
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
