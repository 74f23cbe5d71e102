// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp run with agents as processes, and accp sacp agent: how they work together, and faults
// of agents.
#include <gtest/gtest.h>

#include <set>

#include "run_accp.h"
#include "temp_directory.h"

namespace {

constexpr std::string_view kAccp = "'" ACCP_CLI_PATH "'";
constexpr std::string_view kLibrary =
    R"({"verbs":[{"name":"get","description":"d","inputs":["n"],"outputs":"any"},)"
    R"({"name":"put","description":"d","inputs":["x"],"outputs":"any"}],)"
    R"("tools":[{"id":"T","description":"d","supported_verbs":["get"]},)"
    R"({"id":"U","description":"d","supported_verbs":["get","put"]}]})";
constexpr std::string_view kDelegated =
    R"({"g":"G","msg_id":"m1","plan":[{"parallel":[["get","T",{"n":1}],["get","U",{"n":2}]]},)"
    R"(["join","MERGE",{}],["put","U",{"x":"$step.2"}]]})";

// A directory with a library and a message, and commands that start agents.
struct Desk {
    TempDirectory directory;
    std::string library = directory.write("lib.json", kLibrary);
    std::string message = directory.write("m.json", kDelegated);

    std::string agent(const std::string &name, const std::string &more) const {
        return std::string(kAccp) + " sacp agent --name " + name + " --library " + library + " " +
               more;
    }
    Ran run(Args more) const {
        Args args = {"sacp", "run", message, "--library", library};
        args.insert(args.end(), more.begin(), more.end());
        return run_accp(args);
    }
};

TEST(CliSacpAgent, SACP_4_09_DelegatesStepsToAgents) {
    const Desk desk;
    const std::string starts = desk.directory / "starts",
                      working = "echo 1 >>" + starts + "; exec ";
    const Ran run = desk.run({"--tool", "T=cat", "--agent",
                              "A=" + working + desk.agent("A", "--tool U='sleep 0.1; cat'")});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out,
              R"({"state":"DONE","result":{"output":{"x":[{"n":1},{"n":2}]},"step_results":)"
              R"({"1.1":{"n":1},"1.2":{"n":2},"2":[{"n":1},{"n":2}],)"
              R"("3":{"x":[{"n":1},{"n":2}]}}}})"
              "\n");
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(text_of(starts), "1\n") << "one process for both of its steps";
}

// One agent runs branches in parallel: each call waits for the file of the other.
TEST(CliSacpAgent, AnAgentDoesSeveralThingsAtOnce) {
    const Desk desk;
    const std::string one = desk.directory / "1", two = desk.directory / "2";
    const auto meets = [&](const std::string &own, const std::string &other) {
        return "'touch " + own + "; until [ -e " + other + " ]; do sleep 0.02; done; cat'";
    };
    const Ran run =
        desk.run({"--agent", "A=" + desk.agent("A", "--tool T=" + meets(one, two) +
                                                        " --tool U=" + meets(two, one))});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
}

// Sends the messages as frames, one per line. Returns the frames of the agent.
std::vector<std::string> answers_of(const Desk &desk, const std::string &sacp,
                                    const std::string &more) {
    const std::string in = desk.directory.write("in.json", sacp + "\n");
    const Ran run = run_shell(std::string(kAccp) + " sacp frame " + in + " | " +
                              desk.agent("A", more) + " | " + std::string(kAccp) + " sacp unframe");
    return lines_of(run.out);
}

