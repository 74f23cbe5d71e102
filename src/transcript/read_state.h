// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The readers of all formats and their shared state. Each reader converts one item, given as a
// tree. If it fails, `offset` is the invalid node.
#pragma once

#include "transcript/items.h"
#include "transcript/outbox.h"
#include "value/json_reader.h"

namespace accp::transcript {

struct ReadState {
    explicit ReadState(Memory &memory)
        : turn(memory),
          out(memory),
          calls(memory),
          text(memory),
          result(memory),
          name(memory),
          kept(memory),
          scratch(memory),
          finished_id(memory),
          directory(memory),
          arguments_reader(memory),
          arguments(memory) {}

    Turn turn;
    Outbox out;
    OpenCalls calls;
    Buffer<char> text, result, name, kept, scratch;
    Buffer<char> finished_id;            // of a message whose later lines are ignored
    Buffer<char> directory;              // of the session; empty: not named so far
    value::JsonReader arguments_reader;  // for arguments that are a text
    value::Value arguments;
    value::JsonLimits limits = {};
    bool is_first_request = false;  // the item was the first request of a history
};

// The role of an item within its format.
enum class Role : uint8_t {
    kMessage,
    kSystem,   // the separate system content of a request
    kInput,    // the text that a request has instead of messages
    kHistory,  // in a .traj file
    kStep,
};

// Return the text of a member, or an empty text, and whether a member is true.
std::string_view text_member(value::TreeView tree, uint32_t map, std::string_view key);
bool is_true(value::TreeView tree, uint32_t map, std::string_view key);
// The same as text_member() for a map in the member `outer` of a map.
std::string_view text_member_of(value::TreeView tree, uint32_t map, std::string_view outer,
                                std::string_view key);

// Sets the directory of the session, unless it is set or the path is not absolute.
void take_directory(std::string_view path, ReadState &state);

// Appends the texts of a content, which is a text, a part, a list of parts, or nothing (node 0). A
// single text is unchanged. If there are several, those without words are left out, and a newline
// separates the others.
Status read_content(value::TreeView tree, uint32_t node, ReadState &state, Buffer<char> &out);
// The same, but node 0 is the content itself.
Status read_content_at(value::TreeView tree, uint32_t node, ReadState &state, Buffer<char> &out);
// The same for the result of a tool. Any other value is appended as JSON.
Status read_result(value::TreeView tree, uint32_t node, ReadState &state, Buffer<char> &out);
// Returns whether a content is a single text, alone or in a list, and sets `text` to it.
bool is_one_text(value::TreeView tree, uint32_t node, std::string_view &text);
// Appends one part.
Status read_part(value::TreeView tree, uint32_t part, ReadState &state, Buffer<char> &out);

// Adds a call to the turn. `arguments` is the node of an object or a text, or 0.
Status read_call(value::TreeView tree, uint32_t at, std::string_view name, std::string_view id,
                 uint32_t arguments, ReadState &state);
// Adds the result in state.result, with the tool name of the call with this id, or else `name`.
void add_outcome_of(std::string_view id, std::string_view name, bool is_error, ReadState &state);

// Returns whether arguments are an object whose compact JSON is another text.
bool has_own_spelling(std::string_view arguments, ReadState &state);

// Returns whether a provider's message has more than the conversion keeps: parts that are not text,
// several texts, thoughts, arguments with white space or escapes of their own, or other members.
// The original of such a message is kept too.
bool has_more_openai(value::TreeView tree, uint32_t root, ReadState &state);
bool has_more_anthropic(value::TreeView tree, uint32_t root);
// Appends the original that is kept, without cache marks, which belong to a single request.
void write_kept(value::TreeView tree, uint32_t root, Buffer<char> &out);

Status read_openai_item(value::TreeView tree, uint32_t root, ReadState &state);
// Returns whether the item continues the assistant's turn before it.
bool continues_openai(value::TreeView tree, uint32_t root, const Turn &turn);

Status read_anthropic_item(value::TreeView tree, uint32_t root, ReadState &state);

Status read_claude_code_line(value::TreeView tree, uint32_t root, ReadState &state);
bool continues_claude_code(value::TreeView tree, uint32_t root, const Turn &turn);

// Lines of a rollout of Codex. Lines that are not items of the conversation continue the turn.
Status read_codex_line(value::TreeView tree, uint32_t root, ReadState &state);
bool continues_codex(value::TreeView tree, uint32_t root, const Turn &turn);
Status read_opencode_message(value::TreeView tree, uint32_t root, ReadState &state);
Status read_pi_line(value::TreeView tree, uint32_t root, ReadState &state);
Status read_gemini_line(value::TreeView tree, uint32_t root, ReadState &state);
bool continues_gemini(value::TreeView tree, uint32_t root, const ReadState &state);

Status read_history_item(value::TreeView tree, uint32_t root, ReadState &state);
Status read_step(value::TreeView tree, uint32_t root, ReadState &state);

}  // namespace accp::transcript
