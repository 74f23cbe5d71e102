// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/web_call.h"

#include <charconv>

#include "server/library/failure.h"

namespace server {
namespace {

constexpr int kHttpPort = 80, kHttpsPort = 443, kMaxPort = 65'535;

}  // namespace

WebAddress WebAddress::read(std::string_view url) {
    WebAddress made;
    const host::Failure none("--url takes the address of a server, as https://host/mcp");
    if (url.starts_with("https://")) made.is_tls = true;
    else if (!url.starts_with("http://")) throw none;
    url.remove_prefix(made.is_tls ? 8 : 7);
    url = url.substr(0, url.find('#'));
    const size_t slash = std::min(url.find_first_of("/?"), url.size());
    std::string_view place = url.substr(0, slash);
    made.path = url.substr(slash);
    if (!made.path.starts_with('/')) made.path.insert(0, "/");
    if (place.find('@') != place.npos) throw none;  // a password stands in --header
    const size_t bracket = place.starts_with('[') ? place.find(']') : place.npos;
    const size_t colon = place.find(':', bracket == place.npos ? 0 : bracket);
    made.host = bracket == place.npos ? place.substr(0, colon) : place.substr(1, bracket - 1);
    made.port = made.is_tls ? kHttpsPort : kHttpPort;
    if (colon != place.npos) {
        const std::string_view digits = place.substr(colon + 1);
        const auto [end, fault] =
            std::from_chars(digits.data(), digits.data() + digits.size(), made.port);
        if (fault != std::errc() || end != digits.data() + digits.size()) made.port = 0;
    }
    const bool has_space = url.find_first_of(" \t\r\n") != url.npos;
    if (made.host.empty() || made.port < 1 || made.port > kMaxPort || has_space) throw none;
    return made;
}

std::string WebAddress::host_header() const {
    const std::string name = host.find(':') == host.npos ? host : "[" + host + "]";
    const bool is_usual = port == (is_tls ? kHttpsPort : kHttpPort);
    return is_usual ? name : name + ":" + std::to_string(port);
}

}  // namespace server
