// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/upstream_client.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <utility>

#include "proxy/forward/headers.h"
#include "server/http/clock.h"
#include "server/library/failure.h"

namespace proxy {
namespace {

constexpr size_t kMaxAnswerHead = 256 << 10;  // bytes, trailers included
constexpr size_t kStop = 0;                   // returned by a callback: fewer bytes than it got
constexpr int kSwitching = 101, kFirstFinalStatus = 200;

UpstreamCall *call_of(void *user) { return static_cast<UpstreamCall *>(user); }

}  // namespace

UpstreamCall::UpstreamCall(UpstreamClient &client, UpstreamRequest request, UpstreamEvents &events)
    : client_(client),
      curl_(client.curl_),
      request_(std::move(request)),
      events_(events),
      easy_(curl_.easy_init()) {}

void UpstreamCall::begin() {
    if (!easy_) throw host::Failure("libcurl has no memory for a call");
    set_options(client_.settings_);
    set_method();
    set_headers();
    if (curl_.multi_add_handle(client_.multi_, easy_) != CURLM_OK)
        throw host::Failure("libcurl cannot begin a call");
}

UpstreamCall::~UpstreamCall() {
    curl_.multi_remove_handle(client_.multi_, easy_);
    curl_.easy_cleanup(easy_);
    curl_.slist_free_all(headers_);
}

void UpstreamCall::set_options(const UpstreamSettings &settings) {
    const auto set = [&](CURLoption option, auto value) {
        curl_.easy_setopt(easy_, option, value);
    };
    set(CURLOPT_PRIVATE, this);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT,
        1L);  // a call that ends does not wait for the thread that resolves its host
    set(CURLOPT_ERRORBUFFER, error_);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_URL, (request_.origin + "/").c_str());
    set(CURLOPT_REQUEST_TARGET, request_.target.c_str());
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings.connect_ms));
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(settings.idle_seconds));
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set_authorities(settings.authorities);
    // A proxy of the environment cannot reach this machine's loopback addresses.
    if (request_.is_local) set(CURLOPT_PROXY, "");
    // Without a tunnel, it would get a request for http:// without the host in its first line.
    else set(CURLOPT_HTTPPROXYTUNNEL, 1L);
    set(CURLOPT_HEADERFUNCTION, &on_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &on_body);
    set(CURLOPT_WRITEDATA, this);
}

// libcurl keeps a file of authorities that it has read only if no folder of them is set too.
// Reading the machine's takes tens of milliseconds for each connection, and stops the loop.
void UpstreamCall::set_authorities(const std::string &file) {
    const char *default_file = nullptr;
    curl_.easy_getinfo(easy_, CURLINFO_CAINFO, &default_file);
    if (!file.empty()) curl_.easy_setopt(easy_, CURLOPT_CAINFO, file.c_str());
    else if (default_file) curl_.easy_setopt(easy_, CURLOPT_CAPATH, nullptr);
}

void UpstreamCall::set_method() {
    const auto set = [&](CURLoption option, auto value) {
        curl_.easy_setopt(easy_, option, value);
    };
    if (request_.method == "HEAD") {
        set(CURLOPT_NOBODY, 1L);
        return;
    }
    set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
    if (!request_.has_body) return;
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(CURLOPT_READFUNCTION, &on_send);
    set(CURLOPT_READDATA, this);
    set(CURLOPT_SEEKFUNCTION, &on_rewind);
    set(CURLOPT_SEEKDATA, this);
}

// A line "NAME:" removes a header that libcurl would add, "NAME;" sends an empty one.
void UpstreamCall::set_headers() {
    const auto add = [&](const std::string &line) {
        curl_slist *grown = curl_.slist_append(headers_, line.c_str());
        if (!grown) throw host::Failure("libcurl has no memory for the headers of a call");
        headers_ = grown;
    };
    for (const auto &[name, value] : request_.headers)
        add(value.empty() ? name + ";" : name + ": " + value);
    for (const char *name : {"Accept", "Content-Type", "Expect"})
        if (!has_header(request_.headers, name)) add(std::string(name) + ":");
    curl_.easy_setopt(easy_, CURLOPT_HTTPHEADER, headers_);
}

