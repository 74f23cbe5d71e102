// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Plans how each part is written, and writes the request.
#include "transcript/write.h"

#include <algorithm>

#include "transcript/call_names.h"
#include "transcript/outbox.h"
#include "transcript/write_steps.h"

namespace accp::transcript {

namespace {

constexpr size_t kMaxGroup = 128;  // maximum calls of one message for providers

// Returns the id, which is a text or an integer, or an empty text.
std::string_view call_id_of(const message::Message &message) {
    const uint32_t node = message.find("call_id");
    if (!node) return {};
    const uint8_t kind = message.tree[node].kind;
    return kind == ACCP_STRING || kind == ACCP_INT ? message.tree.string(node) : std::string_view();
}

bool can_be_call(const Part &part) {
    return part.kind == PartKind::kOpen && part.source == SourceKind::kAct && part.message &&
           part.is_whole && is_trusted(part) && part.message->find("arguments");
}

bool can_be_result(const Part &part) {
    return part.kind == PartKind::kOpen && part.source == SourceKind::kResult && part.message &&
           !is_reply(part);
}

// Returns whether, without ids, this may be the result of the act.
bool can_answer(const message::Message &result, const message::Message &act) {
    return result.intent == "fail" || result.operation == act.operation;
}

class Planner {
public:
    Planner(Provider provider, const Part *parts, size_t count, Arena &arena, Buffer<Step> &out)
        : provider_(provider), parts_(parts), count_(count), ids_(count, arena), out_(out) {}

