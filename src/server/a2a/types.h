// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Types of A2A in the spelling of its versions 1.0 and 0.3 (docs/a2a.md).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accp/error.h"
#include "server/http/message.h"

namespace server {

// Identifies the extension that docs/a2a.md describes.
constexpr std::string_view kA2aExtension = "tag:libaccp,2026:a2a/frames/1";

enum class A2aVersion { k03, k10 };

enum class A2aState { kSubmitted, kWorking, kInputRequired, kCompleted, kFailed, kCanceled };

constexpr bool is_terminal(A2aState state) { return state >= A2aState::kCompleted; }
std::string_view state_word(A2aState state, A2aVersion version);
// Finds a state of version 1.0. Returns none for other words, also for states of 1.0 that tasks
// never have here.
std::optional<A2aState> find_state(std::string_view word);
bool is_state_word(std::string_view word);

enum A2aCode : int {
    kA2aMethodNotFound = -32601,
    kA2aInvalidParams = -32602,
    kA2aInternalError = -32603,
    kA2aTaskNotFound = -32001,
    kA2aTaskNotCancelable = -32002,
    kA2aPushNotSupported = -32003,
    kA2aUnsupportedOperation = -32004,
    kA2aContentTypeNotSupported = -32005,
    kA2aVersionNotSupported = -32009,
};

// The reason for the refusal of a request. `details`: names and values for programs.
class A2aRefusal : public std::runtime_error {
public:
    using Details = std::vector<std::pair<std::string, std::string>>;

    A2aRefusal(A2aCode code, const std::string &message, Details details = {}, int http = 200)
        : std::runtime_error(message), code_(code), details_(std::move(details)), http_(http) {}

    int http_status() const { return http_; }
    // The error reply of JSON-RPC.
    std::string print(std::string_view id) const;

private:
    A2aCode code_;
    Details details_;
    int http_;
};

// Throws a refusal that suggests another try if `status` is a failure that may pass, such as a
// store that cannot be reached.
void check_readable(accp_status status);

// Which parts a reply contains.
struct A2aShape {
    A2aVersion version = A2aVersion::k10;
    bool with_frames = true;     // parts of application/accp
    bool with_artifacts = true;  // of tasks
    uint64_t history = UINT64_MAX;

    bool is_old() const { return version == A2aVersion::k03; }
};

// The content of a message's parts: a complete frame, or members of a payload.
struct A2aContent {
    std::string frame;    // empty: no frame
    std::string members;  // of a JSON object, separated by commas
};

// `parts`: compact JSON. Throws A2aRefusal.
A2aContent read_parts(std::string_view parts, A2aVersion version);

// Prints a readable part, and a part with the frame. `payload`: from the frame's message, in JSON;
// for a chunk only its data.
std::string print_parts(std::string_view payload, std::string_view frame, const A2aShape &shape);

// Returns the text of a payload that has only a text; empty if it has other members.
std::string plain_text(std::string_view payload);

// Times as ISO 8601 in UTC: "2026-11-25T16:31:32.000Z". `ms` counts milliseconds since the epoch.
std::string print_time(int64_t ms);
// Returns false if the text is not a time. The fraction is optional, and the zone may be an offset.
bool read_time(std::string_view text, int64_t &ms);

}  // namespace server
