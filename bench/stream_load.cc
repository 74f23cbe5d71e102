// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Many streams of the Messages interface at once, for bench/proxy: the provider and its clients, on
// one thread with epoll. Prints the provider's port. Then each line of standard input is a run:
//
//     PORT STREAMS SECONDS CHUNKS
//
// PORT is the provider's own, or that of a proxy in front of it. Each stream is a conversation of
// its own. When all have begun, each gets CHUNKS chunks a second for SECONDS, evenly spread over
// all streams. Prints the number of chunks, the median, the 99th percentile and the maximum of
// their milliseconds from provider to client, and the processor time of this program as a share of
// one processor. If a byte of a stream is lost, changed, or in another stream, it prints the reason
// and ends with status 1.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kBodyBytes = 20'000;  // of a request
constexpr std::string_view kPadding =
    "and some twenty more words of an answer, which is about what a provider sends at a time";

[[noreturn]] void fail(const std::string &what) {
    std::fprintf(stderr, "stream_load: %s\n", what.c_str());
    std::exit(1);
}
[[noreturn]] void fail_errno(const char *what) {
    std::perror(what);
    std::exit(1);
}

int64_t now_ns() { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

double processor_seconds() {
    rusage used = {};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

sockaddr_in loopback(int port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t size = write(file, text.data(), text.size());
        if (size < 0) fail_errno("write");
        text.remove_prefix(static_cast<size_t>(size));
    }
}

// Returns false at the end of the connection.
bool read_some(int file, std::string &text) {
    char block[64 << 10];
    const ssize_t size = read(file, block, sizeof block);
    if (size < 0 && errno != ECONNRESET) fail_errno("read");
    if (size > 0) text.append(block, static_cast<size_t>(size));
    return size > 0;
}

// Returns the number after `name`, and moves `at` behind it.
int64_t number_after(std::string_view text, std::string_view name, size_t &at) {
    at = text.find(name, at);
    int64_t value = 0;
    if (at == text.npos) fail("no " + std::string(name) + " in " + std::string(text));
    at += name.size();
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error != std::errc()) fail("no number after " + std::string(name));
    at = static_cast<size_t>(end - text.data());
    return value;
}

std::string event(const char *type, const std::string &members) {
    std::string out = "event: ";
    out.append(type).append("\ndata: {\"type\":\"").append(type).append("\"").append(members);
    return out + "}\n\n";
}

std::string chunk_of(const std::string &text) {
    char size[20];
    std::snprintf(size, sizeof size, "%zx\r\n", text.size());
    return size + text + "\r\n";
}

// A response of the provider, which goes on until it is ended.
class Response {
public:
    Response(int file, int64_t stream) : file_(file), stream_(stream) {
        write_all(
            file_,
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            "Transfer-Encoding: chunked\r\n\r\n" +
                chunk_of(event("message_start", R"(,"message":{"id":"msg_1","type":"message",)"
                                                R"("role":"assistant","model":"m","content":[],)"
                                                R"("stop_reason":null,"usage":{"input_tokens":9,)"
                                                R"("output_tokens":1}})") +
                         event("content_block_start",
                               R"(,"index":0,"content_block":{"type":"text","text":""})")));
    }
    void say() {
        const std::string text = "stream " + std::to_string(stream_) + " chunk " +
                                 std::to_string(said_++) + " at " + std::to_string(now_ns()) + ' ';
        write_all(file_, chunk_of(event("content_block_delta",
                                        R"(,"index":0,"delta":{"type":"text_delta","text":")" +
                                            text + std::string(kPadding) + "\"}")));
    }
    void end() {
        write_all(file_,
                  chunk_of(event("content_block_stop", R"(,"index":0)") +
                           event("message_delta", R"(,"delta":{"stop_reason":"end_turn"},"usage":)"
                                                  R"({"output_tokens":9})") +
                           event("message_stop", "")) +
                      "0\r\n\r\n");
    }

private:
    int file_;
    int64_t stream_, said_ = 0;
};

