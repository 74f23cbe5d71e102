// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/query/question.h"

#include <algorithm>

namespace accp::packet {

namespace {

constexpr uint32_t bit(accp_packet_kind kind) { return 1u << kind; }
constexpr uint32_t kAnything = (1u << ACCP_PACKET_NOT_INCLUDED) - 1;

// The first rule that matches defines which kinds of items the question is about.
struct QuestionRule {
    std::string_view phrase;  // syntax: has_phrase() in text/words.h
    uint32_t kinds;
    bool values = false;
};
constexpr QuestionRule kQuestionRules[] = {
    {"fail* / tried|attempted / not work|working / didnt|doesnt work / already ~ try|tried|attempt",
     bit(ACCP_PACKET_FAILURE)},
    {"open|unanswered question|questions / question|questions ~ open|unanswered / "
     "unclear|undecided / not ~ decided",
     bit(ACCP_PACKET_QUESTION)},
    {"changed course / pivot* / changed ~ mind", bit(ACCP_PACKET_PIVOT)},
    {"avoid / anti pattern|patterns", bit(ACCP_PACKET_ANTI_PATTERN) | bit(ACCP_PACKET_CONSTRAINT)},
    {"must / constraint* / allowed / may i|we / required|require|requirement* / forbidden / "
     "should not|never / can i|we",
     bit(ACCP_PACKET_CONSTRAINT) | bit(ACCP_PACKET_ANTI_PATTERN)},
    {"decid* / decision* / chosen|chose|choose / agreed / settled / picked / going with / "
     "which|what ~ use|used|using / which|what ~ do|did|should|will we|i|they use|take / "
     "which|what ~ library|provider|vendor|tool|framework",
     bit(ACCP_PACKET_DECISION) | bit(ACCP_PACKET_PIVOT), true},
    {"file|files|path / where", bit(ACCP_PACKET_FILE) | bit(ACCP_PACKET_EXAMPLE)},
    {"pattern* / convention*", bit(ACCP_PACKET_PATTERN)},
    {"goal|aim|purpose", bit(ACCP_PACKET_GOAL)},
    {"done when / success / acceptance|criteria", bit(ACCP_PACKET_CRITERION)},
};
constexpr std::string_view kWhyPhrase = "why / reason*";
constexpr uint32_t kReasoned = bit(ACCP_PACKET_DECISION) | bit(ACCP_PACKET_FAILURE);

constexpr size_t kMaxTerms = 64;  // further words are ignored

// Words that belong to the question and need not be in an item.
constexpr std::string_view kQuestionWords =
    "decid*|decision*|chosen|chose|choose|choice|agreed|settled|picked|going|pick|approach|"
    "approaches|solution|option|way|kind|type|sort|failed|fails|fail|failing|failure*|tried|try|"
    "attempt*|work|works|working|worked|didnt|doesnt|dont|why|reason*|allowed|required|require|"
    "requirement*|constraint*|forbidden|avoid|never|file|files|path|paths|where|pattern*|"
    "convention*|goal|aim|purpose|success|criteria|question|questions|unclear|undecided|open|tell|"
    "know|please|say|said|says|did|am|current|currently|already|anything|something|any|before|"
    "whats|wheres|hows|task|project|code|codebase|happened|instead|not|touch|changed|course|pivot*|"
    "provider|vendor|library|tool|framework|find|located|live|lives|defined|implemented";

}  // namespace

void Question::read(std::string_view text) {
    words_.read(text);
    read_kind();
    terms_.clear();
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
        add_term(text.substr(at, end - at));
        at = end + 1;
    }
}

void Question::read_kind() {
    why_ = has_phrase(words_, kWhyPhrase);
    kinds_ = why_ ? kReasoned : kAnything;
    names_kind_ = why_;
    values_ = false;
    for (const QuestionRule &asking : kQuestionRules) {
        if (!has_phrase(words_, asking.phrase)) continue;
        if (why_ && !(asking.kinds & kReasoned)) continue;
        kinds_ = why_ ? asking.kinds & kReasoned : asking.kinds;
        values_ = asking.values && !why_;
        names_kind_ = true;
        return;
    }
}

// Adds the words between two blanks: one, or several (`JWT-based`, a path).
void Question::add_term(std::string_view text) {
    one_.read(text);
    if (one_.size() == 1 && has_phrase(one_, kQuestionWords)) return;
    hashes_.clear();
    text::append_topics(text, hashes_);
    for (const uint64_t hash : hashes_)
        if (std::find(terms_.begin(), terms_.end(), hash) == terms_.end() &&
            terms_.size() < kMaxTerms)
            terms_.push(hash);
}

}  // namespace accp::packet
