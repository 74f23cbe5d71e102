// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reading a conversation: paths of files, and the speaker of each text.
#include <gtest/gtest.h>

#include "cpu_time.h"
#include "packet/extract/conversation.h"
#include "packet/extract/extract.h"
#include "unit.h"

namespace {

using namespace accp;
using packet::Speaker;

TEST(PacketPaths, AreFiles) {
    const struct {
        const char *text;
        const char *path;  // empty: not a file
        bool absolute;
    } cases[] = {
        {"src/main.cc", "src/main.cc", false},
        {"./src/main.cc.", "src/main.cc", false},
        {"@config.ts", "config.ts", false},
        {"../lib/a.py", "lib/a.py", false},
        {"/home/me/x/a.py", "home/me/x/a.py", true},
        {"~/x/a.py", "x/a.py", true},
        {"App\\Views\\Shop.razor", "App\\Views\\Shop.razor", false},
        {".github/workflows/deploy.yml", ".github/workflows/deploy.yml", false},
        {".gitignore", ".gitignore", false},
        {"docker/Dockerfile", "docker/Dockerfile", false},
        {"a/b.zzz", "a/b.zzz", false},
        {"b.zzz", "", false},
        {"v1.2", "", false},
        {"Node.js", "", false},
        {"Main.test.js", "Main.test.js", false},
        {"github.com/me/project.git", "", false},
        {"docs.site.io/page.html", "", false},
        {"build/weekly.png", "", false},
        {"e.g", "", false},
        {"...", "", false},
        {"/", "", true},
    };
    for (const auto &given : cases) {
        const packet::PathMention named = packet::read_path(given.text, 0);
        EXPECT_EQ(named.path, given.path) << given.text;
        if (!named.path.empty()) {
            EXPECT_EQ(packet::is_absolute(named.base), given.absolute) << given.text;
        }
    }
    const std::string_view address = "see https://a.test/src/a.py";
    EXPECT_EQ(packet::read_path(address, address.find("//")).path, "");
}

TEST(PacketPaths, AreInTheDirectoryOrWhole) {
    using packet::PathBase;
    const struct {
        const char *text, *directory, *path, *whole;
        PathBase base;
    } cases[] = {
        {"/p/src/a.py", "/p", "src/a.py", "", PathBase::kProject},
        {"@/p/src/a.py", "/p/", "src/a.py", "", PathBase::kProject},
        {"/pq/a.py", "/p", "pq/a.py", "/pq/a.py", PathBase::kRoot},
        {"/p/src/a.py", "", "p/src/a.py", "/p/src/a.py", PathBase::kRoot},
        {"src/a.py", "/p", "src/a.py", "", PathBase::kUnknown},
        {"/my work/a.py", "/my work", "a.py", "", PathBase::kProject},
        {"D:\\my work\\src\\a.py", "D:\\my work", "src\\a.py", "", PathBase::kProject},
        {"~/x/a.py.", "/p", "x/a.py", "~/x/a.py", PathBase::kHome},
        {"//x/a.py", "/p", "x/a.py", "/x/a.py", PathBase::kRoot},
        {"/p/", "/p", "", "", PathBase::kRoot},
    };
    for (const auto &given : cases) {
        const packet::PathMention named = packet::read_path(given.text, 0, given.directory);
        EXPECT_EQ(named.path, given.path) << given.text;
        if (named.path.empty()) continue;
        EXPECT_EQ(named.whole, given.whole) << given.text;
        EXPECT_EQ(named.base, given.base) << given.text;
    }
    const std::string_view link = "file:///p/src/a.py";
    EXPECT_EQ(packet::read_path(link, link.find('/'), "/p").path, "src/a.py");
    EXPECT_EQ(packet::read_path(link, link.find('/')).whole, "/p/src/a.py");
    const std::string_view drive = "in C:\\x\\a.py";
    EXPECT_EQ(packet::read_path(drive, drive.find('\\')).whole, "C:\\x\\a.py");
    EXPECT_EQ(packet::path_in("/p/a.py", "/p"), "a.py");
    EXPECT_EQ(packet::path_in("/p", "/p"), "/p");
}

TEST(PacketPaths, OneFileHasOneName) {
    const struct {
        std::vector<const char *> said;
        std::vector<std::string_view> files;  // best first
        const char *directory = "";
    } cases[] = {
        {{"see main.cc", "in src/main.cc", "/home/me/p/src/main.cc"}, {"src/main.cc"}},
        {{"Shop\\a.cs is", "Shop/a.cs"}, {"Shop/a.cs"}},
        {{"/home/me/p/src/a.cc and /home/me/p/src/b.cc", "/home/me/p/Makefile"},
         {"Makefile", "src/a.cc", "src/b.cc"}},
        {{"a.cc", "Updated b.cc"}, {"b.cc", "a.cc"}},
        {{"node_modules/x/index.js b.js"}, {"b.js", "node_modules/x/index.js"}},
        {{"/etc/app.conf and /home/me/p/a.cc"}, {"/etc/app.conf", "/home/me/p/a.cc"}},
        {{"~/x/a.cc"}, {"~/x/a.cc"}},
        // with the directory of the session
        {{"/p/src/a.cc", "a.cc", "/p/a.cc"}, {"a.cc", "src/a.cc"}, "/p"},
        {{"/lib/json/read.py", "/p/json/read.py"}, {"json/read.py", "/lib/json/read.py"}, "/p"},
        {{"/src/main.ts", "/p/src/main.ts"}, {"src/main.ts"}, "/p"},
        {{"/q/src/a.cc and /q/src/b.cc"}, {"/q/src/a.cc", "/q/src/b.cc"}, "/p"},
        {{"p/src/a.cc", "/home/p/src/a.cc"}, {"src/a.cc"}, "/home/p"},
    };
    for (const auto &given : cases) {
        accp_unit::Room room;
        packet::Extractor extractor(room.memory);
        std::vector<packet::Utterance> talk;
        for (const char *text : given.said)
            talk.push_back({Speaker::kAgent, text, false, static_cast<uint32_t>(talk.size())});
        extractor.extract("mend it", talk, {}, given.directory);
        std::vector<std::string_view> files;
        for (const packet::FileCandidate &file : extractor.files()) files.push_back(file.path);
        EXPECT_EQ(files, given.files) << given.said[0];
    }
}

// What a call writes is first, and what a command removes is last.
TEST(PacketPaths, CallsSayWhatBecomesOfAFile) {
    accp_unit::Room room;
    packet::Conversation conversation(room.memory);
    const auto call = [&](const std::string &tool, const std::string &arguments) {
        const std::string json =
            R"({"agent":"a","intent":"req","operation":"tool","payload":{"tool_name":")" + tool +
            R"(","arguments":)" + arguments + "}}";
        ASSERT_TRUE(conversation.add(json, 1 << 20).ok()) << json;
    };
    call("Write", R"({"file_path":"/p/draft.py","content":"You must never use b.py."})");
    call("Read", R"({"file_path":"/p/a.py"})");
    call("Read", R"({"file_path":"/p/a.py"})");
    call("Edit", R"({"file_path":"/p/justfile","old_string":"x","new_string":"y"})");
    call("Bash", R"({"command":"cd /p && rm draft.py"})");
    packet::Extractor extractor(room.memory);
    extractor.extract("mend it", conversation.utterances());
    std::vector<std::string_view> files;
    for (const packet::FileCandidate &file : extractor.files()) files.push_back(file.path);
    EXPECT_EQ(files, (std::vector<std::string_view>{"justfile", "a.py", "b.py", "draft.py"}));
    EXPECT_LT(extractor.files()[3].score, 0);
    EXPECT_TRUE(extractor.findings().empty()) << "the text of a file is not said by anybody";
}

