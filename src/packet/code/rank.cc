// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// All scores are integers, so every machine computes the same order.
#include "packet/code/rank.h"

#include <algorithm>

#include "base/bytes.h"
#include "packet/file/paths.h"
#include "text/words.h"

namespace accp::packet {

namespace {

constexpr int kMaxPoints = 120;          // for the best file
constexpr size_t kMaxUnnamed = 8;        // files that are not mentioned
constexpr int64_t kBestRatio = 4;        // skip files below 1/kBestRatio of the best
constexpr size_t kMinCodeName = 4;       // minimum bytes of a word that is_code_name() accepts
constexpr size_t kMaxListedSymbols = 4;  // in a summary

// Returns whether a word looks like a name in code: it has a `(` after it, or a `_` or a capital
// letter inside it.
bool is_code_name(std::string_view word, char next) {
    if (word.size() < kMinCodeName || is_digit(word[0])) return false;
    if (next == '(' || word.find('_', 1) < word.size() - 1) return true;
    for (size_t i = 1; i < word.size(); ++i)
        if (word[i] >= 'A' && word[i] <= 'Z' && word[i - 1] >= 'a' && word[i - 1] <= 'z')
            return true;
    return false;
}

void append_names(std::string_view text, Buffer<uint64_t> &out) {
    for (size_t at = 0; at < text.size();) {
        size_t end = at;
        while (end < text.size() && is_word(static_cast<unsigned char>(text[end]))) ++end;
        const std::string_view word = text.substr(at, end - at);
        if (!word.empty() && is_code_name(word, end < text.size() ? text[end] : ' '))
            out.push(text::hash_word(word));
        at = std::max(end, at + 1);
    }
}

// Returns whether both are the same file. One path may have more leading folders than the other.
bool is_file(const FileCandidate &mentioned, const CodeFile &file) {
    return is_same_path(mentioned.path, file.path) || is_path_suffix(file.path, mentioned.path) ||
           is_path_suffix(mentioned.path, file.path);
}

}  // namespace

Status FileRanker::rank(const CodeFiles *code, const Extractor &extractor, std::string_view task,
                        std::span<const Utterance> conversation) {
    files_.clear();
    for (const FileCandidate &file : extractor.files()) files_.push(file);
    candidates_.files = 0;
    if (!code) return {};
    arena_.reset();
    task_ = extractor.task_topics();
    const CodeQuery query = read_query(extractor, task, conversation);
    Status status = code->find_candidates(query, candidates_);
    if (status.failed() || !has_code()) return status;
    scorer_.prepare(query, candidates_);
    score_all();
    match_mentioned();
    add_best();
    std::sort(files_.begin(), files_.end(), [](const FileCandidate &a, const FileCandidate &b) {
        return a.score != b.score ? a.score > b.score : a.path < b.path;
    });
    return {};
}

CodeQuery FileRanker::read_query(const Extractor &extractor, std::string_view task,
                                 std::span<const Utterance> conversation) {
    words_.clear(), task_names_.clear(), talk_names_.clear(), file_names_.clear();
    for (const uint64_t topic : task_) words_.push(short_hash(topic));
    append_names(task, task_names_);
    for (const Utterance &utterance : conversation)
        if (!utterance.has_paths_only) append_names(utterance.text, talk_names_);
    for (Buffer<uint64_t> *names : {&task_names_, &talk_names_})
        std::sort(names->begin(), names->end());
    for (const FileCandidate &file : files_)
        file_names_.push(text::hash_word(file_name_of(file.path)));
    CodeQuery query;
    query.words = {words_.data(), words_.size()};
    query.task_names = {task_names_.data(), task_names_.size()};
    query.talk_names = {talk_names_.data(), talk_names_.size()};
    query.file_names = {file_names_.data(), file_names_.size()};
    query.wants_tests = extractor.wants_tests();
    query.best_count = kMaxUnnamed + files_.size();
    query.best_ratio = kBestRatio;
    return query;
}

void FileRanker::score_all() {
    scores_.clear();
    best_ = 0;
    CodeFile file;
    for (size_t i = 0; i < candidates_.view->entries(); ++i) {
        scores_.push(candidates_.view->get(i, file) ? scorer_.score(file) : -1);
        best_ = std::max(best_, scores_[i]);
    }
}

// For each mentioned file, finds the matching file in the code, takes over its path and summary,
// and adds its points. If several files match, the best score wins, then the shortest path.
void FileRanker::match_mentioned() {
    const CodeView &code = *candidates_.view;
    CodeFile file, best;
    for (FileCandidate &mentioned : files_) {
        const uint64_t name = text::hash_word(file_name_of(mentioned.path));
        size_t found = code.entries();
        for (size_t i = 0; i < code.entries(); ++i) {
            if (scores_[i] < 0 || !code.get(i, file) || file.name_hash != name) continue;
            if (!is_file(mentioned, file)) continue;
            const bool is_better =
                found == code.entries() || scores_[i] > scores_[found] ||
                (scores_[i] == scores_[found] &&
                 (file.path.size() != best.path.size() ? file.path.size() < best.path.size()
                                                       : file.path < best.path));
            if (is_better) found = i, best = file;
        }
        if (found == code.entries()) continue;
        mentioned.score += points(scores_[found]);
        scores_[found] = -1;
        describe(best, mentioned);
    }
}

void FileRanker::add_best() {
    const CodeView &code = *candidates_.view;
    CodeFile file;
    struct Best {
        CodeFile file;
        int64_t score;
    };
    Best best[kMaxUnnamed + 1];
    size_t count = 0;
    for (size_t i = 0; i < code.entries(); ++i) {
        if (scores_[i] <= 0 || scores_[i] * kBestRatio < best_ || !code.get(i, file)) continue;
        size_t at = count;
        for (; at && (best[at - 1].score < scores_[i] ||
                      (best[at - 1].score == scores_[i] && best[at - 1].file.path > file.path));
             --at)
            best[at] = best[at - 1];
        best[at] = {file, scores_[i]};
        count = std::min(count + 1, kMaxUnnamed);
    }
    for (size_t i = 0; i < count; ++i) {
        FileCandidate found = {best[i].file.path, points(best[i].score), 0, false, false};
        describe(best[i].file, found);
        files_.push(found);
    }
}

int FileRanker::points(int64_t score) const {
    return best_ ? static_cast<int>(score * kMaxPoints / best_) : 0;
}

// Returns whether a symbol occurs in the task or was mentioned.
bool FileRanker::is_relevant(std::string_view symbol) {
    const uint64_t hash = text::hash_word(symbol);
    if (has_hash({task_names_.data(), task_names_.size()}, hash) ||
        has_hash({talk_names_.data(), talk_names_.size()}, hash))
        return true;
    topics_.clear();
    text::append_topics(symbol, topics_);
    return text::count_common(task_, {topics_.data(), topics_.size()}) > 0;
}

// Writes `Summary (relevant symbols)`. Without a summary, writes the relevant symbols, or else the
// first ones.
void FileRanker::describe(const CodeFile &file, FileCandidate &out) {
    text_.clear();
    text_.append(file.summary);
    for (const bool all : {false, true}) {
        size_t count = 0;
        if (all && !text_.empty()) break;
        each_symbol(file, [&](std::string_view symbol) {
            if (count == kMaxListedSymbols || (!all && !is_relevant(symbol))) return;
            text_.append(count ? ", " : file.summary.empty() ? "" : " (");
            text_.append(symbol);
            ++count;
        });
        if (count && !file.summary.empty()) text_.push(')');
    }
    char *const summary = arena_.allocate<char>(text_.size());
    std::copy(text_.begin(), text_.end(), summary);
    out.path = file.path;
    out.summary = {summary, text_.size()};
    out.text_hash = file.text_hash;
    out.in_code = true;
}

}  // namespace accp::packet
