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

// Returns whether the new mention is better: in the directory of the session, then relative before
// absolute, then with folders, with straight slashes, or longer.
bool is_better(const PathMention &named, const FileCandidate &known) {
    if (known.base == PathBase::kProject || named.base == PathBase::kProject)
        return known.base != PathBase::kProject;
    const bool has_folder = named.path.find_first_of("/\\") != named.path.npos;
    if (is_absolute(named.base) != is_absolute(known.base))
        return is_absolute(named.base) ? !known.has_folder() : has_folder;
    const bool bent = named.path.find('\\') != named.path.npos;
    if (known.has_folder() && bent != (known.path.find('\\') != known.path.npos)) return !bent;
    return named.path.size() > known.path.size();
}

// Returns whether a path with this base may be the end of another one of the same file. Not if both
// are complete, but pages of a project have paths such as /src/main.ts too.
bool may_be_end(PathBase base, PathBase of_other) {
    const auto is_complete = [](PathBase one) {
        return one == PathBase::kRoot || one == PathBase::kProject;
    };
    return !is_complete(base) || !is_complete(of_other) ||
           (base == PathBase::kRoot && of_other == PathBase::kProject);
}

// Returns at most max_bytes before the path: a line may be a megabyte long.
std::string_view text_before(std::string_view text, std::string_view path, size_t max_bytes) {
    const auto at = static_cast<size_t>(path.data() - text.data());
    return text.substr(at - std::min(at, max_bytes), std::min(at, max_bytes));
}

// Returns whether the words before the path report that the file was written.
bool is_changed(std::string_view text, std::string_view path) {
    constexpr std::string_view kVerbs[] = {"pdat", "dit",  "rit",  "reat",
                                           "odif", "hang", "atch", "mplement"};
    constexpr size_t kVerbDistance = 80;
    std::string_view before = text_before(text, path, kVerbDistance);
    before.remove_prefix(before.rfind('\n') + 1);
    for (std::string_view verb : kVerbs)
        if (before.find(verb) != before.npos) return true;
    return false;
}

// Returns whether the path is an argument of a command that removes files.
bool is_removed(std::string_view text, std::string_view path) {
    constexpr size_t kMaxCommand = 200;
    std::string_view before = text_before(text, path, kMaxCommand);
    const size_t end = before.find_last_of(";&|\n");
    before.remove_prefix(end == before.npos ? 0 : end + 1);
    before.remove_prefix(std::min(before.find_first_not_of(' '), before.size()));
    return before.starts_with("rm ") || before.starts_with("git rm ");
}

}  // namespace

// Adds each path once per message. A name that is the end of a known path counts for that path.
void Extractor::add_paths(std::string_view text, uint32_t message, int weight, bool is_written) {
    named_.clear();
    for (size_t at = 0; at < text.size();) {
        if (!is_path_char(text[at])) {
            ++at;
            continue;
        }
        const PathMention named = read_path(text, at, directory_);
        at = named.end;
        if (named.path.empty()) continue;
        add_path(named, message, is_written || is_changed(text, named.path),
                 is_removed(text, named.path));
    }
    // the files of a long listing count less
    const int each = std::max<int>(
        1, weight * kFewFiles / std::max<int>(kFewFiles, static_cast<int>(named_.size())));
    for (const uint32_t number : named_) files_[number].score += each;
}

bool Extractor::is_same_file(const PathMention &named, const FileCandidate &known) const {
    if (is_same_path(known.path, named.path)) return true;
    const bool knows = !directory_.empty();
    return (is_path_suffix(known.path, named.path) &&
            (!knows || may_be_end(named.base, known.base))) ||
           (is_path_suffix(named.path, known.path) &&
            (!knows || may_be_end(known.base, named.base)));
}

void Extractor::add_path(const PathMention &named, uint32_t message, bool changed, bool removed) {
    FileCandidate *known = nullptr;
    const uint64_t name_hash = text::hash_word(file_name_of(named.path));
    for (FileCandidate &file : files_)
        if (file.name_hash == name_hash && is_same_file(named, file)) known = &file;
    if (!known) {
        if (files_.size() == kMaxFiles) return;
        files_.push({named.path, 0, message, message == kInTask, changed, removed, name_hash,
                     named.base, named.whole});
        named_.push(static_cast<uint32_t>(files_.size() - 1));
        return;
    }
    if (is_absolute(named.base) && !is_absolute(known->base) && known->has_folder() &&
        directory_.empty())
        root_ = named.path.substr(0, named.path.size() - known->path.size());
    if (is_better(named, *known))
        known->path = named.path, known->base = named.base, known->whole = named.whole;
    known->changed |= changed;
    if (removed || changed) known->removed = removed;
    if (known->message != message) named_.push(static_cast<uint32_t>(known - files_.data()));
    known->message = message;
}

// Returns the folder that most absolute paths share, up to the one that holds the parts of a
// project.
std::string_view Extractor::common_folder() const {
    std::string_view best;
    size_t all = 0;
    for (const FileCandidate &file : files_) all += is_absolute(file.base);
    for (const FileCandidate &file : files_) {
        if (!is_absolute(file.base)) continue;
        for (size_t at = 0; (at = file.path.find_first_of("/\\", at)) != file.path.npos; ++at) {
            const std::string_view folder = file.path.substr(0, at + 1);
            size_t count = 0;
            for (const FileCandidate &other : files_)
                count += is_absolute(other.base) && other.path.starts_with(folder);
            if (count >= 2 && count * 3 >= all * 2 && folder.size() > best.size()) best = folder;
        }
    }
    for (std::string_view part : {"src", "lib", "app", "tests", "test", "docs", "packages"})
        if (is_path_suffix(best.substr(0, best.size() - !best.empty()), part))
            best.remove_suffix(part.size() + 1);
    return best;
}

// Makes absolute paths relative to the project's folder, or else writes them as they were given.
void Extractor::finish_paths() {
    if (root_.empty() && directory_.empty()) root_ = common_folder();
    for (FileCandidate &file : files_) {
        if (!is_absolute(file.base)) continue;
        if (!root_.empty() && file.path.starts_with(root_)) file.path.remove_prefix(root_.size());
        else file.path = file.whole;
    }
}

// Ranks files by mentions, recency and the topics of the task that few files have.
void Extractor::rank_files(uint32_t messages) {
    Buffer<uint64_t> &all = topics_;
    all.clear();
    topic_ends_.clear();
    project_.clear();
    text::append_topics(file_name_of(directory_), project_);
    for (const FileCandidate &file : files_) {
        const size_t begin = all.size();
        text::append_topics(file.path, all);
        // A task that names the project means files that are surely in it.
        const size_t end = file.base == PathBase::kProject ? all.size() : 0;
        for (size_t i = 0; end && i < project_.size(); ++i)
            if (std::find(all.begin() + begin, all.begin() + end, project_[i]) == all.begin() + end)
                all.push(project_[i]);
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
        if (file.removed && !file.in_task) file.score = -1000;
        if (!wants_tests_ && !file.changed && is_test_path(file.path)) file.score += kTestFile;
    }
    std::sort(files_.begin(), files_.end(), [](const FileCandidate &a, const FileCandidate &b) {
        return a.score != b.score ? a.score > b.score : a.path < b.path;
    });
    finish_paths();
}

}  // namespace accp::packet
