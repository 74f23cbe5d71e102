// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/generate.h"

#include <algorithm>

namespace accp::packet {

namespace {

// Maximum text lengths of required items, tried in this order.
constexpr size_t kRequiredBytes[] = {kMaxStatement, 110, 70};
constexpr uint64_t kStandardTokens = 400, kDeepTokens = 800;

constexpr int kRequiredScore = 10;     // minimum score of a required item
constexpr uint64_t kItemTokens = 3;    // per item: dash, newline, maker
constexpr size_t kAlikePercent = 60;   // of the topics of the shorter text
constexpr size_t kOfTaskPercent = 80;  // of its own topics

// Returns whether a packet must have this finding: an explicit demand of a user or, from depth
// standard on, an explicit decision.
bool is_required(const Finding &found, Depth depth) {
    if (found.speaker != Speaker::kUser || found.score < kRequiredScore) return false;
    return found.kind == SentenceKind::kConstraint ||
           (found.kind == SentenceKind::kDecision && depth != Depth::kMinimal);
}

// Returns whether `found` may be dropped as a repetition of `seen`. If `seen` is a failure, a
// demand on the same subject still holds, and a later decision may be the fix; neither may be
// dropped.
bool may_repeat(const Finding &found, const Finding &seen) {
    if (seen.kind != SentenceKind::kFailure || found.kind == SentenceKind::kFailure) return true;
    return found.kind != SentenceKind::kConstraint && found.message <= seen.message;
}

constexpr int kScoreBeyondShare = 10;  // minimum score to exceed the share of its kind
constexpr int kMaxPerMessage = 4;      // items of one kind from one message of an assistant

struct KindBudget {
    int kind;
    int percent;  // of the budget that the task leaves
    size_t max;   // items
};
constexpr KindBudget kMinimal[] = {{int(SentenceKind::kConstraint), 100, 16}};
constexpr KindBudget kStandard[] = {{int(SentenceKind::kConstraint), 46, 16},
                                    {int(SentenceKind::kDecision), 38, 12},
                                    {kFiles, 16, 5}};
constexpr KindBudget kDeep[] = {{int(SentenceKind::kConstraint), 34, 20},
                                {int(SentenceKind::kDecision), 26, 16},
                                {int(SentenceKind::kFailure), 26, 10},
                                {kFiles, 14, 7},
                                {int(SentenceKind::kQuestion), 2, 3}};

std::span<const KindBudget> budgets_of(Depth depth) {
    if (depth == Depth::kMinimal) return kMinimal;
    return depth == Depth::kStandard ? std::span<const KindBudget>(kStandard)
                                     : std::span<const KindBudget>(kDeep);
}

}  // namespace

Status Generator::generate(const GenerateRequest &request, token::TokenCounter &counter,
                           Packet &out, Prompt &prompt) {
    const std::span<const Finding> host_items =
        request.host_items ? request.host_items->findings() : std::span<const Finding>();
    extractor_.extract(request.task, request.conversation, host_items);
    Status status = ranker_.rank(request.code, extractor_, request.task, request.conversation);
    items_.clear();
    if (status.ok()) status = render(request, counter, out, prompt);  // size of the fixed parts
    if (status.failed()) return status;
    const uint64_t fixed = prompt.tokens;
    status = collect(request, counter);
    for (const size_t max_bytes : kRequiredBytes) {
        if (status.ok()) status = select(request, counter, fixed, max_bytes);
        if (status.ok()) status = drop_until_within_budget(request, counter, out, prompt);
        if (status.failed() || prompt.tokens <= request.budget_tokens) return status;
    }
    out.value.clear();
    return fail_limit(prompt.tokens, request.budget_tokens,
                      over_budget_message(request.depth, prompt.tokens));
}

Status Generator::drop_until_within_budget(const GenerateRequest &request,
                                           token::TokenCounter &counter, Packet &out,
                                           Prompt &prompt) {
    for (;;) {
        Status status = render(request, counter, out, prompt);
        if (status.failed() || prompt.tokens <= request.budget_tokens) return status;
        Item *const last = last_optional();
        if (!last) return {};
        last->kept = false;
    }
}

const char *Generator::over_budget_message(Depth depth, uint64_t tokens) const {
    const auto is_required = [](const Item &item) { return item.required; };
    if (std::none_of(items_.begin(), items_.end(), is_required))
        return "the task alone has more tokens than the budget";
    if (depth == Depth::kMinimal && tokens <= kStandardTokens)
        return "the user's constraints have more tokens than the budget: use depth standard";
    if (depth != Depth::kDeep && tokens <= kDeepTokens)
        return "the user's constraints and decisions have more tokens than the budget: use depth "
               "deep";
    return "the user's constraints and decisions have more tokens than the budget: use a larger "
           "one";
}

// Builds the packet with the items kept so far, and its prompt.
Status Generator::render(const GenerateRequest &request, token::TokenCounter &counter, Packet &out,
                         Prompt &prompt) {
    json_.clear();
    write(request);
    Status status = reader_.read_json(json_.view(), out);
    return status.ok() ? prompt.make(out.view(), counter) : status;
}

Generator::TopicMask::TopicMask(std::span<const uint64_t> topics) {
    for (const uint64_t topic : topics) {
        low |= uint64_t{1} << (topic % 64);
        high |= uint64_t{1} << (topic >> 32) % 64;
    }
}

// Collects all items that a packet of this depth may contain, each once, and the best of each kind
// first. Failures come first, because a failed decision no longer holds.
Status Generator::collect(const GenerateRequest &request, token::TokenCounter &counter) {
    topics_.clear();
    all_topics_.clear();
    seen_.clear();
    Status status = collect_kind(SentenceKind::kFailure, request.depth, counter);
    if (status.ok()) status = collect_kind(SentenceKind::kConstraint, request.depth, counter);
    if (status.ok()) status = collect_kind(SentenceKind::kDecision, request.depth, counter);
    if (status.ok()) status = collect_kind(SentenceKind::kQuestion, request.depth, counter);
    if (status.failed() || !includes(request.depth, kFiles)) return status;
    int best = 0;  // of the files that the task does not name
    for (const FileCandidate &file : ranker_.files()) {
        if (!file.in_task) best = std::max(best, file.score);
        if (file.score * 3 < best) break;
        status = add_item(nullptr, &file, {file.path, file.summary, {}}, counter);
        if (status.failed()) return status;
    }
    return {};
}

Status Generator::collect_kind(SentenceKind kind, Depth depth, token::TokenCounter &counter) {
    for (const Finding &found : extractor_.findings()) {
        if (found.kind != kind || !is_new(found, is_required(found, depth))) continue;
        if (!includes(depth, int(kind))) continue;
        Status status = add_item(&found, nullptr, make_statement(found), counter);
        if (status.failed()) return status;
        items_[items_.size() - 1].required = is_required(found, depth);
    }
    return {};
}

Status Generator::count(const Statement &statement, token::TokenCounter &counter, uint64_t &out) {
    out = kItemTokens;
    for (std::string_view text : {statement.what, statement.why, statement.cause}) {
        uint64_t tokens = 0;
        Status status = counter.count(text, UINT64_MAX, tokens);
        if (status.failed()) return status;
        out += tokens;
    }
    return {};
}

Status Generator::add_item(const Finding *found, const FileCandidate *file,
                           const Statement &statement, token::TokenCounter &counter) {
    uint64_t tokens = 0;
    Status status = count(statement, counter, tokens);
    if (status.ok()) items_.push({found, file, tokens, false, false});
    return status;
}

// Returns whether neither the task nor an earlier item has most of the topics of `found`. If so, it
// stores these topics for the items that follow. A required item is a repetition only if another
// one has all its words; the mask rules out most of the others at once.
bool Generator::is_new(const Finding &found, bool required) {
    if (found.is_structured) return true;  // each is the newest of a different subject
    const size_t begin = topics_.size(), all_begin = all_topics_.size();
    text::append_topics(found.text, topics_);
    text::append_all_topics(found.text, all_topics_);
    const std::span<const uint64_t> own(topics_.data() + begin, topics_.size() - begin),
        all(all_topics_.data() + all_begin, all_topics_.size() - all_begin);
    const TopicMask mask(all);
    bool again =
        !required && found.kind != SentenceKind::kFailure &&
        text::count_common(own, extractor_.task_topics()) * 100 >= own.size() * kOfTaskPercent;
    size_t before = 0, all_before = 0;
    for (size_t i = 0; i < seen_.size() && !again;
         before = seen_[i].topics_end, all_before = seen_[i++].all_end) {
        const SeenSentence &seen = seen_[i];
        if (required && !seen.mask.may_contain(mask)) continue;
        if (!may_repeat(found, *seen.found)) continue;
        const std::span<const uint64_t> other(topics_.data() + before, seen.topics_end - before);
        const size_t common = text::count_common(other, own);
        again = common && common * 100 >= std::min(own.size(), other.size()) * kAlikePercent;
        if (!again || !required) continue;
        const std::span<const uint64_t> others(all_topics_.data() + all_before,
                                               seen.all_end - all_before);
        again = text::count_common(others, all) == all.size();
    }
    if (again) topics_.resize_down(begin), all_topics_.resize_down(all_begin);
    else seen_.push({&found, topics_.size(), all_topics_.size(), mask});
    return !again;
}

bool Generator::includes(Depth depth, int kind) {
    for (const KindBudget &share : budgets_of(depth))
        if (share.kind == kind) return true;
    return false;
}

// Keeps all required items, with their texts cut to max_bytes, and fills the rest of the budget.
Status Generator::select(const GenerateRequest &request, token::TokenCounter &counter,
                         uint64_t fixed, size_t max_bytes) {
    required_bytes_ = max_bytes;
    uint64_t required = 0;
    for (Item &item : items_) {
        item.kept = item.required;
        if (!item.required) continue;
        Status status = count(make_statement(*item.found, max_bytes), counter, item.tokens);
        if (status.failed()) return status;
        required += item.tokens;
    }
    if (fixed + required < request.budget_tokens)
        fill_budget(request.depth, request.budget_tokens - fixed, required);
    return {};
}

// Files may exceed their share if there is code.
bool Generator::may_exceed_share(const Item &item) const {
    return item.found ? item.found->score >= kScoreBeyondShare : ranker_.has_code();
}

// Gives each kind its share, minus its required items. Then distributes what is left, in the order
// of the kinds.
void Generator::fill_budget(Depth depth, uint64_t space, uint64_t required) {
    uint64_t left = space - required;
    kept_.clear();
    for (const bool shared : {true, false}) {
        for (const KindBudget &share : budgets_of(depth)) {
            uint64_t used = 0;
            size_t count = 0;
            for (const Item &item : items_)
                if (item.kept && kind_of(item) == share.kind) used += item.tokens, ++count;
            const uint64_t all = space * static_cast<uint64_t>(share.percent) / 100;
            uint64_t of_kind = shared ? std::min(left, all - std::min(all, used)) : left;
            for (Item &item : items_) {
                if (kind_of(item) != share.kind || item.kept) continue;
                if (count >= share.max) break;
                if (is_message_exhausted(item)) continue;
                if (item.tokens > of_kind) continue;
                if (!shared && !may_exceed_share(item)) continue;
                item.kept = true;
                kept_.push(&item);
                ++count;
                of_kind -= item.tokens;
                left -= item.tokens;
            }
        }
    }
}

// Limits the items from one message of an assistant.
bool Generator::is_message_exhausted(const Item &item) const {
    if (!item.found || item.found->speaker == Speaker::kUser) return false;
    int of_message = 0;
    for (const Item *other : kept_)
        of_message += other->found && other->found->kind == item.found->kind &&
                      other->found->speaker == item.found->speaker &&
                      other->found->message == item.found->message;
    return of_message >= kMaxPerMessage;
}

Generator::Item *Generator::last_optional() {
    Item *last = nullptr;
    for (Item &item : items_)
        if (item.kept && !item.required) last = &item;
    return last;
}

}  // namespace accp::packet
