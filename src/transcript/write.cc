// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Plans how each part is written, and writes the request.
#include "transcript/write.h"

#include <algorithm>
#include <cstring>

#include "transcript/call_names.h"
#include "transcript/outbox.h"
#include "transcript/write_steps.h"

namespace accp::transcript {

namespace {

constexpr size_t kMaxGroup = 128;  // maximum calls of one message for providers
// The result of a call that has none, as providers want one for each.
constexpr std::string_view kNoResult = "\xE2\x80\xA6 no result";

// Returns the id, which is a text or an integer, or an empty text.
std::string_view call_id_of(const message::Message &message) {
    const uint32_t node = message.find("call_id");
    if (!node) return {};
    const uint8_t kind = message.tree[node].kind;
    return kind == ACCP_STRING || kind == ACCP_INT ? message.tree.string(node) : std::string_view();
}

bool can_be_call(const Part &part) {
    return part.kind == PartKind::kOpen && part.source == SourceKind::kAct && part.message &&
           is_trusted(part) && part.message->find("arguments");
}

bool can_be_result(const Part &part) {
    return part.kind == PartKind::kOpen && part.source == SourceKind::kResult && part.message &&
           !is_reply(part);
}

// Returns whether, without ids, this may be the result of the act.
bool can_answer(const message::Message &result, const message::Message &act) {
    return result.intent == "fail" || result.operation == act.operation;
}

bool is_of_tool(const message::Message &result, const message::Message &act) {
    const uint32_t of = result.find("tool_name"), name = act.find("tool_name");
    return of && name && result.tree.string(of) == act.tree.string(name);
}

bool has_thought(const Part &act) {
    const uint32_t thought = act.message->find("thought");
    return thought && act.message->tree[thought].kind == ACCP_STRING &&
           has_words(act.message->tree.string(thought));
}

// Returns whether a model has spoken again: results of earlier calls do not follow.
bool ends_results(const Part &part) {
    return part.kind != PartKind::kOpen || part.source == SourceKind::kAct || is_reply(part);
}

// Acts in a row, what follows them until a model speaks again, and which of it are their results.
struct Row {
    size_t first = 0, end = 0, last = 0;  // of the acts, and of what follows
    size_t *results = nullptr;            // of each act; 0: none
    bool *is_result = nullptr;            // of each part after the acts
    std::string_view *ids = nullptr;      // of each act

    size_t &result_of(size_t act) { return results[act - first]; }
    std::string_view id_of(size_t act) const { return ids[act - first]; }
    bool &is_taken(size_t part) { return is_result[part - end]; }
    void match(size_t act, size_t part) {
        result_of(act) = part;
        is_taken(part) = true;
    }
};

class Planner {
public:
    Planner(Provider provider, const Part *parts, size_t count, Memory &memory, Arena &arena,
            Buffer<Step> &out)
        : provider_(provider),
          parts_(parts),
          count_(count),
          memory_(memory),
          arena_(arena),
          originals_(arena.allocate<Original>(count)),
          ids_(count, arena),
          out_(out) {
        find_originals(provider, parts, count, originals_);
        for (size_t i = 0; i < count; ++i)
            if (parts[i].kind != PartKind::kClosed && parts[i].source == SourceKind::kTask)
                last_task_ = i;
    }

