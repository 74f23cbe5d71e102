// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See generate.h.
#include "packet/generate.h"

#include <algorithm>

#include "base/decimal.h"
#include "packet/prompt.h"
#include "packet/sentence.h"
#include "packet/time.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

constexpr int kFiles = kKinds;         // after the kinds of sentences
constexpr int kWorthMore = 10;         // what a sentence has to have for more than its share
constexpr uint64_t kMarkTokens = 3;    // of an item: its dash, its newline, who
constexpr size_t kAlikePercent = 60;   // of the topics of the shorter one
constexpr size_t kOfTaskPercent = 80;  // of its own topics

struct Share {
    int kind;
    int percent;  // of what the task leaves
    size_t max;   // items
};
constexpr Share kMinimal[] = {{int(Kind::kConstraint), 100, 16}};
constexpr Share kStandard[] = {
    {int(Kind::kConstraint), 46, 16}, {int(Kind::kDecision), 38, 12}, {kFiles, 16, 5}};
constexpr Share kDeep[] = {{int(Kind::kConstraint), 38, 20},
                           {int(Kind::kDecision), 32, 16},
                           {int(Kind::kFailure), 18, 10},
                           {kFiles, 10, 8},
                           {int(Kind::kQuestion), 2, 3}};

std::span<const Share> shares_of(Depth depth) {
    if (depth == Depth::kMinimal) return kMinimal;
    return depth == Depth::kStandard ? std::span<const Share>(kStandard)
                                     : std::span<const Share>(kDeep);
}

bool has_place(Depth depth, int kind) {
    for (const Share &share : shares_of(depth))
        if (share.kind == kind) return true;
    return false;
}

// What a reader calls so many of a kind.
struct KindName {
    int kind;
    const char *one, *many;
};
constexpr KindName kNames[] = {{int(Kind::kConstraint), "constraint", "constraints"},
                               {int(Kind::kDecision), "decision", "decisions"},
                               {int(Kind::kFailure), "failed attempt", "failed attempts"},
                               {kFiles, "file", "files"},
                               {int(Kind::kQuestion), "open question", "open questions"}};

void write_string(std::string_view text, Buffer<char> &out) { value::write_json_string(text, out); }

void write_member(const char *name, std::string_view text, Buffer<char> &out) {
    out.append(name);
    write_string(text, out);
}

}  // namespace

int Generator::kind_of(const Item &item) {
    return item.found ? static_cast<int>(item.found->kind) : kFiles;
}

Status Generator::generate(const Request &request, token::TokenCounter &counter, Packet &out) {
    extractor_.extract(request.task, request.conversation, english());
    uint64_t tokens = 0;
    items_.clear();
    Status status = measure(request, counter, out, tokens);  // of the task and what is left out
    if (status.failed()) return status;
    const uint64_t fixed = tokens;
    status = collect(request, counter);
    if (status.failed()) return status;
    if (fixed < request.budget_tokens) fill(request, request.budget_tokens - fixed);
    for (;;) {
        status = measure(request, counter, out, tokens);
        if (status.failed() || tokens <= request.budget_tokens) return status;
        Item *const last = last_kept();
        if (!last) {
            out.value.clear();
            return fail_limit(tokens, request.budget_tokens,
                              "the task alone has more tokens than the budget");
        }
        last->kept = false;
    }
}

// All that may stand in a packet of this depth, each once, best first of each kind.
Status Generator::collect(const Request &request, token::TokenCounter &counter) {
    topics_.clear();
    ends_.clear();
    for (const Share &share : shares_of(request.depth)) {
        if (share.kind == kFiles) {
            const int best = extractor_.files().empty() ? 0 : extractor_.files()[0].score;
            for (const FoundFile &file : extractor_.files()) {
                if (file.score * 3 < best) break;
                Status status = add_item(nullptr, &file, file.path, counter);
                if (status.failed()) return status;
            }
            continue;
        }
        for (const Found &found : extractor_.found()) {
            if (static_cast<int>(found.kind) != share.kind ||
                is_of_task(found.text, request.task) || says_again(found.text))
                continue;
            Status status = add_item(&found, nullptr, shorten(found.text), counter);
            if (status.failed()) return status;
        }
    }
    return {};
}

Status Generator::add_item(const Found *found, const FoundFile *file, std::string_view text,
                           token::TokenCounter &counter) {
    uint64_t tokens = 0;
    Status status = counter.count(text, UINT64_MAX, tokens);
    if (status.ok()) items_.push({found, file, tokens + kMarkTokens, false});
    return status;
}

// Is most of it in the task already?
bool Generator::is_of_task(std::string_view text, std::string_view task) {
    own_.clear();
    text::append_topics(text, own_);
    const size_t count = own_.size();
    text::append_topics(task, own_);
    const size_t common =
        text::count_common(own_.data(), count, own_.data() + count, own_.size() - count);
    return common * 100 >= count * kOfTaskPercent;
}

