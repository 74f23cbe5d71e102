// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp: the cases of tests/sacp/run/trace.jsonl, plans with programs as tools, and a process
// that is killed in the middle of plans.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "run_accp.h"
#include "temp_directory.h"

namespace {

TEST(CliSacp, TracesEveryCase) {
    const std::vector<std::string> cases = lines_of(project_file("tests/sacp/run/trace.jsonl"));
    const Ran run =
        run_accp({"sacp", "trace", "--library-dir", ACCP_SOURCE_DIR "/tests/sacp/run/library",
                  ACCP_SOURCE_DIR "/tests/sacp/run/trace.jsonl"});
    EXPECT_EQ(run.status, 0) << run.err;
    const std::vector<std::string> answers = lines_of(run.out);
    ASSERT_EQ(answers.size(), cases.size());
    for (size_t i = 0; i < cases.size(); ++i) {
        std::string wanted = "{" + cases[i].substr(cases[i].rfind("\"trace\":")), had = answers[i];
        // For a verdict alone a case has only the code and the path.
        if (wanted.starts_with("{\"trace\":[],\"final\":{\"status\":\"ERR\"")) {
            const std::string code = wanted.substr(0, wanted.find(',', 32));
            EXPECT_TRUE(had.starts_with(code)) << had;
            continue;
        }
        EXPECT_EQ(had, wanted);
    }
}

constexpr std::string_view kPlan =
    R"({"g":"G","plan":[{"parallel":[["a","T",{"k":1}],[["a","U",{}],["b","T",{}]]]},)"
    R"(["join","MERGE",{}],["c","S",{"x":"$step.2"}]]})";

TEST(CliSacp, RunsAPlanWithProgramsAsTools) {
    const TempDirectory directory;
    const Ran run =
        run_accp({"sacp", "run", directory.write("m.json", kPlan), "--lenient", "--tool", "T=cat",
                  "--tool", "U=cat >/dev/null; echo ' 5 '", "--tool", "S=cat", "--trace",
                  directory / "t.json", "--graph", directory / "g.mmd"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out,
              R"({"state":"DONE","result":{"output":{"x":[{"k":1},{}]},"step_results":{)"
              R"("1.1":{"k":1},"1.2.1":5,"1.2.2":{},"2":[{"k":1},{}],"3":{"x":[{"k":1},{}]}}}})"
              "\n");
    EXPECT_NE(text_of(directory / "t.json").find(R"("step":"1.2.2","verb":"b","tool":"T")"),
              std::string::npos);
    EXPECT_EQ(text_of(directory / "g.mmd"),
              "flowchart TD\n"
              "  subgraph p0[\"1 parallel\"]\n"
              "    p1[\"1.1 a T\"]:::s2\n"
              "    subgraph p2[\"1.2 branch\"]\n"
              "      p3[\"1.2.1 a U\"]:::s2\n"
              "      p4[\"1.2.2 b T\"]:::s2\n"
              "    end\n"
              "  end\n"
              "  p5[\"2 join MERGE\"]:::s2\n"
              "  p6[\"3 c S\"]:::s2\n"
              "  p3 --> p4\n"
              "  p0 --> p5\n"
              "  p5 --> p6\n"
              "  classDef s0 fill:#eeeeee\n"
              "  classDef s1 fill:#ffe08a\n"
              "  classDef s2 fill:#a8d5a2\n"
              "  classDef s3 fill:#f2a6a0\n");
}

TEST(CliSacp, ToolsThatMisbehaveFail) {
    const TempDirectory directory;
    const std::string message = directory.write("m.json", R"({"g":"G","plan":[["a","T",{}]]})"),
                      patient = directory.write(
                          "p.json",
                          R"({"retries":0,"timeout_ms":300000,"max_output_bytes":100000})"),
                      hasty = directory.write("h.json", R"({"retries":0,"timeout_ms":300})");
    struct Case {
        const char *tool, *told, *why;
    } cases[] = {
        {"T=exit 3", "failed", "exit status 3"},
        {"T=kill -9 $$", "failed", "ended by a signal"},
        {"T=echo no json", "failed", "the output: not a JSON value"},
        {"T=true", "failed", "the output: an empty text is not JSON"},
        {"T=yes", "failed", "the output is longer than max_output_bytes"},
        {"T=exec 2>&-; no-such-program", "failed", "exit status 127"},
        {"T=sleep 300", "timed out", "timed out"},
        {"T=echo 1; exec >&-; sleep 300", "timed out", "timed out"},
        {"U=echo 1", "has no agent", "no --tool has this name, and no agent can do it"},
    };
    for (const Case &one : cases) {
        const bool is_late = one.told == std::string("timed out");
        const Ran run =
            run_accp({"sacp", "run", message, "--lenient", "--policy", is_late ? hasty : patient,
                      "--tool", one.tool, "--trace", directory / "t.json"});
        const std::string told = std::string("Tool T ") + one.told + " for action step 1",
                          why = one.why, trace = text_of(directory / "t.json");
        EXPECT_EQ(run.status, 1) << one.tool;
        EXPECT_NE(run.out.find(told), std::string::npos) << one.tool << run.out;
        EXPECT_EQ(run.err, "accp: step 1, tool T: " + why + "\n");
        const bool is_told = trace.ends_with(",\"reason\":\"" + why + "\"}]\n");
        EXPECT_EQ(is_told, why != one.told) << trace;
    }
}

// Prints a line for each failed attempt, at most 100, with untrusted text made printable.
TEST(CliSacp, TellsWhichAttemptsFailed) {
    const TempDirectory directory;
    const std::string library = directory.write(
        "lib.json",
        R"({"verbs":[{"name":"a","description":"d","inputs":[],"outputs":"any"}],"tools":[)"
        R"({"id":"T\u001b","description":"d","supported_verbs":["a"],"fallback":["U"]},)"
        R"({"id":"U","description":"d","supported_verbs":["a"]}]})");
    const std::string policy = directory.write("p.json", R"({"backoff_ms":0})");
    const auto run = [&](const std::string &plan, const std::string &tool) {
        const std::string message = directory.write("m.json", R"({"g":"G","plan":[)" + plan + "]}");
        return run_accp({"sacp", "run", message, "--library", library, "--policy", policy, "--tool",
                         "T\x1b=" + tool, "--tool", "U=cat"});
    };
    const Ran few = run(R"(["a","T\u001b",{}],["a","U",{}])", "exit 3");
    EXPECT_EQ(few.status, 0);
    EXPECT_EQ(few.err,
              "accp: step 1, tool T\\u001B: exit status 3\n"
              "accp: step 1, tool T\\u001B: exit status 3\n");
    std::string branches;
    for (int i = 0; i < 51; ++i) branches.append(i ? "," : "").append(R"(["a","T\u001b",{}])");
    const Ran many = run("{\"parallel\":[" + branches + "]}", "exit 3");
    EXPECT_EQ(many.status, 0);
    const std::vector<std::string> lines = lines_of(many.err);
    ASSERT_EQ(lines.size(), 101u);
    EXPECT_EQ(lines.back(), "accp: 2 more attempts failed");
}

// No tool is called if a file has a bad name. If the file cannot be written at the end, the result
// is still printed.
TEST(CliSacp, AFileThatCannotBeWrittenCostsNoResult) {
    const TempDirectory directory;
    const std::string message = directory.write("m.json", R"({"g":"G","plan":[["a","T",{}]]})"),
                      ran = directory / "ran";
    for (const std::string option : {"--graph", "--trace"}) {
        const Args args = {
            "sacp", "run", message, "--lenient", "--tool", "T=touch " + ran + "; cat", option};
        Args bad_name = args, full_disk = args;
        bad_name.push_back(directory / "none/x.svg");
        full_disk.push_back("/dev/full");
        const Ran refused = run_accp(bad_name);
        EXPECT_EQ(refused.status, 2);
        EXPECT_EQ(refused.out, "");
        EXPECT_NE(refused.err.find("none/x.svg: cannot be written"), refused.err.npos);
        EXPECT_FALSE(std::filesystem::exists(ran)) << option;
        const Ran told = run_accp(full_disk);
        EXPECT_EQ(told.status, 2);
        EXPECT_EQ(told.out, R"({"state":"DONE","result":{"output":{},"step_results":{"1":{}}}})"
                            "\n");
        EXPECT_NE(told.err.find("/dev/full: cannot be written"), told.err.npos) << told.err;
        std::filesystem::remove(ran);
    }
}

// A completed run is not repeated, and the command reports that.
TEST(CliSacp, SaysThatARunHadEndedBefore) {
    const TempDirectory directory;
    const std::string message = directory.write("m.json", R"({"g":"G","plan":[["a","T",{}]]})"),
                      other = directory.write("o.json", R"({"g":"G","plan":[["b","T",{}]]})"),
                      store = directory / "s", calls = directory / "calls",
                      policy = directory.write("p.json", R"({"retries":0})");
    const auto run = [&](const std::string &what, const std::string &session, const char *end) {
        return run_accp({"sacp", "run", what, "--lenient", "--policy", policy, "--store", store,
                         "--session", session, "--tool", "T=echo 1 >>" + calls + "; " + end});
    };
    for (const char *end : {"cat", "exit 1"}) {
        const std::string session = std::string("of-") + end;
        const Ran first = run(message, session, end), second = run(message, session, end);
        EXPECT_EQ(second.out, first.out);
        EXPECT_EQ(second.status, first.status);
        EXPECT_EQ(first.err.find("already ended"), first.err.npos) << first.err;
        EXPECT_EQ(second.err,
                  "accp: this run has already ended, so no tool is called: the result is that of "
                  "session " +
                      session + " in " + store +
                      "; give another --session to run the message again\n");
    }
    EXPECT_EQ(text_of(calls), "1\n1\n");
    const Ran foreign = run(other, "of-cat", "cat");
    EXPECT_EQ(foreign.status, 2);
    EXPECT_EQ(foreign.err,
              "accp: store " + store +
                  ", session of-cat: record 1: ERR_CORRUPT: the log belongs to another run, or is "
                  "damaged: the run continues only with the same message, library, policy and "
                  "--lenient; use another --session for a new run\n");
    EXPECT_EQ(run(other, "of-another", "cat").status, 0);
    const Ran version = run_accp(
        {"sacp", "run", "-", "--lenient"},
        R"({"proto_ver":"1.0.0","msg_id":"m","ts":"2026-05-09T00:00:00Z","sender":"A","g":"X",)"
        R"("plan":[{"id":"1","verb":"a","tool":"A","params":{}}],"state":"PENDING"})");
    EXPECT_EQ(version.status, 1);
    EXPECT_EQ(
        version.err,
        "accp: accp sacp adapt --to 0.1 converts the message to version 0.1, which can be run\n");
}

TEST(CliSacp, RefusesWhatIsWrong) {
    const TempDirectory directory;
    const std::string message = directory.write("m.json", R"({"g":"G","plan":[["a","T"]]})");
    const Ran invalid = run_accp({"sacp", "run", message});
    EXPECT_EQ(invalid.status, 1);
    EXPECT_EQ(
        invalid.out,
        "{\"status\":\"ERR\",\"code\":\"MALFORMED_PLAN\",\"details\":\"Missing parameters for "
        "action step 1\"}\n");
    EXPECT_EQ(run_accp({"sacp"}).status, 2);
    EXPECT_EQ(run_accp({"sacp", "walk"}).status, 2);
    EXPECT_EQ(run_accp({"sacp", "trace"}).status, 2);
    EXPECT_EQ(run_accp({"sacp", "run", message, "--tool", "T"}).status, 2);
    EXPECT_EQ(
        run_accp({"sacp", "run", message, "--policy", directory.write("p", "{\"x\":1}")}).status,
        2);
}

// Runs the command. If `kills`, kills it after `after` microseconds. Returns the exit status, or -1
// if it was killed. Waits until all tools that it started have ended too, which hold the writing
// end of a pipe.
int run_and_kill(const Args &args, useconds_t after, bool kills) {
    int alive[2];
    if (pipe(alive) != 0) return 126;
    const pid_t child = fork();
    if (child == 0) {
        close(alive[0]);
        std::vector<char *> argv(1, const_cast<char *>(ACCP_CLI_PATH));
        for (const std::string &arg : args) argv.push_back(const_cast<char *>(arg.c_str()));
        argv.push_back(nullptr);
        if (!freopen("/dev/null", "w", stdout)) _exit(126);
        execv(argv[0], argv.data());
        _exit(127);
    }
    close(alive[1]);
    if (kills) {
        usleep(after);
        kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    char none;
    EXPECT_EQ(read(alive[0], &none, 1), 0);
    close(alive[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A signal cancels the run: running tools are killed, and the result is printed.
TEST(CliSacp, ASignalCancels) {
    const TempDirectory directory;
    const Ran run =
        run_shell("'" ACCP_CLI_PATH "' sacp run " + directory.write("m.json", kPlan) +
                  " --lenient --tool 'T=echo $$ >" + (directory / "pid") +
                  "; sleep 600' --tool 'U=sleep 600' & p=$!; until [ -s " + (directory / "pid") +
                  " ]; do sleep 0.02; done; kill -TERM $p; wait $p; echo status $?; " +
                  lives_on(directory / "pid"));
    EXPECT_EQ(run.out,
              R"({"state":"FAILED","result":{"error":{"status":"ERR","code":"TOOL_FAILED",)"
              R"("details":"The plan was cancelled"},"step_results":{}}})"
              "\nstatus 1\n");
}

// Tools count their calls. The command is killed at any moment and started again: no step runs
// after its result is recorded, a tool that uses its key does its work once, and every plan ends.
TEST(CliSacp, GoesOnAfterItWasKilled) {
    const char *given = std::getenv("ACCP_KILLS");
    const int wanted = given ? std::atoi(given) : ACCP_SANITIZED ? 10 : 60;
    const TempDirectory directory;
    const std::string message = directory.write(
        "m.json",
        R"({"g":"G","plan":[["a","T",{}],{"parallel":[["a","T",{}],[["a","T",{}],["a","T",{}]],)"
        R"(["a","T",{}]]},["join","MERGE",{}],["a","T",{"x":"$step.3"}]],)"
        R"("subtask":{"g":"S","plan":[["a","T",{}]]}})");
    const size_t steps = 7;
    unsigned seed = 1;
    for (int kills = 0, plans = 0; kills < wanted; ++plans) {
        ASSERT_LT(plans, 10 * wanted) << "it is never killed in time";
        const std::string name = std::to_string(plans), store = directory / ("s" + name),
                          log = directory / ("log" + name), once = directory / ("once" + name),
                          keys = directory / ("keys" + name);
        std::filesystem::create_directory(keys);
        const Args args = {"sacp",
                           "run",
                           message,
                           "--lenient",
                           "--store",
                           store,
                           "--tool",
                           "T=echo $ACCP_STEP >>" + log + "; mkdir " + keys +
                               "/$ACCP_KEY 2>/dev/null && echo $ACCP_STEP >>" + once + "; echo 1"};
        for (bool ended = false; !ended;) {
            const std::set<std::string> done =
                std::filesystem::exists(store) ? recorded_steps(store) : std::set<std::string>();
            const std::map<std::string, int> before = count_lines(log);
            seed = seed * 1103515245 + 12345;
            const bool is_last = kills >= wanted;
            const int status = run_and_kill(args, 2000 + seed / 65536 % 30000, !is_last);
            ended = status >= 0;
            if (!ended) ++kills;
            EXPECT_LE(status, 0);
            const std::map<std::string, int> after = count_lines(log);
            for (const std::string &step : done)
                EXPECT_EQ(after.at(step), before.at(step)) << step << " ran again";
        }
        EXPECT_EQ(recorded_steps(store).size(), steps);
        const std::map<std::string, int> counters = count_lines(once);
        EXPECT_EQ(counters.size(), steps);
        for (const auto &[step, count] : counters) EXPECT_EQ(count, 1) << step;
    }
}

}  // namespace
