// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What users say against something: the last word of a user on a subject wins.
//
// A clause of a user has an object if it has a cue for one: the words after `drop` or `not`, the
// words before `is out` or `should be`, all words of a retraction. The clause is against an earlier
// text if at least half of the object's words are in the text. Other numbers for the same thing
// count too.
#pragma once

#include <span>

#include "packet/extract/sentence.h"
#include "text/units.h"

namespace accp::packet {

class Objections {
public:
    struct Sentence {
        uint32_t message, begin, end;
        std::string_view text;
    };

    explicit Objections(Memory &memory)
        : units_(memory),
          words_(memory),
          own_(memory),
          terms_(memory),
          sentences_(memory),
          objects_(memory),
          pieces_(memory),
          keys_(memory) {}

    // Reads the sentences of users. The conversation must outlive this object's use. Cost: linear.
    void read(std::span<const Utterance> conversation);
    // The same in steps: start(), add() each utterance of a user with its language, finish().
    // Without retractions, for a caller that finds them itself.
    void start() { start(false); }
    void add(const Utterance &utterance, const Language &language);
    void finish();
    // Returns the last sentence that is against a text, of those after `message`, in which the text
    // was said; NULL if none is. Cost: bounded for each word of the text.
    enum class Evidence {
        kAny,    // to ask a person
        kPlain,  // to act on: most of the object, a third of the text, and not only other numbers
    };
    const Sentence *find(std::string_view text, uint32_t message, Evidence evidence);

private:
    enum class Kind : uint8_t {
        kAgainst,    // the object is denied, removed or replaced
        kOtherwise,  // the object should be the value that follows
        kPermits,    // the object is allowed
        kFails,      // the object does not work; no reason to act
        kNumbers,    // a sentence with numbers
    };
    struct Object {
        uint32_t sentence;
        Kind kind;
        uint32_t begin, end;  // its words in pieces_
        uint32_t value_end;   // kOtherwise: the words of the value follow
        bool changes;         // kNumbers: it also has a word like `instead`
    };
    struct Key {
        uint64_t key;
        uint32_t object;
        bool operator<(const Key &other) const {
            return key != other.key ? key < other.key : object < other.object;
        }
    };
    void start(bool with_retractions);
    void read_sentence(const Sentence &sentence, const Language &language);
    void read_retraction(std::string_view sentence, const Language &language);
    void read_clause(std::string_view clause, std::string_view before, const Language &language);
    void read_english(std::string_view clause, std::string_view before);
    void read_object(std::string_view rest);
    void read_negation(std::string_view subject, std::string_view rest, std::string_view before);
    bool add_object(Kind kind, std::string_view object, std::string_view value = {});
    // A word, and a hash of its beginning that all its forms have.
    struct Word {
        std::string_view text;
        uint64_t key;
    };
    void append_words(std::string_view text, Buffer<Word> &out);
    size_t count_shared(uint32_t begin, uint32_t end) const;
    static bool may_count(const Object &object, bool is_plain, bool text_denies);
    bool is_against(const Object &object, std::string_view text, bool text_denies,
                    Evidence evidence) const;
    bool denies(std::string_view text);

    bool with_retractions_ = false;
    Buffer<text::Unit> units_;
    text::Words words_;
    Buffer<Word> own_;  // the words of a text that have a meaning
    Buffer<uint64_t> terms_;
    Buffer<Sentence> sentences_;
    Buffer<Object> objects_;
    Buffer<Word> pieces_;  // words of objects
    Buffer<Key> keys_;     // the beginnings of these words, sorted
};

}  // namespace accp::packet
