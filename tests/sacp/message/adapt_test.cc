// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Conversion between versions: vectors/adapt.jsonl, and random plans and graphs, which must lose
// nothing.
#include "sacp/message/adapt.h"

#include <random>

#include "sacp/message/messages.h"

namespace {

using namespace accp_plan;

class Adapt : public testing::Test {
protected:
    // Returns an empty text if the message is refused; fixture has the verdict.
    std::string to_v1(const std::string &text) {
        return run(text, [&](value::TreeView tree, Buffer<char> &out) {
            const V1Envelope envelope = {"", "2026-05-09T00:00:00Z", "A", ""};
            return adapter_.to_v1(tree, desk_.library("none"), envelope, &reader_, out,
                                  desk_.verdict);
        });
    }
    std::string to_v01(const std::string &text) {
        return run(text, [&](value::TreeView tree, Buffer<char> &out) {
            return adapter_.to_v01(tree, desk_.library("none"), &reader_, out, desk_.verdict);
        });
    }
    std::string judge(const std::string &text) {
        desk_.validator.check(text, kMaxBytes, desk_.library("none"), false, desk_.verdict);
        return summary_of(desk_.verdict);
    }

    Fixture desk_;

private:
    template <class Work>
    std::string run(const std::string &text, Work work) {
        Buffer<char> out(desk_.memory);
        desk_.verdict.clear();
        EXPECT_TRUE(reader_.read(text.data(), text.size(), {kMaxBytes, 128}, value_).ok()) << text;
        const bool made = work(value_.view(), out);
        EXPECT_EQ(made, !desk_.verdict.failed());
        EXPECT_EQ(made, !out.empty());
        return std::string(out.view());
    }

    value::JsonReader reader_{desk_.memory};
    value::Value value_{desk_.memory};
    Adapter adapter_{desk_.memory};
};

TEST_F(Adapt, Vectors) {
    for (const std::string &each : read_lines(vectors("adapt.jsonl"))) {
        const Case line(each);
        SCOPED_TRACE(line.text("name"));
        const std::string in = line.text("in");
        const bool up = line.text("to") == "1.0.0";
        const std::string out = up ? to_v1(in) : to_v01(in);
        EXPECT_EQ(out, line.text("out"));
        if (line.find("verdict")) {
            EXPECT_EQ(summary_of(desk_.verdict), summary_of(line, line.find("verdict")))
                << desk_.verdict.details();
        } else {
            EXPECT_EQ(judge(out), "VALID");
            EXPECT_FALSE((up ? to_v01(out) : to_v1(out)).empty()) << desk_.verdict.details();
        }
    }
}

// A normal param of 1.0.0 that would be a message to run in 0.1.
TEST_F(Adapt, ParamThatWouldBeAMessage) {
    const std::string down = to_v01(
        R"({"proto_ver":"1.0.0","msg_id":"m","ts":"2026-05-09T00:00:00Z","sender":"A","g":"X",)"
        R"("plan":[{"id":"1","verb":"v","tool":"T","params":{"subtask":{"g":"Y","plan":)"
        R"([["a","B",{}]]}}}],"state":"PENDING"})");
    EXPECT_EQ(down, "");
}

class PlanMaker {
public:
    explicit PlanMaker(uint64_t seed) : random_(seed) {}

    size_t below(size_t end) { return random_() % end; }

    // The inside of a plan or of a list.
    std::string steps(int depth) {
        std::string text;
        bool parallel = false;
        for (size_t left = 1 + below(3); left; --left) {
            text += text.empty() ? "" : ",";
            if (parallel && !below(2)) {
                text += R"(["join","MERGE",{}])";
                parallel = false;
                continue;
            }
            parallel = depth && !below(3);
            text += parallel ? this->parallel(depth - 1, false) : step();
        }
        return text;
    }

private:
    std::string step() {
        return "[\"v" + std::to_string(below(4)) + "\",\"T\",{\"x\":" + std::to_string(below(9)) +
               "}]";
    }
    std::string parallel(int depth, bool in_parallel) {
        std::string text;
        for (size_t left = 1 + in_parallel + below(3); left; --left) {
            text += text.empty() ? "" : ",";
            const size_t kind = below(depth ? 4 : 2);
            text += kind == 0   ? step()
                    : kind == 1 ? "[" + steps(0) + "]"
                    : kind == 2 ? "[" + steps(depth) + "]"
                                : this->parallel(depth - 1, true);
        }
        return "{\"parallel\":[" + text + "]}";
    }

    std::mt19937_64 random_;
};

TEST_F(Adapt, PlansComeBack) {
    PlanMaker maker(7);
    for (int i = 0; i < 3'000; ++i) {
        const std::string head =
            "{\"g\":\"X\",\"plan\":[" + maker.steps(4) + "],\"state\":\"PENDING\",\"msg_id\":\"m\"";
        const std::string up = to_v1(head + "}");
        ASSERT_FALSE(up.empty()) << head << desk_.verdict.details();
        ASSERT_EQ(judge(up), "VALID") << up;
        ASSERT_EQ(to_v01(up),
                  head + R"(,"ext":{"sacp.v1":{"ts":"2026-05-09T00:00:00Z","sender":"A"}}})")
            << up << desk_.verdict.details();
    }
}

// Random ascending dependencies. Most are not possible in 0.1, and a converted one never comes back
// changed.
TEST_F(Adapt, GraphsComeBack) {
    PlanMaker maker(8);
    int taken = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text =
            R"({"proto_ver":"1.0.0","msg_id":"m","ts":"2026-05-09T00:00:00Z","sender":"A",)"
            R"("g":"X","plan":[)";
        const size_t count = 1 + maker.below(6);
        for (size_t k = 0; k < count; ++k) {
            text += std::string(k ? "," : "") + R"({"id":"s)" + std::to_string(k) +
                    R"(","verb":"v","tool":"T","params":{})";
            std::string waits;
            for (size_t other = 0; other < k; ++other)
                if (!maker.below(3))
                    waits += std::string(waits.empty() ? "" : ",") + "\"s" + std::to_string(other) +
                             "\"";
            text += waits.empty() ? "}" : ",\"depends_on\":[" + waits + "]}";
        }
        text += R"(],"state":"PENDING"})";
        const std::string down = to_v01(text);
        if (down.empty()) continue;
        ++taken;
        ASSERT_EQ(judge(down), "VALID") << down;
        ASSERT_EQ(to_v1(down), text);
    }
    EXPECT_GT(taken, 1'000);
}

}  // namespace
