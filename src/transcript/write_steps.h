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

// What of a provider's original message belongs to one part (read.h).
struct Original {
    value::TreeView tree = {};
    uint32_t message = 0;  // its node; 0: there is none
    uint32_t index = 0;    // of this part among those made from the message
    // The nodes of its blocks (Anthropic) or of its call (OpenAI); none if it is the whole message.
    uint32_t begin = 0, end = 0;
};

struct Step {
    StepKind kind = StepKind::kUserText;
    bool is_open = false;    // the part is not closed
    bool is_marked = false;  // gets a cache mark
    bool is_error = false;   // a result that reports an error
    bool is_kept = false;    // the original of a result or a text is written as it is
    // A call that is not whole, in a turn whose thoughts the provider needs unchanged.
    bool keeps_thoughts = false;
    const Part *part = nullptr;
    const Original *original = nullptr;
    uint32_t text_node = 0;  // of the original of a text: `text` replaces it; 0: none
    std::string_view text;   // not for a call; may be invalid UTF-8
    std::string_view more;   // a second text: the other members of a result
    std::string_view label;  // a text before it, or empty
    std::string_view id;     // of a call and its result
    std::string_view name;   // of a user, or empty
};

// Appends the text of a call.
void write_call_words(const Part &act, Buffer<char> &out);
std::string_view tool_name_of(const message::Message &act);
// Appends the arguments of a call as an object.
void write_call_arguments(const Part &act, Buffer<char> &out);

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
// (without calls), as far as the context has it. Returns a view without data for any other part,
// and for one that is untrusted.
std::string_view plain_text(const Part &part);
// The same, but the text of the whole message.
std::string_view whole_text(const Part &part);

// The text of a result, and its other members as JSON, or an empty text. A result without a text of
// its own is the JSON of its payload. An untrusted one is its text in the context, and so is one
// that lacks lines; `is_exact` is then false.
struct ResultText {
    std::string_view text, more;
    bool is_exact = true;
};
ResultText result_text(const Part &part, Memory &memory, Arena &arena);

// Sets what each part has of an original message of this provider. The originals are used if all
// parts that were made from them are here, in their order.
void find_originals(Provider provider, const Part *parts, size_t count, Original *out);

// Returns the node of this text in an original, or 0 if it has other texts too.
uint32_t find_text_node(Provider provider, const Original &original, std::string_view text);

// Appends a map with other values for two of its members. A value without data leaves the member as
// it is; `content` is JSON.
void write_original(value::TreeView tree, uint32_t map, std::string_view id_key,
                    std::string_view id, std::string_view content, Buffer<char> &out);

// Returns whether the content of a map is a list of several blocks.
bool has_blocks(value::TreeView tree, uint32_t map);
std::string_view type_of_block(value::TreeView tree, uint32_t block);
// Returns whether it is a text block without words, which Anthropic refuses.
bool is_blank_block(value::TreeView tree, uint32_t block);

}  // namespace accp::transcript
