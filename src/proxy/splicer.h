// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Joins the responses of several calls to one response for the client. Calls of accp_resolve are
// left out. Until the first of them, all bytes are passed on unchanged.
//
// A response comes as events, in pieces of any size, or as one JSON object.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/event_splitter.h"
#include "proxy/json_text.h"
#include "proxy/request.h"

namespace proxy {

struct AnswerBlock {
    enum class Kind : uint8_t { kText, kThought, kCall, kOther };

    Kind kind = Kind::kOther;
    bool is_ours = false;      // a call of accp_resolve
    bool is_left_out = false;  // it is not sent back
    std::string text;          // of texts and thoughts; of a call: its arguments, as JSON
    std::string id;            // of a call, or of an item with a call_id
    std::string type;          // of a block or item; of a thought of chat: the name of its member
    // As it is sent back; empty for texts and thoughts of chat. Of a content of chat that is a
    // list, and of a list of reasoning: its elements, with commas between.
    std::string json;
};

// The model's output in one response.
struct ModelTurn {
    std::vector<AnswerBlock> blocks;
    uint64_t output_tokens = 0;
    bool waits = false;        // it ended in order to get the results of its calls
    bool has_ended = false;    // the model's reason to end was read: chat
    bool is_complete = false;  // its last event was read
    bool is_known = true;      // `blocks` has all of it

    bool has_call(bool is_ours) const;
    // It waits for results of ours only.
    bool waits_for_us() const { return waits && has_call(true) && !has_call(false); }
};

// Numbers that the client gets, such as indices. Parts that are left out have none. The numbers of
// a further response continue those of the response before.
class ShownNumbers {
public:
    // Returns the client's number for a number of the current response.
    uint64_t show(uint64_t number) {
        const uint64_t shown = first_ + number - std::min(number, hidden_);
        next_ = std::max(next_, shown + 1);
        return shown;
    }
    void hide() { ++hidden_; }
    void begin_next() {
        first_ = next_;
        hidden_ = 0;
    }
    uint64_t next() const { return next_; }

private:
    uint64_t first_ = 0;   // of the current response
    uint64_t hidden_ = 0;  // of the current response, so far
    uint64_t next_ = 0;
};

class AnswerSplicer {
public:
    // `json` is borrowed, and used within calls only.
    explicit AnswerSplicer(JsonText &json) : json_(json) {}
    virtual ~AnswerSplicer() = default;

    // Begins to read the response of a further call.
    void begin_next();
    // Reads events, and appends to `out` what the client gets.
    void read(std::string_view bytes, std::string &out);
    // Reads what is left at the end of a response of events, and appends what the client gets.
    // `is_whole`: the response was not cut short.
    void finish(bool is_whole, std::string &out);
    // Reads a response that is one JSON object. Returns false if it is not understood.
    virtual bool read_whole(std::string_view body) = 0;
    // Returns the last response of read_whole() with the blocks of all.
    virtual std::string join(std::string_view body) = 0;
    // Returns an event with an error. `json`: the provider's, or empty.
    virtual std::string error_event(std::string_view json, int status,
                                    const std::string &why) const = 0;

    const ModelTurn &turn() const { return turn_; }

protected:
    // Appends what the client gets of an event whose data was read into json_.
    virtual void read_event(std::string_view event, const EventData &data, std::string &out) = 0;
    // Reads an event whose data is not a JSON object that can be read, such as one that ends within
    // a character.
    virtual void read_other(std::string_view event, const EventData &data, std::string &out);
    virtual void start_turn() = 0;

    // Appends the event with changed data.
    void pass(std::string_view event, const EventData &data, std::vector<Edit> edits,
              std::string &out) const;
    Edit set_number(uint32_t node, uint64_t value) const;

    JsonText &json_;
    ModelTurn turn_;
    size_t round_ = 0;                // 0: the first response
    uint64_t tokens_before_ = 0;      // of the output of earlier responses
    std::vector<AnswerBlock> shown_;  // the client's blocks of all responses that were read whole

private:
    bool read_one(std::string_view event, std::string &out);

    EventSplitter events_;
    bool is_off_ = false;  // an event is too long: all bytes pass
};

// Returns JSON without line feeds.
std::string in_one_line(std::string json);

std::unique_ptr<AnswerSplicer> make_messages_splicer(JsonText &json);
std::unique_ptr<AnswerSplicer> make_chat_splicer(JsonText &json);
std::unique_ptr<AnswerSplicer> make_responses_splicer(JsonText &json);

}  // namespace proxy
