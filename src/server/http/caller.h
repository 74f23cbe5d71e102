// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks of a caller that the hub and the proxy share: the address that it used, the page that it
// is, the secret that it shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace server {

// Returns whether the address, a number, is of this machine only: ::1, or one of 127.0.0.0/8.
bool is_loopback(std::string_view address);
// The same for a header Host, such as "localhost:8080".
bool is_loopback_host(std::string_view host);

// What a request says of the web page that makes it.
enum class PageCheck {
    kAllowed,      // no page, or one of this host or of the allowed origins
    kOtherSite,    // a page of another site, without an origin
    kOtherOrigin,  // a page of an origin that is not allowed
};
// `host`, `origin`, `site`: the headers Host, Origin and Sec-Fetch-Site; empty: missing.
PageCheck check_page(std::string_view host, std::string_view origin, std::string_view site,
                     const std::vector<std::string> &allowed_origins);

// Compares in a time that does not depend on how similar the texts are.
bool is_same_secret(std::string_view a, std::string_view b);

}  // namespace server
