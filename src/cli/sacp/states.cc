// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp states: {"version":"0.1","changes":[[TASK,STATE],…]} a line in, what becomes of each
// change out.
#include <map>

#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

// Judges one change, and makes it where it may be made.
std::string judge(int32_t version, uint8_t kind, std::string_view state, int32_t &now) {
    const int32_t next = accp_sacp_state_find(version, state.data(), state.size());
    const char *code = kind != ACCP_STRING ? "INVALID_TYPE"
                       : next < 0          ? "UNKNOWN_STATE"
                       : accp_sacp_state_follows(version, now, next) == 0
                           ? "INVALID_STATE_TRANSITION"
                           : nullptr;
    if (code == nullptr) now = next;
    std::string out = code == nullptr ? "{\"ok\":true" : "{\"ok\":false,\"code\":\"";
    if (code != nullptr) out.append(code).append("\"");
    return out.append(",\"state\":\"").append(accp_sacp_state_name(version, now)).append("\"}");
}

}  // namespace

int sacp_states(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &) {
            const JsonTree json(line, config.get());
            const uint32_t named = json.find(0, "version"), changes = json.find(0, "changes");
            const std::string_view text = named != 0 ? json.text(named) : "0.1";
            if (text != "0.1" && text != "0.1.0" && text != "1.0.0")
                throw Failure("a version is 0.1 or 1.0.0");
            if (changes == 0 || json.kind(changes) != ACCP_ARRAY)
                throw Failure("a line is {\"version\":…,\"changes\":[[TASK,STATE],…]}");
            std::map<std::string, int32_t, std::less<>> tasks;
            std::string &out = to.out.text;
            out.append("{\"verdicts\":[");
            for (uint32_t i = changes + 1; i < json.next(changes); i = json.next(i)) {
                if (json.kind(i) != ACCP_ARRAY || json.count(i) != 2)
                    throw Failure("a change is [TASK,STATE]");
                const uint32_t task = i + 1, state = json.next(task);
                if (i != changes + 1) out.push_back(',');
                out.append(judge(text == "1.0.0" ? ACCP_SACP_1_0 : ACCP_SACP_0_1, json.kind(state),
                                 json.text(state), tasks[std::string(json.text(task))]));
            }
            out.append("]}");
            return accp_status{ACCP_OK};
        });
}

}  // namespace cli
