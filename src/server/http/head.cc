// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/head.h"

#include <algorithm>
#include <array>
#include <string>

namespace server {
namespace {

constexpr int kBad = 400, kNoMethod = 501, kNotAllowed = 405, kTooLarge = 431, kVersion = 505;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A character of a method or of a header's name (RFC 9110, 5.6.2).
bool is_token(char c) {
    constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
    return is_letter(c) || is_digit(c) || kOthers.find(c) != kOthers.npos;
}
bool is_token(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_token(c); });
}
bool is_number(std::string_view text) {
    constexpr size_t kMaxDigits = 15;
    return !text.empty() && text.size() <= kMaxDigits &&
           std::all_of(text.begin(), text.end(), is_digit);
}
bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

// A host with or without a port, as in RFC 3986, but without user information.
bool is_host(std::string_view text) {
    constexpr std::string_view kOthers = "-._~!$&'()*+;=:%[]";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return is_letter(c) || is_digit(c) || kOthers.find(c) != kOthers.npos;
    });
}

std::string lower(std::string_view text) {
    std::string low(text);
    for (char &c : low)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return low;
}

std::string_view trim(std::string_view text) {
    const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// Headers that may appear only once. If one is repeated, two readers may each use a different
// value.
enum Once { kHost, kLength, kCoding, kOther };
constexpr std::array<std::string_view, 13> kOnce = {
    "host",         "content-length", "transfer-encoding", "authorization",
    "content-type", "origin",         "sec-fetch-site",    "expect",
    "upgrade",      "mcp-session-id", "sec-websocket-key", "sec-websocket-version",
    "a2a-version"};

class HeadReader {
public:
    explicit HeadReader(std::string_view text) : text_(text) {}

    HeadCheck read() {
        std::string_view line;
        if (!take_line(line)) return out_;
        if (!read_request(line)) return out_;
        for (size_t lines = 0; take_line(line); ++lines) {
            if (line.empty()) return end();
            if (lines == kMaxHeadLines)
                return refuse(kTooLarge, "the request has too many headers");
            if (!read_header(line)) return out_;
        }
        return out_;
    }

private:
    HeadCheck refuse(int status, const char *why) {
        out_.state = HeadCheck::State::kRefused;
        out_.status = status;
        out_.why = why;
        return out_;
    }
    bool fail(int status, const char *why) { return refuse(status, why), false; }

    // False if the line is not complete yet, or is refused.
    bool take_line(std::string_view &line) {
        const size_t end = text_.find_first_of(std::string_view("\r\n\0", 3), at_);
        if (end == text_.npos || (text_[end] == '\r' && end + 1 == text_.size())) {
            if (text_.size() > kMaxHeadBytes)
                refuse(kTooLarge, "the head of the request is too long");
            return false;
        }
        if (text_[end] == '\0') return fail(kBad, "the head has a byte 0");
        if (text_[end] == '\n') return fail(kBad, "a line of the head ends with LF, not CRLF");
        if (text_[end + 1] != '\n') return fail(kBad, "the head has a CR without LF");
        line = text_.substr(at_, end - at_);
        at_ = end + 2;
        if (at_ > kMaxHeadBytes) return fail(kTooLarge, "the head of the request is too long");
        return true;
    }

    bool read_request(std::string_view line) {
        const size_t first = line.find(' '), last = line.rfind(' ');
        if (first == line.npos || first == last)
            return fail(kBad, "the first line must be METHOD PATH HTTP/1.1");
        const std::string_view method = line.substr(0, first),
                               target = line.substr(first + 1, last - first - 1),
                               version = line.substr(last + 1);
        if (!is_token(method)) return fail(kBad, "the method has an invalid character");
        if (!version.starts_with("HTTP/"))
            return fail(kBad, "the first line must be METHOD PATH HTTP/1.1");
        if (version != "HTTP/1.1" && version != "HTTP/1.0")
            return fail(kVersion, "the HTTP version must be 1.1");
        is_old_ = version == "HTTP/1.0";
        if (method == "CONNECT") return fail(kNotAllowed, "CONNECT is not supported");
        constexpr std::string_view kMethods[] = {"GET",   "HEAD",   "POST",   "PUT",
                                                 "PATCH", "DELETE", "OPTIONS"};
        if (std::find(std::begin(kMethods), std::end(kMethods), method) == std::end(kMethods))
            return fail(kNoMethod, "unknown method");
        const bool is_clean = std::all_of(target.begin(), target.end(), [](char c) {
            return is_visible(c) && c != '#' && c != '\\';
        });
        if (!target.starts_with('/') || !is_clean)
            return fail(kBad, "the path must begin with / and have no blanks");
        return true;
    }

    bool read_header(std::string_view line) {
        if (line[0] == ' ' || line[0] == '\t')
            return fail(kBad, "a header continues on a second line");
        const size_t colon = line.find(':');
        if (colon == line.npos) return fail(kBad, "a header has no colon");
        if (!is_token(line.substr(0, colon)))
            return fail(kBad, "the name of a header has an invalid character");
        const std::string_view value = trim(line.substr(colon + 1));
        for (const char c : value)
            if ((static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f')
                return fail(kBad, "a header has a control character");
        const std::string name = lower(line.substr(0, colon));
        for (size_t i = 0; i < kOnce.size(); ++i) {
            if (name != kOnce[i]) continue;
            if (seen_ >> i & 1u)
                return fail(kBad, "a header is repeated that may appear only once");
            seen_ |= 1u << i;
            return check_value(static_cast<Once>(std::min<size_t>(i, kOther)), value);
        }
        return true;
    }

    bool check_value(Once which, std::string_view value) {
        if (which == kHost && !is_host(value)) return fail(kBad, "Host is not a valid host");
        if (which == kLength && !is_number(value))
            return fail(kBad, "Content-Length must be a number");
        if (which == kCoding && (is_old_ || lower(value) != "chunked"))
            return fail(kBad, "Transfer-Encoding must be chunked, and needs HTTP/1.1");
        return true;
    }

    HeadCheck end() {
        const auto has = [&](Once which) { return (seen_ >> which & 1u) != 0; };
        if (!is_old_ && !has(kHost)) return refuse(kBad, "Host is missing");
        if (has(kLength) && has(kCoding))
            return refuse(kBad, "Content-Length and Transfer-Encoding exclude each other");
        out_.state = HeadCheck::State::kWhole;
        out_.bytes = at_;
        return out_;
    }

    std::string_view text_;
    size_t at_ = 0;
    unsigned seen_ = 0;
    bool is_old_ = false;
    HeadCheck out_;
};

}  // namespace

HeadCheck check_head(std::string_view text) { return HeadReader(text).read(); }

}  // namespace server
