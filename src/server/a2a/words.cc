// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/a2a/words.h"

#include "server/json/json_object.h"

namespace server {
namespace {

struct StateWords {
    std::string_view now, old;
};
// By A2aState.
constexpr StateWords kStates[] = {{"TASK_STATE_SUBMITTED", "submitted"},
                                  {"TASK_STATE_WORKING", "working"},
                                  {"TASK_STATE_INPUT_REQUIRED", "input-required"},
                                  {"TASK_STATE_COMPLETED", "completed"},
                                  {"TASK_STATE_FAILED", "failed"},
                                  {"TASK_STATE_CANCELED", "canceled"}};
// That nothing here becomes.
constexpr std::string_view kOtherStates[] = {"TASK_STATE_UNSPECIFIED", "TASK_STATE_REJECTED",
                                             "TASK_STATE_AUTH_REQUIRED"};

struct Reason {
    A2aCode code;
    std::string_view word;
};
constexpr Reason kReasons[] = {{kA2aTaskNotFound, "TASK_NOT_FOUND"},
                               {kA2aTaskNotCancelable, "TASK_NOT_CANCELABLE"},
                               {kA2aPushNotSupported, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
                               {kA2aUnsupportedOperation, "UNSUPPORTED_OPERATION"},
                               {kA2aContentTypeNotSupported, "CONTENT_TYPE_NOT_SUPPORTED"},
                               {kA2aVersionNotSupported, "VERSION_NOT_SUPPORTED"},
                               {kA2aInvalidParams, "INVALID_PARAMS"},
                               {kA2aInternalError, "INTERNAL_ERROR"}};

}  // namespace

std::string_view state_word(A2aState state, A2aVersion version) {
    const StateWords &words = kStates[static_cast<size_t>(state)];
    return version == A2aVersion::k10 ? words.now : words.old;
}

std::optional<A2aState> find_state(std::string_view word) {
    for (size_t i = 0; i < std::size(kStates); ++i)
        if (kStates[i].now == word) return static_cast<A2aState>(i);
    return std::nullopt;
}

bool is_state_word(std::string_view word) {
    for (const std::string_view other : kOtherStates)
        if (other == word) return true;
    return find_state(word).has_value();
}

std::string A2aRefusal::print(std::string_view id) const {
    host::JsonObject error;
    error.json("code", std::to_string(code_)).text("message", what());
    host::JsonObject info;
    info.text("@type", "type.googleapis.com/google.rpc.ErrorInfo");
    for (const Reason &reason : kReasons)
        if (reason.code == code_) info.text("reason", reason.word);
    info.text("domain", "a2a-protocol.org");
    host::JsonObject metadata;
    for (const auto &[name, value] : details_) metadata.text(name, value);
    if (!details_.empty()) info.json("metadata", metadata.end());
    if (code_ != kA2aMethodNotFound) error.json("data", "[" + info.end() + "]");
    host::JsonObject answer;
    answer.text("jsonrpc", "2.0").json("id", id.empty() ? "null" : id);
    return answer.json("error", error.end()).end();
}

}  // namespace server
