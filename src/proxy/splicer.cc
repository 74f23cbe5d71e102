// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/splicer.h"

#include <algorithm>
#include <utility>

namespace proxy {

bool ModelTurn::has_call(bool is_ours) const {
    return std::any_of(blocks.begin(), blocks.end(), [&](const AnswerBlock &block) {
        return block.kind == AnswerBlock::Kind::kCall && block.is_ours == is_ours;
    });
}

void AnswerSplicer::begin_next() {
    tokens_before_ += turn_.output_tokens;
    turn_ = {};
    ++round_;
    events_.clear();
    start_turn();
}

void AnswerSplicer::read(std::string_view bytes, std::string &out) {
    if (is_off_) {
        out.append(bytes);
        return;
    }
    events_.add(bytes);
    for (;;) {
        const std::string_view event = events_.next();
        if (event.empty()) break;
        read_one(event, out);
    }
    if (events_.rest().size() <= EventSplitter::kMaxEventBytes) return;
    out.append(events_.rest());
    events_.clear();
    is_off_ = true;
    turn_.is_known = false;
}

// Returns whether the event has JSON.
bool AnswerSplicer::read_one(std::string_view event, std::string &out) {
    if (turn_.is_complete) {  // nothing should follow
        if (!turn_.waits_for_us()) out.append(event);
        return false;
    }
    const EventData data(event);
    const bool is_json = !data.text().empty() && json_.read(data.text());
    if (is_json) read_event(event, data, out);
    else read_other(event, data, out);
    return is_json;
}

// The last event may lack its blank line. If a further response follows, the client gets the blank
// line, but nothing that is not a whole event. Some providers send no [DONE].
void AnswerSplicer::finish(bool is_whole, std::string &out) {
    const std::string rest(events_.rest());
    events_.clear();
    std::string shown;
    const bool is_json = !rest.empty() && read_one(rest, shown);
    if (!turn_.waits_for_us()) out.append(shown);
    else if (is_json && !shown.empty()) out.append(shown).append("\n\n");
    turn_.is_complete |= is_whole && turn_.has_ended;
}

void AnswerSplicer::read_other(std::string_view event, const EventData &data, std::string &out) {
    if (!data.text().empty() && data.text() != "[DONE]") turn_.is_known = false;
    out.append(event);
}

void AnswerSplicer::pass(std::string_view event, const EventData &data, std::vector<Edit> edits,
                         std::string &out) const {
    if (edits.empty()) out.append(event);
    else out.append(data.with(event, apply_edits(data.text(), std::move(edits))));
}

Edit AnswerSplicer::set_number(uint32_t node, uint64_t value) const {
    return {json_.begin_of(node), json_.end_of(node), std::to_string(value)};
}

// In valid JSON, line feeds are only between tokens.
std::string in_one_line(std::string json) {
    std::replace_if(
        json.begin(), json.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return json;
}

}  // namespace proxy
