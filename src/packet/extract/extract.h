// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Extracts from a conversation what a worker needs: constraints, decisions, failures and questions,
// best first, and the files it is about. The rules are fixed, so the result is deterministic.
#pragma once

#include <array>

#include "base/arena.h"
#include "packet/extract/dialog.h"
#include "packet/extract/language_fit.h"
#include "packet/extract/objections.h"
#include "packet/extract/sentence.h"
#include "packet/file/paths.h"
#include "text/phrases.h"
#include "text/units.h"
#include "text/words.h"

namespace accp::packet {

struct FileCandidate {
    std::string_view path;  // in the end as the packet has it
    int score;
    uint32_t message;  // last message that names it
    bool in_task;
    bool changed;            // a message reports that it was changed, or a call does it
    bool removed = false;    // a later command removes it
    uint64_t name_hash = 0;  // of the name without folders
    PathBase base = PathBase::kUnknown;
    std::string_view whole = {};    // see PathMention
    bool in_code = false;           // matched to a file of the code, see code/rank.h
    std::string_view summary = {};  // from the code index
    uint64_t text_hash = 0;

    bool has_folder() const { return path.find_first_of("/\\") != path.npos; }
};

// A set of topics of fixed size. has() may return true for a topic that was never added.
class TopicSetFilter {
public:
    void clear() { bits_.fill(0); }
    void add(uint64_t topic) { bits_[topic >> kShift & kMask] |= uint64_t{1} << (topic & 63); }
    bool has(uint64_t topic) const {
        return (bits_[topic >> kShift & kMask] >> (topic & 63) & 1) != 0;
    }

private:
    static constexpr unsigned kShift = 6, kWords = 1024, kMask = kWords - 1;
    std::array<uint64_t, kWords> bits_ = {};
};

class Extractor {
public:
    explicit Extractor(Memory &memory)
        : units_(memory),
          topics_(memory),
          task_(memory),
          name_(memory),
          project_(memory),
          words_(memory),
          phrases_{text::Phrases(memory), text::Phrases(memory), text::Phrases(memory),
                   text::Phrases(memory)},
          findings_(memory),
          retractions_(memory),
          files_(memory),
          named_(memory),
          topic_ends_(memory),
          language_fit_(memory),
          objections_(memory) {}

    // Replaces the findings and files. `host_findings` are those of a host's extractor, sentences
    // of the same conversation. `directory`: of the session, absolute; files in it get paths
    // relative to it. Empty: unknown, so it is guessed from paths. All views are valid as long as
    // the conversation, until the next call. Cost: linear in the conversation, times the number of
    // phrases of its language.
    void extract(std::string_view task, std::span<const Utterance> conversation,
                 std::span<const Finding> host_findings = {}, std::string_view directory = {});
    std::span<const Finding> findings() const { return {findings_.data(), findings_.size()}; }
    std::span<const FileCandidate> files() const { return {files_.data(), files_.size()}; }
    std::span<const uint64_t> task_topics() const { return {task_.data(), task_.size()}; }
    // Returns whether the conversation is in a language that the rules know.
    bool knows_language() const { return language_fit_.fits(); }
    bool wants_tests() const { return wants_tests_; }  // the task names tests

private:
    // The message that is being read.
    struct MessageContext {
        const Utterance *utterance;
        const Language *language;
        int age_percent;        // position in the conversation; 100: the last
        bool is_first_request;  // part of the first message of a user
    };
    void read(const MessageContext &context);
    void add_structured(const Utterance &utterance, uint32_t place, int age_percent);
    void add_number(std::string_view text);
    void classify_clauses(text::Unit unit, const MessageContext &context);
    void classify(const text::Unit &unit, const MessageContext &context);
    CueScores score_sentence(const text::Unit &unit, std::string_view sentence,
                             const MessageContext &context);
    Finding best_finding(const Finding &base, const CueScores &scores, const text::Unit &unit,
                         const MessageContext &context);
    bool is_no_item(std::string_view sentence);
    bool attach_reason(const Finding &sentence);
    void take_host_findings(std::span<const Finding> items);
    void apply_retractions();
    void drop_superseded();
    void drop_contradicted();
    void drop_retracted();
    CueScores score_cues(const Language &language, Speaker speaker);
    void begin_section(const text::Unit &unit, const MessageContext &context);
    static int kind_of_list(const CueScores &scores);
    void apply_list_kind(const text::Unit &unit, CueScores &scores);
    text::Phrases &phrases_of(const Language &language);
    bool mentions_user_topic() const;
    int task_bonus(std::string_view sentence);
    void lower_earlier_subjects();
    void keep_best();
    // Marks a file that the task itself names.
    static constexpr uint32_t kInTask = UINT32_MAX;
    static constexpr int kInTaskWeight = 300;
    void add_paths(std::string_view text, uint32_t message, int weight, bool is_written = false);
    void rank_files(uint32_t messages);
    bool is_same_file(const PathMention &named, const FileCandidate &known) const;
    void add_path(const PathMention &named, uint32_t message, bool changed, bool removed);
    std::string_view common_folder() const;
    void finish_paths();

    Buffer<text::Unit> units_;
    Buffer<uint64_t> topics_, task_, name_, project_;  // project_: of the directory's name
    TopicSetFilter user_;                              // topics of the users' messages
    text::Words words_;
    text::Phrases phrases_[kLanguages];
    Buffer<Finding> findings_, retractions_;
    Buffer<FileCandidate> files_;
    Buffer<uint32_t> named_;       // files that the current message names
    Buffer<uint32_t> topic_ends_;  // end of each text's topics in topics_
    bool wants_tests_ = false;
    std::string_view directory_;  // of the session; empty: unknown
    std::string_view root_;       // folder of the project, from absolute paths
    int list_kind_ = -1;          // kind of the current list; -1: none
    int section_kind_ = -1;       // kind of the lists after a heading; -1: none
    size_t section_level_ = 0;
    int last_decision_ = -1;  // index into findings_ of the sentence before, if it is a decision
    Dialog dialog_;
    LanguageFit language_fit_;
    Objections objections_;
    uint32_t last_beginning_ = 0;   // the message with which the last subject begins
    const Language *languages_[2];  // last language of the assistant [0] and of the user [1]
};

}  // namespace accp::packet