// A client, which reads one response.
class Client {
public:
    Client(int port, int64_t stream) : stream_(stream) {
        const sockaddr_in address = loopback(port);
        const int on = 1;
        file = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(file, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
            fail_errno("connect");
        setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const std::string words = "stream " + std::to_string(stream) + ' ';
        std::string body =
            R"({"model":"m","max_tokens":1000,"stream":true,"tools":[{"name":"Read",)"
            R"("input_schema":{"type":"object"}}],"messages":[{"role":"user","content":")" +
            words;
        while (body.size() < kBodyBytes) body.append(kPadding);
        body += "\"}]}";
        write_all(file,
                  "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nx-api-key: made-up\r\n"
                  "Content-Type: application/json\r\nContent-Length: " +
                      std::to_string(body.size()) + "\r\n\r\n" + body);
    }
    ~Client() { close(file); }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    // Reads what has arrived, and adds the milliseconds that each chunk took.
    void read_more(std::vector<float> &took_ms) {
        if (!read_some(file, raw_)) fail(name() + " ended early");
        if (!has_head_) {
            const size_t end = raw_.find("\r\n\r\n");
            if (end == raw_.npos) return;
            if (!raw_.starts_with("HTTP/1.1 200 ")) fail(name() + " got " + raw_);
            raw_.erase(0, end + 4);
            has_head_ = true;
        }
        take_chunks();
        const int64_t now = now_ns();
        for (size_t end; (end = text_.find("\n\n")) != text_.npos; text_.erase(0, end + 2))
            take_event(std::string_view(text_).substr(0, end), now, took_ms);
        if (is_complete && !is_stopped_) fail(name() + " has no message_stop");
    }

    int file = -1;
    bool has_begun = false, is_complete = false;
    int64_t heard = 0;  // chunks

private:
    std::string name() const { return "stream " + std::to_string(stream_); }
    // Moves the text of whole chunks of HTTP to text_.
    void take_chunks() {
        for (size_t end; (end = raw_.find("\r\n")) != raw_.npos;) {
            const size_t size = std::strtoul(raw_.c_str(), nullptr, 16);
            if (raw_.size() < end + 2 + size + 2) return;
            text_.append(raw_, end + 2, size);
            raw_.erase(0, end + 2 + size + 2);
            if (size == 0) is_complete = true;
        }
    }
    void take_event(std::string_view text, int64_t now, std::vector<float> &took_ms) {
        if (text.starts_with("event: content_block_start")) has_begun = true;
        if (text.starts_with("event: message_stop")) is_stopped_ = true;
        if (!text.starts_with("event: content_block_delta")) return;
        size_t at = 0;
        const int64_t stream = number_after(text, "\"text\":\"stream ", at);
        const int64_t chunk = number_after(text, " chunk ", at),
                      sent = number_after(text, " at ", at);
        if (stream != stream_ || chunk != heard++ ||
            text.substr(at) != ' ' + std::string(kPadding) + "\"}}")
            fail(name() + " got, instead of chunk " + std::to_string(heard - 1) + ": " +
                 std::string(text));
        took_ms.push_back(static_cast<float>(now - sent) / 1e6F);
    }

    int64_t stream_;
    std::string raw_, text_;
    bool has_head_ = false, is_stopped_ = false;
};

