// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See a2a.h: tasks, a page at a time, the newest first.
#include <algorithm>
#include <charconv>

#include "server/library/iso_time.h"
#include "server/json/json_object.h"
#include "server/json/json_parts.h"
#include "server/a2a/a2a.h"

namespace server {
namespace {

[[noreturn]] void refuse_list_param(const std::string &name, const std::string &why) {
    throw A2aRefusal(kA2aInvalidParams, name + ": " + why, {{"field", name}});
}

// Where a list goes on: after the task that came to what it is then, and its id.
struct Cursor {
    int64_t time_ms = INT64_MAX;
    std::string id;

    bool is_before(const A2aTask &task) const {
        return time_ms != task.time_ms ? time_ms > task.time_ms : id > task.id;
    }
};

Cursor read_cursor(const std::string &token) {
    Cursor out;
    if (token.empty()) return out;
    const size_t dash = token.find('-');
    const char *end = token.data() + std::min(dash, token.size());
    const auto read = std::from_chars(token.data(), end, out.time_ms);
    if (dash == std::string::npos || read.ec != std::errc() || read.ptr != end)
        refuse_list_param("pageToken", "it is what an answer gave");
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
        if (!word.empty() && !is_state_word(word)) refuse_list_param("status", "it is no state");
        state = find_state(word);
        has_none = !word.empty() && !state && word != "TASK_STATE_UNSPECIFIED";
        if (!after.empty() && !host::read_time(after, after_ms))
            refuse_list_param("statusTimestampAfter", "it is a time of ISO 8601");
    }
    bool takes(const A2aTask &task) const {
        return !has_none && (!state || task.state == *state) && task.time_ms >= after_ms;
    }
};

bool is_newer(const A2aTask *a, const A2aTask *b) {
    return a->time_ms != b->time_ms ? a->time_ms > b->time_ms : a->id > b->id;
}

std::string token_of(const A2aTask &task) { return std::to_string(task.time_ms) + "-" + task.id; }

}  // namespace

// As many as were asked for, or fewer that are long.
std::string A2a::list(const Asked &asked) {
    constexpr uint64_t kPage = 50, kMaxPage = 100;
    constexpr size_t kMaxPageBytes = 4 << 20;
    const A2aRequest &request = asked.request;
    const uint64_t size = request.number("pageSize").value_or(kPage);
    if (size < 1 || size > kMaxPage) refuse_list_param("pageSize", "it is from 1 to 100");
    const Cursor begin = read_cursor(request.text("pageToken"));
    const Filter filter(request);
    A2aShape shape = request.shape();
    if (!request.number("historyLength")) shape.history = 0;
    shape.with_artifacts = host::json_member(request.params, "includeArtifacts") == "true";

    std::vector<A2aTask *> tasks =
        tasks_.list(request.text("contextId"), asked.grant, asked.now_ms);
    std::erase_if(tasks, [&](const A2aTask *task) { return !filter.takes(*task); });
    const size_t total = tasks.size();
    std::erase_if(tasks, [&](const A2aTask *task) { return !begin.is_before(*task); });
    std::sort(tasks.begin(), tasks.end(), is_newer);
    host::JsonList page;
    size_t count = 0;
    for (size_t bytes = 0; count < tasks.size() && count < size && bytes < kMaxPageBytes;) {
        const std::string task = printer_.task(*tasks[count++], shape, asked.now_ms);
        bytes += task.size();
        page.json(task);
    }
    const bool has_more = count < tasks.size();
    host::JsonObject out;
    out.json("tasks", page.end());
    out.text("nextPageToken", has_more ? token_of(*tasks[count - 1]) : "");
    out.json("pageSize", std::to_string(size)).json("totalSize", std::to_string(total));
    return out.end();
}

}  // namespace server
