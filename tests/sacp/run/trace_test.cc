// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs the cases of trace.jsonl: the attempts in the order of paths, and the final result. Each
// line is a case; a new one needs no C++.
#include <gtest/gtest.h>

#include "sacp/run/scripted.h"

using namespace accp;
using namespace accp_test;

namespace {

// A case that was run, with its log.
class Case {
public:
    explicit Case(const std::string &line)
        : line_(line), library_(memory_), verdict_(memory_), run_(memory_) {
        const std::string name = text("library");
        library_text_ = read_file(execute_path("library/" + name + ".json"));
        EXPECT_TRUE(library_.read(library_text_, UINT32_MAX, verdict_)) << name;
        verdict_.clear();
        const uint32_t strict = line_.find("strict"), policy = line_.find("policy");
        const bool is_strict = !strict || (line_.tree()[strict].flags & ACCP_NODE_TRUE);
        EXPECT_TRUE(run_.policy().read(policy ? line_.json(policy) : "", UINT32_MAX, verdict_));
        runs_ =
            run_.read(line_.json(line_.find("message")), UINT32_MAX, library_, is_strict, verdict_);
    }

    std::string text(std::string_view member) {
        return std::string(line_.tree().string(line_.find(member)));
    }

    // Starts the run, or resumes from these records, and runs to the end.
    void run(const std::vector<std::string> &records) {
        if (!runs_) return;
        Script script(line_, line_.find("tools"));
        uint64_t now = 1000;
        if (records.empty()) run_.start("an id", now);
        for (const std::string &record : records)
            ASSERT_EQ(run_.replay(record), sacp::Reception::kAccepted) << record;
        log = records;
        for (;;) {
            const sacp::Effect effect = run_.next(now);
            if (effect.kind == sacp::Effect::kEnded) break;
            if (effect.kind == sacp::Effect::kRecord) log.emplace_back(effect.text);
            if (effect.kind == sacp::Effect::kCall) ++calls, script.answer(run_, effect, now);
            if (effect.kind != sacp::Effect::kNone) continue;
            ASSERT_NE(run_.due(), sacp::kNever) << "it waits for nothing";
            run_.tick(now = run_.due());
        }
    }

    void expect() {
        Buffer<char> trace(memory_), final(memory_);
        if (runs_) {
            run_.write_trace(trace);
            run_.write_final(final);
        } else {
            trace.append("[]");
            verdict_.write(final);
        }
        EXPECT_EQ(sorted(trace.view()), line_.sorted(line_.find("trace"))) << text("name");
        const uint32_t wanted = line_.find("final"), step = line_.find("step", wanted);
        if (!line_.find("code", wanted)) {
            EXPECT_EQ(sorted(final.view()), line_.sorted(wanted)) << text("name");
            return;
        }
        EXPECT_EQ(sacp::code_name(verdict_.code()),
                  line_.tree().string(line_.find("code", wanted)));
        if (step) {
            EXPECT_EQ(verdict_.step(), line_.tree().string(step));
        }
    }

    std::vector<std::string> log;
    uint32_t calls = 0;

private:
    Json line_;
    Memory memory_{private_allocator(), UINT64_MAX};
    std::string library_text_;
    sacp::Library library_;
    sacp::Verdict verdict_;
    sacp::Run run_;
    bool runs_ = false;
};

template <class Use>
void each_case(Use use) {
    std::ifstream file(execute_path("trace.jsonl"));
    uint32_t count = 0;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#') ++count, use(line);
    ASSERT_GE(count, 28u);
}

TEST(Trace, EveryCaseOfTheFile) {
    each_case([](const std::string &line) {
        Case made(line);
        made.run({});
        made.expect();
    });
}

// The scripts count calls, so a resumed run is comparable only if no call is repeated: after its
// last record.
TEST(Trace, EveryCaseAgainFromItsWholeLog) {
    each_case([](const std::string &line) {
        Case first(line);
        first.run({});
        if (first.log.empty()) return;
        Case again(line);
        again.run(first.log);
        again.expect();
        EXPECT_EQ(again.calls, 0u);
    });
}

}  // namespace
