// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See generate.h.
#include "packet/generate.h"

#include <algorithm>

#include "packet/sentence.h"
#include "value/yaml_text.h"

namespace accp::packet {

namespace {

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

}  // namespace

bool Generator::has_place(Depth depth, int kind) {
    for (const Share &share : shares_of(depth))
        if (share.kind == kind) return true;
    return false;
}

Status Generator::generate(const Request &request, token::TokenCounter &counter, Packet &out,
                           Prompt &prompt) {
    extractor_.extract(request.task, request.conversation, english());
    items_.clear();
    Status status = measure(request, counter, out, prompt);  // of the task and what is left out
    if (status.failed()) return status;
    const uint64_t fixed = prompt.tokens;
    status = collect(request, counter);
    if (status.failed()) return status;
    if (fixed < request.budget_tokens) fill(request, request.budget_tokens - fixed);
    for (;;) {
        status = measure(request, counter, out, prompt);
        if (status.failed() || prompt.tokens <= request.budget_tokens) return status;
        Item *const last = last_kept();
        if (!last) {
            out.value.clear();
            return fail_limit(prompt.tokens, request.budget_tokens,
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
            if (static_cast<int>(found.kind) != share.kind || !is_new(found.text)) continue;
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

// Says it something that neither the task nor an item before says most of? Its topics are then kept
// for the items that follow.
bool Generator::is_new(std::string_view text) {
    const size_t begin = topics_.size();
    text::append_topics(text, topics_);
    const std::span<const uint64_t> own(topics_.data() + begin, topics_.size() - begin);
    bool again =
        text::count_common(own, extractor_.task_topics()) * 100 >= own.size() * kOfTaskPercent;
    for (size_t i = 0, before = 0; i < ends_.size() && !again; before = ends_[i++]) {
        const std::span<const uint64_t> other(topics_.data() + before, ends_[i] - before);
        const size_t common = text::count_common(other, own);
        again = common && common * 100 >= std::min(own.size(), other.size()) * kAlikePercent;
    }
    if (again) topics_.resize_down(begin);
    else ends_.push(static_cast<uint32_t>(topics_.size()));
    return !again;
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

// The packet as it is now, and its prompt.
Status Generator::measure(const Request &request, token::TokenCounter &counter, Packet &out,
                          Prompt &prompt) {
    json_.clear();
    write(request);
    printable_.clear();
    value::append_printable_json(json_.view(), printable_);
    Status status = reader_.read(printable_.view(), {kMaxTextBytes, kMaxPacketDepth}, out);
    return status.ok() ? prompt.make(out.view(), counter) : status;
}

}  // namespace accp::packet
