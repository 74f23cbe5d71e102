// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Facts: their form, their entity, and that the newest one wins. And a check without regard to how
// they are chosen: after each message of a session with structured payloads, the last value of
// everything stated so far is in the context, beside its entity and its attribute.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "context/history.h"
#include "context/sample.h"

namespace {

using namespace accp_context;

// Returns the warm text after these payloads, each sent by `agent` with intent done, and one more
// without facts.
std::string facts_after(std::initializer_list<std::string> payloads) {
    Session session(counting(), kSpecification);
    for (const std::string &payload : payloads)
        EXPECT_TRUE(session.append(message("agent", "done", "work", payload)).ok());
    for (int i = 0; i < 2; ++i)
        EXPECT_TRUE(session.append(message("agent", "done", "rest", "{}")).ok());
    std::string facts;
    for (uint32_t id = 1; id <= session.context.checkpoints(); ++id) {
        const std::string text(session.context.warm(id));
        const size_t at = text.find("(stated)\n"), end = text.find("$warm");
        if (at != text.npos) facts += text.substr(at + 9, end - at - 9);
    }
    return facts;
}

TEST(ContextFacts, TheEntityIsTheFirstName) {
    EXPECT_EQ(facts_after({R"({"n":1,"file":"a.cc","size":20,"ok":true,"who":null})"}),
              "file:a.cc by agent n:1 size:20 ok:true who:null\n");
    EXPECT_EQ(facts_after({R"({"n":1,"m":2})"}), "agent.work n:1 m:2\n");
    EXPECT_EQ(facts_after({R"({"file":"a.cc","at":{"line":3,"of":{"x":"y"}},"tags":["p","q"]})"}),
              "file:a.cc by agent at.line:3 at.of.x:y tags:[p q]\n");
}

// A value has up to 160 bytes, a name and a path of keys up to 64. A payload with a member that is
// no fact states nothing.
TEST(ContextFacts, ValuesAndNamesHaveLimits) {
    auto letters = [](size_t count) { return std::string(count, 'a'); };
    for (const size_t size : {159u, 160u, 161u}) {
        const std::string value = letters(size), item = letters(size - 2);
        EXPECT_EQ(facts_after({R"({"n":1,"key":")" + value + R"("})"}),
                  size <= 160 ? "agent.work n:1 key:" + value + "\n" : "");
        EXPECT_EQ(facts_after({R"({"n":1,"list":[")" + item + R"("]})"}),
                  size <= 160 ? "agent.work n:1 list:[" + item + "]\n" : "");
    }
    for (const size_t size : {63u, 64u, 65u}) {
        const std::string name = letters(size), map = letters(30), key = letters(size - 31);
        EXPECT_EQ(
            facts_after({R"({"n":1,"file":")" + name + R"("})"}),
            size <= 64 ? "file:" + name + " by agent n:1\n" : "agent.work n:1 file:" + name + "\n");
        EXPECT_EQ(facts_after({R"({"n":1,")" + map + R"(":{")" + key + R"(":2}})"}),
                  size <= 64 ? "agent.work n:1 " + map + "." + key + ":2\n" : "");
    }
}

TEST(ContextFacts, TheNewestWins) {
    EXPECT_EQ(facts_after({R"({"file":"a.cc","size":20})", R"({"file":"b.cc","size":5})",
                           R"({"file":"a.cc","size":21})"}),
              "file:b.cc by agent size:5\nfile:a.cc by agent size:21\n");
}

// A statement stays if another agent states something else: both are there with their authors. For
// one entity, the author with the newest statement comes last.
TEST(ContextFacts, NameTheirAuthor) {
    Session session(counting(), kSpecification);
    auto says = [&](std::string_view agent, std::string_view payload, bool untrusted = false) {
        std::string json = message(agent, "done", "review", payload);
        if (untrusted) json.replace(json.size() - 1, 1, R"(,"untrusted":true})");
        EXPECT_TRUE(session.append(json).ok());
    };
    says("planner", R"({"task":"release","approved":false})");
    says("evil", R"({"task":"release","approved":true})", true);
    says("evil", R"({"n":7})", true);
    says("coder", R"({"task":"release","approved":true})");
    says("coder", R"({"task":"release","approved":null})");
    for (int i = 0; i < 20; ++i)
        says("agent", R"({"note":"a text of a few words that is long enough for the history"})");
    const std::string text = session.render();
    EXPECT_NE(text.find("task:release by planner approved:false\n"
                        "task:release by evil (untrusted) approved:true\n"
                        "evil.review by evil (untrusted) n:7\n"
                        "task:release by coder approved:null\n"),
              std::string::npos)
        << text;
}

// The same name counts as another author if one of the two is untrusted.
TEST(ContextFacts, AnotherOriginIsAnotherAuthor) {
    Session session(counting(), kSpecification);
    EXPECT_TRUE(
        session
            .append(message("planner", "done", "review", R"({"task":"release","approved":false})"))
            .ok());
    EXPECT_TRUE(
        session
            .append(
                R"({"agent":"planner","intent":"done","operation":"review","untrusted":true,"payload":{"task":"release","approved":true}})")
            .ok());
    for (int i = 0; i < 20; ++i)
        EXPECT_TRUE(session
                        .append(message("agent", "done", "rest",
                                        R"({"note":"a text of a few words that is long enough"})"))
                        .ok());
    const std::string text = session.render();
    EXPECT_NE(text.find("task:release by planner approved:false\n"), std::string::npos) << text;
    EXPECT_NE(text.find("task:release by planner (untrusted) approved:true\n"), std::string::npos)
        << text;
}

// A message with a text stays a message, and its lines contain its values.
TEST(ContextFacts, ATextIsNone) {
    EXPECT_EQ(facts_after({R"({"file":"a.cc","note":"two words","size":1})"}), "");
}

// Calls and results of tools state no facts.
TEST(ContextFacts, AToolStatesNothing) {
    Session session(counting(), kSpecification);
    EXPECT_TRUE(
        session.append(message("shell", "done", "tool", R"({"tool":"ls","a":1,"b":2})")).ok());
    ASSERT_TRUE(session.context.checkpoint().ok());
    for (int i = 0; i < 40; ++i)
        EXPECT_TRUE(session
                        .append(message("coder", "req", "tool",
                                        R"({"arguments":{"command":"a few words more"}})"))
                        .ok());
    EXPECT_NE(session.render().find("shell@1: tool:ls a:1 b:2\n"), std::string::npos)
        << session.render();
}

// A value at a path and its entity: the first member that is a name, or else the agent and its
// operation.
struct Stated {
    std::string entity, key, value;
    bool subject;
};

void state_all(accp::value::TreeView tree, uint32_t payload, const std::string &who,
               std::map<std::string, Stated> &current) {
    uint32_t subject = 0;
    for (uint32_t i = payload + 1; i < tree[payload].next && !subject; i = tree[i].next)
        if (tree[i].kind == ACCP_STRING && tree.string(i).find(' ') == std::string_view::npos)
            subject = i;
    const std::string entity = subject ? std::string(tree.string(subject)) : who;
    std::vector<std::pair<uint32_t, std::string>> levels = {{tree[payload].next, ""}};
    std::string key;
    for (uint32_t i = payload + 1; !levels.empty();) {
        if (i >= levels.back().first) {
            levels.pop_back();
            continue;
        }
        if (tree[i].key_len) key = tree.key(i);
        std::string path = levels.back().second + "." + (tree[i].key_len ? key : std::to_string(i));
        if (accp::value::is_container(tree[i].kind)) {
            for (auto it = current.lower_bound(entity + path + ".");
                 it != current.end() && it->first.starts_with(entity + path + ".");)
                it = current.erase(it);
            levels.emplace_back(tree[i].next, path);
            ++i;
            continue;
        }
        std::string value = tree[i].kind == ACCP_BOOL
                                ? (tree[i].flags & ACCP_NODE_TRUE ? "true" : "false")
                                : std::string(tree.string(i));
        current[entity + path] = {entity, key, value, i == subject};
        i = tree[i].next;
    }
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

size_t find_whole(std::string_view text, std::string_view wanted, size_t from) {
    for (size_t at; (at = text.find(wanted, from)) != text.npos; from = at + 1)
        if ((!at || !is_word(text[at - 1])) &&
            (at + wanted.size() == text.size() || !is_word(text[at + wanted.size()])))
            return at;
    return text.npos;
}

// Checks that a line has the entity and the key, and that the value follows before another key.
bool is_stated(const Stated &fact, std::string_view context) {
    while (!context.empty()) {
        std::string_view line = context.substr(0, context.find('\n'));
        context.remove_prefix(std::min(context.size(), line.size() + 1));
        size_t dot = fact.entity.find('.');
        bool about = find_whole(line, fact.entity, 0) != line.npos ||
                     (line[0] == '@' && dot != std::string::npos &&
                      find_whole(line, fact.entity.substr(0, dot), 0) == 1 &&
                      find_whole(line, fact.entity.substr(dot + 1), 0) != line.npos);
        if (about && fact.subject) return true;
        for (size_t at = 0; about && (at = find_whole(line, fact.key, at)) != line.npos; ++at) {
            std::string_view rest = line.substr(at + fact.key.size());
            if (rest.empty() || !std::strchr(":,) {(", rest[0])) continue;
            size_t brackets = rest.find(']');
            std::string_view own =
                rest[0] == ':' && rest.substr(1, 1) != "[" && rest.substr(1, 1) != "("
                    ? rest.substr(0, rest.find(' '))
                    : rest.substr(0, brackets);
            if (find_whole(own, fact.value, 0) != own.npos) return true;
        }
    }
    return false;
}

// Returns the share of the statements so far that is in the context, after each message.
double stated_share(const accp::context::ContextOptions &options) {
    Session session(counting(), options);
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::value::JsonReader reader(memory);
    accp::value::Value value(memory);
    std::map<std::string, Stated> current;
    uint64_t asked = 0, found = 0;
    for (const std::string &line : read_lines("data/examples/pipeline.jsonl")) {
        EXPECT_TRUE(session.append(line).ok());
        EXPECT_TRUE(
            reader.read(line.data(), line.size(), {UINT64_MAX, accp::kMaxJsonDepth}, value).ok());
        accp::value::TreeView tree = value.view();
        auto text = [&](const char *key) { return std::string(tree.string(tree.find(0, key))); };
        state_all(tree, tree.find(0, "payload"), text("agent") + "." + text("operation"), current);
        std::string context = session.render();
        for (const auto &[path, fact] : current) {
            ++asked;
            found += is_stated(fact, context);
        }
    }
    std::printf("stated so far, after each message: %llu of %llu are in the context\n",
                static_cast<unsigned long long>(found), static_cast<unsigned long long>(asked));
    EXPECT_GT(asked, 4000u);
    return static_cast<double>(found) / static_cast<double>(asked);
}

// Returns a random message that states one thing, with one of the first `names` names.
std::string random_fact(accp_unit::Random &random, uint32_t names) {
    static constexpr std::string_view kNames[] = {"id", "[x", "'s", "a b", "/etc", "\u00fcber"};
    static constexpr std::string_view kValues[] = {"[1]", "\"x!\"", "\"/tmp/\"", "7", "\"(\""};
    std::string payload("{\"");
    payload.append(kNames[random.below(names)]).append("\":\"n");
    payload.append(std::to_string(random.below(150))).append("\",\"v");
    payload.append(std::to_string(random.below(3))).append("\":");
    payload.append(kValues[random.below(5)]).append("}");
    return message("agent", "done", "state", payload);
}

// A fold counts only the new lines of facts. The sum must still equal the tokens of the text,
// whatever a line begins with, and even if a token crosses a newline ("!\n/").
TEST(ContextFacts, HaveTheTokensOfTheirText) {
    accp::context::ContextOptions options;
    options.hot_due = options.hot_max = options.checkpoint_max = options.summary_max = 1 << 12;
    options.newest_max = options.pinned_max = 300;
    options.price_cached = options.price_write = 0;
    for (uint32_t names = 4; names <= 6; ++names) {
        Session session(counting(), options);
        accp_unit::Random random(names);
        size_t bytes = 0;
        for (int i = 0; i < (ACCP_SANITIZED ? 800 : 1500); ++i) {
            ASSERT_TRUE(session.append(random_fact(random, names)).ok());
            const accp::context::ContextState &state = session.context.state();
            for (size_t unit = 0; unit < state.units.size(); ++unit) {
                if (state.units[unit].kind != accp::context::UnitKind::kFacts) continue;
                const std::string_view text = state.text_of(unit);
                ASSERT_EQ(state.units[unit].tokens, counting().count(text)) << i << ":\n" << text;
                bytes = std::max(bytes, text.size());
            }
        }
        EXPECT_GT(bytes, 4000u);
    }
}

TEST(ContextFacts, EverythingStatedIsInTheContext) {
    EXPECT_EQ(stated_share({}), 1.0);
    EXPECT_GE(stated_share(kSpecification), 0.93);
}

}  // namespace
