// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compares durable appends by many threads with one thread that appends to as many sessions and
// syncs once. Each of the many threads has a session of its own, and waits for the device after
// each append. Both variants use the C face and a SQLite file, and alternate in the same run.
//
//   accp_sync_bench [DIRECTORY [THREADS [APPENDS [ROUNDS]]]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "accp/accp.h"

namespace {

constexpr const char *kMessage =
    R"({"agent":"planner","intent":"done","operation":"step","payload":{"out":"a result of some words"}})";
constexpr int64_t kNow = 1'714'000'000'000;

void need(accp_status status, const accp_error &error) {
    if (status == ACCP_OK) return;
    std::fprintf(stderr, "%s\n", error.message ? error.message : accp_status_meaning(status));
    std::exit(1);
}

// The sessions of one variant, in a SQLite file of their own.
class Sessions {
public:
    Sessions(const std::string &file, size_t count, bool durable) {
        const std::string name = "sqlite:" + file;
        accp_error error = {};
        need(accp_store_open(name.data(), name.size(), 0, nullptr, &store_, &error), error);
        accp_config *config = nullptr;
        need(accp_config_new(&config, &error), error);
        need(accp_config_set_store(config, store_, &error), error);
        need(accp_config_set_rule(config, ACCP_RULE_DURABLE, durable, &error), error);
        need(accp_engine_new(config, &engine_, &error), error);
        accp_config_free(config);
        all.resize(count);
        for (size_t i = 0; i < count; ++i) {
            const std::string id = "session " + std::to_string(i);
            need(accp_session_open(engine_, id.data(), id.size(), 0, &all[i], &error), error);
        }
    }
    ~Sessions() {
        for (accp_session *session : all) accp_session_close(session);
        accp_engine_free(engine_);
        accp_store_close(store_, nullptr);
    }
    Sessions(const Sessions &) = delete;

    void append(size_t session) {
        accp_error error = {};
        need(accp_session_append(all[session], kMessage, std::char_traits<char>::length(kMessage),
                                 kNow, &error),
             error);
    }
    void sync() {
        accp_error error = {};
        need(accp_store_sync(store_, &error), error);
    }

    std::vector<accp_session *> all;

private:
    accp_store *store_ = nullptr;
    accp_engine *engine_ = nullptr;
};

template <class Work>
double seconds(Work work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double by_threads(Sessions &sessions, int appends) {
    return seconds([&] {
        std::vector<std::thread> threads;
        for (size_t t = 0; t < sessions.all.size(); ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < appends; ++i) sessions.append(t);
            });
        for (std::thread &thread : threads) thread.join();
    });
}

double by_one(Sessions &sessions, int appends) {
    return seconds([&] {
        for (int i = 0; i < appends; ++i) {
            for (size_t s = 0; s < sessions.all.size(); ++s) sessions.append(s);
            sessions.sync();
        }
    });
}

}  // namespace

int main(int count, char **arguments) {
    const std::string parent =
        count > 1 ? arguments[1] : std::filesystem::temp_directory_path().string();
    const auto number = [&](int at, int otherwise) {
        return count > at ? std::max(1, std::atoi(arguments[at])) : otherwise;
    };
    const int threads = number(2, 64), appends = number(3, 40), rounds = number(4, 7);
    std::string directory = parent + "/accp-sync-bench-XXXXXX";
    if (!mkdtemp(directory.data())) return 1;
    std::vector<double> ratios;
    const double all = static_cast<double>(threads) * appends;
    std::printf("durable appends a second    %d threads     one thread, one sync    ratio\n",
                threads);
    {
        Sessions many(directory + "/many", static_cast<size_t>(threads), true);
        Sessions one(directory + "/one", static_cast<size_t>(threads), false);
        for (int round = 0; round < rounds; ++round) {
            const double a = by_threads(many, appends), b = by_one(one, appends);
            ratios.push_back(a / b);
            std::printf("round %2d                    %10.0f    %20.0f    %5.2f\n", round + 1,
                        all / a, all / b, a / b);
            std::fflush(stdout);
        }
    }
    std::sort(ratios.begin(), ratios.end());
    const double median = ratios[ratios.size() / 2];
    std::printf("time of the threads over that of the one: %.2f (goal 1.50: %s)\n", median,
                median <= 1.5 ? "met" : "NOT met");
    std::filesystem::remove_all(directory);
}
