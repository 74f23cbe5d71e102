// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A session of the library and a peer that implements only the specification exchange messages over
// a channel that loses, repeats, cuts and reorders frames. Each line of cases.jsonl is a case,
// which its seed determines completely. docs/interop.md describes the options.
#include <fstream>

#include "interop/library_end.h"
#include "interop/messages.h"
#include "reference/ref_codec.h"

namespace accp_interop {
namespace {

using namespace accp_ref;

constexpr int64_t kStart = 1'714'000'000;  // seconds
constexpr size_t kMaxSteps = 50'000;

std::vector<Json> lines_of(const std::string &name) {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/system/interop/" + name);
    std::vector<Json> lines;
    for (std::string line; std::getline(file, line);) {
        const auto json = parse_json(line);
        EXPECT_TRUE(json.has_value()) << name << ": " << line;
        if (json) lines.push_back(*json);
    }
    EXPECT_FALSE(lines.empty()) << name;
    return lines;
}

size_t number(const Json &line, const char *name) {
    const Json *found = line.find(name);
    EXPECT_TRUE(found) << name;
    return found ? std::stoull(found->text) : 0;
}

// Frames on their way to one end. A rate n means one frame in n; 0: never.
class Channel {
public:
    Channel(const Json &rates, Random &random)
        : random_(random),
          lose_(number(rates, "lose")),
          repeat_(number(rates, "repeat")),
          disorder_(number(rates, "disorder")),
          cut_(number(rates, "cut")) {}

    void carry(const std::string &frame) {
        if (hits(lose_) || frames_.size() >= kMaxOnTheWay) return;
        for (size_t copies = hits(repeat_) ? 2 : 1; copies; --copies) frames_.push_back(frame);
        if (hits(cut_)) frames_.push_back(frame.substr(0, random_.below(frame.size())));
    }
    bool empty() const { return frames_.empty(); }
    std::string take() {
        const size_t at = hits(disorder_) ? random_.below(frames_.size()) : 0;
        std::string frame = frames_[at];
        frames_.erase(frames_.begin() + static_cast<long>(at));
        return frame;
    }

private:
    static constexpr size_t kMaxOnTheWay = 64;

    bool hits(size_t one_in) { return one_in && random_.one_in(one_in); }

    Random &random_;
    const size_t lose_, repeat_, disorder_, cut_;
    std::vector<std::string> frames_;
};

class World {
public:
    explicit World(const Json &rules)
        : rules_(rules),
          random_(number(rules, "seed")),
          examples_(rules.find("spelling")->text == "examples"),
          library_({"harness", "outsider", examples_}),
          bare_({"outsider", number(rules, "window"),
                 examples_ ? Spelling::kExamples : Spelling::kGrammar},
                number(rules, "seed") + 1),
          to_library_(rules, random_),
          to_bare_(rules, random_) {}

    // Runs until both ends have sent their half, or for kMaxSteps steps.
    void run() {
        const size_t each = number(rules_, "messages") / 2;
        for (size_t i = 0; i < kMaxSteps && (said(library_) < each || said(bare_) < each); ++i) {
            if (random_.one_in(2)) {
                if (said(library_) < each) talk(library_, "harness", false, "library");
            } else if (said(bare_) < each) {
                talk(bare_, "outsider", !examples_, "bare");
            }
            move(1 + random_.below(4));
            now_ += random_.one_in(4);
            if (random_.one_in(30)) tick();
        }
        ASSERT_TRUE(said(library_) == each && said(bare_) == each) << "too little was said";
        settle();
    }

    void check() {
        std::set<std::string> cancelled = library_.cancelled();
        cancelled.insert(bare_.cancelled().begin(), bare_.cancelled().end());
        expect_equal(sums_of(library_.said(), cancelled), sums_of(bare_.heard(), cancelled));
        expect_equal(sums_of(bare_.said(), cancelled), sums_of(library_.heard(), cancelled));
        EXPECT_EQ(library_.state(), bare_.state());
        int64_t version = 0;
        accp_session_state(library_.session(), &version);
        EXPECT_EQ(version == 0, rules_.find("state")->text == "none");
    }
    // Each fault of the channel must have occurred, otherwise the case tests nothing.
    void check_refusals() {
        for (const char *code : {"E3002", "E3003", "E1001", "dropped"}) {
            EXPECT_GT(library_.refusals().count(code), 0u) << code;
            EXPECT_GT(bare_.refusals().count(code), 0u) << code;
        }
    }

private:
    template <class End>
    void talk(End &end, const std::string &agent, bool only_bare, const char *name) {
        if (end.outbox().unconfirmed() >= number(rules_, "ahead")) return;
        if (rules_.find("state")->text == name && random_.one_in(6)) {
            const Json delta = random_delta(random_);
            if (!delta.members.empty()) {
                EXPECT_TRUE(end.change_state(delta, now_));
            }
            return;
        }
        const std::string cid = random_.one_in(2) ? "c" + std::to_string(random_.below(60)) : "";
        if (!cid.empty() && random_.one_in(20)) {
            EXPECT_TRUE(end.cancel(cid, now_));
            return;
        }
        const int64_t ttl = random_.one_in(8) ? 1 + static_cast<int64_t>(random_.below(4)) : 0;
        const Json message = random_bare_message(agent, only_bare, random_);
        const bool ended = end.cancelled().count(cid) > 0;
        EXPECT_EQ(end.say(message, cid, ttl, now_), !ended) << write_json(message);
    }

