// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context generate --model and accp mcp --model, with a stand-in for the model's server.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <optional>

#include "run_accp.h"
#include "server/json/reader.h"
#include "stand_in.h"
#include "temp_directory.h"

namespace {

constexpr const char *kModelTalk =
    "User: Add JWT auth to the login. Do not touch the registration flow. My key is "
    "ghp_ab12CD34ef56GH78ij90KL12mn34OP56qr78.\n"
    "Assistant: I'll use PyJWT in src/auth/login.py.\n"
    "User: no, take python-jose instead of PyJWT, it is installed\n"
    "Assistant: Done.\n";
constexpr const char *kModelItems =
    "Here it is:\n```json\n"
    R"({"constraints":[{"text":"The registration flow stays","quote":"Do not touch the registration flow"},)"
    R"({"text":"Tokens expire after 9 hours","quote":"nine hours"}],)"
    R"("decisions":[{"choice":"PyJWT","made_by":"assistant","quote":"use PyJWT in"},)"
    R"({"choice":"python-jose","reason":"installed","made_by":"user","quote":"take python-jose"},5]})"
    "\n```\n";
constexpr const char *kModelCheck = R"({"outdated":[{"item":2,"quote":"no, take python-jose"}]})";

std::string bytes_of(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool is_check(const std::string &request) {
    return request.find("You check a hand-off.") != request.npos;
}
std::string usual_answer(const std::string &request) {
    return chat_reply(is_check(request) ? kModelCheck : kModelItems);
}

class CliModel : public testing::Test {
protected:
    void SetUp() override {
        for (const char *name : {"XDG_CACHE_HOME", "ACCP_MODEL_KEY"}) {
            const char *value = std::getenv(name);
            before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
        }
        ::setenv("XDG_CACHE_HOME", (directory_ / "cache").c_str(), 1);
        ::setenv("ACCP_MODEL_KEY", "sk-1", 1);
    }
    void TearDown() override {
        for (const auto &[name, value] : before_)
            value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
    }
    Ran generate(const std::string &place, Args more = {}) {
        Args args = {"context", "generate", "Add JWT auth", "--conversation",
                     talk_,     "--model",  place};
        args.insert(args.end(), more.begin(), more.end());
        return run_accp(args);
    }
    std::vector<std::filesystem::path> cached() const {
        std::vector<std::filesystem::path> files;
        std::error_code error;
        for (const auto &one :
             std::filesystem::directory_iterator(directory_ / "cache/accp/items", error))
            files.push_back(one.path());
        return files;
    }

    TempDirectory directory_;
    const std::string talk_ = directory_.write("talk.md", kModelTalk);

private:
    std::vector<std::pair<const char *, std::optional<std::string>>> before_;
};

TEST_F(CliModel, ItemsOfTheModelReplaceThoseOfTheRules) {
    StandIn server(usual_answer);
    const Ran ran = generate(server.url() + "#m:8b", {"--depth", "deep", "--json"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.out.find(R"("decisions":[{"choice":"python-jose","reason":"installed","made_by":)"
                           R"("user"}],"constraints":["The registration flow stays",)"
                           R"("Tokens expire after 9 hours"])"),
              std::string::npos)
        << ran.out;
    EXPECT_EQ(ran.out.find("failed_attempts"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.err,
              "accp: --model: decisions 3: dropped, it is neither an object nor a text\n"
              "accp: --model: \"PyJWT\": left out, a user said later: no, take python-jose\n"
              "accp: items: constraints 2: the conversation has no \"nine hours\"\n");
    const std::vector<std::string> requests = server.requests();
    ASSERT_EQ(requests.size(), 2);
    EXPECT_FALSE(is_check(requests[0]));
    EXPECT_TRUE(is_check(requests[1]));
    for (const std::string &request : requests) {
        EXPECT_TRUE(request.starts_with("POST /v1/chat/completions ")) << request;
        EXPECT_NE(request.find("\r\nAuthorization: Bearer sk-1\r\n"), request.npos);
        EXPECT_NE(request.find(R"({"model":"m:8b","messages":[{"role":"system","content":")"),
                  request.npos);
        EXPECT_EQ(request.find("ghp_"), request.npos);
    }
    EXPECT_NE(requests[0].find("My key is [redacted:github-token]"), std::string::npos)
        << requests[0];
}

// A user decides, and later decides otherwise. The model lists both decisions. Its answer to the
// second question removes the first one, so the packet has only what still holds.
TEST_F(CliModel, ADecisionThatAUserReplacedIsNotListed) {
    directory_.write("talk.md",
                     "User: Lets keep sessions in Redis.\n"
                     "Assistant: Redis it is.\n"
                     "User: Forget Redis, sessions go into Postgres.\n"
                     "Assistant: Postgres it is.\n");
    const std::string items =
        R"({"decisions":[{"choice":"Sessions are in Redis","made_by":"user","quote":"keep sessions in Redis"},)"
        R"({"choice":"Sessions are in Postgres","made_by":"user","quote":"sessions go into Postgres"}]})";
    for (const bool replaces : {true, false}) {
        StandIn server([&](const std::string &request) {
            const char *check = replaces ? R"({"outdated":[{"item":1,"quote":"Forget Redis"}]})"
                                         : R"({"outdated":[]})";
            return chat_reply(is_check(request) ? check : items);
        });
        const Ran ran = generate(server.url(), {"--json"});
        EXPECT_EQ(ran.status, 0) << ran.err;
        EXPECT_EQ(ran.out.find("Sessions are in Redis") == ran.out.npos, replaces) << ran.out;
        EXPECT_NE(ran.out.find("Sessions are in Postgres"), ran.out.npos) << ran.out;
        ASSERT_EQ(server.requests().size(), 2);
        const std::string check = server.requests()[1];
        EXPECT_NE(check.find("item 1, of message 0: \\\"Sessions are in Redis\\\""), check.npos)
            << check;
        EXPECT_NE(check.find("Forget Redis, sessions go into Postgres."), check.npos) << check;
        // The last decision has nothing after it.
        EXPECT_EQ(check.find("item 2, of"), check.npos) << check;
    }
}

TEST_F(CliModel, SecretsLeaveTheMachineOnlyOnDemand) {
    StandIn server(usual_answer);
    EXPECT_EQ(generate(server.url(), {"--keep-secrets"}).status, 0);
    EXPECT_NE(server.requests().at(0).find("ghp_ab12"), std::string::npos);
    EXPECT_EQ(server.requests().at(0).find("\"model\":"), std::string::npos);
}

TEST_F(CliModel, AnAnswerIsKeptByItsContent) {
    StandIn server(usual_answer);
    const std::string place = server.url() + "#m";
    const Ran first = generate(place, {"--now", "1705314600000"});
    ASSERT_EQ(server.requests().size(), 2);
    ASSERT_EQ(cached().size(), 1);
    const std::string entry = cached()[0].string();
    struct stat about = {};
    ASSERT_EQ(::stat(entry.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600);
    ASSERT_EQ(::stat((directory_ / "cache/accp/items").c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0700);

    const Ran second = generate(place, {"--now", "1705314600000"});
    EXPECT_EQ(second.out, first.out);
    EXPECT_EQ(second.err, first.err);
    EXPECT_EQ(server.requests().size(), 2);

    EXPECT_EQ(generate(place, {"--no-cache"}).status, 0);
    EXPECT_EQ(server.requests().size(), 4);
    generate(server.url() + "#other");
    EXPECT_EQ(server.requests().size(), 6);
    run_accp({"context", "generate", "Another task", "--conversation", talk_, "--model", place});
    EXPECT_EQ(server.requests().size(), 8);
    EXPECT_EQ(cached().size(), 3);

    // Damaged at any byte, cut anywhere, or something else: it is asked again, and replaced.
    const std::string whole = bytes_of(entry);
    size_t asked = server.requests().size();
    const size_t places[] = {0, 63, 64, 65, whole.size() / 2, whole.size() - 1};
    for (const size_t at : places) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        for (const std::string &text : {damaged, whole.substr(0, at)}) {
            std::ofstream(entry, std::ios::binary) << text;
            EXPECT_EQ(generate(place, {"--now", "1705314600000"}).out, first.out);
            EXPECT_EQ(server.requests().size(), asked += 2) << at;
            EXPECT_EQ(bytes_of(entry), whole);
        }
    }
    std::filesystem::remove(entry);
    std::filesystem::create_directory(entry);
    EXPECT_EQ(generate(place).status, 0);
    EXPECT_EQ(server.requests().size(), asked += 2);
    std::filesystem::remove_all(directory_ / "cache");
    directory_.write("cache", "no folder");
    EXPECT_EQ(generate(place).status, 0);
    EXPECT_EQ(server.requests().size(), asked += 2);
}

TEST_F(CliModel, TheCacheIsBounded) {
    StandIn server(usual_answer);
    generate(server.url());
    const std::filesystem::path own = cached().at(0);
    for (int i = 0; i < 300; ++i) {
        const auto path = own.parent_path() / (std::to_string(i) + ".json");
        std::ofstream(path) << "old";
        std::filesystem::last_write_time(
            path, std::filesystem::last_write_time(own) - std::chrono::hours(1 + i));
    }
    generate(server.url(), {"--no-cache"});
    EXPECT_EQ(cached().size(), 256);
    EXPECT_TRUE(std::filesystem::exists(own));
    EXPECT_TRUE(std::filesystem::exists(own.parent_path() / "0.json"));
    EXPECT_FALSE(std::filesystem::exists(own.parent_path() / "299.json"));
}

TEST_F(CliModel, AnUnusableAnswerIsNeverAPacketOfRules) {
    const std::pair<std::string, const char *> cases[] = {
        {chat_reply("I cannot do that."), "has no JSON object with goal"},
        {chat_reply(""), "it is empty"},
        {chat_reply(R"({"constraints":["a"]})", "length"), "was cut off"},
        {http_reply(R"({"choices":[]})"), "has no choices[0].message.content"},
        {http_reply(R"({"choices":[{"message":{"content":null}}]})"), "has no choices[0]"},
        {http_reply("[]"), "has no choices[0]"},
        {http_reply("{}", "503 Busy"), "status 503"},
        {http_reply("oh"), "the answer is not JSON: oh"},
        {"", "no connection"},
    };
    for (const auto &[bytes, expected] : cases) {
        const StandIn server([&bytes = bytes](const std::string &) { return bytes; });
        const Ran ran = generate(server.url());
        EXPECT_EQ(ran.status, 2) << bytes;
        EXPECT_EQ(ran.out, "");
        EXPECT_NE(ran.err.find(expected), std::string::npos) << ran.err;
        EXPECT_EQ(lines_of(ran.err).size(), 1) << ran.err;
        EXPECT_TRUE(cached().empty());
    }
    std::promise<void> ended;
    const StandIn slow([has_ended = ended.get_future().share()](const std::string &request) {
        has_ended.wait();
        return usual_answer(request);
    });
    const Ran late = generate(slow.url(), {"--model-seconds", "1"});
    ended.set_value();
    EXPECT_EQ(late.status, 2);
    EXPECT_NE(late.err.find("no whole answer within 1 s"), std::string::npos) << late.err;
}

// The first answer is used, and the second question is asked again another time.
TEST_F(CliModel, WithoutACheckTheItemsStay) {
    for (const std::string &bytes : {http_reply("{}", "500 Oh"), chat_reply("all fine")}) {
        StandIn server([&](const std::string &request) {
            return is_check(request) ? bytes : usual_answer(request);
        });
        const Ran ran = generate(server.url());
        EXPECT_EQ(ran.status, 0) << ran.err;
        EXPECT_NE(ran.out.find("choice: PyJWT\n"), std::string::npos) << ran.out;
        EXPECT_NE(ran.err.find("accp: --model: not checked against later messages of users: "),
                  std::string::npos)
            << ran.err;
        // The rules still compare quoted items with what users said later.
        EXPECT_NE(ran.err.find("accp: items: decisions 1: a user said later: no, take python-jose "
                               "instead of PyJWT"),
                  std::string::npos)
            << ran.err;
        EXPECT_TRUE(cached().empty());
    }
}

TEST_F(CliModel, AServerThatDoesNotKnowAMemberIsAskedWithoutIt) {
    StandIn server([](const std::string &request) {
        return request.find("response_format") != request.npos
                   ? http_reply(R"({"error":"'response_format.type' must be 'text'"})",
                                "400 Bad Request")
                   : usual_answer(request);
    });
    EXPECT_EQ(generate(server.url()).status, 0);
    EXPECT_EQ(server.requests().size(), 4);
    const StandIn wrong(
        [](const std::string &) { return http_reply(R"({"error":"no"})", "400 Bad Request"); });
    const Ran ran = generate(wrong.url());
    EXPECT_EQ(ran.status, 2);
    EXPECT_NE(ran.err.find("status 400: no"), std::string::npos) << ran.err;
}

TEST_F(CliModel, AServerThatReadsLessThanItGotIsReported) {
    const StandIn server([](const std::string &request) {
        std::string reply = usual_answer(request);
        reply.insert(reply.size() - 1, R"(,"usage":{"prompt_tokens":9})");
        const size_t length = reply.size() - reply.find("\r\n\r\n") - 4;
        return http_reply(reply.substr(reply.size() - length));
    });
    const Ran ran = generate(server.url());
    EXPECT_NE(ran.err.find("accp: --model: the server read 9 tokens of a question of about "),
              std::string::npos)
        << ran.err;
}

TEST_F(CliModel, ALongConversationIsCutToTheBudget) {
    StandIn server(usual_answer);
    std::string talk = kModelTalk;
    for (int i = 0; i < 200; ++i) talk += "Assistant: step " + std::string(4000, 'x') + "\n";
    directory_.write("talk.md", talk);
    const Ran ran = generate(server.url(), {"--model-tokens", "2000"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.err.find("accp: --model: the conversation has "), std::string::npos) << ran.err;
    EXPECT_LT(server.requests().at(0).size(), 40'000);
    EXPECT_NE(server.requests().at(0).find("Do not touch the registration flow"),
              std::string::npos);
}

TEST_F(CliModel, SpawnRefreshAndSessionsAskToo) {
    StandIn server(usual_answer);
    const std::string project = directory_ / "";
    const Ran spawned =
        run_accp({"context", "spawn", "Add JWT auth", "--conversation", talk_, "--model",
                  server.url(), "--directory", project, "--", "printf", "%s", "{task}"});
    EXPECT_NE(spawned.out.find("- python-jose (user): installed"), std::string::npos)
        << spawned.out << spawned.err;
    EXPECT_EQ(run_accp({"context", "generate", "Add JWT auth", "--conversation", talk_, "--pane",
                        "1", "--directory", project})
                  .status,
              0);
    const Ran refreshed =
        run_accp({"context", "refresh", "--pane", "1", "--conversation", talk_, "--model",
                  server.url(), "--directory", project, "--depth", "deep"});
    EXPECT_EQ(refreshed.status, 0) << refreshed.err;
    EXPECT_NE(bytes_of(directory_ / ".agentwire/context/pane-1.yaml").find("choice: python-jose"),
              std::string::npos);
    const std::string store = "sqlite:" + (directory_ / "s.sqlite");
    run_accp({"session", "append", "--store", store, "--from", "speakers"}, kModelTalk);
    const Ran of_session = run_accp({"context", "generate", "Add JWT auth", "--store", store,
                                     "--session", "default", "--model", server.url()});
    EXPECT_EQ(of_session.status, 0) << of_session.err;
    EXPECT_NE(of_session.out.find("choice: python-jose"), std::string::npos) << of_session.out;
}

TEST_F(CliModel, WithoutAConversationNobodyIsAsked) {
    StandIn server(usual_answer);
    std::filesystem::create_directory(directory_ / "code");
    directory_.write("code/login.py", "# The login page.\n");
    const Ran ran = run_accp({"context", "generate", "Change the login", "--code",
                              directory_ / "code", "--model", server.url()});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.out.find("login.py"), std::string::npos);
    directory_.write("talk.md", "no turns");
    EXPECT_EQ(generate(server.url()).status, 1);
    EXPECT_TRUE(server.requests().empty());
}

TEST_F(CliModel, RefusesOptionsThatExcludeEachOther) {
    const std::string url = "http://127.0.0.1:1/v1";
    for (const Args &more : {Args{"--items", talk_}, Args{"--extract", "cat"},
                             Args{"--model-seconds", "0"}, Args{"--model-tokens", "499"}})
        EXPECT_EQ(generate(url, more).status, 2) << more[0];
    for (const char *option : {"--no-cache", "--model-seconds=3", "--model-tokens=900"})
        EXPECT_EQ(run_accp({"context", "generate", "t", "--conversation", talk_, option}).status,
                  2);
    EXPECT_NE(generate("localhost:11434").err.find("--model must be the address of a server"),
              std::string::npos);
}

TEST_F(CliModel, WithoutAModelNothingOpensASocket) {
    const std::string guard = std::string(ACCP_NO_SOCKET) + " ",
                      generate = guard +
                                 ACCP_CLI_PATH " context generate 'Add JWT auth' --conversation " +
                                 talk_;
    const std::string request = directory_.write(
        "request.jsonl",
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
        "\n"
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"context_generate",)"
        R"("arguments":{"task":"t","conversation":"User: Use RS256.\nAssistant: Yes."}}})"
        "\n");
    for (const std::string &command : {generate, generate + " --model none",
                                       guard + ACCP_CLI_PATH " context spawn t --conversation " +
                                           talk_ + " -- echo version: {task}",
                                       guard + ACCP_CLI_PATH " mcp < " + request}) {
        const Ran ran = run_shell(command);
        EXPECT_EQ(ran.status, 0) << command << ran.err;
        EXPECT_NE(ran.out.find("version"), std::string::npos) << command;
    }
    // The guard works.
    StandIn server(usual_answer);
    const int killed = 128 + SIGSYS;
    EXPECT_EQ(run_shell(generate + " --model " + server.url()).status, killed);
    EXPECT_TRUE(server.requests().empty());
}

TEST_F(CliModel, TheMcpServerAsksTheHostsModel) {
    StandIn server(usual_answer);
    const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":)"
                             R"("context_generate","arguments":{"task":"Add JWT auth",)"
                             R"("conversation":)" +
                             host::json_string(kModelTalk);
    const std::string input =
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{"sampling":{}}}})"
        "\n" +
        call + "}}}\n" + call + R"(,"model":"none"}}})" + "\n" + call +
        R"(,"items":{"decisions":["X"]}}}})" + "\n";
    const std::vector<std::string> lines =
        lines_of(run_accp({"mcp", "--model", server.url() + "#m"}, input).out);
    ASSERT_EQ(lines.size(), 4);
    EXPECT_NE(lines[1].find("choice: python-jose"), std::string::npos) << lines[1];
    EXPECT_NE(lines[1].find(R"("model":{"used":true,"notes":["decisions 3: dropped)"),
              std::string::npos)
        << lines[1];
    EXPECT_EQ(lines[2].find(R"("model":{)"), std::string::npos) << lines[2];
    EXPECT_EQ(server.requests().size(), 2);
    const StandIn bad([](const std::string &) { return chat_reply("no"); });
    const std::string refused = run_accp({"mcp", "--model", bad.url(), "--no-cache"}, input).out;
    EXPECT_NE(refused.find("; give items, or set model to none\"}],\"isError\":true"),
              std::string::npos)
        << refused;
}

}  // namespace