    void run() {
        for (size_t i = 0; i < count_;) {
            if (can_be_call(parts_[i])) i = add_row(i);
            else add_text(i++);
        }
        mark([](const Part &part) { return part.kind == PartKind::kPinned; });
        mark([](const Part &part) { return part.is_stable; });
    }

private:
    size_t add_row(size_t first);
    Row find_row(size_t first);
    void match_ids(Row &row);
    void match_others(Row &row);
    using Test = bool (*)(const message::Message &result, const message::Message &act);
    size_t find_act(Row &row, size_t end, size_t result, Test test) const;
    bool is_open(Row &row, size_t first, size_t end) const;
    bool begins_message(size_t act) const;
    void add_calls(Row &row, size_t first, size_t end, bool waits);
    void add_result(size_t at, std::string_view id);
    void add_text(size_t at);
    void add_lone_result(size_t at);
    std::string_view joined(std::initializer_list<std::string_view> texts);
    std::string_view label_of(const message::Message &message);
    Step &add(StepKind kind, size_t at) {
        Step step;
        step.kind = kind;
        step.part = parts_ + at;
        step.is_open = step.part->kind != PartKind::kClosed;
        if (originals_[at].message) step.original = originals_ + at;
        out_.push(step);
        if (kind != StepKind::kSystem) has_begun_ = true;
        return out_[out_.size() - 1];
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
    Memory &memory_;
    Arena &arena_;
    Original *originals_;
    CallIds ids_;
    Buffer<Step> &out_;
    size_t last_task_ = 0;
    bool has_begun_ = false;  // a step that is no system was added
};

Row Planner::find_row(size_t first) {
    Row row;
    row.first = row.end = first;
    while (row.end < count_ && can_be_call(parts_[row.end])) ++row.end;
    row.last = row.end;
    while (row.last < count_ && !ends_results(parts_[row.last])) ++row.last;
    const size_t acts = row.end - first, others = row.last - row.end;
    row.results = arena_.allocate<size_t>(acts);
    row.ids = arena_.allocate<std::string_view>(acts);
    row.is_result = arena_.allocate<bool>(others);
    std::fill_n(row.results, acts, 0);
    std::fill_n(row.is_result, others, false);
    for (size_t i = 0; i < acts; ++i) row.ids[i] = call_id_of(*parts_[first + i].message);
    return row;
}

// Each result is compared with at most kMaxGroup acts, beginning with the first one that waits.
void Planner::match_ids(Row &row) {
    size_t from = row.first;
    for (size_t i = row.end; i < row.last; ++i) {
        const std::string_view id =
            can_be_result(parts_[i]) ? call_id_of(*parts_[i].message) : std::string_view();
        while (from < row.end && (row.result_of(from) || row.id_of(from).empty())) ++from;
        const size_t end = std::min(row.end, from + kMaxGroup);
        for (size_t act = from; act < end && !id.empty(); ++act) {
            if (row.result_of(act) || row.id_of(act) != id) continue;
            row.match(act, i);
            break;
        }
    }
}

// Matches results without ids: those that name the tool of a call, then the others. It begins with
// the last result and the last act: if there are too few, the earlier acts have none.
void Planner::match_others(Row &row) {
    size_t acts = 0, count = 0;
    for (size_t i = row.first; i < row.end; ++i) acts += row.id_of(i).empty();
    auto *results = arena_.allocate<size_t>(row.last - row.end);
    for (size_t i = row.end; i < row.last && count < acts; ++i)
        if (can_be_result(parts_[i]) && call_id_of(*parts_[i].message).empty() &&
            find_act(row, row.end, i, can_answer) < row.end)
            results[count++] = i;
    for (const auto test : {is_of_tool, can_answer}) {
        size_t end = row.end;  // the acts from here on have results
        for (size_t k = count; k-- > 0;) {
            if (row.is_taken(results[k])) continue;
            while (end > row.first && row.result_of(end - 1)) --end;
            const size_t act = find_act(row, end, results[k], test);
            if (act < end) row.match(act, results[k]);
        }
    }
}

// Returns the last act before `end` that waits for such a result, or `end`.
size_t Planner::find_act(Row &row, size_t end, size_t result, Test test) const {
    const size_t from = end - std::min(end - row.first, kMaxGroup);
    for (size_t act = end; act-- > from;)
        if (row.id_of(act).empty() && !row.result_of(act) &&
            test(*parts_[result].message, *parts_[act].message))
            return act;
    return end;
}

// Returns whether a call begins a message: an original message, or a turn, whose first call has its
// thought.
bool Planner::begins_message(size_t act) const {
    const Original &original = originals_[act];
    if (original.message != originals_[act - 1].message) return true;
    return original.message ? !original.index : has_thought(parts_[act]);
}

// Returns whether results of these calls, the last ones, may still come. Calls without ids whose
// neighbours have results were given up.
bool Planner::is_open(Row &row, size_t first, size_t end) const {
    bool has_open = false, has_result = false, has_ids = true;
    for (size_t i = first; i < end; ++i) {
        has_result = has_result || row.result_of(i);
        if (row.result_of(i)) continue;
        has_open = true;
        has_ids = has_ids && !row.id_of(i).empty();
    }
    return has_open && (has_ids || !has_result);
}

size_t Planner::add_row(size_t first) {
    Row row = find_row(first);
    match_ids(row);
    match_others(row);
    // The last part may be the values of the host, which come before calls without a result yet.
    const bool has_values = row.last + 1 == count_ && parts_[row.last].kind == PartKind::kClosed;
    bool may_be_open = row.last == count_ || has_values;
    for (size_t i = row.end; i < row.last; ++i) may_be_open = may_be_open && row.is_taken(i);
    for (size_t at = first; at < row.end;) {
        size_t end = at + 1;
        while (end < row.end && end - at < kMaxGroup && !begins_message(end)) ++end;
        const bool waits = may_be_open && end == row.end && is_open(row, at, end);
        if (waits && has_values) add_text(--count_);
        add_calls(row, at, end, waits);
        at = end;
    }
    for (size_t i = row.end; i < row.last; ++i)
        if (!row.is_taken(i)) add_text(i);
    return row.last;
}

// Adds the calls of one message, then their results in the order in which they came.
void Planner::add_calls(Row &row, size_t first, size_t end, bool waits) {
    const size_t calls = out_.size(), count = end - first;
    for (size_t i = first; i < end; ++i) {
        Step &step = add(StepKind::kCall, i);
        step.id = ids_.add(row.id_of(i), parts_[i].number);
        step.keeps_thoughts = i > last_task_;
    }
    size_t order[kMaxGroup];
    for (size_t i = 0; i < count; ++i) order[i] = i;
    std::sort(order, order + count, [&](size_t a, size_t b) {
        // those without a result last
        const size_t one = row.result_of(first + a) - 1, other = row.result_of(first + b) - 1;
        return one != other ? one < other : a < b;
    });
    for (size_t i = 0; i < count; ++i) {
        const size_t act = first + order[i];
        const std::string_view id = out_[calls + order[i]].id;
        if (row.result_of(act)) {
            add_result(row.result_of(act), id);
        } else if (!waits) {
            Step &step = add(StepKind::kResult, act);
            step.original = nullptr;
            step.text = kNoResult;
            step.id = id;
        }
    }
}

void Planner::add_result(size_t at, std::string_view id) {
    const ResultText result = result_text(parts_[at], memory_, arena_);
    Step &step = add(StepKind::kResult, at);
    step.text = result.text;
    step.more = result.more;
    step.id = id;
    step.is_error = is_error_result(*parts_[at].message);
    if (!is_trusted(parts_[at])) step.original = nullptr;
    if (!step.original) return;
    // Only a result of one text has gaps; images stay beside their texts.
    const Original &original = *step.original;
    const uint32_t node = provider_ == Provider::kOpenAi ? original.message : original.begin;
    step.is_kept =
        parts_[at].is_whole || (parts_[at].result.empty() && has_blocks(original.tree, node));
}

std::string_view Planner::joined(std::initializer_list<std::string_view> texts) {
    size_t size = 0;
    for (std::string_view text : texts) size += text.size();
    char *to = arena_.allocate<char>(size);
    size = 0;
    for (std::string_view text : texts) {
        std::memcpy(to + size, text.data(), text.size());
        size += text.size();
    }
    return {to, size};
}

// The text before a message that has another role than its own.
std::string_view Planner::label_of(const message::Message &message) {
    return joined({"@", message.agent, " ", message.intent, ":", message.operation});
}

void Planner::add_text(size_t at) {
    const Part &part = parts_[at];
    if (can_be_result(part) && is_trusted(part) && part.result.empty()) return add_lone_result(at);
    StepKind kind = StepKind::kUserText;
    std::string_view text = part.text;
    const std::string_view plain = plain_text(part);
    const bool is_plain = plain.data() != nullptr;
    if (is_plain) text = plain;
    const bool is_guide = part.source == SourceKind::kGuide;
    // Anthropic has one system at the front: to add to it would change all that follows.
    const bool is_late = is_guide && provider_ == Provider::kAnthropic && has_begun_;
    if (is_trusted(part) && is_guide && !is_late && (part.kind == PartKind::kPinned || is_plain))
        kind = StepKind::kSystem;
    if (is_trusted(part) && (is_act(part) || is_reply(part))) {
        kind = StepKind::kAssistantText;
        if (!is_plain) text = trim_end(text);
    }
    const bool has_original = originals_[at].message && !can_be_result(part) && !is_act(part) &&
                              (part.is_whole || is_plain || kind == StepKind::kUserText);
    // OpenAI accepts a text without words; Anthropic does not.
    const bool is_written =
        has_words(text) || has_original || (is_plain && provider_ == Provider::kOpenAi);
    if (!is_written) return;
    Step &step = add(kind, at);
    step.text = text;
    if (!has_original) step.original = nullptr;
    if (step.original && is_plain && !part.is_whole)
        step.text_node = find_text_node(provider_, *step.original, whole_text(part));
    step.is_kept = part.is_whole || (part.has_gaps && !step.text_node);
    if (!step.is_kept && !step.text_node && kind != StepKind::kUserText) step.original = nullptr;
    if (is_late && is_plain) step.label = label_of(*part.message);
    if (!is_plain || part.source != SourceKind::kTask || part.message->agent == "user") return;
    if (provider_ == Provider::kOpenAi) step.name = part.message->agent;
    else step.label = joined({part.message->agent, ":"});
}

// A result that no call before it waits for.
void Planner::add_lone_result(size_t at) {
    const ResultText result = result_text(parts_[at], memory_, arena_);
    if (!has_words(result.text) && result.more.empty() && provider_ == Provider::kAnthropic) return;
    Step &step = add(StepKind::kUserText, at);
    step.original = nullptr;
    step.text = result.text;
    step.more = result.more;
    if (result.is_exact) step.label = label_of(*parts_[at].message);
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
    Planner(provider, parts, count, memory, arena, steps).run();
    if (provider == Provider::kOpenAi) write_openai(steps, memory, out);
    else write_anthropic(steps, memory, out);
}

}  // namespace accp::transcript
