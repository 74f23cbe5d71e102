// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/request_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "proxy/forward/headers.h"
#include "server/http/head.h"

namespace proxy {
namespace {

constexpr int kBad = 400, kTooLarge = 413, kFailed = 417;
constexpr size_t kReserveBytes = 1 << 20;  // before any byte of a body has arrived

// Splits a head that was checked.
Request split_head(std::string_view head) {
    Request made;
    size_t end = head.find("\r\n");
    const std::string_view first = head.substr(0, end);
    const size_t space = first.find(' '), last = first.rfind(' ');
    made.method = first.substr(0, space);
    made.target = first.substr(space + 1, last - space - 1);
    made.is_http10 = first.ends_with("1.0");
    while (end + 2 < head.size()) {
        const size_t begin = end + 2;
        end = head.find("\r\n", begin);
        append_header_line(head.substr(begin, end - begin), made.headers);
    }
    return made;
}

}  // namespace

RequestReader::State RequestReader::refuse(int status, const char *why) {
    status_ = status;
    why_ = why;
    return state_ = State::kRefused;
}

RequestReader::State RequestReader::read(std::string &in) {
    bool goes_on = true;
    while (goes_on && !in.empty() && state_ == State::kHead) goes_on = read_head(in);
    while (goes_on && state_ == State::kBody) {
        switch (part_) {
            case Part::kLength:
            case Part::kData: goes_on = read_data(in); break;
            case Part::kSize: goes_on = read_size(in); break;
            case Part::kDataEnd: goes_on = read_data_end(in); break;
            case Part::kTrailers: goes_on = read_trailers(in); break;
        }
    }
    return state_;
}

// Each of these functions returns false if it needs more bytes, or has refused the request.

// Only whole lines of a head are checked, and only if a new one has arrived, so that a client that
// sends single bytes costs little.
bool RequestReader::read_head(std::string &in) {
    const bool is_long = in.size() > server::kMaxHeadBytes;
    const size_t end = is_long ? in.size() : in.rfind('\n') + 1;
    if (end == checked_) return false;
    checked_ = end;
    const server::HeadCheck check = server::check_head(std::string_view(in).substr(0, end));
    if (check.state == server::HeadCheck::State::kRefused) refuse(check.status, check.why);
    if (check.state != server::HeadCheck::State::kWhole) return false;
    request_ = split_head(std::string_view(in).substr(0, check.bytes));
    in.erase(0, check.bytes);
    begin_body();
    return state_ == State::kBody;
}

void RequestReader::begin_body() {
    const std::string_view length = find_header(request_.headers, "content-length"),
                           expects = find_header(request_.headers, "expect");
    const bool is_chunked = has_header(request_.headers, "transfer-encoding");
    request_.has_body = is_chunked || !length.empty();
    if (!expects.empty() && !equals_ignoring_case(expects, "100-continue")) {
        refuse(kFailed, "Expect can only be 100-continue");
        return;
    }
    std::from_chars(length.data(), length.data() + length.size(), left_);
    if (left_ > max_body_) {
        refuse(kTooLarge, "the body is longer than --max-body allows");
        return;
    }
    part_ = is_chunked ? Part::kSize : Part::kLength;
    state_ = is_chunked || left_ ? State::kBody : State::kWhole;
    expects_continue_ = !expects.empty() && !request_.is_http10 && state_ == State::kBody;
    request_.body.reserve(std::min<size_t>(left_, kReserveBytes));
}

bool RequestReader::take_expectation() {
    return std::exchange(expects_continue_, false) && state_ == State::kBody &&
           request_.body.empty();
}

bool RequestReader::read_data(std::string &in) {
    const auto bytes = static_cast<size_t>(std::min<uint64_t>(left_, in.size()));
    request_.body.append(in, 0, bytes);
    in.erase(0, bytes);
    left_ -= bytes;
    if (left_) return false;
    if (part_ == Part::kLength) state_ = State::kWhole;
    part_ = Part::kDataEnd;
    return true;
}

// Removes a line that ends with CRLF. One size of a chunk, and all trailers together, have the size
// limit of a head.
bool RequestReader::take_line(std::string &in, std::string &line) {
    const size_t end = in.find('\n');
    const size_t bytes = std::min(end, in.size() - 1) + 1;
    if (in.empty()) return false;
    if (bytes > server::kMaxHeadBytes ||
        (part_ == Part::kTrailers && trailer_bytes_ + bytes > server::kMaxHeadBytes))
        return refuse(kBad, "a line of the chunked body is too long"), false;
    if (end == in.npos) return false;
    if (end == 0 || in[end - 1] != '\r')
        return refuse(kBad, "a line of the chunked body ends with LF, not CRLF"), false;
    line = in.substr(0, end - 1);
    in.erase(0, end + 1);
    const bool is_clean = std::all_of(line.begin(), line.end(), [](char c) {
        return static_cast<unsigned char>(c) >= ' ' || c == '\t';
    });
    if (!is_clean) return refuse(kBad, "the chunked body has a control character"), false;
    return true;
}

bool RequestReader::read_size(std::string &in) {
    constexpr size_t kMaxDigits = 15;
    constexpr int kHex = 16;
    std::string line;
    if (!take_line(in, line)) return false;
    const size_t digits = std::min(line.find_first_not_of("0123456789abcdefABCDEF"), line.size());
    const std::string_view rest = trimmed(std::string_view(line).substr(digits));
    if (!digits || digits > kMaxDigits || (!rest.empty() && rest[0] != ';'))
        return refuse(kBad, "the size of a chunk is not a number in hexadecimal digits"), false;
    std::from_chars(line.data(), line.data() + digits, left_, kHex);
    if (left_ > max_body_ - request_.body.size())
        return refuse(kTooLarge, "the body is longer than --max-body allows"), false;
    part_ = left_ ? Part::kData : Part::kTrailers;
    return true;
}

bool RequestReader::read_data_end(std::string &in) {
    std::string line;
    if (in.size() >= 2 && !in.starts_with("\r\n"))
        return refuse(kBad, "a chunk is longer than its size"), false;
    if (!take_line(in, line)) return false;
    part_ = Part::kSize;
    return true;
}

// Trailers are checked and dropped.
bool RequestReader::read_trailers(std::string &in) {
    std::string line;
    if (!take_line(in, line)) return false;
    trailer_bytes_ += line.size() + 2;
    Headers one;
    if (line.empty()) return (state_ = State::kWhole), true;
    if (!append_header_line(line, one)) return refuse(kBad, "a trailer is not a header"), false;
    return true;
}

}  // namespace proxy