class Load {
public:
    Load() : poll_(epoll_create1(0)), server_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address = loopback(0);
        socklen_t size = sizeof address;
        if (bind(server_, reinterpret_cast<sockaddr *>(&address), size) != 0 ||
            listen(server_, 1024) != 0 ||
            getsockname(server_, reinterpret_cast<sockaddr *>(&address), &size) != 0)
            fail_errno("listen");
        std::printf("%d\n", ntohs(address.sin_port));
        std::fflush(stdout);
        watch(server_);
    }

    void run(int port, int64_t streams, double seconds, double rate) {
        responses_.clear();
        responses_.resize(static_cast<size_t>(streams));
        took_ms_.clear();
        for (int64_t i = 0; i < streams; ++i) {
            auto client = std::make_unique<Client>(port, i);
            watch(client->file);
            clients_.emplace(client->file, std::move(client));
            work_until(now_ns());
        }
        wait_for([](const Client &client) { return client.has_begun; });

        const int64_t began = now_ns();
        const double before = processor_seconds();
        const auto all = static_cast<int64_t>(seconds * rate) * streams;
        const double gap_ns = 1e9 / rate / static_cast<double>(streams);
        for (int64_t i = 0; i < all; ++i) {
            work_until(began + static_cast<int64_t>(static_cast<double>(i) * gap_ns));
            responses_[static_cast<size_t>(i % streams)]->say();
        }
        wait_for([&](const Client &client) { return client.heard == all / streams; });
        const double share =
            (processor_seconds() - before) / (static_cast<double>(now_ns() - began) / 1e9);
        for (const auto &response : responses_) response->end();
        wait_for([](const Client &client) { return client.is_complete; });
        clients_.clear();
        const auto at = [&](double part) {
            return took_ms_[static_cast<size_t>(static_cast<double>(took_ms_.size() - 1) * part)];
        };
        std::sort(took_ms_.begin(), took_ms_.end());
        std::printf("%zu %.3f %.3f %.3f %.2f\n", took_ms_.size(), at(0.5), at(0.99), at(1), share);
        std::fflush(stdout);
    }

private:
    void watch(int file) const {
        epoll_event event = {};
        event.events = EPOLLIN;
        event.data.fd = file;
        epoll_ctl(poll_, EPOLL_CTL_ADD, file, &event);
    }

    // Handles what arrives until this time, at least once.
    void work_until(int64_t end_ns) {
        do {
            const int64_t left = std::max<int64_t>(end_ns - now_ns(), 0);
            const timespec time = {left / 1'000'000'000, left % 1'000'000'000};
            epoll_event events[256];
            const int count = epoll_pwait2(poll_, events, 256, &time, nullptr);
            for (int i = 0; i < count; ++i) handle(events[i].data.fd);
        } while (now_ns() < end_ns);
    }
    template <class Condition>
    void wait_for(Condition condition) {
        const int64_t end = now_ns() + 30'000'000'000;
        while (!std::all_of(clients_.begin(), clients_.end(),
                            [&](const auto &one) { return condition(*one.second); })) {
            if (now_ns() > end) fail("some streams did not go on within 30 s");
            work_until(now_ns() + 1'000'000);
        }
    }
    void handle(int file) {
        if (file == server_) {
            const int accepted = accept(server_, nullptr, nullptr), on = 1;
            setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            watch(accepted);
        } else if (const auto client = clients_.find(file); client != clients_.end()) {
            client->second->read_more(took_ms_);
        } else {
            serve(file);
        }
    }
    void serve(int file) {
        std::string &text = requests_[file];
        if (!read_some(file, text)) {
            requests_.erase(file);
            close(file);
            return;
        }
        const size_t head = text.find("\r\n\r\n");
        if (head == text.npos) return;
        size_t at = 0;
        const auto size = static_cast<size_t>(number_after(text, "ontent-Length: ", at));
        if (text.size() < head + 4 + size) return;
        at = head;
        const auto stream = static_cast<size_t>(number_after(text, "stream ", at));
        if (stream >= responses_.size()) fail("a request of no stream");
        responses_[stream] = std::make_unique<Response>(file, static_cast<int64_t>(stream));
        text.clear();
    }

    int poll_, server_;
    std::unordered_map<int, std::string> requests_;  // of the provider's connections
    std::vector<std::unique_ptr<Response>> responses_;
    std::unordered_map<int, std::unique_ptr<Client>> clients_;
    std::vector<float> took_ms_;
};

}  // namespace

int main() {
    Load load;
    int port = 0;
    long long streams = 0;
    double seconds = 0, rate = 0;
    while (std::scanf("%d %lld %lf %lf", &port, &streams, &seconds, &rate) == 4)
        load.run(port, streams, seconds, rate);
    return 0;
}
