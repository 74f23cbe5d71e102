// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What each part becomes, before it is written for one provider.
#pragma once

#include "transcript/write.h"

namespace accp::transcript {

enum class Becomes : uint8_t {
    kSystem,
    kUserText,
    kAssistantText,
    // One after the other: all calls of a group, then the results of all of them.
    kCall,
    kResult,
};

struct Step {
    Becomes becomes;
    bool is_open;    // the part is
    bool is_marked;  // what is cached may end here
    const Part *part;
    std::string_view text;  // but of a call; not checked
    std::string_view id;    // of a call and its result
    std::string_view name;  // of a user who has one
    // A message as it came from the provider, which stands for this step and `covered` more: a node
    // of the part's metadata. 0: none.
    uint32_t as_came = 0, covered = 0;
};

// Appends a step for each part that is written.
void plan_steps(Provider provider, const Part *parts, size_t count, Arena &arena,
                Buffer<Step> &out);

// Of a call: appends the words beside it, and its tool.
void write_call_words(const message::Message &act, Buffer<char> &out);
std::string_view tool_name_of(const message::Message &act);
// Appends its arguments, an object.
void write_call_arguments(const message::Message &act, Buffer<char> &out);

bool says_error(const message::Message &result);

// Appends a text as a JSON string. `scratch` is written over.
void write_request_text(std::string_view text, Buffer<char> &scratch, Buffer<char> &out);

void write_openai(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out);
void write_anthropic(const Buffer<Step> &steps, Memory &memory, Buffer<char> &out);

}  // namespace accp::transcript
