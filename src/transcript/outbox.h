// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Collects the messages made from an item until the item is complete.
#pragma once

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "value/tree.h"

namespace accp::transcript {

// Receives the messages. `json` is valid during the call.
struct Sink {
    Status (*take)(std::string_view json, void *user);
    void *user;
};

// Returns whether the text has more than white space and control characters.
bool has_words(std::string_view text);

// Removes these characters at the end of the text.
std::string_view trim_end(std::string_view text);

// Appends a text on a new line. Does nothing if it has no words.
void join_text(std::string_view text, Buffer<char> &out);

// The result of a call.
struct Outcome {
    std::string_view tool_name, call_id;  // empty: unknown
    std::string_view text;
    bool is_error = false;
};

class Outbox {
public:
    explicit Outbox(Memory &memory) : bytes_(memory), kept_(memory), ends_(memory) {}

    // Each of these adds one message. A text without words adds none, unless `must` is set;
    // outcomes are always added.
    void add_system(std::string_view text, bool must = false);
    void add_request(std::string_view name, std::string_view text, bool must = false);
    void add_reply(std::string_view text, bool must = false);
    void add_outcome(const Outcome &outcome);
    // `tail` is the JSON of the payload from `"tool_name"` to the end of the message.
    void add_call(std::string_view thought, std::string_view tail);

    // Keeps the original message of a provider, as metadata of the first message made from it.
    void keep(std::string_view interface_name, std::string_view json);

    bool is_empty() const { return ends_.empty(); }
    void clear() {
        kept_.recycle(kKeptBytes);
        bytes_.recycle(kKeptBytes);
        ends_.recycle(kKeptBytes);
    }
    // Passes all messages to the sink. Stops if the sink fails.
    Status deliver(const Sink &sink);

private:
    void add_content(std::string_view agent, std::string_view intent, std::string_view operation,
                     std::string_view text, bool must);

    Buffer<char> bytes_, kept_;
    Buffer<size_t> ends_;
};

// Appends the agent name for a name from outside.
void write_agent(std::string_view name, Buffer<char> &out);

// A call of a tool.
struct Call {
    std::string_view name, id;  // the id may be empty
    // The arguments: a map in a tree, or a text that may be empty.
    value::TreeView tree = {};
    uint32_t node = 0;
    bool is_map = false;
    std::string_view text;
};

// One turn of an assistant, which may span several items.
class Turn {
public:
    explicit Turn(Memory &memory)
        : id_(memory), thought_(memory), text_(memory), tails_(memory), ends_(memory) {}

    void begin(std::string_view id) { id_.assign(id); }
    // Lets end() make a message even if the turn has no words.
    void keep_if_empty() { keep_if_empty_ = true; }
    bool is(std::string_view id) const { return !id.empty() && id_.view() == id; }
    void add_thinking(std::string_view text) { join_text(text, thought_); }
    // The first text is kept byte for byte, even if it has no words.
    void add_text(std::string_view text) {
        for (Buffer<char> *to : {&thought_, &text_}) {
            if (to->empty()) to->append(text);
            else join_text(text, *to);
        }
    }
    void add_call(const Call &call);
    bool has_calls() const { return !ends_.empty(); }
    bool has_text() const { return !text_.empty(); }

    // Adds the messages of the turn to `out`, and begins a new turn.
    void end(Outbox &out);
    void clear();

    // Removes everything that was added since mark().
    struct Mark {
        size_t thought, text, tails, ends;
    };
    Mark mark() const { return {thought_.size(), text_.size(), tails_.size(), ends_.size()}; }
    void rewind(const Mark &mark);

private:
    Buffer<char> id_;
    Buffer<char> thought_;  // thoughts and texts in order
    Buffer<char> text_;     // texts
    Buffer<char> tails_;    // of the calls, for Outbox::add_call()
    Buffer<size_t> ends_;
    bool keep_if_empty_ = false;
};

// The tool names of calls that have no result yet. The size is bounded: the oldest calls are
// removed.
class OpenCalls {
public:
    explicit OpenCalls(Memory &memory) : calls_(memory), text_(memory) {}

    void add(std::string_view name, std::string_view id);
    // Appends the tool name of the newest call with this id, and removes the call. Does nothing if
    // there is none.
    void take(std::string_view id, Buffer<char> &name);
    void clear();

private:
    struct Entry {
        size_t begin;
        uint32_t id_len, name_len;
    };
    void compact(size_t first);

    Buffer<Entry> calls_;
    Buffer<char> text_;
};

}  // namespace accp::transcript
