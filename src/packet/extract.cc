// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See extract.h.
#include "packet/extract.h"

#include <algorithm>

namespace accp::packet {

namespace {

constexpr size_t kMinWords = 3, kMaxBytes = 400;
constexpr size_t kMaxCandidates = 4096;  // of all; the best stay
constexpr int kListBonus = 12;
constexpr int kLongFrom = 24;  // words, from which on a sentence says too much at once

// Files: what naming one is worth, in the task and elsewhere; how much a late mention adds at most;
// and a word of the task's that no other file has.
constexpr uint32_t kInTask = UINT32_MAX;
constexpr int kTaskWeight = 300, kMaxMentions = 150, kRecent = 30, kRareTopic = 80, kTopic = 20;
constexpr int kFew = 3;  // files in one message
constexpr size_t kMaxFiles = 1024, kMaxPath = 200;

// What a sentence has to reach, by kind; and what a user's has from the beginning.
constexpr int kMinScore[kKinds] = {16, 14, 14, 18};
constexpr int kUserStart[kKinds] = {12, 0, -3, 0};
constexpr int kAgentStart[kKinds] = {-4, 0, 0, 0};

bool is_path(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
           c == '.' || c == '/' || c == '-' || c == '@' || c == '~' || c == '+';
}

constexpr std::string_view kEndings[] = {
    "rs",   "py",   "ts",  "tsx",  "js",   "jsx",   "mjs",   "json", "md",   "mdc",
    "toml", "yaml", "yml", "go",   "java", "c",     "cc",    "cpp",  "h",    "hpp",
    "cs",   "sh",   "css", "html", "sql",  "txt",   "cfg",   "lock", "vue",  "kt",
    "rb",   "php",  "xml", "ini",  "csv",  "ipynb", "swift", "scss", "proto"};

bool has_file_ending(std::string_view path) {
    const size_t dot = path.rfind('.');
    if (dot == path.npos || dot == 0 || path[dot - 1] == '/') return false;
    const std::string_view ending = path.substr(dot + 1);
    return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

// A word in capitals, of those that forbid and demand; or bold from the first word on.
bool has_emphasis(std::string_view sentence) {
    if (sentence.substr(0, 2) == "**") return true;
    for (std::string_view word : {"NEVER", "MUST", "ALWAYS", "ONLY", "NOT ", "ANY "})
        if (sentence.find(word) != sentence.npos) return true;
    return false;
}

bool is_tail(std::string_view path, std::string_view tail) {
    return path.size() > tail.size() && path[path.size() - tail.size() - 1] == '/' &&
           path.substr(path.size() - tail.size()) == tail;
}

}  // namespace

void Extractor::extract(std::string_view task, std::span<const Said> conversation,
                        const Language &language) {
    found_.clear(), files_.clear(), task_.clear();
    text::append_topics(task, task_);
    note_files(task, kInTask, kTaskWeight);
    for (uint32_t i = 0; i < conversation.size(); ++i) {
        const Said &said = conversation[i];
        const int age = static_cast<int>(i * 100 / conversation.size());
        units_.clear();
        list_kind_ = -1;
        if (!said.names_files) text::split_units(said.text, units_);
        if (said.names_files) {
            note_files(said.text, i, 12);
            continue;
        }
        for (const text::Unit &unit : units_) judge(unit, said.text, i, said, age, language);
        note_files(said.text, i, said.who == Who::kUser ? 30 : 10);
    }
    keep_best();
    rank_files(static_cast<uint32_t>(conversation.size()));
}

void Extractor::judge(const text::Unit &unit, std::string_view text, uint32_t message,
                      const Said &said, int age_percent, const Language &language) {
    const std::string_view sentence = text.substr(unit.begin, unit.end - unit.begin);
    if (unit.is_heading || sentence.size() > kMaxBytes) return;
    words_.read(sentence);
    if (words_.size() < kMinWords) return;
    int scores[kKinds] = {};
    for (const Cue &cue : language.cues)
        if ((cue.who == Who::kAnyone || cue.who == said.who) &&
            text::has_phrase(words_, cue.phrase))
            scores[static_cast<int>(cue.kind)] += cue.weight;
    int common = task_bonus(sentence);
    for (const Chatter &chatter : language.chatter)
        if ((chatter.who == Who::kAnyone || chatter.who == said.who) &&
            text::has_phrase(words_, chatter.phrase))
            common -= chatter.weight;
    const int words = static_cast<int>(words_.size());
    if (words > kLongFrom) common -= (words - kLongFrom) / 4;
    if (sentence.back() == '?') common -= 6;
    if (has_emphasis(sentence)) common += 6;
    // what a list is said to be, its items are
    if (!unit.is_item && !unit.opens_list) list_kind_ = -1;
    if (unit.is_item && list_kind_ >= 0) scores[list_kind_] += kListBonus;
    if (unit.opens_list) {
        list_kind_ = -1;
        for (int kind = 0; kind < kKinds; ++kind)
            if (scores[kind] >= 8 && (list_kind_ < 0 || scores[kind] > scores[list_kind_]))
                list_kind_ = kind;
        common -= 10;
    }
    Found best = {};
    for (int kind = 0; kind < kKinds; ++kind) {
        if (!scores[kind]) continue;
        int score = scores[kind] + common;
        if (said.who == Who::kUser) score += kUserStart[kind] + (unit.is_item && kind == 0 ? 8 : 0);
        else score += kAgentStart[kind];
        if (kind == static_cast<int>(Kind::kDecision)) score += age_percent / 20;
        if (score < kMinScore[kind] || score - kMinScore[kind] < best.score) continue;
        best = {static_cast<Kind>(kind),
                said.who,
                score - kMinScore[kind],
                message,
                unit.begin,
                unit.end,
                sentence};
    }
    if (!best.text.empty()) found_.push(best);
}

// Up to 12 tenths, for what the task is about.
int Extractor::task_bonus(std::string_view sentence) {
    topics_.clear();
    text::append_topics(sentence, topics_);
    const size_t common =
        text::count_common(task_.data(), task_.size(), topics_.data(), topics_.size());
    return static_cast<int>(std::min<size_t>(common, 4)) * 3;
}

// By score, the newer first where it is equal, without what an earlier one says already.
void Extractor::keep_best() {
    std::sort(found_.begin(), found_.end(), [](const Found &a, const Found &b) {
        if (a.score != b.score) return a.score > b.score;
        return a.message != b.message ? a.message > b.message : a.begin < b.begin;
    });
    if (found_.size() > kMaxCandidates) found_.resize_down(kMaxCandidates);
}

// Adds what looks like a path, once a message; a name that is the end of one counts for that.
void Extractor::note_files(std::string_view text, uint32_t message, int weight) {
    named_.clear();
    for (size_t at = 0; at < text.size();) {
        if (!is_path(text[at])) {
            ++at;
            continue;
        }
        size_t end = at;
        while (end < text.size() && is_path(text[end])) ++end;
        std::string_view path = text.substr(at, end - at);
        const bool absolute = path.front() == '/' || path.front() == '~';
        at = end;
        path.remove_prefix(std::min(path.find_first_not_of("@./~"), path.size()));
        while (!path.empty() && (path.back() == '.' || path.back() == '/')) path.remove_suffix(1);
        if (path.size() > kMaxPath || !has_file_ending(path)) continue;
        FoundFile *known = nullptr;
        for (FoundFile &file : files_)
            if (file.path == path || is_tail(file.path, path) || is_tail(path, file.path))
                known = &file;
        if (!known && files_.size() < kMaxFiles) {
            files_.push({path, 0, message, absolute});
            named_.push(static_cast<uint32_t>(files_.size() - 1));
        }
        if (!known) continue;
        if (path.size() > known->path.size()) known->path = path, known->absolute = absolute;
        const auto number = static_cast<uint32_t>(known - files_.data());
        if (known->message != message) named_.push(number);
        known->message = message;
    }
    // a listing says little of each
    const int each =
        std::max<int>(1, weight * kFew / std::max<int>(kFew, static_cast<int>(named_.size())));
    for (const uint32_t number : named_) files_[number].score += each;
}

// Whose paths begin at the root, and in one folder, are named from there on.
void Extractor::cut_common_folder() {
    std::string_view folder;
    size_t count = 0;
    for (const FoundFile &file : files_) {
        if (!file.absolute) continue;
        if (!count++) folder = file.path;
        size_t same = 0;
        while (same < folder.size() && same < file.path.size() && folder[same] == file.path[same])
            ++same;
        folder = folder.substr(0, same);
    }
    const size_t end = folder.rfind('/');
    if (count < 2 || end == folder.npos) return;
    for (FoundFile &file : files_)
        if (file.absolute) file.path.remove_prefix(end + 1);
}

// What is named often and of late, and has the task's words that other files have not.
void Extractor::rank_files(uint32_t messages) {
    Buffer<uint64_t> &all = topics_;
    all.clear();
    file_ends_.clear();
    for (const FoundFile &file : files_) {
        text::append_topics(file.path, all);
        file_ends_.push(static_cast<uint32_t>(all.size()));
    }
    for (size_t i = 0; i < files_.size(); ++i) {
        FoundFile &file = files_[i];
        file.score = std::min(file.score, kTaskWeight + kMaxMentions);
        if (file.message != kInTask)
            file.score += static_cast<int>(uint64_t{file.message} * kRecent / messages);
        for (uint32_t at = i ? file_ends_[i - 1] : 0; at < file_ends_[i]; ++at) {
            if (!std::binary_search(task_.begin(), task_.end(), all[at])) continue;
            const auto others = std::count(all.begin(), all.end(), all[at]);
            file.score += std::max(kRareTopic - 6 * static_cast<int>(others), kTopic);
        }
    }
    std::sort(files_.begin(), files_.end(), [](const FoundFile &a, const FoundFile &b) {
        return a.score != b.score ? a.score > b.score : a.path < b.path;
    });
    cut_common_folder();
}

}  // namespace accp::packet