TEST(CliSacpAgent, SACP_0_06_ChecksAMessageBeforeItRunsIt) {
    const Desk desk;
    const std::string marked = desk.directory / "ran",
                      tool = "--tool T='touch " + marked + "; cat'";
    struct Case {
        const char *message;
        std::vector<std::string> answers;
    } cases[] = {
        {R"({"g":"G","plan":[["get","NONE",{}]],"msg_id":"m.1"})",
         {R"({"status":"ERR","code":"UNKNOWN_TOOL","details":"the library has no such tool: )"
          R"(action step 1","reply_to":"m.1"})"}},
        {R"({"g":"G","plan":[["put","T",{}]],"msg_id":"m1"})",
         {R"({"status":"ERR","code":"VERB_TOOL_MISMATCH","details":"the tool does not support )"
          R"(the verb: action step 1","reply_to":"m1"})"}},
        {R"({"g":"G","plan":[],"msg_id":"m1"})",
         {R"({"status":"REQ_CLARIFY","need":["plan"],"reply_to":"m1"})"}},
        {R"({"g":"G","plan":[]})", {R"({"status":"REQ_CLARIFY","need":["plan"]})"}},
        // No reply to a message that is not a request, or two agents could reply forever.
        {R"({"g":"G","plan":[["get","T",{}]],"state":"DONE","reply_to":"m1"})", {}},
        {R"({"status":"ERR","code":"LIMIT","details":"d"})", {}},
    };
    for (const Case &one : cases) {
        EXPECT_EQ(answers_of(desk, one.message, tool), one.answers) << one.message;
        EXPECT_FALSE(std::filesystem::exists(marked)) << one.message;
    }
    const std::vector<std::string> done =
        answers_of(desk, R"({"g":"G","plan":[["get","T",{"n":1}]],"msg_id":"m1"})", tool);
    const std::vector<std::string> wanted = {
        R"({"g":"G","plan":[["get","T",{"n":1}]],"state":"IN_PROGRESS","reply_to":"m1"})",
        R"({"g":"G","plan":[["get","T",{"n":1}]],"state":"DONE","msg_id":"m1:reply","reply_to":"m1",)"
        R"("result":{"output":{"n":1},"step_results":{"1":{"n":1}}}})"};
    EXPECT_EQ(done, wanted);
    EXPECT_TRUE(std::filesystem::exists(marked));
}

TEST(CliSacpAgent, WhatIsNoFrameIsAnsweredToo) {
    const Desk desk;
    const Ran run = run_shell("printf 'prose\\n@X>req:\\n' | " + desk.agent("A", "") + " | " +
                              std::string(kAccp) + " sacp unframe");
    const std::vector<std::string> answers = lines_of(run.out);
    ASSERT_EQ(answers.size(), 2u) << run.out;
    for (const std::string &answer : answers)
        EXPECT_TRUE(answer.starts_with(R"({"status":"ERR","code":"MALFORMED_MESSAGE")")) << answer;
}

// Each reply has an id of its own, even if the messages have none.
TEST(CliSacpAgent, RepliesToMessagesWithoutIdsDiffer) {
    const Desk desk;
    const std::string message = R"({"g":"G","plan":[["get","T",{}]]})";
    std::set<std::string> ids;
    for (const std::string &answer :
         answers_of(desk, message + "\n" + message + "\n" + message, "--tool T=cat")) {
        const size_t at = answer.find("\"msg_id\":");
        if (at != answer.npos) ids.insert(answer.substr(at, answer.find(',', at) - at));
    }
    EXPECT_EQ(ids,
              (std::set<std::string>{R"("msg_id":"r1")", R"("msg_id":"r2")", R"("msg_id":"r3")"}));
}

// The results of eighty steps are longer than a line may be.
TEST(CliSacpAgent, SaysThatAReplyCannotBeAFrame) {
    const Desk desk;
    std::string plan;
    for (int i = 0; i < 80; ++i) plan.append(i ? "," : "").append(R"(["get","T",{}])");
    const std::string message = desk.directory.write(
                          "in.json", R"({"g":"G","msg_id":"m1","plan":[)" + plan + "]}\n"),
                      policy = desk.directory.write("p.json", R"({"max_output_bytes":1000})");
    const Ran run =
        run_shell(std::string(kAccp) + " sacp frame --agent X " + message + " | " +
                  desk.agent("A", "--policy " + policy + " --tool T='printf \\\"%0990d\\\" 1'") +
                  " | " + std::string(kAccp) + " sacp unframe");
    EXPECT_NE(run.err.find("accp: a reply cannot be a frame: "), run.err.npos) << run.err;
    EXPECT_NE(
        run.out.find(
            R"({"status":"ERR","code":"LIMIT","details":"the reply is too long","reply_to":"m1"})"),
        run.out.npos)
        << run.out;
}

// A key is the same for each try of a step, and can be a file name.
TEST(CliSacpAgent, ATriedStepKeepsItsKey) {
    const Desk desk;
    const std::string keys = desk.directory / "keys";
    const Ran run = desk.run(
        {"--policy", desk.directory.write("p.json", R"({"retries":2,"backoff_ms":1})"), "--agent",
         "A=" + desk.agent("A", "--tool T='echo $ACCP_KEY >>" + keys + "; exit 1' --tool U=cat")});
    EXPECT_EQ(run.status, 1);
    const std::vector<std::string> seen = lines_of(text_of(keys));
    ASSERT_EQ(seen.size(), 3u) << run.out << run.err;
    EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 1u);
    EXPECT_TRUE(seen[0].ends_with(".1.1.T")) << seen[0];
    EXPECT_EQ(seen[0].find_first_not_of("0123456789abcdef"), 32u);
}

