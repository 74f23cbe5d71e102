// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp_agents_bench [AGENTS [ROUNDS [DIMENSION...]]]: queries for the top ten of a registry of
// agents through the C face, beside bare products over as many bytes. Both alternate in the same
// run. Times are those of the thread's own clock.
#include <ctime>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "accp/accp.h"
#include "bare_dot.h"

namespace {

struct Free {
    void operator()(accp_capabilities *held) const { accp_capabilities_close(held); }
    void operator()(accp_config *held) const { accp_config_free(held); }
};

void check(accp_status status, const accp_error &err, const char *what) {
    if (status != ACCP_OK) throw std::runtime_error(std::string(what) + ": " + err.message);
}

double now_ms() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

template <class Work>
double time_of(Work work) {
    const double begin = now_ms();
    work();
    return now_ms() - begin;
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

class Bench {
public:
    Bench(size_t agents, size_t dimension) : count_(agents), dimension_(dimension) {
        accp_error err = {};
        accp_config *config = nullptr;
        check(accp_config_new(&config, &err), err, "config");
        const std::unique_ptr<accp_config, Free> held(config);
        check(accp_config_set_limit(config, ACCP_LIMIT_MEMORY_BYTES, uint64_t{8} << 30, &err), err,
              "limit");
        accp_capabilities *made = nullptr;
        check(accp_capabilities_open(nullptr, config, &made, &err), err, "registry");
        registry_.reset(made);
        for (size_t i = 0; i < agents; ++i) {
            const std::string entry =
                R"({"agent_name":"agent-)" + std::to_string(i) + R"(","supported_verbs":["verb)" +
                std::to_string(i % 1000) +
                R"("],"supported_tools":["TOOL"],"inputs":["ctx.history","city"],)"
                R"("outputs":["hotels"],"description":"Finds hotels in cities","embedding":)" +
                vector_text() + "}";
            check(accp_capabilities_register(made, entry.data(), entry.size(), &err), err, "entry");
        }
        rows_.resize(agents * dimension);
        for (float &x : rows_) x = uniform();
        asked_.assign(rows_.begin(), rows_.begin() + static_cast<ptrdiff_t>(dimension));
    }

    double bare() {
        return time_of([&] {
            float best = accp_bench::bare_dot(asked_.data(), rows_.data(), count_, dimension_);
            asm volatile("" : : "x"(best));
        });
    }
    double ask(const std::string &query, size_t least) {
        accp_text out = {};
        accp_error err = {};
        return time_of([&] {
            check(accp_capabilities_query(registry_.get(), query.data(), query.size(),
                                          ACCP_NO_CLOCK, 0, &out, &err),
                  err, "query");
            if (accp_capabilities_found_count(registry_.get()) < least)
                throw std::runtime_error("a query found too few agents");
        });
    }
    std::string vector_text() {
        std::string text = "[";
        for (size_t i = 0; i < dimension_; ++i) {
            char number[16];
            std::snprintf(number, sizeof number, "%s%.5f", i ? "," : "",
                          static_cast<double>(uniform()));
            text += number;
        }
        return text + "]";
    }

private:
    float uniform() { return std::uniform_real_distribution<float>(-1, 1)(random_); }

    size_t count_, dimension_;
    std::minstd_rand random_{7};
    std::unique_ptr<accp_capabilities, Free> registry_;
    std::vector<float> rows_, asked_;
};

void measure(size_t agents, size_t dimension, size_t rounds) {
    Bench bench(agents, dimension);
    std::vector<double> bare, asked, verb, ratios;
    for (size_t i = 0; i < rounds; ++i) {
        const std::string similar =
            R"({"query":{"threshold":-1,"top_k":10,"embedding":)" + bench.vector_text() + "}}";
        bare.push_back(bench.bare());
        asked.push_back(bench.ask(similar, 10));
        ratios.push_back(asked.back() / bare.back());
        verb.push_back(
            bench.ask(R"({"query":{"verb":"verb77","inputs":["history"]}})", agents > 100 ? 1 : 0));
    }
    std::printf("  %7zu  %9zu  %10.3f  %10.3f  %6.2f  %10.3f\n", agents, dimension, median(bare),
                median(asked), median(ratios), median(verb));
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char **argv) {
    const size_t agents = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
    const size_t rounds = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 51;
    try {
        std::printf(
            "Agents: milliseconds a query, the ten most alike, exact; and by verb and input\n"
            "   agents  dimension  bare pass    alike    ratio   by verb\n");
        std::vector<size_t> dimensions = {16, 100, 128, 384, 768};
        if (argc > 3) dimensions.clear();
        for (int i = 3; i < argc; ++i) dimensions.push_back(std::strtoull(argv[i], nullptr, 10));
        for (const size_t dimension : dimensions) measure(agents, dimension, rounds);
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "accp_agents_bench: %s\n", failure.what());
        return 1;
    }
    return 0;
}
