// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See generate.h: what may stand in a packet, each thing once.
#include "packet/file/generate.h"

namespace accp::packet {

namespace {

constexpr int kRequiredScore = 10;     // what must stand has it
constexpr uint64_t kMarkTokens = 3;    // of an item: its dash, its newline, who
constexpr size_t kAlikePercent = 60;   // of the topics of the shorter one
constexpr size_t kOfTaskPercent = 80;  // of its own topics

// What a user demands, and from standard on decides, in plain words.
bool is_required(const Found &found, Depth depth) {
    if (found.who != Who::kUser || found.score < kRequiredScore) return false;
    return found.kind == Kind::kConstraint ||
           (found.kind == Kind::kDecision && depth != Depth::kMinimal);
}

// A demand is none the less one where something failed; and what was decided after a failure may be
// what mended it.
bool may_repeat(const Found &found, const Found &seen) {
    if (seen.kind != Kind::kFailure || found.kind == Kind::kFailure) return true;
    return found.kind != Kind::kConstraint && found.message <= seen.message;
}

}  // namespace

Generator::Mark::Mark(std::span<const uint64_t> topics) {
    for (const uint64_t topic : topics) {
        low |= uint64_t{1} << (topic % 64);
        high |= uint64_t{1} << (topic >> 32) % 64;
    }
}

// Collects all items that a packet of this depth may contain, each once, and the best of each kind
// first. Failures come first, because a failed decision no longer holds.
Status Generator::collect(const Request &request, token::TokenCounter &counter) {
    topics_.clear();
    all_topics_.clear();
    seen_.clear();
    Status status = collect_kind(Kind::kFailure, request.depth, counter);
    if (status.ok()) status = collect_kind(Kind::kConstraint, request.depth, counter);
    if (status.ok()) status = collect_kind(Kind::kDecision, request.depth, counter);
    if (status.ok()) status = collect_kind(Kind::kQuestion, request.depth, counter);
    if (status.failed() || !has_place(request.depth, kFiles)) return status;
    int best = 0;  // of those that the task does not name
    for (const FoundFile &file : ranker_.files()) {
        if (!file.in_task) best = std::max(best, file.score);
        if (file.score * 3 < best) break;
        status = add_item(nullptr, &file, {file.path, file.summary, {}}, counter);
        if (status.failed()) return status;
    }
    return {};
}

Status Generator::collect_kind(Kind kind, Depth depth, token::TokenCounter &counter) {
    for (const Found &found : extractor_.found()) {
        if (found.kind != kind || !is_new(found, is_required(found, depth))) continue;
        if (!has_place(depth, int(kind))) continue;
        Status status = add_item(&found, nullptr, state(found), counter);
        if (status.failed()) return status;
        items_[items_.size() - 1].required = is_required(found, depth);
    }
    return {};
}

Status Generator::count(const Statement &said, token::TokenCounter &counter, uint64_t &out) {
    out = kMarkTokens;
    for (std::string_view text : {said.what, said.why, said.cause}) {
        uint64_t tokens = 0;
        Status status = counter.count(text, UINT64_MAX, tokens);
        if (status.failed()) return status;
        out += tokens;
    }
    return {};
}

Status Generator::add_item(const Found *found, const FoundFile *file, const Statement &said,
                           token::TokenCounter &counter) {
    uint64_t tokens = 0;
    Status status = count(said, counter, tokens);
    if (status.ok()) items_.push({found, file, tokens, false, false});
    return status;
}

// Returns whether neither the task nor an earlier item has most of the topics of `found`. If so, it
// stores these topics for the items that follow. A required item repeats another one only if that
// one has all its words; the mark rules out most of the others at once.
bool Generator::is_new(const Found &found, bool required) {
    if (found.is_stated) return true;  // the newest of its subject, each of which is another
    const size_t begin = topics_.size(), all_begin = all_topics_.size();
    text::append_topics(found.text, topics_);
    text::append_all_topics(found.text, all_topics_);
    const std::span<const uint64_t> own(topics_.data() + begin, topics_.size() - begin),
        all(all_topics_.data() + all_begin, all_topics_.size() - all_begin);
    const Mark mark(all);
    bool again =
        !required && found.kind != Kind::kFailure &&
        text::count_common(own, extractor_.task_topics()) * 100 >= own.size() * kOfTaskPercent;
    size_t before = 0, all_before = 0;
    for (size_t i = 0; i < seen_.size() && !again;
         before = seen_[i].topics_end, all_before = seen_[i++].all_end) {
        const Seen &seen = seen_[i];
        if (required && !seen.mark.may_hold(mark)) continue;
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
    else seen_.push({&found, topics_.size(), all_topics_.size(), mark});
    return !again;
}

}  // namespace accp::packet
