// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs a plan under control of the input: the first line is the policy, the second the message, and
// each further line an event, by its first character:
//
//   o JSON       the oldest call returns this
//   f TEXT       the oldest call fails with this error
//   n            no agent has the tool of the oldest call
//   p ROLE TEXT  an agent of this role sends this reply
//   t            time passes until the next deadline
//   c            the run is cancelled
//   r JSON       a record that another run gets after the records of this one
//
// After the last line every call returns 1. The plan must end. Another run that is given the log
// must end in the same way. Both must print JSON.
#include <vector>

#include "fuzz/fuzz_input.h"
#include "sacp/run/run.h"
#include "value/json_writer.h"

using namespace accp_fuzz;
using namespace accp;
using Taken = sacp::Reception;
using sacp::Effect;

namespace {

constexpr size_t kMaxEvents = 20'000;

std::string_view take_line(std::string_view &text) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    return line;
}

struct Player {
    Player(const sacp::Library &library, std::string_view policy, std::string_view message)
        : verdict(memory), run(memory) {
        reads = run.policy().read(policy, UINT32_MAX, verdict) &&
                run.read(message, UINT32_MAX, library, false, verdict);
    }
    std::string trace() {
        Buffer<char> out(memory);
        run.write_trace(out);
        return std::string(out.view());
    }
    std::string final() {
        Buffer<char> out(memory);
        run.write_final(out);
        return std::string(out.view());
    }
    void check_json(const std::string &text) {
        value::JsonReader reader(memory);
        value::Value value(memory);
        REQUIRE(reader.read(text.data(), text.size(), {UINT32_MAX, 512}, value).ok());
    }

    Memory memory{private_allocator(), 512 << 20};
    sacp::Verdict verdict;
    sacp::Run run;
    bool reads = false;
};

class Play {
public:
    Play(Player &player, std::string_view events) : run_(player.run), events_(events) {}

    // Returns false if the run is too long.
    bool play() {
        run_.start("an id", 0);
        for (size_t i = 0; i < kMaxEvents; ++i) {
            if (take_effects()) return true;
            happen(take_line(events_));
        }
        return false;
    }

    std::vector<std::string> log, records;

private:
    bool take_effects() {
        for (;;) {
            const Effect effect = run_.next(now_);
            if (effect.kind == Effect::kNone) return false;
            if (effect.kind == Effect::kEnded) return true;
            if (effect.kind == Effect::kRecord) log.emplace_back(effect.text);
            if (effect.kind == Effect::kStop) std::erase(calls_, effect.call);
            if (effect.kind == Effect::kCall) {
                REQUIRE(!run_.ended() && effect.due > now_);
                calls_.push_back(effect.call);
                REQUIRE(calls_.size() == run_.calls());
            }
        }
    }

    void happen(std::string_view event) {
        const char kind = event.empty() ? 'o' : event[0];
        std::string_view rest = event.size() > 2 ? event.substr(2) : "1";
        if (kind == 'c') return run_.cancel(now_);
        if (kind == 'r') return records.emplace_back(rest), void();
        if (kind == 't' || calls_.empty()) {
            REQUIRE(run_.due() != sacp::kNever);
            return run_.tick(now_ = run_.due());
        }
        const uint64_t call = calls_[0];
        calls_.erase(calls_.begin());
        const Taken answer = tell(kind, call, rest);
        REQUIRE(answer == Taken::kAccepted);
        REQUIRE(run_.complete(call, {}, "1", now_) == Taken::kLate);
    }

    Taken tell(char kind, uint64_t call, std::string_view rest) {
        if (kind == 'f') return run_.fail(call, {}, sacp::Outcome::kToolFailed, rest, now_);
        if (kind == 'n') return run_.fail(call, {}, sacp::Outcome::kNoAgent, rest, now_);
        if (kind != 'p') return run_.complete(call, {}, rest, now_);
        const size_t blank = std::min(rest.find(' '), rest.size());
        return run_.reply(call, {}, rest.substr(0, blank), rest.substr(blank), now_);
    }

    sacp::Run &run_;
    std::string_view events_;
    std::vector<uint64_t> calls_;
    uint64_t now_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Exact text(text_of(data, size));
    std::string_view rest = text.view();
    const std::string policy(take_line(rest)), message(take_line(rest));
    Memory memory(private_allocator(), 64 << 20);
    sacp::Library library(memory);
    sacp::Verdict verdict(memory);
    REQUIRE(library.read({}, UINT32_MAX, verdict));
    Player first(library, policy, message), second(library, policy, message);
    if (!first.reads) return 0;
    Play play(first, rest);
    if (!play.play()) return 0;
    for (const std::string &record : play.log)
        REQUIRE(second.run.replay(record) == Taken::kAccepted);
    REQUIRE(second.run.ended());
    const std::string trace = first.trace(), final = first.final();
    REQUIRE(second.trace() == trace && second.final() == final);
    first.check_json(trace);
    first.check_json(final);
    if (play.log.size() < 2) return 0;
    Player third(library, policy, message);
    for (size_t i = 0; i < play.log.size() / 2; ++i)
        REQUIRE(third.run.replay(play.log[i]) == Taken::kAccepted);
    for (const std::string &record : play.records) (void)third.run.replay(record);
    return 0;
}