// Does an item before say most of it? If not, its topics are kept for those that follow.
bool Generator::says_again(std::string_view text) {
    const size_t begin = topics_.size();
    text::append_topics(text, topics_);
    const uint64_t *const own = topics_.data() + begin;
    const size_t count = topics_.size() - begin;
    size_t before = 0;
    for (const uint32_t end : ends_) {
        const size_t other = end - before;
        const size_t common = text::count_common(topics_.data() + before, other, own, count);
        if (common * 100 >= std::min(count, other) * kAlikePercent && common) {
            topics_.resize_down(begin);
            return true;
        }
        before = end;
    }
    ends_.push(static_cast<uint32_t>(topics_.size()));
    return false;
}

// Gives each kind its share; then what nobody took, in the order of the kinds.
void Generator::fill(const Request &request, uint64_t space) {
    uint64_t left = space;
    for (const bool shared : {true, false}) {
        for (const Share &share : shares_of(request.depth)) {
            uint64_t of_kind =
                shared ? std::min(left, space * static_cast<uint64_t>(share.percent) / 100) : left;
            size_t count = 0;
            for (Item &item : items_) {
                if (kind_of(item) != share.kind) continue;
                if (item.kept) ++count;
                if (item.kept || count >= share.max || item.tokens > of_kind) continue;
                if (!shared && (!item.found || item.found->score < kWorthMore)) continue;
                item.kept = true;
                ++count;
                of_kind -= item.tokens;
                left -= item.tokens;
            }
        }
    }
}

Generator::Item *Generator::last_kept() {
    Item *last = nullptr;
    for (Item &item : items_)
        if (item.kept) last = &item;
    return last;
}

// The packet as it is now, and the tokens of its prompt.
Status Generator::measure(const Request &request, token::TokenCounter &counter, Packet &out,
                          uint64_t &tokens) {
    json_.clear();
    write(request);
    Status status = reader_.read(json_.view(), {kMaxTextBytes, kMaxPacketDepth}, out);
    if (status.failed()) return status;
    prompt_.clear();
    write_prompt(out.view(), prompt_);
    return counter.count(prompt_.view(), UINT64_MAX, tokens);
}

void Generator::write(const Request &request) {
    write_member("{\"version\":1,\"created\":", write_time(request.created).view(), json_);
    write_member(",\"creator\":", request.creator, json_);
    write_member(",\"target_task\":", request.task, json_);
    write_member(",\"context\":{\"goal\":", request.task, json_);
    write_list("decisions", int(Kind::kDecision));
    write_list("constraints", int(Kind::kConstraint));
    json_.append(",\"codebase\":{\"relevant_files\":[");
    const char *comma = "";
    for (const Item &item : items_) {
        if (!item.kept || !item.file) continue;
        json_.append(comma);
        write_member("{\"path\":", item.file->path, json_);
        json_.push('}');
        comma = ",";
    }
    json_.append("]}");
    write_list("failed_attempts", int(Kind::kFailure));
    write_list("open_questions", int(Kind::kQuestion));
    write_left_out(request);
    json_.append("}}");
}

// The kept items of a kind, in the order in which they were said.
void Generator::write_list(const char *name, int kind) {
    order_.clear();
    for (const Item &item : items_)
        if (item.kept && kind_of(item) == kind) order_.push(item.found);
    if (order_.empty()) return;
    std::sort(order_.begin(), order_.end(), [](const Found *a, const Found *b) {
        return a->message != b->message ? a->message < b->message : a->begin < b->begin;
    });
    json_.append(",\"");
    json_.append(name);
    json_.append("\":[");
    for (size_t i = 0; i < order_.size(); ++i) {
        if (i) json_.push(',');
        write_item(*order_[i]);
    }
    json_.push(']');
}

void Generator::write_item(const Found &found) {
    const std::string_view text = shorten(found.text);
    if (found.kind == Kind::kConstraint || found.kind == Kind::kQuestion)
        return write_string(text, json_);
    const bool decision = found.kind == Kind::kDecision;
    const Statement statement = split_reason(text);
    write_member(decision ? "{\"choice\":" : "{\"approach\":", statement.what, json_);
    if (!statement.why.empty())
        write_member(decision ? ",\"reason\":" : ",\"reason_failed\":", statement.why, json_);
    if (decision)
        json_.append(found.who == Who::kUser ? ",\"made_by\":\"user\"" : ",\"made_by\":\"agent\"");
    json_.push('}');
}

// What there was and is not here, by kind and number.
void Generator::write_left_out(const Request &request) {
    json_.append(",\"not_included\":[\"the conversation: ");
    append_decimal(request.conversation.size(), json_);
    json_.append(request.conversation.size() == 1 ? " message\"" : " messages\"");
    for (const KindName &name : kNames) {
        size_t there = 0, items = 0, kept = 0;
        for (const Found &found : extractor_.found()) there += int(found.kind) == name.kind;
        for (const Item &item : items_) {
            items += kind_of(item) == name.kind;
            kept += item.kept && kind_of(item) == name.kind;
        }
        // of a kind that has a place here, without what was said twice
        if (name.kind == kFiles) there = extractor_.files().size();
        else if (has_place(request.depth, name.kind)) there = items;
        if (there == kept) continue;
        json_.append(",\"");
        append_decimal(there - kept, json_);
        json_.append(kept ? " more " : " ");
        json_.append(there - kept == 1 ? name.one : name.many);
        json_.push('"');
    }
    json_.push(']');
}

}  // namespace accp::packet
