// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See extract.h: the files that a conversation is about.
#include <algorithm>

#include "base/bytes.h"
#include "packet/extract.h"

namespace accp::packet {

namespace {

// How much being named adds at most; how much more a late mention; and a word of the task, which no
// other file has, or which others have too.
constexpr int kMaxMentions = 150, kRecent = 30, kRareTopic = 80, kTopic = 20;
constexpr int kFew = 3;  // files in one message
constexpr size_t kMaxFiles = 1024, kMaxPath = 200;

bool is_path(char c) {
    return is_word(static_cast<unsigned char>(c)) || c == '.' || c == '/' || c == '-' || c == '@' ||
           c == '~' || c == '+';
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

bool is_tail(std::string_view path, std::string_view tail) {
    return path.size() > tail.size() && path[path.size() - tail.size() - 1] == '/' &&
           path.ends_with(tail);
}

}  // namespace

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
        file.score = std::min(file.score, kInTaskWeight + kMaxMentions);
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
