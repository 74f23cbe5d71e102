// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp run whose tools are an agent's: death of either in the middle of a plan.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

#include "place.h"
#include "run_accp.h"

namespace {

// The agent that wrote its number there, if it still is one.
void kill_agent(const std::string &pid_file) {
    const int pid = std::atoi(text_of(pid_file).c_str());
    if (pid <= 1) return;
    const std::string words = text_of("/proc/" + std::to_string(pid) + "/cmdline");
    if (words.find(std::string("sacp\0agent", 10)) != words.npos) kill(pid, SIGKILL);
}

enum class Death { kNone, kRun, kAgent, kBoth };

// Its exit status; -1: it was killed. Afterwards all that it started has ended too: they hold the
// writing end of a pipe.
int run_and_kill(const Args &args, const std::string &pid_file, useconds_t after, Death death) {
    unlink(pid_file.c_str());
    int alive[2];
    if (pipe(alive) != 0) return 126;
    const pid_t child = fork();
    if (child == 0) {
        close(alive[0]);
        std::vector<char *> argv(1, const_cast<char *>(ACCP_CLI_PATH));
        for (const std::string &arg : args) argv.push_back(const_cast<char *>(arg.c_str()));
        argv.push_back(nullptr);
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(126);
        execv(argv[0], argv.data());
        _exit(127);
    }
    close(alive[1]);
    if (death != Death::kNone) usleep(after);
    if (death == Death::kRun || death == Death::kBoth) kill(child, SIGKILL);
    if (death == Death::kAgent || death == Death::kBoth) kill_agent(pid_file);
    int status = 0;
    waitpid(child, &status, 0);
    char none;
    EXPECT_EQ(read(alive[0], &none, 1), 0);
    close(alive[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Every tool is the agent's. Whoever of the two is killed, and when: no step runs once its answer
// is recorded, a step's work has one key however often it is asked for, and every plan ends.
// ACCP_KILLS says how many.
TEST(CliSacpDeath, GoesOnAfterEitherWasKilled) {
    const char *given = std::getenv("ACCP_KILLS");
    const int wanted = given ? std::atoi(given) : ACCP_SANITIZED ? 6 : 24;
    const Place place;
    const std::string message = place.write(
        "kill.json", R"({"g":"G","plan":[["a","T",{"s":"1"}],{"parallel":[["a","T",{"s":"2.1"}],)"
                     R"([["a","T",{"s":"2.2.1"}],["a","T",{"s":"2.2.2"}]],["a","T",{"s":"2.3"}]]},)"
                     R"(["join","MERGE",{}],["a","T",{"s":"4"}]],)"
                     R"("subtask":{"g":"S","plan":[["a","T",{"s":"s1/1"}]]}})");
    const std::string policy =
        place.write("kills.json", R"({"retries":1000,"backoff_ms":1,"max_backoff_ms":5})");
    const size_t steps = 7;  // the join is not called
    unsigned seed = 1;
    for (int kills = 0, plans = 0; kills < wanted; ++plans) {
        ASSERT_LT(plans, 10 * wanted) << "it is never killed in time";
        const std::string name = std::to_string(plans), store = place / ("s" + name),
                          log = place / ("log" + name), keys = place / ("keys" + name),
                          pid = place / ("pid" + name);
        std::filesystem::create_directory(keys);
        const std::string tool = "read -r s; echo \"$s\" >>" + log + "; mkdir -p " + keys +
                                 "/$ACCP_KEY; echo 1",
                          kept = plans % 2 ? " --store " + (place / ("a" + name)) : "";
        const Args args = {"sacp",
                           "run",
                           message,
                           "--lenient",
                           "--policy",
                           policy,
                           "--store",
                           store,
                           "--agent",
                           "A=echo $$ >" + pid + ".new; mv " + pid + ".new " + pid + "; exec " +
                               "'" ACCP_CLI_PATH "' sacp agent --name A --lenient --tool T='" +
                               tool + "'" + kept};
        for (bool ended = false; !ended;) {
            const std::set<std::string> done =
                std::filesystem::exists(store) ? recorded(store) : std::set<std::string>();
            const std::map<std::string, int> before = count_lines(log);
            seed = seed * 1103515245 + 12345;
            const Death death =
                kills >= wanted ? Death::kNone : static_cast<Death>(1 + seed / 65536 % 3);
            const int status = run_and_kill(args, pid, 5000 + seed / 65536 % 120000, death);
            ended = status >= 0;
            if (death != Death::kNone && (!ended || death == Death::kAgent)) ++kills;
            EXPECT_LE(status, 0);
            for (const std::string &step : done) {
                const std::string line = "{\"s\":\"" + step + "\"}";
                EXPECT_EQ(count_lines(log)[line], before.at(line)) << step << " ran again";
            }
        }
        EXPECT_EQ(recorded(store).size(), steps);
        std::map<std::string, int> counters;
        for (const auto &key : std::filesystem::directory_iterator(keys)) {
            const std::string own = key.path().filename();
            ++counters[own.substr(33, own.find('.', 33) - 33)];
        }
        EXPECT_EQ(counters.size(), steps);
        for (const auto &[step, count] : counters) EXPECT_EQ(count, 1) << step;
    }
}

}  // namespace