// A line may be a megabyte of names, as in minified code.
TEST(PacketPaths, LongLinesTakeLinearTime) {
    const auto cost = [](int names) {
        std::string line = "Updated ";
        for (int i = 0; i < names; ++i) line += "a/b" + std::to_string(i % 20) + ".c ";
        accp_unit::Room room;
        packet::Extractor extractor(room.memory);
        const packet::Utterance said[] = {{Speaker::kAgent, line, true, 0}};
        const double took = accp_test::cpu_seconds_of([&] { extractor.extract("mend it", said); });
        EXPECT_EQ(extractor.files().size(), 20u);
        EXPECT_EQ(extractor.files()[0].path, "a/b0.c");  // described as changed
        return took;
    };
    EXPECT_LT(cost(120'000), 3 * 8 * (cost(15'000) + 0.01));
}

// A message of a user, and the part that is the user's own.
TEST(PacketConversation, NoticesAreNotTheUsers) {
    const struct {
        const char *content;
        std::string said;
        Speaker speaker;
    } cases[] = {
        {"do it", "do it", Speaker::kUser},
        {"a<system-reminder>never</system-reminder>b", "a" + std::string(40, ' ') + "b",
         Speaker::kUser},
        {"<user_query>do it</user_query>", "<user_query>do it</user_query>", Speaker::kUser},
        {"<b>x</b>", "<b>x</b>", Speaker::kUser},
        {"<open_tag> is left", "<open_tag> is left", Speaker::kUser},
        {"<a-b>x</a-c>y</a-b>z</a-b>", std::string(19, ' ') + "z</a-b>", Speaker::kUser},
        {"<think>x</thinking>y", std::string(19, ' ') + "y", Speaker::kUser},
        {"<a-b>x<c-d>y</c-d></a-b", std::string(23, ' '), Speaker::kUser},
        {"</a-b><a-b>x", "</a-b><a-b>x", Speaker::kUser},
        {R"(look:\\\n{\"text\":\"You must\"}\n  [\"a\"] \nC:\\x)",
         "look: \n" + std::string(19, ' ') + "\n" + std::string(8, ' ') + "\nC:\\x",
         Speaker::kUser},
        {"This session is being continued from a previous conversation: x",
         "This session is being continued from a previous conversation: x", Speaker::kAgent},
    };
    for (const auto &given : cases) {
        accp_unit::Room room;
        packet::Conversation conversation(room.memory);
        const std::string json =
            std::string(
                R"({"agent":"user","intent":"req","operation":"chat","payload":{"content":")") +
            given.content + R"("}})";
        ASSERT_TRUE(conversation.add(json, 1 << 20).ok());
        const std::span<const packet::Utterance> said = conversation.utterances();
        ASSERT_EQ(said.size(), 1u);
        EXPECT_EQ(said[0].text, given.said);
        EXPECT_EQ(said[0].speaker, given.speaker) << given.content;
    }
}