// With a store an agent takes the reply to a repeated message from the store.
TEST(CliSacpAgent, AnswersTheSameMessageFromItsStore) {
    const Desk desk;
    const std::string message = R"({"g":"G","plan":[["get","T",{"n":1}]],"msg_id":"m1"})",
                      calls = desk.directory / "calls",
                      more = "--store " + (desk.directory / "s") + " --tool T='echo 1 >>" + calls +
                             "; cat'";
    const std::vector<std::string> first = answers_of(desk, message, more);
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(answers_of(desk, message, more), first);
    EXPECT_EQ(text_of(calls), "1\n");
}

TEST(CliSacpAgent, AgentsThatMisbehaveFail) {
    const Desk desk;
    // What is late must have time to be heard, and the others time to end.
    const std::string patient = desk.directory.write(
                          "p.json", R"({"retries":0,"timeout_ms":300000,"max_output_bytes":1000})"),
                      hasty = desk.directory.write(
                          "h.json", R"({"retries":0,"tools":{"U":{"timeout_ms":5000}}})");
    const std::string failed = "Tool U failed for action step 1.2",
                      late = "Tool U timed out for action step 1.2",
                      none = "Tool U has no agent for action step 1.2";
    struct Case {
        std::string agent, told, said;
    } cases[] = {
        {"exit 3", failed, "the agent A ended with status 3"},
        {"read line; kill -9 $$", failed, "the agent A ended"},
        {"cat >/dev/null", late, ""},
        {"read line; echo garbage; sleep 300", late, "agent A: ignored a line: E1001"},
        {"read line; yes | tr -d '\\n'", failed, "agent A: a line is too long"},
        {desk.agent("OTHER", "--tool U=cat"), late, "agent A: ignored a line: its sender is OTHER"},
        // A reply to a message that was never sent.
        {"read line; echo '{\"status\":\"VALID\",\"reply_to\":\"m1\"}' | " + std::string(kAccp) +
             " sacp frame --agent A; sleep 300",
         late, ""},
        {desk.agent("A", ""), none, ""},
        {"exec " + desk.agent("A", "--tool U='exit 1'"), failed, ""},
    };
    for (const Case &one : cases) {
        const Ran run = desk.run({"--policy", one.told == late ? hasty : patient, "--tool", "T=cat",
                                  "--agent", "A=" + one.agent});
        EXPECT_EQ(run.status, 1) << one.agent;
        EXPECT_NE(run.out.find(one.told), run.out.npos) << one.agent << run.out << run.err;
        EXPECT_NE(run.err.find(one.said), run.err.npos) << one.agent << run.err;
    }
}

// An agent that prints many bad lines is reported in a few lines.
TEST(CliSacpAgent, AnAgentThatBabblesIsToldOfInAFewLines) {
    const Desk desk;
    const Ran run =
        desk.run({"--tool", "T=cat", "--agent",
                  "A=yes garbage | head -5000; exec " + desk.agent("A", "--tool U=cat")});
    EXPECT_EQ(run.status, 0) << run.out;
    const std::vector<std::string> lines = lines_of(run.err);
    ASSERT_EQ(lines.size(), 4u) << run.err.substr(0, 1000);
    EXPECT_TRUE(lines[2].starts_with("agent A: ignored a line: E1001")) << lines[2];
    EXPECT_EQ(lines[3], "agent A: 4997 more lines ignored");
    const Ran agent = run_shell("yes '@X>ack:execute{}' | head -50 | " + desk.agent("A", ""));
    const std::vector<std::string> told = lines_of(agent.err);
    ASSERT_EQ(told.size(), 4u) << agent.err;
    EXPECT_EQ(told[2], "accp: ignored a message that is not a request");
    EXPECT_EQ(told[3], "accp: 47 more lines ignored");
}

// A has T and B has U: A hangs in its own call and replies to B's.
TEST(CliSacpAgent, ADelegateCannotAnswerForAnother) {
    const Desk desk;
    const std::string asked = desk.directory / "b",
                      policy =
                          desk.directory.write("p.json", R"({"retries":0,"timeout_ms":10000})");
    const Ran run = desk.run({"--policy", policy, "--agent",
                              "T=until [ -e " + asked + " ]; do sleep 0.05; done; " +
                                  desk.agent("T", "--tool U=cat <") + asked + "; sleep 300",
                              "--agent",
                              "U=read -r line; echo \"$line\" >" + asked + ".new; mv " + asked +
                                  ".new " + asked + "; sleep 300"});
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("agent T: ignored a line: the result comes from another tool or agent "
                           "than the one that was called"),
              run.err.npos)
        << run.err;
    EXPECT_NE(run.out.find("\"step_results\":{}"), run.out.npos) << run.out;
    EXPECT_NE(run.out.find("Tool T timed out"), run.out.npos) << run.out;
}

