// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/http/exchange.h"

#include "cli/host.h"
#include "cli/settings.h"
#include "proxy/forward/libcurl.h"
#include "server/http/caller.h"

namespace cli {
namespace {

struct KeptBody {
    HttpAnswer &answer;
    size_t max_bytes;
};

// Ends the call when enough is read.
size_t keep_body(char *bytes, size_t size, size_t count, void *user) {
    const KeptBody &kept = *static_cast<KeptBody *>(user);
    std::string &body = kept.answer.body;
    const size_t length = std::min(size * count, kept.max_bytes - body.size());
    body.append(bytes, length);
    kept.answer.is_cut = length < size * count;
    return length;
}

// libcurl calls it at least once a second. Returns 1 to end the call.
int must_stop(void *user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const std::atomic<bool> *>(user)->load() ? 1 : 0;
}

bool is_on_this_machine(const std::string &url) {
    const size_t begin = url.find("://") + 3;
    return server::is_loopback_host(url.substr(begin, url.find('/', begin) - begin));
}

// Frees what an exchange has allocated.
struct CurlCall {
    explicit CurlCall(const proxy::Libcurl &of) : curl(of), easy(of.easy_init()) {
        if (!easy) throw std::bad_alloc();
    }
    ~CurlCall() {
        curl.easy_cleanup(easy);
        curl.slist_free_all(headers);
    }
    CurlCall(const CurlCall &) = delete;
    CurlCall &operator=(const CurlCall &) = delete;
    template <typename Value>
    void set(CURLoption option, Value value) {
        curl.easy_setopt(easy, option, value);
    }
    void add_header(const char *line) {
        curl_slist *longer = curl.slist_append(headers, line);
        if (!longer) throw std::bad_alloc();
        headers = longer;
    }

    const proxy::Libcurl &curl;
    CURL *easy;
    curl_slist *headers = nullptr;
};

}  // namespace

HttpAnswer exchange(const HttpExchange &request) {
    CurlCall call(proxy::Libcurl::get());
    HttpAnswer answer;
    KeptBody kept = {answer, request.max_bytes};
    char error[CURL_ERROR_SIZE] = {};
    call.set(CURLOPT_URL, request.url.c_str());
    call.set(CURLOPT_PROTOCOLS_STR, "http,https");
    call.set(CURLOPT_NOSIGNAL, 1L);
    call.set(CURLOPT_TIMEOUT_MS, static_cast<long>(request.max_ms));
    call.set(CURLOPT_ERRORBUFFER, error);
    call.set(CURLOPT_WRITEFUNCTION, &keep_body);
    call.set(CURLOPT_WRITEDATA, &kept);
    if (request.stop) {
        call.set(CURLOPT_NOPROGRESS, 0L);
        call.set(CURLOPT_XFERINFOFUNCTION, &must_stop);
        call.set(CURLOPT_XFERINFODATA, const_cast<std::atomic<bool> *>(request.stop));
    }
    if (!request.authorities.empty()) call.set(CURLOPT_CAINFO, request.authorities.c_str());
    if (is_on_this_machine(request.url)) call.set(CURLOPT_PROXY, "");
    if (request.body) {
        call.set(CURLOPT_POST, 1L);
        call.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body->size()));
        call.set(CURLOPT_POSTFIELDS, request.body->data());
        call.add_header("Expect:");  // no wait for "100 Continue"
    }
    for (const std::string &line : request.headers) call.add_header(line.c_str());
    call.set(CURLOPT_HTTPHEADER, call.headers);
    const int64_t begin = clock_ms();
    const CURLcode result = call.curl.easy_perform(call.easy);
    answer.ms = clock_ms() - begin;
    long status = 0;
    call.curl.easy_getinfo(call.easy, CURLINFO_RESPONSE_CODE, &status);
    answer.status = static_cast<int>(status);
    answer.is_late = result == CURLE_OPERATION_TIMEDOUT;
    answer.is_stopped = result == CURLE_ABORTED_BY_CALLBACK;
    if (result != CURLE_OK && !answer.is_cut)
        answer.fault = *error ? error : call.curl.easy_strerror(result);
    return answer;
}

}  // namespace cli
