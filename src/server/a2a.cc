// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See a2a.h: which method does what.
#include "server/a2a.h"

#include <algorithm>
#include <charconv>

#include "host/failure.h"
#include "host/iso_time.h"
#include "host/json_parts.h"
#include "server/a2a_card.h"

namespace server {
namespace {

HttpReply rpc_reply(int status, std::string body) {
    return {status, "application/json", std::move(body)};
}

std::string_view version_of(const HttpRequest &request) {
    const std::string_view header = request.header("a2a-version");
    return header.empty() ? request.parameter("A2A-Version") : header;
}

[[noreturn]] void refuse_param(const std::string &name, const std::string &why) {
    throw A2aRefusal(kA2aInvalidParams, name + ": " + why, {{"field", name}});
}

// Where a list goes on: after the task that came to what it is then, and its id.
struct Cursor {
    int64_t time_ms = INT64_MAX;
    std::string id;

    static Cursor of(const A2aTask &task) { return {task.time_ms, task.id}; }
    std::string print() const { return std::to_string(time_ms) + "-" + id; }
    // The newest come first.
    bool is_before(const Cursor &other) const {
        return time_ms != other.time_ms ? time_ms > other.time_ms : id > other.id;
    }
};

Cursor read_cursor(const std::string &token) {
    Cursor out;
    if (token.empty()) return out;
    const size_t dash = token.find('-');
    const char *end = token.data() + std::min(dash, token.size());
    const auto read = std::from_chars(token.data(), end, out.time_ms);
    if (dash == std::string::npos || read.ec != std::errc() || read.ptr != end)
        refuse_param("pageToken", "it is what an answer gave");
    out.id = token.substr(dash + 1);
    return out;
}

// Which tasks a list is to have.
struct Filter {
    std::optional<A2aState> state;
    bool has_none = false;  // none here is ever in that state
    int64_t after_ms = INT64_MIN;

