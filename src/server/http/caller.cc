// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/caller.h"

#ifdef _WIN32
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

#include <algorithm>
#include <cstdint>
#include <string>

namespace server {

bool is_loopback(std::string_view address) {
    const std::string text(address);
    in6_addr wide = {};
    if (inet_pton(AF_INET6, text.c_str(), &wide) == 1) return IN6_IS_ADDR_LOOPBACK(&wide);
    in_addr narrow = {};
    constexpr uint32_t kNetwork = 127, kShift = 24;
    return inet_pton(AF_INET, text.c_str(), &narrow) == 1 &&
           ntohl(narrow.s_addr) >> kShift == kNetwork;
}

bool is_loopback_host(std::string_view host) {
    if (host.starts_with('[')) {
        const size_t end = host.find(']');
        return end != host.npos && is_loopback(host.substr(1, end - 1));
    }
    const std::string_view name = host.substr(0, host.find(':'));
    return name == "localhost" || is_loopback(name);
}

PageCheck check_page(std::string_view host, std::string_view origin, std::string_view site,
                     const std::vector<std::string> &allowed_origins) {
    if (origin.empty())
        return site == "cross-site" || site == "same-site" ? PageCheck::kOtherSite
                                                           : PageCheck::kAllowed;
    const size_t scheme = origin.find("://");
    const bool is_same = scheme != origin.npos && origin.substr(scheme + 3) == host;
    const bool is_listed =
        std::find(allowed_origins.begin(), allowed_origins.end(), origin) != allowed_origins.end();
    return is_same || is_listed ? PageCheck::kAllowed : PageCheck::kOtherOrigin;
}

bool is_same_secret(std::string_view a, std::string_view b) {
    unsigned differing = a.size() != b.size();
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        differing |= static_cast<unsigned char>(a[i] ^ b[i]);
    return differing == 0;
}

}  // namespace server
