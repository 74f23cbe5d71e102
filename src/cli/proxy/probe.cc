// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/probe.h"

#include "cli/settings.h"
#include "proxy/forward/libcurl.h"
#include "server/http/caller.h"

namespace cli {
namespace {

constexpr long kMaxProbeMs = 10'000;
constexpr size_t kMaxProbeBytes = 64 << 10;

// Ends the call when enough is read.
size_t keep_body(char *bytes, size_t size, size_t count, void *body) {
    std::string &text = *static_cast<std::string *>(body);
    if (text.size() + size * count > kMaxProbeBytes) return 0;
    text.append(bytes, size * count);
    return size * count;
}

bool is_on_this_machine(const std::string &url) {
    const size_t begin = url.find("://") + 3;
    return server::is_loopback_host(url.substr(begin, url.find('/', begin) - begin));
}

}  // namespace

ProbeAnswer probe(const std::string &url, const std::string &authorities,
                  const std::string &token) {
    const proxy::Libcurl &curl = proxy::Libcurl::get();
    ProbeAnswer answer;
    char error[CURL_ERROR_SIZE] = {};
    CURL *easy = curl.easy_init();
    const auto set = [&](CURLoption option, auto value) { curl.easy_setopt(easy, option, value); };
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_TIMEOUT_MS, kMaxProbeMs);
    set(CURLOPT_ERRORBUFFER, error);
    set(CURLOPT_WRITEFUNCTION, &keep_body);
    set(CURLOPT_WRITEDATA, &answer.body);
    if (!authorities.empty()) set(CURLOPT_CAINFO, authorities.c_str());
    if (is_on_this_machine(url)) set(CURLOPT_PROXY, "");
    curl_slist *headers = nullptr;
    if (!token.empty())
        headers = curl.slist_append(nullptr, ("Authorization: Bearer " + token).c_str());
    if (headers) set(CURLOPT_HTTPHEADER, headers);
    const int64_t begin = clock_ms();
    const CURLcode result = curl.easy_perform(easy);
    answer.ms = clock_ms() - begin;
    long status = 0;
    curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl.easy_cleanup(easy);
    curl.slist_free_all(headers);
    answer.status = static_cast<int>(status);
    if (!status) answer.fault = *error ? error : curl.easy_strerror(result);
    return answer;
}

}  // namespace cli
