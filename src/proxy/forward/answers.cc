// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/answers.h"

#include <array>
#include <cstdio>

#include "proxy/forward/headers.h"
#include "server/json/writer.h"

namespace proxy {
namespace {

constexpr int kNoContent = 204, kNotModified = 304, kFirstServerError = 500;

struct Status {
    int status;
    std::string_view reason, anthropic;  // anthropic: the type of its error
};
constexpr std::string_view kInvalid = "invalid_request_error", kOfServer = "api_error";
constexpr Status kStatuses[] = {{200, "OK", ""},
                                {304, "Not Modified", ""},
                                {308, "Permanent Redirect", ""},
                                {400, "Bad Request", kInvalid},
                                {401, "Unauthorized", "authentication_error"},
                                {403, "Forbidden", "permission_error"},
                                {404, "Not Found", "not_found_error"},
                                {405, "Method Not Allowed", kInvalid},
                                {407, "Proxy Authentication Required", "authentication_error"},
                                {413, "Content Too Large", "request_too_large"},
                                {417, "Expectation Failed", kInvalid},
                                {431, "Request Header Fields Too Large", kInvalid},
                                {501, "Not Implemented", kOfServer},
                                {502, "Bad Gateway", kOfServer},
                                {503, "Service Unavailable", "overloaded_error"},
                                {505, "HTTP Version Not Supported", kOfServer}};
constexpr Status kUnknown = {0, "Error", kOfServer};

const Status &find_status(int status) {
    for (const Status &one : kStatuses)
        if (one.status == status) return one;
    return kUnknown;
}

}  // namespace

BodyEnd body_end_of(const AnswerHead &head, std::string_view method, bool is_http10) {
    if (method == "HEAD" || head.status == kNoContent || head.status == kNotModified)
        return BodyEnd::kNone;
    if (has_header(head.headers, "content-length")) return BodyEnd::kLength;
    return is_http10 ? BodyEnd::kClose : BodyEnd::kChunks;
}

std::string head_text(const AnswerHead &head, BodyEnd body, bool closes) {
    std::string text = "HTTP/1.1 " + std::to_string(head.status) + " " + head.reason + "\r\n";
    for (const auto &[name, value] : head.headers)
        text.append(name).append(": ").append(value).append("\r\n");
    if (body == BodyEnd::kChunks) text += "Transfer-Encoding: chunked\r\n";
    if (closes) text += "Connection: close\r\n";
    return text += "\r\n";
}

void append_chunk(std::string_view bytes, std::string &out) {
    std::array<char, 20> size;
    const int digits = std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
    out.append(size.data(), static_cast<size_t>(digits)).append(bytes).append("\r\n");
}

std::string last_chunk(const Headers &trailers) {
    std::string text = "0\r\n";
    for (const auto &[name, value] : trailers)
        text.append(name).append(": ").append(value).append("\r\n");
    return text += "\r\n";
}

std::string_view reason_of(int status) { return find_status(status).reason; }

std::string error_json(const Refusal &refusal, std::string_view upstream) {
    const std::string message = "accp proxy: " + refusal.why;
    if (upstream == "anthropic") {
        const std::string error = host::JsonObject()
                                      .text("type", find_status(refusal.status).anthropic)
                                      .text("message", message)
                                      .end();
        return host::JsonObject().text("type", "error").json("error", error).end() + "\n";
    }
    const bool is_ours = refusal.status >= kFirstServerError;
    const std::string error = host::JsonObject()
                                  .text("message", message)
                                  .text("type", is_ours ? "server_error" : "invalid_request_error")
                                  .json("param", "null")
                                  .text("code", "accp_proxy")
                                  .end();
    return host::JsonObject().json("error", error).end() + "\n";
}

}  // namespace proxy
