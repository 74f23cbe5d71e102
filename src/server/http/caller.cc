// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/caller.h"

#include <algorithm>

namespace server {

bool is_loopback(std::string_view address) {
    return address.starts_with("127.") || address == "::1";
}

bool is_loopback_host(std::string_view host) {
    const size_t end = host.starts_with('[') ? host.find(']') + 1 : host.find(':');
    const std::string_view name = host.substr(0, end);
    return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
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
