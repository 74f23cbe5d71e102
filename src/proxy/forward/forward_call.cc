// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/forward_call.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "proxy/forward/headers.h"
#include "server/json/writer.h"

namespace proxy {
namespace {

constexpr int kBadGateway = 502;

// A failure of Traffic must not cost a call.
template <typename Action>
void try_to(Action action) {
    try {
        action();
    } catch (const std::exception &) {  // the call goes on without it
    }
}

// Sets the first header of this name and removes the others.
void set_header(Headers &headers, std::string_view name, std::string value) {
    const auto has_name = [&](const auto &one) { return equals_ignoring_case(one.first, name); };
    const auto first = std::find_if(headers.begin(), headers.end(), has_name);
    if (first == headers.end()) {
        headers.emplace_back(name, std::move(value));
        return;
    }
    first->second = std::move(value);
    headers.erase(std::remove_if(first + 1, headers.end(), has_name), headers.end());
}

}  // namespace

ForwardCall::ForwardCall(ForwardContext &context, uint64_t number, ClientConnection &client,
                         Request request)
    : context_(context),
      number_(number),
      client_(client),
      route_(context.upstreams.find(request.target, request.headers)),
      traffic_(context.traffic),
      method_(request.method),
      path_(path_of(request.target)),
      request_bytes_(request.body.size()),
      began_ms_(context.now_ms()) {
    try {
        call_ = context_.client.start(make_request(std::move(request)), *this);
    } catch (const std::exception &failure) {
        report_end(false, failure.what());
        throw;
    }
}

ForwardCall::~ForwardCall() {
    call_.reset();
    if (!has_ended_) report_end(false, "the client has gone");
}

UpstreamRequest ForwardCall::make_request(Request request) {
    UpstreamRequest made;
    made.origin = route_.upstream->origin;
    made.is_local = route_.upstream->is_local;
    made.method = request.method;
    made.target = route_.target;
    made.has_body = request.has_body && request.method != "HEAD";  // libcurl sends none with HEAD
    made.headers = request.headers;
    remove_connection_headers(made.headers);
    for (const char *name : {"host", "expect"}) remove_header(made.headers, name);
    if (traffic_) rewrite(request, made);
    if (made.body.empty()) made.body = std::move(request.body);
    sent_bytes_ = made.body.size();
    if (made.has_body) set_header(made.headers, "Content-Length", std::to_string(made.body.size()));
    else remove_header(made.headers, "content-length");
    return made;
}

// Traffic reads answers of model calls, so they are requested without a coding.
void ForwardCall::rewrite(const Request &request, UpstreamRequest &out) {
    if (is_model_call(method_, path_) && has_header(out.headers, "accept-encoding") &&
        accepts_identity(out.headers))
        set_header(out.headers, "accept-encoding", "identity");
    try_to([&] {
        const CallHead head{method_, request.target, request.headers, route_.upstream->name};
        if (auto body = traffic_->outgoing(number_, head, request.body, began_ms_);
            body && !body->empty())
            out.body = std::move(*body);
    });
}

void ForwardCall::on_early_head(const AnswerHead &head) { client_.send_early_head(head); }

void ForwardCall::on_head(AnswerHead head) {
    status_ = head.status;
    head_ms_ = context_.now_ms();
    if (traffic_) try_to([&] { traffic_->answer_head(number_, head.status, head.headers); });
    client_.send_head(head);
}

bool ForwardCall::on_bytes(std::string_view bytes) {
    if (!client_.send_bytes(bytes)) return false;
    answer_bytes_ += bytes.size();
    if (traffic_) try_to([&] { traffic_->answer_bytes(number_, bytes); });
    return true;
}

void ForwardCall::on_end(const Headers &trailers, const std::string &fault) {
    const bool is_whole = fault.empty(), has_head = status_ != 0;
    if (!has_head) status_ = kBadGateway;
    report_end(is_whole, is_whole ? "whole" : fault);
    if (is_whole) client_.send_end(trailers);
    else if (has_head) client_.break_off();
    else refuse(fault);
}

void ForwardCall::refuse(const std::string &fault) {
    const Upstream &upstream = *route_.upstream;
    client_.send_refusal({kBadGateway, "no answer from the upstream " + upstream.name + " (" +
                                           upstream.url() + "): " + fault},
                         upstream.name);
}

void ForwardCall::report_end(bool is_whole, const std::string &end) {
    has_ended_ = true;
    const int64_t now_ms = context_.now_ms();
    if (traffic_) try_to([&] { traffic_->answer_end(number_, is_whole, now_ms); });
    if (!context_.log) return;
    const auto number = [](auto value) { return std::to_string(value); };
    host::JsonObject line;
    line.json("time_ms", number(began_ms_)).json("call", number(number_));
    line.text("method", method_).text("path", path_).text("upstream", route_.upstream->name);
    if (status_) line.json("status", number(status_));
    line.json("request_bytes", number(request_bytes_)).json("sent_bytes", number(sent_bytes_));
    line.json("answer_bytes", number(answer_bytes_));
    if (head_ms_) line.json("head_ms", number(head_ms_ - began_ms_));
    line.json("ms", number(now_ms - began_ms_)).text("end", end);
    context_.log(line.end() + "\n");
}

}  // namespace proxy
