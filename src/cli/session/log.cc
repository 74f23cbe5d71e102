// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads exports as the library writes them.
#include "cli/session/log.h"

#include <charconv>

#include "cli/frames/frame_checker.h"
#include "cli/host.h"
#include "cli/session/sessions.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr std::string_view kRecord = "{\"record\":";

// Returns the child of a map with this key, or 0.
uint32_t child(const Tree &tree, uint32_t map, std::string_view key) {
    for (uint32_t i = map + 1; i < tree.nodes[map].next; i = tree.nodes[i].next)
        if (tree.key(i) == key) return i;
    return 0;
}

std::string text_at(const Tree &tree, uint32_t map, std::string_view key) {
    const uint32_t i = child(tree, map, key);
    return i != 0 && tree.nodes[i].kind == ACCP_STRING ? std::string(tree.raw(i)) : std::string();
}

int64_t number_at(const Tree &tree, std::string_view key) {
    int64_t number = 0;
    if (const uint32_t i = child(tree, 0, key); i != 0 && tree.nodes[i].kind == ACCP_INT) {
        const std::string_view digits = tree.raw(i);
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    }
    return number;
}

LogLine line_of(const Tree &tree, std::string_view text) {
    LogLine line;
    line.text = text;
    line.number = static_cast<uint64_t>(number_at(tree, "record"));
    line.time_ms = number_at(tree, "time_ms");
    line.timeout_ms = number_at(tree, "timeout_ms");
    line.kind = text_at(tree, 0, "kind");
    line.agent = text_at(tree, 0, "agent");
    line.frame = text_at(tree, 0, "frame");
    line.mid = text_at(tree, 0, "mid");
    line.cid = text_at(tree, 0, "cid");
    line.aid = text_at(tree, 0, "aid");
    const uint32_t message = child(tree, 0, "message");
    line.has_message = message != 0;
    if (message == 0 || tree.nodes[message].kind != ACCP_MAP) return line;
    line.intent = text_at(tree, message, "intent");
    const uint32_t meta = child(tree, message, "meta");
    if (meta == 0 || tree.nodes[meta].kind != ACCP_MAP || !line.frame.empty()) return line;
    line.mid = text_at(tree, meta, "mid");
    line.cid = text_at(tree, meta, "cid");
    line.aid = text_at(tree, meta, "aid");
    return line;
}

// Calls `each` with every line, including its newline.
template <typename Each>
void each_line(std::string_view text, Each each) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = text.find('\n', at);
        const size_t next = end == std::string_view::npos ? text.size() : end + 1;
        each(text.substr(at, next - at));
        at = next;
    }
}

int append_text(const char *text, size_t len, void *user) {
    static_cast<std::string *>(user)->append(text, len);
    return 0;
}

}  // namespace

SessionLog::SessionLog(const Arguments &arguments, const std::string &export_file) {
    std::string file_text;
    if (!export_file.empty()) file_text = read_file(export_file);
    const SessionStore store(arguments, true, file_text);
    const std::string &id = arguments.session;
    accp_error err = {};
    // A file is imported and exported again, so the text is always in the library's own form.
    if (accp_store_export(store.get(), id.data(), id.size(), append_text, &text_, &err) != ACCP_OK)
        throw Failure("session " + id + ": " + accp_status_code_name(err.code) + ": " +
                      message_of(err));
    read(arguments);
}

void SessionLog::read(const Arguments &arguments) {
    Arguments unlimited = arguments;
    unlimited.limits = {"json_bytes=1073741824"};
    const Handle<accp_config> config = make_config(unlimited);
    const Handle<accp_value> value = new_value(config.get());
    each_line(text_, [&](std::string_view line) {
        if (line.substr(0, kRecord.size()) != kRecord) return;
        line.remove_suffix(1);
        accp_error err = {};
        if (accp_value_parse_json(value.get(), line.data(), line.size(), &err) != ACCP_OK)
            throw Failure("session " + arguments.session + ": record " +
                          std::to_string(records_.size() + 1) + ": " + message_of(err));
        records_.push_back(line_of(tree_of(value.get()), line));
    });
}

std::string SessionLog::export_until(uint64_t number) const {
    constexpr std::string_view kVersion = ",\"version\":", kGeneration = ",\"generation\":",
                               kRecords = ",\"records\":";
    std::string out;
    uint64_t records = 0;
    each_line(text_, [&](std::string_view line) {
        if (out.empty()) {  // the header line of the session
            const size_t form = line.find("\",\"form\":") + 1;
            const size_t version = line.find(kVersion, form),
                         generation = line.find(kGeneration, version),
                         end = line.find(kRecords, generation);
            out.append(line.substr(0, version)).append(kVersion).append("0");
            out.append(line.substr(generation, end - generation)).append(kRecords);
            out.append(std::to_string(number)).append("}\n");
        } else if (line.substr(0, kRecord.size()) != kRecord || ++records <= number) {
            out.append(line);
        }
    });
    return out;
}

std::string RequestOutcome::text() const {
    const std::string number = std::to_string(record);
    switch (kind) {
        case kPending: return "waits";
        case kAnswered: return "answered by record " + number + ": " + intent;
        case kTimedOut: return "not answered in time: E3001 at record " + number;
        case kCancelled: return "cancelled by record " + number;
    }
    return {};
}

RequestOutcome request_outcome(const SessionLog &log, const LogLine &request,
                               FrameChecker &checker) {
    int64_t deadline = request.time_ms + request.timeout_ms;
    RequestOutcome outcome;
    for (size_t i = request.number; i < log.records().size(); ++i) {
        const LogLine &line = log.records()[i];
        const bool is_pending = outcome.kind == RequestOutcome::kPending;
        if (is_pending && line.kind == "timeout" && line.time_ms > deadline)
            outcome.kind = RequestOutcome::kTimedOut, outcome.record = line.number;
        if (line.chain() != request.chain() || !line.is_message()) continue;
        outcome.is_retried = outcome.is_retried || line.kind == "request";
        if (!is_pending) continue;
        const std::string intent = checker.intent_of(line);
        if (intent == "cancel") outcome.kind = RequestOutcome::kCancelled;
        if (line.kind == "received" && intent == "wait")
            deadline = line.time_ms + request.timeout_ms;
        if (line.kind == "received" && (intent == "done" || intent == "fail" || intent == "ack"))
            outcome.kind = RequestOutcome::kAnswered, outcome.intent = intent;
        if (outcome.kind != RequestOutcome::kPending) outcome.record = line.number;
    }
    return outcome;
}

}  // namespace cli