    void tick() {
        library_.outbox().send_again();
        bare_.outbox().send_again();
    }

    void move(size_t frames) {
        for (const std::string &frame : library_.outbox().take()) to_bare_.carry(frame);
        for (const std::string &frame : bare_.outbox().take()) to_library_.carry(frame);
        for (; frames; --frames) {
            if (!to_bare_.empty()) bare_.hear(to_bare_.take(), now_);
            if (!to_library_.empty()) library_.hear(to_library_.take(), now_);
        }
    }

    // Each end sends a last message, and the exchange continues until both have received it.
    void settle() {
        const Json last = Json::object({{"amount", Json::number("1")}});
        for (const char *agent : {"harness", "outsider"}) {
            const Json message = Json::object({{"agent", Json::string(agent)},
                                               {"intent", Json::string("end")},
                                               {"operation", Json::string("last")},
                                               {"payload", last}});
            ASSERT_TRUE(agent[0] == 'h' ? library_.say(message, "", 0, now_)
                                        : bare_.say(message, "", 0, now_));
        }
        for (int round = 0; round < 2000 && !is_over(); ++round, ++now_) {
            if (round % 4 == 0) tick();
            move(50);
        }
        ASSERT_TRUE(is_over()) << "the last message has not come";
    }
    template <class End>
    static size_t said(const End &end) {
        return end.said().size();
    }
    static bool has_last(const std::vector<Talk> &heard) {
        return !heard.empty() && heard.back().message.find("operation")->text == "last";
    }
    bool is_over() const { return has_last(library_.heard()) && has_last(bare_.heard()); }

    static void expect_equal(const Sums &said, const Sums &heard) {
        for (size_t i = 0; i < said.texts.size() && i < heard.texts.size(); ++i)
            ASSERT_EQ(said.texts[i], heard.texts[i]) << "message " << i;
        EXPECT_EQ(said.count, heard.count);
        EXPECT_EQ(said.amount, heard.amount);
        EXPECT_EQ(said.order, heard.order);
        EXPECT_GT(said.count, 50u);
    }

    const Json rules_;
    Random random_;
    const bool examples_;
    LibraryEnd library_;
    BarePeer bare_;
    Channel to_library_, to_bare_;
    int64_t now_ = kStart;
};

TEST(Interop, SumsAreEqualOverABadChannel) {
    for (const Json &rules : lines_of("cases.jsonl")) {
        SCOPED_TRACE(write_json(rules));
        World world(rules);
        world.run();
        world.check();
        if (number(rules, "lose")) world.check_refusals();
        if (HasFatalFailure()) return;
    }
}

// The library refuses a message without a spelling with E1004 or E2003, and nothing changes.
TEST(Interop, WhatHasNoSpellingIsRefused) {
    for (const Json &line : lines_of("unspellable.jsonl")) {
        SCOPED_TRACE(write_json(line));
        LibraryEnd library({"harness", "outsider", false});
        BarePeer bare({"outsider"}, 1);
        const Json message = Json::object({{"agent", Json::string("harness")},
                                           {"intent", Json::string("req")},
                                           {"operation", Json::string("plan")},
                                           {"payload", *line.find("payload")}});
        EXPECT_FALSE(library.say(message, "", 0, kStart));
        EXPECT_EQ(accp_status_code_name(library.refusal()), line.find("library")->text);
        EXPECT_EQ(accp_session_record_count(library.session()), 0u);
        EXPECT_EQ(bare.say(message, "", 0, kStart), line.find("bare")->kind == JsonKind::kTrue);
    }
}

}  // namespace
}  // namespace accp_interop
