// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_rank.h. In whole numbers, so that every machine has the same order.
#include "packet/code_rank.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "packet/paths.h"
#include "text/words.h"

namespace accp::packet {

namespace {

constexpr int kMaxPoints = 120;    // of the file that says most of the task
constexpr size_t kMaxUnnamed = 8;  // files that nobody named
constexpr int64_t kOfBest = 4;     // the best says at most so many times as much
constexpr int64_t kUnit = 1024;    // of scores
constexpr int64_t kAskedName = 12 * kUnit, kSpokenName = 4 * kUnit;
constexpr int kMaxNames = 2;        // of one file, that count
constexpr size_t kMinCodeName = 4;  // bytes of a name that one letter makes look like one
constexpr size_t kMaxTold = 4;      // symbols of a file that a summary has
// In hundredths: of data, what defines nothing (prose, pages, settings), tests, what others wrote.
constexpr int64_t kOfData = 40, kOfProse = 60, kOfTest = 50, kOfOthers = 30;

// 1024 times the binary logarithm of what is 1024 times as large.
int64_t log2_of(uint64_t x) {
    const int whole = std::bit_width(x) - 1;
    uint64_t part = whole > 31 ? x >> (whole - 31) : x << (31 - whole);  // 1 to 2, of 2^31
    int64_t log = whole - 10;
    for (int bit = 0; bit < 10; ++bit) {
        part = part * part >> 31;
        log = log * 2 + (part >> 32 != 0);
        if (part >> 32) part >>= 1;
    }
    return log;
}

// Does a word look like a name of code, whatever stands around it?
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

bool has(const Buffer<uint64_t> &sorted, uint64_t hash) {
    return std::binary_search(sorted.begin(), sorted.end(), hash);
}

template <class Visit>
void each_symbol(const CodeFile &file, Visit visit) {
    for (size_t at = 0; at < file.symbols.size();) {
        const size_t end = file.symbols.find('\n', at);
        visit(file.symbols.substr(at, end - at));
        at = end + 1;
    }
}

int64_t worth_percent(const CodeFile &file, bool wants_tests) {
    int64_t percent = !file.language ? kOfData : file.language->definers.empty() ? kOfProse : 100;
    if (is_beside_work(file.path)) percent = percent * kOfOthers / 100;
    if (!wants_tests && is_test_file(file.path)) percent = percent * kOfTest / 100;
    return percent;
}

// Is it what was named? The longer of the two may begin with folders that the other has not.
bool is_file(const FoundFile &named, const CodeFile &file) {
    return is_same_path(named.path, file.path) || is_tail(file.path, named.path) ||
           is_tail(named.path, file.path);
}

}  // namespace

void FileRanker::rank(const CodeIndex *code, const Extractor &extractor, std::string_view task,
                      std::span<const Said> conversation) {
    files_.clear();
    for (const FoundFile &file : extractor.files()) files_.push(file);
    has_code_ = code && code->count();
    if (!has_code_) return;
    arena_.reset();
    task_ = extractor.task_topics();
    asked_.clear(), spoken_.clear();
    append_names(task, asked_);
    for (const Said &said : conversation)
        if (!said.names_files) append_names(said.text, spoken_);
    for (Buffer<uint64_t> *names : {&asked_, &spoken_}) std::sort(names->begin(), names->end());
    read_query(*code, task_);
    score_all(*code, extractor.wants_tests());
    join_named(*code);
    add_best(*code);
    std::sort(files_.begin(), files_.end(), [](const FoundFile &a, const FoundFile &b) {
        return a.score != b.score ? a.score > b.score : a.path < b.path;
    });
}

// The words of the task, and how rare each is.
void FileRanker::read_query(const CodeIndex &code, std::span<const uint64_t> topics) {
    query_.clear();
    for (const uint64_t topic : topics) query_.push({short_hash(topic), 0, 0});
    uint64_t length = 0;
    CodeFile file;
    for (size_t i = 0; i < code.entries(); ++i) {
        if (!code.get(i, file)) continue;
        length += file.length;
        for (Word &word : query_)
            word.files += std::binary_search(file.words.begin(), file.words.end(), word.hash);
    }
    mean_length_ = static_cast<int64_t>(std::max<uint64_t>(1, length / code.count()));
    for (Word &word : query_)
        word.weight = log2_of((code.count() + 1) * 2 * uint64_t{kUnit} / (2 * word.files + 1));
}

// BM25 with k1 = 1.2 and b = 0.75.
int64_t FileRanker::score(const CodeFile &file) const {
    int64_t sum = 0;
    const int64_t norm = 300 + 900 * int64_t{file.length} / mean_length_;
    for (const Word &word : query_) {
        const auto at = std::lower_bound(file.words.begin(), file.words.end(), word.hash);
        if (at == file.words.end() || *at != word.hash) continue;
        const int64_t count = file.counts[at - file.words.begin()];
        sum += word.weight * count * 2200 / (count * 1000 + norm);
    }
    return sum;
}

// For symbols of which the task speaks by name, or the talk.
int64_t FileRanker::name_score(const CodeFile &file) const {
    int asked = 0, spoken = 0;
    if (asked_.empty() && spoken_.empty()) return 0;
    each_symbol(file, [&](std::string_view symbol) {
        const uint64_t hash = text::hash_word(symbol);
        asked += packet::has(asked_, hash);
        spoken += packet::has(spoken_, hash);
    });
    return std::min(asked, kMaxNames) * kAskedName + std::min(spoken, kMaxNames) * kSpokenName;
}

void FileRanker::score_all(const CodeIndex &code, bool wants_tests) {
    scores_.clear();
    best_ = 0;
    CodeFile file;
    for (size_t i = 0; i < code.entries(); ++i) {
        int64_t of_file = -1;
        if (code.get(i, file)) {
            of_file = (score(file) + name_score(file)) * worth_percent(file, wants_tests) / 100;
            best_ = std::max(best_, of_file);
        }
        scores_.push(of_file);
    }
}

// What was named has the path, the summary and the points of its file. Of several that it may be,
// the one that says most of the task, then the one with the shortest path.
void FileRanker::join_named(const CodeIndex &code) {
    CodeFile file, best;
    for (FoundFile &named : files_) {
        const uint64_t name = text::hash_word(without_folders(named.path));
        size_t found = code.entries();
        for (size_t i = 0; i < code.entries(); ++i) {
            if (scores_[i] < 0 || !code.get(i, file) || file.name_hash != name) continue;
            if (!is_file(named, file)) continue;
            const bool is_better =
                found == code.entries() || scores_[i] > scores_[found] ||
                (scores_[i] == scores_[found] &&
                 (file.path.size() != best.path.size() ? file.path.size() < best.path.size()
                                                       : file.path < best.path));
            if (is_better) found = i, best = file;
        }
        if (found == code.entries()) continue;
        named.score += points(scores_[found]);
        scores_[found] = -1;
        describe(best, named);
    }
}

void FileRanker::add_best(const CodeIndex &code) {
    CodeFile file;
    struct Best {
        CodeFile file;
        int64_t score;
    };
    Best best[kMaxUnnamed + 1];
    size_t count = 0;
    for (size_t i = 0; i < code.entries(); ++i) {
        if (scores_[i] <= 0 || scores_[i] * kOfBest < best_ || !code.get(i, file)) continue;
        size_t at = count;
        for (; at && (best[at - 1].score < scores_[i] ||
                      (best[at - 1].score == scores_[i] && best[at - 1].file.path > file.path));
             --at)
            best[at] = best[at - 1];
        best[at] = {file, scores_[i]};
        count = std::min(count + 1, kMaxUnnamed);
    }
    for (size_t i = 0; i < count; ++i) {
        FoundFile found = {best[i].file.path, points(best[i].score), 0, false, false, false};
        describe(best[i].file, found);
        files_.push(found);
    }
}

int FileRanker::points(int64_t score) const {
    return best_ ? static_cast<int>(score * kMaxPoints / best_) : 0;
}

// Is a symbol of the task, or was it spoken of?
bool FileRanker::matters(std::string_view symbol) {
    const uint64_t hash = text::hash_word(symbol);
    if (packet::has(asked_, hash) || packet::has(spoken_, hash)) return true;
    topics_.clear();
    text::append_topics(symbol, topics_);
    return text::count_common(task_, {topics_.data(), topics_.size()}) > 0;
}

// `What it is for (symbols, that matter)`. Without a sentence what it defines, if nothing matters
// the first of it.
void FileRanker::describe(const CodeFile &file, FoundFile &out) {
    text_.clear();
    text_.append(file.summary);
    for (const bool all : {false, true}) {
        size_t told = 0;
        if (all && !text_.empty()) break;
        each_symbol(file, [&](std::string_view symbol) {
            if (told == kMaxTold || (!all && !matters(symbol))) return;
            text_.append(told ? ", " : file.summary.empty() ? "" : " (");
            text_.append(symbol);
            ++told;
        });
        if (told && !file.summary.empty()) text_.push(')');
    }
    char *const summary = arena_.allocate<char>(text_.size());
    std::copy(text_.begin(), text_.end(), summary);
    out.path = file.path;
    out.summary = {summary, text_.size()};
    out.text_hash = file.text_hash;
    out.in_code = true;
}

}  // namespace accp::packet
