// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp: the position of a fault, on standard error.
#include <gtest/gtest.h>

#include "run_accp.h"
#include "temp_directory.h"

namespace {

constexpr std::string_view kOneALine =
    "accp: each line must be one whole message, but this one spans several lines\n";

TEST(CliSacpFaults, AVerdictHasItsByteOnStandardError) {
    struct Case {
        const char *lines, *told;
    } cases[] = {
        {R"({"g":"G","plan":[["a","T",{}]]})", ""},
        {R"({"g":"G","plan":[]})", ""},  // a missing member has no position
        {R"({"g":"G","plan":[["a","T",{"x":"$step.9"}]]})",
         "accp: record 1: MALFORMED_PLAN at byte 31: a reference to a step that is not in this "
         "plan: action step 1; found \"$step.9\"\n"},
        {"{\"g\":\"G\",\"plan\":[]}\n{\"g\":1,\"plan\":[]}\n[]",
         "accp: record 2: INVALID_TYPE at byte 5: the goal, g, must be a string; found 1\n"
         "accp: record 3: MALFORMED_MESSAGE at byte 0: a message is an object; found [\n"},
    };
    for (const Case &one : cases) {
        const Ran run = run_accp({"sacp", "validate", "--lenient"}, one.lines);
        EXPECT_EQ(run.status, 0);
        EXPECT_EQ(run.err, one.told) << one.lines;
    }
}

TEST(CliSacpFaults, AMessageLaidOutOverLinesIsToldOfOnce) {
    const auto count = [](const std::string &lines) {
        const Ran run = run_accp({"sacp", "validate", "--lenient"}, lines);
        size_t found = 0;
        for (size_t at = 0; (at = run.err.find(kOneALine, at)) != run.err.npos; ++at) ++found;
        return found;
    };
    const std::string message = "{\n  \"g\": \"G\",\n  \"plan\": [\n  ]\n}\n";
    EXPECT_EQ(count(message), 1u);
    EXPECT_EQ(count(message + message), 1u);
    EXPECT_EQ(count("{\"g\":\"G\",\n \"plan\":[]}\n"), 1u);
    EXPECT_EQ(count("{\"g\":\"G\",\"plan\":[]}\n{\n"), 0u);
    EXPECT_EQ(count("{\"g\":\n{\"g\":\"G\",\"plan\":[]}\n"), 0u);
    EXPECT_EQ(count("x\ny\nz\n"), 0u);
}

TEST(CliSacpFaults, ARegistryThatIsRefusedHasTheVerdictOfItsEntry) {
    const TempDirectory directory;
    const std::string good =
        R"({"agent":"A","supported_verbs":[],"supported_tools":[],"inputs":[],"outputs":[],)"
        R"("description":"d"})";
    const std::pair<std::string, std::string> cases[] = {
        {"{}",
         R"(: {"status":"ERR","code":"MALFORMED_MESSAGE","details":"A registry must be a JSON )"
         R"(array of entries"})"},
        {"[5]",
         R"(: entry 0: {"status":"ERR","code":"MALFORMED_MESSAGE","details":"An entry must be )"
         R"(a JSON object"})"},
        {"[" + good + R"(,{"agent":"A","agent_name":"B"}])",
         R"(: entry 1: {"status":"ERR","code":"MALFORMED_MESSAGE","details":"Members agent and agent_name )"
         R"(are both present: use one"})"},
    };
    const std::string message = directory.write("m.json", R"({"g":"G","plan":[["a","T",{}]]})");
    for (const auto &[document, told] : cases) {
        const std::string registry = directory.write("r.json", document);
        for (const Args &args :
             {Args{"sacp", "query", "--registry", registry},
              Args{"sacp", "feasibility", "--registry", registry},
              Args{"sacp", "run", message, "--lenient", "--registry", registry}}) {
            const Ran run = run_accp(args);
            EXPECT_EQ(run.status, 2);
            EXPECT_EQ(run.err, "accp: " + registry + told + "\n");
        }
    }
}

TEST(CliSacpFaults, SaysThatItIsTheModelWhoseAnswerIsRefused) {
    const TempDirectory directory;
    const std::string library = directory.write(
                          "lib.json",
                          R"({"verbs":[{"name":"search","description":"d","inputs":["city"],)"
                          R"("outputs":"hotels"}],"tools":[{"id":"H","description":"d",)"
                          R"("supported_verbs":["search"]}]})"),
                      phrases = directory.write(
                          "p.json", R"({"phrases":[{"say":["hotels"],"slots":{},"message":)"
                                    R"({"g":"G","plan":[["search","H",{}]]}}]})");
    const std::string valid = R"(echo '{"g":"G","plan":[["search","H",{}]]}')";
    struct Case {
        std::string prompt, model, told;
    } cases[] = {
        {"boo", "echo 'gar\tbage'", "gar\\u0009bage"},
        {"boo", "true", ""},
        {"boo", "printf %0300d 0", std::string(200, '0') + "..."},
        {"boo", valid, "-"},
        {"hotels", "echo garbage", "-"},
    };
    for (const auto &[prompt, model, told] : cases) {
        const Ran run = run_accp(
            {"sacp", "ask", "--phrases", phrases, "--library", library, "--model", model}, prompt);
        EXPECT_EQ(run.status, 0) << model << run.err;
        const std::string wanted =
            told == "-" ? ""
                        : "accp: record 1: the ERR is about the output of --model: " + told + "\n";
        EXPECT_EQ(run.err, wanted) << model;
        EXPECT_EQ(run.out.starts_with(R"({"status":"ERR")"), told != "-") << run.out;
    }
}

TEST(CliSacpFaults, ThreadsTellTheLineAndTheName) {
    struct Case {
        const char *lines, *told;
    } cases[] = {
        {R"({"msg_id":5})", "record 1: INVALID_TYPE at byte 10: msg_id is a string; found 5"},
        {"{\"msg_id\":\"a\"}\n\n{\"reply_to\":\"b!\"}\n{}",
         "record 3: MALFORMED_MESSAGE at byte 12: reply_to is 1 to 128 letters, digits, . _ : -; "
         "found \"b!\""},
        {"{}\n{\"msg_id\":\"a\"\n{}",
         "record 2: MALFORMED_MESSAGE at byte 13: a comma or the closing bracket was expected"},
        {"{}\n7", "record 2: MALFORMED_MESSAGE at byte 0: a message is an object; found 7"},
    };
    for (const Case &one : cases) {
        for (const Args &args : {Args{"sacp", "threads"}, Args{"sacp", "threads", "--indent"}}) {
            const Ran run = run_accp(args, one.lines);
            EXPECT_EQ(run.status, 1) << one.lines;
            EXPECT_EQ(run.out, "");
            EXPECT_EQ(run.err, std::string("accp: ") + one.told + "\n");
        }
    }
    EXPECT_EQ(run_accp({"sacp", "threads", "/no/such/file"}).status, 2);
}

}  // namespace