// An agent that has died is started again for the next try.
TEST(CliSacpAgent, ADeadAgentIsStartedAgain) {
    const Desk desk;
    const std::string once = desk.directory / "once",
                      policy = desk.directory.write("p.json", R"({"retries":1,"backoff_ms":1})");
    const Ran run = desk.run({"--policy", policy, "--tool", "T=cat", "--agent",
                              "A=mkdir " + once + " && { read line; exit 1; }; exec " +
                                  desk.agent("A", "--tool U=cat")});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_NE(run.err.find("the agent A ended with status 1"), run.err.npos);
}

std::string entry_of(const char *name, const char *tool, double confidence) {
    return std::string(R"({"agent_name":")") + name +
           R"(","supported_verbs":["get","put"],"supported_tools":[")" + tool +
           R"("],"inputs":["n"],"outputs":["o"],"description":"d","confidence_score":)" +
           std::to_string(confidence) + "}";
}

// The registry chooses the agent. An agent that has just failed is not chosen while another can do
// the step.
TEST(CliSacpAgent, SACP_11_02_AsksTheRegistryForWhoCan) {
    const Desk desk;
    const std::string registry =
                          desk.directory.write("r.json", "[" + entry_of("BAD", "U", 0.9) + "," +
                                                             entry_of("GOOD", "U", 0.1) + "," +
                                                             entry_of("ABSENT", "U", 1) + "]"),
                      policy = desk.directory.write("p.json", R"({"retries":1,"backoff_ms":1})");
    const Args agents = {"--policy",   policy,
                         "--registry", registry,
                         "--agent",    "BAD=exit 1",
                         "--agent",    "GOOD=" + desk.agent("GOOD", "--tool U=cat --tool T=cat")};
    Args with_tool = agents;
    with_tool.insert(with_tool.end(), {"--tool", "T=cat"});
    EXPECT_EQ(desk.run(with_tool).status, 0);
    const Ran none = desk.run(agents);
    EXPECT_EQ(none.status, 1);
    EXPECT_NE(none.out.find("Tool T has no agent for action step 1.1"), none.out.npos) << none.out;
}

TEST(CliSacpAgent, RefusesWhatIsWrong) {
    const Desk desk;
    for (const Args &args :
         {Args{"--agent", "A"}, Args{"--agent", "=x"}, Args{"--agent", "a b=x"},
          Args{"--agent", "A=x", "--agent", "A=y"}, Args{"--registry", desk.directory / "none"},
          Args{"--registry", desk.directory.write("r.json", "[1]")}})
        EXPECT_EQ(desk.run(args).status, 2) << args[1];
    EXPECT_EQ(run_accp({"sacp", "agent"}).status, 2);
    // Such a name cannot be the sender of a frame.
    for (const std::string &name :
         {std::string("W W"), std::string("\u00e9"), std::string(300, 'a')}) {
        const Ran agent = run_accp({"sacp", "agent", "--name", name, "--tool", "T=cat"});
        EXPECT_EQ(agent.status, 2) << name;
        EXPECT_TRUE(agent.err.starts_with("accp: --name")) << agent.err;
        EXPECT_EQ(desk.run({"--agent", name + "=x"}).status, 2) << name;
    }
    EXPECT_EQ(run_accp({"sacp", "agent", "--name", "A", "--library", desk.message}).status, 2);
}

// A signal ends the agent, which ends its tools.
TEST(CliSacpAgent, ASignalEndsItAndItsTools) {
    const Desk desk;
    const std::string in = desk.directory.write(
        "in.json", "{\"g\":\"G\",\"plan\":[[\"get\",\"T\",{}]],\"msg_id\":\"m1\"}\n");
    const std::string pid = desk.directory / "pid";
    const std::string frame = desk.directory / "f", input = desk.directory / "input";
    const Ran run = run_shell(
        std::string(kAccp) + " sacp frame " + in + " >" + frame + "; mkfifo " + input + "; " +
        desk.agent("A", "--tool T='echo $$ >" + pid + "; sleep 600'") + " <" + input +
        " >/dev/null & exec 3>" + input + "; cat " + frame + " >&3; until [ -s " + pid +
        " ]; do sleep 0.05; done; kill -TERM $!; wait $!; " + lives_on(pid) + "; echo over");
    EXPECT_EQ(run.out, "over\n");
}

}  // namespace
