// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One turn of an assistant, which may span several items.
#pragma once

#include "transcript/outbox.h"
#include "value/tree.h"

namespace accp::transcript {

struct Call {
    std::string_view name, id;  // no id: empty
    // Of the arguments: a map in a tree, or else a text, which may be empty.
    value::TreeView tree = {};
    uint32_t node = 0;
    bool is_map = false;
    std::string_view text;
};

class Turn {
public:
    explicit Turn(Memory &memory)
        : id_(memory), thought_(memory), text_(memory), tails_(memory), ends_(memory) {}

    void begin(std::string_view id) { id_.assign(id); }
    // Lets end() make a message even if the turn has no words.
    void must_speak() { must_speak_ = true; }
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

    // Makes its messages, and begins another.
    void end(Outbox &out);
    void clear();

    // Takes back what was added since mark().
    struct Mark {
        size_t thought, text, tails, ends;
    };
    Mark mark() const { return {thought_.size(), text_.size(), tails_.size(), ends_.size()}; }
    void rewind(const Mark &mark);

private:
    Buffer<char> id_;
    Buffer<char> thought_;  // what it thinks and says, in order
    Buffer<char> text_;     // what it says
    Buffer<char> tails_;    // of the calls, as Outbox::add_call() wants them
    Buffer<size_t> ends_;
    bool must_speak_ = false;
};

// The calls that wait for what comes of them: the names of their tools. Bounded: the oldest are
// forgotten.
class OpenCalls {
public:
    explicit OpenCalls(Memory &memory) : calls_(memory), text_(memory) {}

    void add(std::string_view name, std::string_view id);
    // Appends the name of the newest of this id, and forgets it; nothing where there is none.
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