// The first message after the context was cleared is a first request, and what was said before
// counts less.
TEST(PacketConversation, ClearingBeginsAnotherSubject) {
    const std::string request = "Can you please sort the table by its date?";
    for (const char *clears :
         {"<command-name>/clear</command-name> <command-args></command-args>", "/clear", "ok"}) {
        accp_unit::Room room;
        packet::Conversation conversation(room.memory);
        for (const std::string &said : {request, std::string(clears), request})
            ASSERT_TRUE(
                conversation
                    .add(R"({"agent":"user","intent":"req","operation":"chat","payload":")" + said +
                             R"("})",
                         1 << 20)
                    .ok());
        packet::Extractor extractor(room.memory);
        extractor.extract("sort", conversation.utterances());
        ASSERT_FALSE(extractor.findings().empty()) << clears;
        EXPECT_EQ(extractor.findings()[0].message, clears[0] == 'o' ? 0u : 2u) << clears;
        EXPECT_EQ(extractor.findings()[0].kind, packet::SentenceKind::kConstraint) << clears;
    }
}

// Unclosed tags, and many closing tags: each is searched once, not up to the end of the text for
// each opening tag.
TEST(PacketConversation, NoticesTakeLinearTime) {
    const auto text_of = [](int kind, int tags) {
        std::string text;
        for (int i = 0; i < tags; ++i)
            text += kind == 1 ? "<a-" + std::to_string(i) + "></c>" : "<a-b>";
        return kind == 2 ? text + "</c>" : text;
    };
    const auto cost = [](const std::string &content) {
        return accp_test::cpu_seconds_of([&] {
            accp_unit::Room room;
            packet::Conversation conversation(room.memory);
            ASSERT_TRUE(conversation
                            .add(R"({"agent":"user","intent":"req","operation":"chat","payload":)"
                                 R"({"content":")" +
                                     content + R"("}})",
                                 8 << 20)
                            .ok());
            EXPECT_EQ(conversation.utterances()[0].text, content);
        });
    };
    for (const int kind : {0, 1, 2})
        EXPECT_LT(cost(text_of(kind, 300'000)), 3 * 8 * (cost(text_of(kind, 37'500)) + 0.01))
            << kind;
}

}  // namespace
