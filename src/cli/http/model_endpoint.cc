// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/http/model_endpoint.h"

#include <cstdlib>
#include <utility>

#include "cli/host.h"
#include "cli/http/exchange.h"
#include "server/http/client_call.h"

namespace cli {
namespace {

constexpr std::string_view kCalls[] = {"/chat/completions", "/completions", "/embeddings"};

constexpr size_t kMaxExcerpt = 300;

// A piece of the server's text for an error.
std::string error_excerpt(std::string_view text) { return printable_excerpt(text, kMaxExcerpt); }

// Returns the message in the body of an error: {"error":{"message":…}}, {"error":…} or
// {"message":…}, or else the body.
std::string message_in(const std::string &body) {
    try {
        const std::string json = compact_json(body);
        const std::string_view error = json_member(json, "error");
        for (const std::string_view place :
             {json_member(error, "message"), error, json_member(json, "message")})
            if (place.starts_with('"')) return json_text(place);
    } catch (const Failure &) {
    }
    return body;
}

}  // namespace

ModelEndpoint::ModelEndpoint(std::string option, std::string_view place, std::string key_variable)
    : option_(std::move(option)), key_variable_(std::move(key_variable)) {
    const size_t mark = std::min(place.find('#'), place.size());
    url_ = place.substr(0, mark);
    model_ = place.substr(std::min(mark + 1, place.size()));
    if (url_.find('?') != url_.npos)
        throw Failure(option_ +
                      ": the address must have no '?': give the base, such as "
                      "http://127.0.0.1:11434/v1");
    server::HttpAddress::read(url_, option_ +
                                        " must be the address of a server with the interface "
                                        "of OpenAI, such as http://127.0.0.1:11434/v1");
    const auto trim_slashes = [&] { url_.erase(url_.find_last_not_of('/') + 1); };
    trim_slashes();
    for (const std::string_view call : kCalls) {
        if (!url_.ends_with(call)) continue;
        url_.erase(url_.size() - call.size());
        break;
    }
    trim_slashes();
    const char *key = std::getenv(key_variable_.c_str());
    key_ = key ? key : "";
    for (const char c : key_)
        if (static_cast<unsigned char>(c) <= ' ' || c == '\x7F')
            throw Failure(key_variable_ +
                          ": the key has a blank, a line break or another control "
                          "character");
}

std::string ModelEndpoint::post(std::string_view call, const std::string &json,
                                const Limits &limits) const {
    constexpr int kOk = 200, kFirstError = 300, kUnauthorized = 401, kForbidden = 403;
    HttpExchange request;
    request.url = url_ + std::string(call);
    request.headers = {"Content-Type: application/json", "Accept: application/json",
                       "User-Agent: accp/" + std::string(accp_version())};
    if (!key_.empty()) request.headers.push_back("Authorization: Bearer " + key_);
    request.body = &json;
    request.max_ms = limits.max_ms;
    request.max_bytes = limits.max_bytes;
    request.stop = limits.stop;
    const HttpAnswer answer = exchange(request);
    const std::string place = option_ + " " + request.url + ": ";
    if (answer.is_stopped) throw Failure(option_ + ": this program is ending");
    if (answer.is_late)
        throw Failure(place + "no whole answer within " + std::to_string(limits.max_ms / 1000) +
                      " s");
    if (!answer.status) throw Failure(place + "no connection: " + error_excerpt(answer.fault));
    if (answer.status < kOk || answer.status >= kFirstError) {
        const bool needs_key = answer.status == kUnauthorized || answer.status == kForbidden;
        const std::string why = error_excerpt(message_in(answer.body));
        throw EndpointRefusal(answer.status,
                              place + "status " + std::to_string(answer.status) +
                                  (why.empty() ? "" : ": " + why) +
                                  (needs_key ? key_.empty() ? "; set " + key_variable_ +
                                                                  " to the key of the "
                                                                  "server"
                                                            : "; check the key in " + key_variable_
                                             : ""));
    }
    if (answer.is_cut)
        throw Failure(place + "the answer has more than " + std::to_string(limits.max_bytes) +
                      " bytes");
    if (!answer.fault.empty())
        throw Failure(place + "the answer is cut off: " + error_excerpt(answer.fault));
    try {
        return compact_json(answer.body);
    } catch (const Failure &) {
        throw Failure(place + "the answer is not JSON: " + error_excerpt(answer.body));
    }
}

}  // namespace cli