    void run() {
        for (size_t i = 0; i < count_;) {
            const size_t end = i + count_acts(i);
            if (end == i) {
                i = add_message(i);
                continue;
            }
            size_t results = 0;
            const size_t calls = count_calls(i, end, results);
            for (; i < end - calls; ++i) add_text(parts_[i]);
            i = add_group(i, calls, results);
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
    size_t count_calls(size_t first, size_t end, size_t &results);
    size_t count_open_calls(size_t first, size_t end, size_t &results);
    bool find_results(size_t first, size_t acts, size_t results);
    size_t add_group(size_t first, size_t acts, size_t results);
    size_t add_message(size_t at);
    void add_text(const Part &part);
    uint32_t find_original(size_t first, size_t max_parts, size_t &parts) const;
    void add(StepKind kind, const Part &part, std::string_view text, std::string_view id) {
        Step step = {};
        step.kind = kind;
        step.is_open = part.kind != PartKind::kClosed;
        step.part = &part, step.text = text, step.id = id;
        out_.push(step);
    }
    // Marks the last of these parts in the order of the request, in which system comes first.
    template <class Test>
    void mark(Test test) {
        Step *last = nullptr;
        for (Step &step : out_) {
            const bool is_after =
                !last || step.kind != StepKind::kSystem || last->kind == StepKind::kSystem;
            if (is_after && test(*step.part)) last = &step;
        }
        if (last) last->is_marked = true;
    }

    const Provider provider_;
    const Part *parts_;
    size_t count_;
    CallIds ids_;
    Buffer<Step> &out_;
    uint32_t call_of_[kMaxGroup];  // the call of each result in a group
};

// Counts the acts before `end` that can be calls, and their results. The results must follow at
// once, one for each act. At the end of the request some may be missing.
size_t Planner::count_calls(size_t first, size_t end, size_t &results) {
    size_t calls = 0;
    while (calls < kMaxGroup && end - calls > first && can_be_call(parts_[end - calls - 1]) &&
           end + calls < count_ && can_be_result(parts_[end + calls]))
        ++calls;
    while (calls && !find_results(end - calls, calls, calls)) --calls;
    size_t open_results = 0;
    const size_t open = count_open_calls(first, end, open_results);
    results = open > calls ? open_results : calls;
    return std::max(open, calls);
}

size_t Planner::count_open_calls(size_t first, size_t end, size_t &results) {
    // The last part may be the values of the host.
    const size_t last = count_ - (count_ > end && parts_[count_ - 1].kind == PartKind::kClosed);
    results = last - end;
    for (size_t i = end; i < last; ++i)
        if (!can_be_result(parts_[i])) return 0;
    size_t calls = 0;
    while (calls < kMaxGroup && end - calls > first && can_be_call(parts_[end - calls - 1]))
        ++calls;
    while (calls > results && !find_results(end - calls, calls, results)) --calls;
    return calls > results ? calls : 0;
}

// Matches each result to one of the acts, and returns whether all match. Those without an id are
// matched in order.
bool Planner::find_results(size_t first, size_t acts, size_t results) {
    bool is_answered[kMaxGroup] = {};
    for (size_t i = 0; i < results; ++i) {
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

// Returns the original message of part `first`, if all parts made from it are here.
uint32_t Planner::find_original(size_t first, size_t max_parts, size_t &parts) const {
    const Part &part = parts_[first];
    const uint32_t node = original(part, provider_, parts);
    if (!node || parts > max_parts) return 0;
    for (size_t i = first; i < first + parts; ++i) {
        const Part &one = parts_[i];
        if (!one.is_whole || !is_trusted(one) || one.number != part.number + (i - first)) return 0;
    }
    return node;
}

size_t Planner::add_group(size_t first, size_t acts, size_t results) {
    if (!acts) return first;
    find_results(first, acts, results);  // counting has matched other groups since
    const size_t answered = first + acts;
    if (results < acts && count_ > answered + results) add_text(parts_[--count_]);
    const size_t calls = out_.size();
    bool has_own_ids = true;
    for (size_t i = first; i < answered; ++i) {
        const std::string_view id = call_id_of(*parts_[i].message);
        add(StepKind::kCall, parts_[i], {}, ids_.add(id, parts_[i].number));
        has_own_ids = has_own_ids && out_[out_.size() - 1].id == id;
    }
    size_t covered = 0;
    const uint32_t came = has_own_ids ? find_original(first, acts, covered) : 0;
    if (came && covered == acts) {
        out_[calls].original = came;
        out_[calls].covered = static_cast<uint32_t>(acts - 1);
    }
    size_t at = answered;
    while (at < answered + results) {
        const Part &part = parts_[at];
        const uint32_t node = has_own_ids ? find_original(at, count_ - at, covered) : 0;
        add(StepKind::kResult, part, result_text(part), out_[calls + call_of_[at - answered]].id);
        ++at;
        if (!node) continue;
        Step &step = out_[out_.size() - 1];
        step.original = node;
        // Anthropic: text of a user after results, in the same message.
        for (size_t i = 1; i < covered; ++i, ++at) {
            const bool is_result = at < answered + results;
            add(is_result ? StepKind::kResult : StepKind::kUserText, parts_[at], {}, {});
        }
        out_[out_.size() - covered].covered = static_cast<uint32_t>(covered - 1);
    }
    return at;
}

size_t Planner::add_message(size_t at) {
    size_t parts = 0;
    // A result without a call before it is written as text.
    const uint32_t came = can_be_result(parts_[at]) ? 0 : find_original(at, 1, parts);
    const size_t before = out_.size();
    add_text(parts_[at]);
    if (came && out_.size() > before) out_[before].original = came;
    return at + 1;
}

void Planner::add_text(const Part &part) {
    StepKind kind = StepKind::kUserText;
    std::string_view text = part.text, name;
    const std::string_view plain = plain_text(part);
    const bool is_plain = plain.data() != nullptr;
    if (is_plain) text = plain;
    if (is_trusted(part) && part.source == SourceKind::kGuide &&
        (part.kind == PartKind::kPinned || is_plain))
        kind = StepKind::kSystem;
    if (is_trusted(part) && (is_act(part) || is_reply(part))) {
        kind = StepKind::kAssistantText;
        if (!is_plain) text = trim_end(text);
    }
    if (is_plain && part.source == SourceKind::kTask && part.message->agent != "user")
        name = part.message->agent;
    size_t covered = 0;
    const bool has_more = !can_be_result(part) && original(part, provider_, covered) != 0;
    // OpenAI accepts a text without words; Anthropic does not.
    const bool is_written =
        has_words(text) || has_more || (is_plain && provider_ == Provider::kOpenAi);
    if (!is_written) return;
    add(kind, part, text, {});
    out_[out_.size() - 1].name = name;
}

}  // namespace

bool find_provider(std::string_view name, Provider &out) {
    if (name != "openai" && name != "anthropic") return false;
    out = name == "openai" ? Provider::kOpenAi : Provider::kAnthropic;
    return true;
}

void write_request(Provider provider, const Part *parts, size_t count, Memory &memory, Arena &arena,
                   Buffer<char> &out) {
    Buffer<Step> steps(memory);
    Planner(provider, parts, count, arena, steps).run();
    if (provider == Provider::kOpenAi) write_openai(steps, memory, out);
    else write_anthropic(steps, memory, out);
}

}  // namespace accp::transcript
