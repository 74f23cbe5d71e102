// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp run with an agent for all tools: either process is killed in the middle of a plan.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

#include "run_accp.h"
#include "temp_directory.h"

namespace {

// Kills the agent whose process id is in the file, if it still runs.
void kill_agent(const std::string &pid_file) {
    const int pid = std::atoi(text_of(pid_file).c_str());
    if (pid <= 1) return;
    const std::string words = text_of("/proc/" + std::to_string(pid) + "/cmdline");
    if (words.find(std::string("sacp\0agent", 10)) != words.npos) kill(pid, SIGKILL);
}

enum class Death { kNone, kRun, kAgent, kBoth };

// Returns the exit status, or -1 if it was killed. Waits until all processes that it started have
// ended too, which hold the writing end of a pipe.
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

// The agent has all tools. Whichever process is killed, and when: no step runs after its result is
// recorded, each try of a step has the same key, and every plan ends. ACCP_KILLS is the number of
// kills.
TEST(CliSacpDeath, GoesOnAfterEitherWasKilled) {
    const char *given = std::getenv("ACCP_KILLS");
    const int wanted = given ? std::atoi(given) : ACCP_SANITIZED ? 6 : 24;
    const TempDirectory directory;
    const std::string message = directory.write(
        "kill.json", R"({"g":"G","plan":[["a","T",{"s":"1"}],{"parallel":[["a","T",{"s":"2.1"}],)"
                     R"([["a","T",{"s":"2.2.1"}],["a","T",{"s":"2.2.2"}]],["a","T",{"s":"2.3"}]]},)"
                     R"(["join","MERGE",{}],["a","T",{"s":"4"}]],)"
                     R"("subtask":{"g":"S","plan":[["a","T",{"s":"s1/1"}]]}})");
    const std::string policy =
        directory.write("kills.json", R"({"retries":1000,"backoff_ms":1,"max_backoff_ms":5})");
    const size_t steps = 7;  // the join is not called
    unsigned seed = 1;
    for (int kills = 0, plans = 0; kills < wanted; ++plans) {
        ASSERT_LT(plans, 10 * wanted) << "it is never killed in time";
        const std::string name = std::to_string(plans), store = directory / ("s" + name),
                          log = directory / ("log" + name), keys = directory / ("keys" + name),
                          pid = directory / ("pid" + name);
        std::filesystem::create_directory(keys);
        const std::string tool = "read -r s; echo \"$s\" >>" + log + "; mkdir -p " + keys +
                                 "/$ACCP_KEY; echo 1",
                          kept = plans % 2 ? " --store " + (directory / ("a" + name)) : "";
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
                std::filesystem::exists(store) ? recorded_steps(store) : std::set<std::string>();
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
        EXPECT_EQ(recorded_steps(store).size(), steps);
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