void UpstreamCall::resume() { curl_.easy_pause(easy_, CURLPAUSE_CONT); }

// Exceptions must not pass through libcurl. They end the call; the cause is a lack of memory.
template <typename Action>
size_t UpstreamCall::guarded(Action action) {
    try {
        return action();
    } catch (const std::exception &) {
        return kStop;
    }
}

size_t UpstreamCall::on_header(char *text, size_t size, size_t count, void *user) {
    UpstreamCall &call = *call_of(user);
    return call.guarded([&] { return call.on_line({text, size * count}); });
}

// Reads a line of a head, or of the trailers.
size_t UpstreamCall::on_line(std::string_view whole) {
    std::string_view line = whole;
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    head_bytes_ += whole.size();
    if (head_bytes_ > kMaxAnswerHead) {
        fault_ = "the head of its answer is longer than 256 KiB";
        return kStop;
    }
    if (line.empty()) return has_head_ || end_head() ? whole.size() : kStop;
    const bool is_good = !has_head_ && line.starts_with("HTTP/")
                             ? read_status(line)
                             : append_header_line(line, has_head_ ? trailers_ : head_.headers);
    if (is_good) return whole.size();
    fault_ = "its answer has a line that is not valid in HTTP";
    return kStop;
}

bool UpstreamCall::read_status(std::string_view line) {
    head_ = {};
    const size_t space = std::min(line.find(' '), line.size() - 1);
    const char *begin = line.data() + space + 1, *end = line.data() + line.size();
    const auto read = std::from_chars(begin, end, head_.status);
    head_.reason = trimmed({read.ptr, static_cast<size_t>(end - read.ptr)});
    return !has_control(head_.reason);
}

// Returns false if the head is not valid.
bool UpstreamCall::end_head() {
    if (head_.status == kSwitching) {
        fault_ = "its answer changes to a protocol that was not requested";
        return false;
    }
    if (head_.status < kFirstFinalStatus) {
        remove_connection_headers(head_.headers);
        events_.on_early_head(head_);
        return true;
    }
    has_head_ = true;
    if (has_header(head_.headers, "transfer-encoding"))
        remove_header(head_.headers, "content-length");
    remove_connection_headers(head_.headers);
    const auto is_length = [](const auto &one) {
        return equals_ignoring_case(one.first, "content-length");
    };
    if (std::count_if(head_.headers.begin(), head_.headers.end(), is_length) > 1) {
        fault_ = "its answer has more than one Content-Length";
        has_head_ = false;
        return false;
    }
    // The body is not needed again once it was sent and a response has begun.
    if (sent_ == request_.body.size()) std::string().swap(request_.body);
    events_.on_head(std::move(head_));
    return true;
}

size_t UpstreamCall::on_body(char *text, size_t size, size_t count, void *user) {
    UpstreamCall &call = *call_of(user);
    return call.guarded([&] {
        const bool is_taken = call.events_.on_bytes({text, size * count});
        return is_taken ? size * count : size_t{CURL_WRITEFUNC_PAUSE};
    });
}

size_t UpstreamCall::on_send(char *out, size_t size, size_t count, void *call) {
    return call_of(call)->send_some(out, size * count);
}

size_t UpstreamCall::send_some(char *out, size_t size) {
    if (sent_ >= request_.body.size()) return 0;
    const size_t bytes = std::min(size, request_.body.size() - sent_);
    std::memcpy(out, request_.body.data() + sent_, bytes);
    sent_ += bytes;
    return bytes;
}

