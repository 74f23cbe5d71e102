// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The verdicts on SACP messages, beside parsing the same text with simdjson: the specification's
// first example, repeated, and different messages with the same library.
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "rows.h"
#include "sacp/message/validator.h"

namespace accp_bench {

namespace {

using accp::sacp::Library;
using accp::sacp::Validator;
using accp::sacp::Verdict;

constexpr uint64_t kMaxBytes = 1 << 20;
constexpr std::string_view kExample =
    R"({"msg_id":"abc123","g":"FIND_HOTEL","ctx":{"loc":"Paris","in":"06-01","out":"06-05",)"
    R"("bdg":150,"am":["wifi","bf"]},"plan":[["s","H_API",{"c":"Paris","p_max":150}],)"
    R"(["r","RANK",{"c":["p","rt"]}],["p","PRES",{"n":5}]],"out_fmt":"human","state":"PENDING"})";

// Strict, with the travel library of the tests.
template <bool kWithTree>
struct Judge : Result {
    explicit Judge(const Lines &lines) : lines(lines), parts(std::make_unique<Parts>()) {}
    bool operator()(size_t i) {
        Parts &own = *parts;
        const bool sound =
            kWithTree
                ? own.validator.check(lines[i], kMaxBytes, own.library, true, own.verdict)
                : own.validator.check_fast(lines[i], kMaxBytes, own.library, true, own.verdict);
        return sound && own.verdict.valid();
    }

    struct Parts {
        Parts() {
            std::ifstream file(ACCP_SOURCE_DIR "/tests/sacp/message/vectors/library/travel.json");
            std::stringstream text;
            text << file.rdbuf();
            if (!library.read(text.str(), kMaxBytes, verdict))
                throw std::runtime_error("the travel library was refused");
        }
        accp::Memory memory{accp::private_allocator(), UINT64_MAX};
        Verdict verdict{memory};
        Library library{memory};
        Validator validator{memory};
    };

    const Lines &lines;
    std::unique_ptr<Parts> parts;
};

// Messages for this library with one to five steps, sometimes with full names.
class MessageMaker {
public:
    std::string make() {
        std::string text = below(3) ? R"({"msg_id":"m)" + number(1'000'000) + R"(",)" : "{";
        text += R"("g":"GOAL_)" + number(50) + R"(",)";
        if (below(5)) text += R"("ctx":)" + ctx() + ",";
        text += R"("plan":[)";
        for (size_t left = 1 + below(5); left; --left) text += step() + (left > 1 ? "," : "]");
        if (below(2)) text += R"(,"out_fmt":")" + any({"human", "raw", "summary"}) + '"';
        if (below(2)) text += R"(,"state":")" + any({"PENDING", "IN_PROGRESS"}) + '"';
        return text + "}";
    }

private:
    size_t below(size_t end) { return random_() % end; }
    std::string number(size_t end) { return std::to_string(below(end)); }
    std::string any(std::initializer_list<const char *> words) {
        return words.begin()[below(words.size())];
    }
    std::string word() { return any({"Paris", "Oslo", "wifi", "bf", "06-01", "an inner court"}); }
    std::string ctx() {
        return R"({")" + any({"loc", "location"}) + R"(":")" + word() + R"(","bdg":)" +
               number(1000) + (below(2) ? R"(,"am":[")" + word() + R"("]})" : "}");
    }
    std::string step() {
        switch (below(4)) {
            case 0:
                return R"([")" + any({"s", "search"}) + R"(","H_API",{"c":")" + word() +
                       R"(","p_max":)" + number(900) + "}]";
            case 1:
                return R"([")" + any({"r", "rank"}) + R"(","RANK",{"c":[")" + word() + R"("]}])";
            case 2: return R"(["p","PRES",{"n":)" + number(20) + "}]";
            default:
                return R"(["fetch",")" + any({"HISTO_API", "H_CACHE"}) + R"(",{"location":")" +
                       word() + R"(","source":")" + word() + R"("}])";
        }
    }

    std::mt19937_64 random_{20260509};
};

template <bool kWithTree>
bool all_good(const Lines &lines) {
    Judge<kWithTree> op(lines);
    for (size_t i = 0; i < lines.size(); ++i)
        if (!op(i)) return false;
    return true;
}

}  // namespace

SacpLines make_sacp_lines() {
    SacpLines made;
    for (int i = 0; i < 100; ++i) made.example.add(kExample);
    MessageMaker maker;
    for (int i = 0; i < 2000; ++i) made.various.add(maker.make());
    made.example.pad();
    made.various.pad();
    if (!all_good<true>(made.example) || !all_good<false>(made.example) ||
        !all_good<true>(made.various) || !all_good<false>(made.various))
        throw std::runtime_error("a message to be judged is not valid");
    return made;
}

void add_sacp_rows(const SacpLines &lines) {
    add_row(kJudge, lines.example, [&lines]() { return Judge<false>(lines.example); });
    add_row(kJudgeVarious, lines.various, [&lines]() { return Judge<false>(lines.various); });
    add_row(kJudgeWithTree, lines.various, [&lines]() { return Judge<true>(lines.various); });
}

}  // namespace accp_bench
