// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How many results of tools one core processes per second: a plan whose steps pass on the result of
// the previous one, a plan of branches, and a long plan that continues from its log. The best of
// several rounds. An event is a result with everything that follows from it: its record, the params
// of the next step, and the next call.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "sacp/run/run.h"

using namespace accp;

namespace {

// This thread's own time, because others may use the core too.
double now() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::string chain(int steps) {
    std::string plan = R"({"g":"G","plan":[["do","T",{"n":1}])";
    for (int i = 1; i < steps; ++i)
        plan += R"(,["do","T",{"n":1,"last":"$step.)" + std::to_string(i) + "\"}]";
    return plan + "]}";
}

std::string branches(int steps) {
    std::string plan = R"({"g":"G","plan":[{"parallel":[["do","T",{"n":1}])";
    for (int i = 1; i < steps; ++i) plan += R"(,["do","T",{"n":1}])";
    return plan + "]}]}";
}

struct Round {
    Round() : library(memory), verdict(memory), run(memory) {}
    void read(const std::string &message) {
        if (!library.read({}, UINT32_MAX, verdict) ||
            !run.read(message, UINT32_MAX, library, false, verdict))
            std::abort();
    }
    Memory memory{private_allocator(), UINT64_MAX};
    sacp::Library library;
    sacp::Verdict verdict;
    sacp::Run run;
};

// Returns the seconds for all events. Its records are appended to `log` unless that is NULL.
double answer_all(Round &round, std::vector<std::string> *log) {
    const double begin = now();
    round.run.start("an id", 0);
    for (uint64_t at = 0;; ++at) {
        const sacp::Effect effect = round.run.next(at);
        if (effect.kind == sacp::Effect::kEnded) return now() - begin;
        if (effect.kind == sacp::Effect::kRecord && log) log->emplace_back(effect.text);
        if (effect.kind == sacp::Effect::kCall)
            round.run.complete(effect.call, {}, R"({"id":17,"name":"a name"})", at);
    }
}

double replay_all(Round &round, const std::vector<std::string> &log) {
    const double begin = now();
    for (const std::string &record : log)
        if (round.run.replay(record) != sacp::Reception::kAccepted) std::abort();
    if (!round.run.ended()) std::abort();
    return now() - begin;
}

}  // namespace

int main(int argc, char **argv) {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 100'000, rounds = 5;
    double in_order = 1e9, parallel = 1e9, again = 1e9;
    uint64_t bytes = 0;
    for (int i = 0; i < rounds; ++i) {
        Round first, second, third;
        std::vector<std::string> log;
        first.read(chain(steps));
        in_order = std::min(in_order, answer_all(first, nullptr));
        bytes = first.memory.used();
        second.read(branches(steps));
        parallel = std::min(parallel, answer_all(second, &log));
        third.read(branches(steps));
        again = std::min(again, replay_all(third, log));
    }
    std::printf("in order   %8.0f ns an event, %5.2f million a second\n", in_order / steps * 1e9,
                steps / in_order / 1e6);
    std::printf("branches   %8.0f ns an event, %5.2f million a second\n", parallel / steps * 1e9,
                steps / parallel / 1e6);
    std::printf("from a log %8.0f ns a record, %5.2f million a second\n", again / steps * 1e9,
                steps / again / 1e6);
    std::printf("memory     %8.0f bytes a step\n", static_cast<double>(bytes) / steps);
    return 0;
}
