// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files that a conversation is about.
#include <algorithm>

#include "base/bytes.h"
#include "packet/extract/extract.h"

namespace accp::packet {

namespace {

// Maximum for mentions, bonus for a late mention, and for a topic of the task that no other file or
// several other files have.
constexpr int kMaxMentions = 150, kRecent = 30, kRareTopic = 80, kTopic = 20;
// Adjustments: the task has all topics of the file's name; the users have them all; a test file,
// unless the task names tests; a file outside the project; a changed file.
constexpr int kNameOfTask = 60, kNameOfUser = 25, kTestFile = -40, kOutsideProject = -60,
              kChanged = 40;
constexpr int kFewFiles = 3;  // files per message without a penalty
constexpr size_t kMaxFiles = 1024;

// Returns whether the new mention is better: relative before absolute, then with folders, with
// straight slashes, or longer.
bool is_better(const PathMention &named, const FileCandidate &known) {
    const bool has_folder = named.path.find_first_of("/\\") != named.path.npos;
    if (named.absolute != known.absolute) return named.absolute ? !known.has_folder() : has_folder;
    const bool bent = named.path.find('\\') != named.path.npos;
    if (known.has_folder() && bent != (known.path.find('\\') != known.path.npos)) return !bent;
    return named.path.size() > known.path.size();
}

// Returns whether the words before the path report that the file was written.
bool is_changed(std::string_view text, std::string_view path) {
    constexpr std::string_view kVerbs[] = {"pdat", "dit",  "rit",  "reat",
                                           "odif", "hang", "atch", "mplement"};
    const auto at = static_cast<size_t>(path.data() - text.data());
    constexpr size_t kVerbDistance = 80;  // bytes; a line may be a megabyte long
    std::string_view before =
        text.substr(at - std::min(at, kVerbDistance), std::min(at, kVerbDistance));
    before.remove_prefix(before.rfind('\n') + 1);
    for (std::string_view verb : kVerbs)
        if (before.find(verb) != before.npos) return true;
    return false;
}
}  // namespace

// Adds each path once per message. A name that is the end of a known path counts for that path.
void Extractor::add_paths(std::string_view text, uint32_t message, int weight) {
    named_.clear();
    for (size_t at = 0; at < text.size();) {
        if (!is_path_char(text[at])) {
            ++at;
            continue;
        }
        const PathMention named = read_path(text, at);
        at = named.end;
        if (named.path.empty()) continue;
        add_path(named, message, is_changed(text, named.path));
    }
    // the files of a long listing count less
    const int each = std::max<int>(
        1, weight * kFewFiles / std::max<int>(kFewFiles, static_cast<int>(named_.size())));
    for (const uint32_t number : named_) files_[number].score += each;
}

void Extractor::add_path(const PathMention &named, uint32_t message, bool changed) {
    FileCandidate *known = nullptr;
    for (FileCandidate &file : files_)
        if (is_same_path(file.path, named.path) || is_path_suffix(file.path, named.path) ||
            is_path_suffix(named.path, file.path))
            known = &file;
    if (!known) {
        if (files_.size() == kMaxFiles) return;
        files_.push({named.path, 0, message, named.absolute, message == kInTask, changed});
        named_.push(static_cast<uint32_t>(files_.size() - 1));
        return;
    }
    if (named.absolute && !known->absolute && known->has_folder())
        root_ = named.path.substr(0, named.path.size() - known->path.size());
    if (is_better(named, *known)) known->path = named.path, known->absolute = named.absolute;
    known->changed |= changed;
    if (known->message != message) named_.push(static_cast<uint32_t>(known - files_.data()));
    known->message = message;
}

// Returns the folder that most absolute paths share, up to the one that holds the parts of a
// project.
std::string_view Extractor::common_folder() const {
    std::string_view best;
    size_t all = 0;
    for (const FileCandidate &file : files_) all += file.absolute;
    for (const FileCandidate &file : files_) {
        if (!file.absolute) continue;
        for (size_t at = 0; (at = file.path.find_first_of("/\\", at)) != file.path.npos; ++at) {
            const std::string_view folder = file.path.substr(0, at + 1);
            size_t count = 0;
            for (const FileCandidate &other : files_)
                count += other.absolute && other.path.starts_with(folder);
            if (count >= 2 && count * 3 >= all * 2 && folder.size() > best.size()) best = folder;
        }
    }
    for (std::string_view part : {"src", "lib", "app", "tests", "test", "docs", "packages"})
        if (is_path_suffix(best.substr(0, best.size() - !best.empty()), part))
            best.remove_suffix(part.size() + 1);
    return best;
}

// Makes absolute paths relative to the project's folder, if that is known.
void Extractor::strip_root() {
    if (root_.empty()) root_ = common_folder();
    for (FileCandidate &file : files_)
        if (file.absolute && file.path.starts_with(root_)) file.path.remove_prefix(root_.size());
}

// Ranks files by mentions, recency and the topics of the task that few files have.
void Extractor::rank_files(uint32_t messages) {
    Buffer<uint64_t> &all = topics_;
    all.clear();
    topic_ends_.clear();
    for (const FileCandidate &file : files_) {
        text::append_topics(file.path, all);
        topic_ends_.push(static_cast<uint32_t>(all.size()));
    }
    static constexpr std::string_view kTestWord = "test tests testing";
    Buffer<uint64_t> &name = name_;
    name.clear();
    text::append_topics(kTestWord, name);
    wants_tests_ = text::count_common(task_topics(), {name.data(), name.size()}) > 0;
    for (size_t i = 0; i < files_.size(); ++i) {
        FileCandidate &file = files_[i];
        file.score = std::min(file.score, kInTaskWeight + kMaxMentions);
        if (file.message != kInTask)
            file.score += static_cast<int>(uint64_t{file.message} * kRecent / messages);
        for (uint32_t at = i ? topic_ends_[i - 1] : 0; at < topic_ends_[i]; ++at) {
            if (!std::binary_search(task_.begin(), task_.end(), all[at])) continue;
            const auto others = std::count(all.begin(), all.end(), all[at]);
            file.score += std::max(kRareTopic - 6 * static_cast<int>(others), kTopic);
        }
        name.clear();
        text::append_topics(stem_of(file.path), name);
        const std::span<const uint64_t> topics(name.data(), name.size());
        if (topics.empty()) continue;
        if (text::count_common(task_topics(), topics) == topics.size()) file.score += kNameOfTask;
        else if (std::all_of(topics.begin(), topics.end(),
                             [&](uint64_t topic) { return user_.has(topic); }))
            file.score += kNameOfUser;
        if (is_outside_project(file.path)) file.score += kOutsideProject;
        if (file.changed) file.score += kChanged;
        if (!wants_tests_ && is_test_path(file.path)) file.score += kTestFile;
    }
    std::sort(files_.begin(), files_.end(), [](const FileCandidate &a, const FileCandidate &b) {
        return a.score != b.score ? a.score > b.score : a.path < b.path;
    });
    strip_root();
}

}  // namespace accp::packet
