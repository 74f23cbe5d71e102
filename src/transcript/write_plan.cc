// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See write_plan.h.
#include "transcript/write_plan.h"

#include "transcript/call_names.h"
#include "transcript/outbox.h"

namespace accp::transcript {

namespace {

constexpr size_t kMaxGroup = 128;  // calls of one message, as providers take them

// An id is a text or a whole number; empty: none.
std::string_view call_id_of(const message::Message &message) {
    const uint32_t node = message.find("call_id");
    if (!node) return {};
    const uint8_t kind = message.tree[node].kind;
    return kind == ACCP_STRING || kind == ACCP_INT ? message.tree.string(node) : std::string_view();
}

bool can_be_call(const Part &part) {
    return part.kind == PartKind::kOpen && part.said == Said::kAct && part.message &&
           part.is_whole && !part.is_untrusted && !part.message->untrusted &&
           part.message->find("arguments");
}

bool is_reply(const Part &part) {
    return part.kind == PartKind::kOpen && part.said == Said::kResult && part.message &&
           part.message->agent == "assistant" && part.message->intent == "done" &&
           part.message->operation == "reply";
}

bool can_be_result(const Part &part) {
    return part.kind == PartKind::kOpen && part.said == Said::kResult && part.message &&
           !is_reply(part);
}

// Without ids: does it look like the answer?
bool can_answer(const message::Message &result, const message::Message &act) {
    return result.intent == "fail" || result.operation == act.operation;
}

bool is_act(const Part &part) { return part.kind == PartKind::kOpen && part.said == Said::kAct; }

class Planner {
public:
    Planner(const Part *parts, size_t count, Arena &arena, Buffer<Step> &out)
        : parts_(parts), count_(count), ids_(count, arena), out_(out) {}

    void run() {
        for (size_t i = 0; i < count_;) {
            const size_t end = i + count_acts(i);
            if (end == i) {
                add_text(parts_[i++]);
                continue;
            }
            const size_t calls = count_calls(i, end);
            for (; i < end - calls; ++i) add_text(parts_[i]);
            i = add_group(i, calls);
        }
        mark([](const Part &part) { return part.kind == PartKind::kPinned; });
        mark([](const Part &part) { return part.is_stable; });
    }

private:
    size_t count_acts(size_t first) const {
        size_t end = first;
        while (end < count_ && is_act(parts_[end])) ++end;
        return end - first;
    }
    size_t count_calls(size_t first, size_t end);
    bool find_results(size_t first, size_t acts);
    size_t add_group(size_t first, size_t acts);
    void add_text(const Part &part);
    void add(Becomes becomes, const Part &part, std::string_view text, std::string_view id) {
        out_.push({becomes, part.kind == PartKind::kOpen, false, &part, text, id});
    }
    // The last of them in the request, where system comes first.
    template <class Test>
    void mark(Test test) {
        Step *last = nullptr;
        for (Step &step : out_) {
            const bool is_after =
                !last || step.becomes != Becomes::kSystem || last->becomes == Becomes::kSystem;
            if (is_after && test(*step.part)) last = &step;
        }
        if (last) last->is_marked = true;
    }

    const Part *parts_;
    size_t count_;
    CallIds ids_;
    Buffer<Step> &out_;
    uint32_t call_of_[kMaxGroup];  // for each result of a group
};

// Of the acts that end before `end`, as many as are all answered right after them; and by which.
size_t Planner::count_calls(size_t first, size_t end) {
    size_t calls = 0;
    while (calls < kMaxGroup && end - calls > first && can_be_call(parts_[end - calls - 1]) &&
           end + calls < count_ && can_be_result(parts_[end + calls]))
        ++calls;
    while (calls && !find_results(end - calls, calls)) --calls;
    return calls;
}

// Is each of these acts answered by one of as many results? Those without an id are in order.
bool Planner::find_results(size_t first, size_t acts) {
    bool is_answered[kMaxGroup] = {};
    for (size_t i = 0; i < acts; ++i) {
        const message::Message &result = *parts_[first + acts + i].message;
        const std::string_view id = call_id_of(result);
        size_t call = 0;
        while (call < acts &&
               (is_answered[call] || call_id_of(*parts_[first + call].message) != id))
            ++call;
        if (call == acts) return false;
        if (id.empty() && !can_answer(result, *parts_[first + call].message)) return false;
        is_answered[call] = true;
        call_of_[i] = static_cast<uint32_t>(call);
    }
    return true;
}

size_t Planner::add_group(size_t first, size_t acts) {
    const size_t begin = out_.size();
    for (size_t i = first; i < first + acts; ++i)
        add(Becomes::kCall, parts_[i], {},
            ids_.add(call_id_of(*parts_[i].message), parts_[i].number));
    for (size_t i = 0; i < acts; ++i) {
        const Part &result = parts_[first + acts + i];
        add(Becomes::kResult, result, result.text, out_[begin + call_of_[i]].id);
    }
    return first + 2 * acts;
}

// A reply's text is what the assistant said, if it said no more.
std::string_view reply_text(const Part &part) {
    const message::Message &message = *part.message;
    const uint32_t content = message.find("content");
    if (!part.is_whole || (!content && !message.is_text())) return part.text;
    const uint32_t node = content ? content : message.payload;
    const bool says_more = content && message.tree[message.payload].len != 1;
    return says_more || message.tree[node].kind != ACCP_STRING ? part.text
                                                               : message.tree.string(node);
}

void Planner::add_text(const Part &part) {
    const bool is_trusted = !part.is_untrusted && !(part.message && part.message->untrusted);
    Becomes becomes = Becomes::kUserText;
    std::string_view text = part.text;
    if (is_trusted && part.kind == PartKind::kPinned && part.said == Said::kGuide)
        becomes = Becomes::kSystem;
    if (is_trusted && (is_act(part) || is_reply(part))) {
        becomes = Becomes::kAssistantText;
        text = trim_end(is_reply(part) ? reply_text(part) : text);
    }
    if (has_words(text)) add(becomes, part, text, {});
}

}  // namespace

void plan_steps(const Part *parts, size_t count, Arena &arena, Buffer<Step> &out) {
    Planner(parts, count, arena, out).run();
}

}  // namespace accp::transcript