// libcurl sends a request again if a connection that it has reused was closed before it got a
// response.
int UpstreamCall::on_rewind(void *user, curl_off_t offset, int origin) {
    UpstreamCall &call = *call_of(user);
    const auto at = static_cast<size_t>(offset);
    if (call.has_head_ || origin != SEEK_SET || at > call.request_.body.size())
        return CURL_SEEKFUNC_FAIL;
    call.sent_ = at;
    return CURL_SEEKFUNC_OK;
}

std::string UpstreamCall::describe(CURLcode result) const {
    if (!fault_.empty()) return fault_;
    return error_[0] ? error_ : curl_.easy_strerror(result);
}

void UpstreamCall::finish(CURLcode result) {
    const std::string fault = result == CURLE_OK && has_head_ ? "" : describe(result);
    events_.on_end(trailers_, fault);
}

UpstreamClient::UpstreamClient(Poller &poller, UpstreamSettings settings)
    : curl_(Libcurl::get()),
      poller_(poller),
      settings_(std::move(settings)),
      multi_(curl_.multi_init()) {
    if (!multi_) throw host::Failure("libcurl has no memory");
    const auto set = [&](CURLMoption option, auto value) {
        curl_.multi_setopt(multi_, option, value);
    };
    constexpr long kMaxIdle = 256;  // connections that are kept for later calls
    set(CURLMOPT_MAXCONNECTS, kMaxIdle);
    // Each running call has its own connection. libcurl 7.88 stops all calls of a connection if the
    // client of one of them reads slowly.
    set(CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
    set(CURLMOPT_SOCKETFUNCTION, &on_socket);
    set(CURLMOPT_SOCKETDATA, this);
    set(CURLMOPT_TIMERFUNCTION, &on_timer);
    set(CURLMOPT_TIMERDATA, this);
}

UpstreamClient::~UpstreamClient() { curl_.multi_cleanup(multi_); }

std::unique_ptr<UpstreamCall> UpstreamClient::start(UpstreamRequest request,
                                                    UpstreamEvents &events) {
    auto call = std::make_unique<UpstreamCall>(*this, std::move(request), events);
    call->begin();
    return call;
}

int UpstreamClient::on_socket(CURL *, curl_socket_t socket, int what, void *user, void *) {
    Poller &poller = static_cast<UpstreamClient *>(user)->poller_;
    const uint32_t events = (what & CURL_POLL_IN ? uint32_t{EPOLLIN} : 0) |
                            (what & CURL_POLL_OUT ? uint32_t{EPOLLOUT} : 0);
    if (what == CURL_POLL_REMOVE) poller.remove(socket);
    else poller.set(socket, events, Poller::Owner::kUpstream, static_cast<uint32_t>(socket));
    return 0;
}

int UpstreamClient::on_timer(CURLM *, long ms, void *user) {
    constexpr int64_t kMs = 1000;
    static_cast<UpstreamClient *>(user)->due_us_ = ms < 0 ? -1 : server::clock_us() + ms * kMs;
    return 0;
}

int64_t UpstreamClient::wait_ms(int64_t now_us) const {
    constexpr int64_t kMs = 1000;
    if (due_us_ < 0) return -1;
    return due_us_ <= now_us ? 0 : (due_us_ - now_us + kMs - 1) / kMs;
}

void UpstreamClient::on_time(int64_t now_us) {
    if (due_us_ < 0 || due_us_ > now_us) return;
    due_us_ = -1;
    int running = 0;
    curl_.multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
    end_calls();
}

void UpstreamClient::on_ready(int socket, uint32_t events) {
    const int what = (events & EPOLLIN ? CURL_CSELECT_IN : 0) |
                     (events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                     (events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    int running = 0;
    curl_.multi_socket_action(multi_, socket, what, &running);
    end_calls();
}

void UpstreamClient::end_calls() {
    int left = 0;
    while (const CURLMsg *message = curl_.multi_info_read(multi_, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        const CURLcode result = message->data.result;
        char *user = nullptr;
        curl_.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user);
        call_of(user)->finish(result);
    }
}

}  // namespace proxy
