// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/client_call.h"

#include <charconv>
#include <utility>

#include "server/library/failure.h"

namespace server {
namespace {

constexpr int kHttpPort = 80, kHttpsPort = 443, kMaxPort = 65'535;

}  // namespace

HttpAddress HttpAddress::read(std::string_view url, const std::string &refusal) {
    HttpAddress made;
    const host::Failure none(refusal);
    if (url.starts_with("https://")) made.is_tls = true;
    else if (!url.starts_with("http://")) throw none;
    url.remove_prefix(made.is_tls ? 8 : 7);
    url = url.substr(0, url.find('#'));
    const size_t slash = std::min(url.find_first_of("/?"), url.size());
    std::string_view place = url.substr(0, slash);
    made.path = url.substr(slash);
    if (!made.path.starts_with('/')) made.path.insert(0, "/");
    if (place.find('@') != place.npos) throw none;  // passwords belong in --header
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

std::string HttpAddress::host_header() const {
    const std::string name = host.find(':') == host.npos ? host : "[" + host + "]";
    const bool is_usual = port == (is_tls ? kHttpsPort : kHttpPort);
    return is_usual ? name : name + ":" + std::to_string(port);
}

// A line ends with LF, CR LF or CR.
void SseReader::read(std::string_view bytes, const Each &each) {
    for (const char c : bytes) {
        if (std::exchange(after_cr_, c == '\r') && c == '\n') continue;
        if (c == '\n' || c == '\r') end_line(each);
        else line_ += c;
    }
}

void SseReader::end_line(const Each &each) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (!std::exchange(has_begun_, true) && line_.starts_with(kMark)) line_.erase(0, kMark.size());
    const std::string line = std::exchange(line_, {});
    if (!line.empty()) {
        const size_t colon = std::min(line.find(':'), line.size());
        std::string_view value = std::string_view(line).substr(std::min(colon + 1, line.size()));
        if (value.starts_with(' ')) value.remove_prefix(1);
        return field(std::string_view(line).substr(0, colon), value);
    }
    if (std::exchange(has_id_, false)) last_id_ = id_;
    if (!std::exchange(has_data_, false)) return;
    const std::string data = std::exchange(data_, {});
    if (!data.empty()) each(data);
}

// A line without a name is a comment.
void SseReader::field(std::string_view name, std::string_view value) {
    if (name == "data") {
        if (std::exchange(has_data_, true)) data_ += '\n';
        data_ += value;
    } else if (name == "id" && value.find('\0') == value.npos) {
        id_ = value;
        has_id_ = true;
    } else if (name == "retry") {
        int64_t number = 0;
        const auto [end, fault] =
            std::from_chars(value.data(), value.data() + value.size(), number);
        if (fault == std::errc() && end == value.data() + value.size() && number >= 0)
            retry_ms_ = number;
    }
}

}  // namespace server
