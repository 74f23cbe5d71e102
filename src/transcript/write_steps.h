// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The steps of a request, one for each part that is written, and the functions that write them.
#pragma once

#include "transcript/write.h"

namespace accp::transcript {

enum class StepKind : uint8_t {
    kSystem,
    kUserText,
    kAssistantText,
    // In this order: all calls of a group, then their results.
    kCall,
    kResult,
};

struct Step {
    StepKind kind;
    bool is_open;    // the part is not closed
    bool is_marked;  // gets a cache mark
    const Part *part;
    std::string_view text;  // not for a call; may be invalid UTF-8
    std::string_view id;    // of a call and its result
    std::string_view name;  // of a user, or empty
    // The provider's original message, a node of the part's metadata, or 0. It is written instead
    // of this step and the next `covered` steps.
    uint32_t original = 0, covered = 0;
};

// Appends the text of a call.
void write_call_words(const message::Message &act, Buffer<char> &out);
std::string_view tool_name_of(const message::Message &act);
// Appends the arguments of a call as an object.
void write_call_arguments(const message::Message &act, Buffer<char> &out);

bool is_error_result(const message::Message &result);

// Appends a text as a JSON string. Overwrites `scratch`.
void write_request_text(std::string_view text, Buffer<char> &scratch, Buffer<char> &out);

void write_openai(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out);
void write_anthropic(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out);

bool is_trusted(const Part &part);
bool is_act(const Part &part);
// Returns whether the part is `done:reply` of the agent `assistant`.
bool is_reply(const Part &part);

// Returns the text of a message that has only this text and the role user, system or assistant
// (without calls). Returns a view without data for any other part, and for one that is untrusted
// or not whole.
std::string_view plain_text(const Part &part);
// The same for a result. For any other part, returns its text in the context.
std::string_view result_text(const Part &part);

// Returns the node of the original message of this provider, a map in the metadata, and the number
// of messages made from it. Returns 0 if the original was not kept.
uint32_t original(const Part &part, Provider provider, size_t &messages);

}  // namespace accp::transcript