    explicit Filter(const A2aRequest &request) {
        const std::string word = request.text("status"),
                          after = request.text("statusTimestampAfter");
        if (!word.empty() && !is_state_word(word)) refuse_param("status", "it is no state");
        state = find_state(word);
        has_none = !word.empty() && !state && word != "TASK_STATE_UNSPECIFIED";
        if (!after.empty() && !host::read_time(after, after_ms))
            refuse_param("statusTimestampAfter", "it is a time of ISO 8601");
    }
    bool takes(const A2aTask &task) const {
        return !has_none && (!state || task.state == *state) && task.time_ms >= after_ms;
    }
};

}  // namespace

A2a::A2a(A2aRules rules, Hub &hub, accp_config *config, const accp_registry *registry)
    : rules_(std::move(rules)),
      hub_(hub),
      reader_(config),
      speaker_(hub, config, registry),
      tasks_(hub, config),
      printer_(hub, reader_),
      calls_(hub, tasks_, printer_) {}

std::optional<HttpReply> A2a::answer(uint64_t connection, const HttpRequest &request,
                                     const Grant &grant, int64_t now_ms) {
    RpcMessage message;
    std::string refusal;
    if (!read_rpc(request.body, message, refusal)) return rpc_reply(200, std::move(refusal));
    if (!message.is_request())
        return rpc_reply(200, rpc_error({}, kRpcInvalidRequest, "a request has an id"));
    try {
        const A2aRequest asked = read_a2a_request(message, version_of(request));
        if (asked.method == A2aMethod::kCard)
            return rpc_reply(200,
                             rpc_result(asked.id, print_card_for(request, &grant, asked.version)));
        const std::optional<std::string> result = run({connection, asked, grant, now_ms});
        if (!result) return std::nullopt;
        return rpc_reply(200, rpc_result(asked.id, *result));
    } catch (const A2aRefusal &refused) {
        return rpc_reply(refused.http_status(), refused.print(message.id));
    } catch (const host::Failure &failure) {
        return rpc_reply(200, rpc_error(message.id, kRpcInternalError, failure.what()));
    }
}

std::optional<std::string> A2a::run(const Asked &asked) {
    switch (asked.request.method) {
        case A2aMethod::kSend:
        case A2aMethod::kStream: return send(asked);
        case A2aMethod::kGet: return get(asked);
        case A2aMethod::kList: return list(asked);
        case A2aMethod::kCancel: return cancel(asked);
        case A2aMethod::kSubscribe: subscribe(asked); return std::nullopt;
        case A2aMethod::kPush:
        case A2aMethod::kCard: break;
    }
    throw A2aRefusal(kA2aPushNotSupported,
                     "push notifications are not sent here; stream, subscribe or ask again");
}

// Who may not see a task does not learn that it is there.
A2aTask &A2a::need(const Asked &asked) {
    const std::string id = asked.request.text("id");
    if (id.empty()) refuse_param("id", "it is needed");
    A2aTask *task = tasks_.find(id, asked.grant, asked.now_ms);
    if (!task) throw A2aRefusal(kA2aTaskNotFound, "there is no such task", {{"taskId", id}});
    return *task;
}

std::string A2a::get(const Asked &asked) {
    const A2aShape shape = asked.request.shape();
    return printer_.task(need(asked), shape, asked.now_ms);
}

std::string A2a::list(const Asked &asked) {
    constexpr uint64_t kPage = 50, kMaxPage = 100;
    const A2aRequest &request = asked.request;
    const uint64_t size = request.number("pageSize").value_or(kPage);
    if (size < 1 || size > kMaxPage) refuse_param("pageSize", "it is from 1 to 100");
    const Cursor begin = read_cursor(request.text("pageToken"));
    const Filter filter(request);
    A2aShape shape = request.shape();
    if (!request.number("historyLength")) shape.history = 0;
    shape.with_artifacts = host::json_member(request.params, "includeArtifacts") == "true";

    std::vector<A2aTask *> tasks =
        tasks_.list(request.text("contextId"), asked.grant, asked.now_ms);
    std::erase_if(tasks, [&](const A2aTask *task) { return !filter.takes(*task); });
    std::sort(tasks.begin(), tasks.end(), [](const A2aTask *a, const A2aTask *b) {
        return Cursor::of(*a).is_before(Cursor::of(*b));
    });
    const size_t total = tasks.size();
    std::erase_if(tasks, [&](const A2aTask *task) { return !begin.is_before(Cursor::of(*task)); });
    const bool has_more = tasks.size() > size;
    tasks.resize(std::min<size_t>(tasks.size(), size));
    host::JsonList page;
    for (const A2aTask *task : tasks) page.json(printer_.task(*task, shape, asked.now_ms));
    host::JsonObject out;
    out.json("tasks", page.end());
    out.text("nextPageToken", has_more ? Cursor::of(*tasks.back()).print() : "");
    out.json("pageSize", std::to_string(size)).json("totalSize", std::to_string(total));
    return out.end();
}

// A task that was canceled stays so, and says it again.
std::optional<std::string> A2a::cancel(const Asked &asked) {
    const A2aTask &task = need(asked);
    const A2aShape shape = asked.request.shape();
    if (task.state == A2aState::kCanceled) return printer_.task(task, shape, asked.now_ms);
    if (is_terminal(task.state))
        throw A2aRefusal(kA2aTaskNotCancelable, "the task has ended", {{"taskId", task.id}});
    const Frame frame{task.session, task.by, "cancel", task.operation, task.id, {}, false};
    Speaker::Said said;
    accp_error err = {};
    need_place();
    if (say_members({}, frame, asked, said, err) != ACCP_OK) refuse_frame(err);
    calls_.add(asked.connection,
               {A2aCall::Kind::kCancel, shape, asked.request.id, task.id, {}, said.record},
               task.session, asked.now_ms);
    return std::nullopt;
}

void A2a::subscribe(const Asked &asked) {
    const A2aTask &task = need(asked);
    const A2aShape shape = asked.request.shape();
    if (is_terminal(task.state))
        throw A2aRefusal(kA2aUnsupportedOperation, "the task has ended, and nothing will follow",
                         {{"taskId", task.id}});
    const A2aCall call{A2aCall::Kind::kStream, shape, asked.request.id, task.id};
    calls_.add(asked.connection, call, task.session, calls_.result(call, task, asked.now_ms),
               asked.now_ms);
}

std::string A2a::print_card_for(const HttpRequest &request, const Grant *grant,
                                A2aVersion version) const {
    const std::string url =
        rules_.scheme + "://" + std::string(request.header("host")) + std::string(kPath);
    A2aCard card{url, accp_version(), hub_.registry_hash(), rules_.needs_token, {}};
    if (grant) card.agents = hub_.connected(*grant);
    return print_card(card, version);
}

// Without a version it is one that both can read.
HttpReply A2a::card(const HttpRequest &request, const Grant *grant) const {
    A2aVersion version = A2aVersion::k10;
    try {
        version = read_a2a_version(version_of(request)).value_or(A2aVersion::k10);
    } catch (const A2aRefusal &) {
        // the card says which are spoken
    }
    HttpReply reply{200, "application/json", print_card_for(request, grant, version)};
    reply.headers.emplace_back("cache-control", "private, max-age=60");
    reply.headers.emplace_back("vary", "a2a-version, authorization");
    return reply;
}

}  // namespace server
