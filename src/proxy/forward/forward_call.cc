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
constexpr size_t kMaxHeld = 16 << 20;  // of a response; a longer one passes as it came

// A failure of Traffic must not break the call.
template <typename Action>
void try_to(Action action) {
    try {
        action();
    } catch (...) {  // the call goes on without it
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
        end_traffic(failure.what());
        log_end(failure.what());
        throw;
    }
}

ForwardCall::~ForwardCall() {
    call_.reset();
    if (has_ended_) return;
    end_traffic(kClientGone);
    log_end(std::string(kClientGone));
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
    base_ = made;
    if (traffic_) rewrite(request, made);
    if (made.body.empty()) made.body = std::move(request.body);
    sent_bytes_ = made.body.size();
    if (made.has_body) set_header(made.headers, "Content-Length", std::to_string(made.body.size()));
    else remove_header(made.headers, "content-length");
    return made;
}

// Traffic reads responses of model calls, so they are requested without a coding.
void ForwardCall::rewrite(const Request &request, UpstreamRequest &out) {
    if (is_model_call(method_, path_) && has_header(out.headers, "accept-encoding") &&
        accepts_identity(out.headers))
        set_header(out.headers, "accept-encoding", "identity");
    base_.headers = out.headers;
    remove_header(base_.headers, "idempotency-key");  // it belongs to one body
    try_to([&] {
        const CallHead head{method_, request.target, request.headers, route_.upstream->name};
        if (auto body = traffic_->outgoing(number_, head, request.body, began_ms_);
            body && !body->empty())
            out.body = std::move(*body);
    });
}

void ForwardCall::on_early_head(const AnswerHead &head) {
    if (!follow_ups_) client_.send_early_head(head);
}

void ForwardCall::on_head(AnswerHead head) {
    AnswerMode mode = AnswerMode::kAsItCame;
    has_head_ = true;
    if (traffic_) try_to([&] { mode = traffic_->answer_head(number_, head.status, head.headers); });
    if (follow_ups_) {
        if (mode_ != AnswerMode::kHeld) return;
    } else {
        mode_ = mode;
        head_ms_ = context_.now_ms();
    }
    status_ = head.status;
    if (mode_ == AnswerMode::kHeld) {
        held_head_ = std::move(head);
        return;
    }
    if (mode_ == AnswerMode::kEvents) remove_header(head.headers, "content-length");
    client_.send_head(head);
}

bool ForwardCall::on_bytes(std::string_view bytes) {
    if (!client_.accepts_bytes()) return false;
    answer_bytes_ += bytes.size();
    std::optional<std::string> shown;
    if (traffic_) try_to([&] { shown = traffic_->answer_bytes(number_, bytes); });
    if (mode_ != AnswerMode::kHeld) {
        client_.send_bytes(mode_ == AnswerMode::kEvents && shown ? *shown : bytes);
        return true;
    }
    held_.append(bytes);
    if (held_.size() > kMaxHeld) {
        mode_ = AnswerMode::kAsItCame;
        send_held(held_);
    }
    return true;
}

void ForwardCall::send_held(std::string_view body) {
    Headers &headers = held_head_.headers;
    if (mode_ == AnswerMode::kHeld && has_header(headers, "content-length"))
        set_header(headers, "Content-Length", std::to_string(body.size()));
    client_.send_head(held_head_);
    client_.send_bytes(body);
}

void ForwardCall::on_end(const Headers &trailers, const std::string &fault) {
    AnswerEnd end = end_traffic(fault);
    if (!end.follow_up) return end_answer(end, trailers, fault);
    if (mode_ != AnswerMode::kAsItCame && start_follow_up(std::move(*end.follow_up))) {
        if (end.bytes && mode_ == AnswerMode::kEvents) client_.send_bytes(*end.bytes);
        return;
    }
    const std::string why = "a further call cannot be made";
    end = end_traffic(why);
    end_answer(end, trailers, mode_ == AnswerMode::kAsItCame ? "" : why);
}

// Returns false if it cannot be started.
bool ForwardCall::start_follow_up(std::string body) {
    bool is_started = false;
    has_head_ = false;
    try_to([&] {
        UpstreamRequest made = base_;
        made.body = std::move(body);
        set_header(made.headers, "Content-Length", std::to_string(made.body.size()));
        const size_t bytes = made.body.size();
        auto started = context_.client.start(std::move(made), *this);
        ended_ = std::move(call_);
        call_ = std::move(started);
        sent_bytes_ += bytes;
        is_started = true;
    });
    if (!is_started) return false;
    ++follow_ups_;
    held_.clear();
    return true;
}

// Ends the client's response. `fault`: of the last call.
void ForwardCall::end_answer(const AnswerEnd &end, const Headers &trailers,
                             const std::string &fault) {
    const bool has_head = status_ != 0;
    const bool is_refused = mode_ == AnswerMode::kHeld && fault.empty() && end.is_broken;
    if (!has_head || is_refused) status_ = kBadGateway;
    log_end(is_refused ? end.bytes.value_or("") : fault.empty() ? "whole" : fault);
    if (!has_head) return refuse(fault);
    if (is_refused)
        return client_.send_refusal({kBadGateway, end.bytes.value_or("")}, route_.upstream->name);
    if (mode_ == AnswerMode::kHeld) {
        if (!has_head_) return refuse(fault);
        if (!fault.empty()) mode_ = AnswerMode::kAsItCame;  // the length is that of the upstream
        send_held(end.bytes ? *end.bytes : held_);
    } else if (mode_ == AnswerMode::kEvents && end.bytes) {
        client_.send_bytes(*end.bytes);
    }
    if (fault.empty() && !end.is_broken) client_.send_end(trailers);
    else client_.break_off();
}

void ForwardCall::refuse(const std::string &fault) {
    const Upstream &upstream = *route_.upstream;
    client_.send_refusal({kBadGateway, "no answer from the upstream " + upstream.name + " (" +
                                           upstream.url() + "): " + fault},
                         upstream.name);
}

AnswerEnd ForwardCall::end_traffic(std::string_view fault) {
    AnswerEnd end;
    const int64_t now_ms = context_.now_ms();
    if (traffic_) try_to([&] { end = traffic_->answer_end(number_, fault, held_, now_ms); });
    return end;
}

void ForwardCall::log_end(const std::string &end) {
    has_ended_ = true;
    const int64_t now_ms = context_.now_ms();
    if (!context_.log) return;
    const auto number = [](auto value) { return std::to_string(value); };
    host::JsonObject line;
    line.json("time_ms", number(began_ms_)).json("call", number(number_));
    line.text("method", method_).text("path", path_).text("upstream", route_.upstream->name);
    if (status_) line.json("status", number(status_));
    line.json("request_bytes", number(request_bytes_)).json("sent_bytes", number(sent_bytes_));
    line.json("answer_bytes", number(answer_bytes_));
    if (head_ms_) line.json("head_ms", number(head_ms_ - began_ms_));
    if (follow_ups_) line.json("further_calls", number(follow_ups_));
    line.json("ms", number(now_ms - began_ms_)).text("end", end);
    context_.log(line.end() + "\n");
}

}  // namespace proxy
