// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random chats in the forms of providers, with thoughts, images, documents and several calls a
// turn, while messages are evicted: each request keeps the rules of its provider, has all that a
// user and an assistant said, the thoughts of the current turn, and begins as the one before did.
#include <set>

#include "session/provider_lists.h"
#include "transcript/provider_rules.h"

namespace {

using namespace accp_sessions;
using namespace accp_lists;

const std::string kLongWords = "the first line of long words ";

// Each number is drawn in a statement of its own, so that all compilers make the same chat.
class Chat {
public:
    Chat(uint64_t seed, bool is_openai, bool has_long_words)
        : random_(seed), is_openai_(is_openai), has_long_words_(has_long_words) {}

    // Appends the messages up to the next call of the model: its answer, and results or a request.
    std::vector<std::string> next() {
        std::vector<std::string> added;
        if (calls_.empty()) {
            if (is_begun_)
                added.push_back(is_openai_ ? message("assistant", many_words()) : said());
            added.push_back(asked());
            is_begun_ = true;
        } else {
            for (std::string &one : answered()) added.push_back(std::move(one));
        }
        if (random_.below(6)) added.push_back(called());
        return added;
    }

private:
    std::string words() {
        const std::string number = std::to_string(count_++);
        return "w" + number + " " + hard_text(random_);
    }
    // Some are long and repeat lines, which are left out once they are old.
    std::string many_words() {
        if (!has_long_words_ || random_.below(3)) return words();
        std::string lines = kLongWords + std::to_string(count_) + "\n";
        const std::string file = std::to_string(random_.below(2));
        for (int i = 0; i < 130; ++i)
            lines +=
                " " + std::to_string(i) + " of the words of file " + file + (i % 9 ? "\n" : "\r\n");
        return lines + words();
    }
    std::string text() { return R"({"type":"text","text":)" + json_text(many_words()) + "}"; }
    std::string image() {
        const std::string data = std::to_string(1000 + count_++);
        return is_openai_ ? R"({"type":"image_url","image_url":{"url":"data:image/png;base64,)" +
                                data + R"("}})"
                          : R"({"type":"image","source":{"type":"base64","media_type":"image/png",)"
                            R"("data":")" +
                                data + R"("}})";
    }
    std::string thought() {
        const std::string content = json_text(words()), number = std::to_string(count_++);
        return R"({"type":"thinking","thinking":)" + content + R"(,"signature":"s)" + number +
               R"("},)";
    }
    std::string said() {
        const std::string before = random_.below(2) ? thought() : "";
        return R"({"role":"assistant","content":[)" + before + text() + "]}";
    }
    std::string asked() {
        if (is_openai_ && random_.below(3)) return message("user", many_words());
        const std::string content = text(), after = random_.below(3) ? "" : "," + image();
        return R"({"role":"user","content":[)" + content + after + "]}";
    }
    std::string called() {
        std::string list;
        for (size_t n = 1 + random_.below(3); n; --n) {
            calls_.push_back("c" + std::to_string(count_++));
            const std::string path = json_text("f" + std::to_string(random_.below(5)));
            list += (list.empty() ? "" : ",");
            list += is_openai_
                        ? R"({"id":")" + calls_.back() +
                              R"(","type":"function","function":{"name":"read","arguments":)" +
                              json_text("{\"path\": " + path + "}") + "}}"
                        : R"({"type":"tool_use","id":")" + calls_.back() +
                              R"(","name":"read","input":{"path":)" + path + "}}";
        }
        if (is_openai_)
            return R"({"role":"assistant","content":)" +
                   (random_.below(2) ? "null" : json_text(words())) + R"(,"tool_calls":[)" + list +
                   "]}";
        const std::string before = random_.below(3) ? thought() : "",
                          content = random_.below(2) ? text() + "," : "";
        return R"({"role":"assistant","content":[)" + before + content + list + "]}";
    }
    // Often the same lines, so that some are left out.
    std::string result() {
        std::string lines;
        const size_t file = random_.below(4), size = random_.below(100);
        for (size_t i = 0; i < size; ++i)
            lines += "line " + std::to_string(i) + " of the file number " + std::to_string(file) +
                     (i % 7 ? "\n" : "\r\n");
        return lines + words();
    }
    std::vector<std::string> answered() {
        std::vector<std::string> added;
        std::string blocks;
        for (const std::string &id : calls_) {
            if (is_openai_) {
                added.push_back(R"({"role":"tool","tool_call_id":")" + id +
                                "\",\"content\":" + json_text(result()) + "}");
                continue;
            }
            std::string content = json_text(result());
            if (!random_.below(3))
                content = R"([{"type":"text","text":)" + content + "}," + image() + "]";
            blocks += (blocks.empty() ? "" : ",");
            blocks += R"({"type":"tool_result","tool_use_id":")" + id + R"(","content":)" +
                      content + (random_.below(6) ? "" : R"(,"is_error":true)") + "}";
        }
        calls_.clear();
        if (is_openai_) return added;
        if (!random_.below(8)) {
            blocks += "," + text();
            blocks += "," + image();
        }
        return {R"({"role":"user","content":[)" + blocks + "]}"};
    }

    Random random_;
    const bool is_openai_, has_long_words_;
    bool is_begun_ = false;
    size_t count_ = 0;
    std::vector<std::string> calls_;
};

// All blocks of a list, as JSON without cache marks; a text content is one.
std::vector<std::string> blocks_of(const Json &messages, size_t from = 0) {
    std::vector<std::string> all;
    for (size_t i = from; i < messages.items.size(); ++i) {
        const Json &message = messages.items[i], &content = *message.find("content");
        if (content.kind == accp_ref::JsonKind::kString)
            all.push_back(R"({"type":"text","text":)" + json_text(content.text) + "}");
        for (Json block : content.items) {
            block.members.remove_if([](const auto &one) { return one.first == "cache_control"; });
            all.push_back(write_json(block));
        }
        if (const Json *calls = message.find("tool_calls"))
            for (const Json &call : calls->items) all.push_back(write_json(call));
    }
    return all;
}

bool is_said_by_user(const Json &message) {
    if (message.find("role")->text != "user") return false;
    const Json &content = *message.find("content");
    return content.items.empty() || content.items[0].find("type")->text != "tool_result";
}

bool is_long_text_with_gaps(const std::string &block) {
    return block.find(kLongWords) != block.npos && block.find(" lines as above") != block.npos;
}

// Returns whether two blocks differ only in gaps of a text.
bool is_gapped_block(const std::string &shown, const std::string &whole) {
    return is_long_text_with_gaps(shown) && whole.rfind("{\"type\":\"text\"", 0) == 0 &&
           is_gapped(parse_json(shown)->find("text")->text, parse_json(whole)->find("text")->text);
}

// Returns whether a block is the line of these long words.
bool is_evicted_block(const std::string &shown, const std::string &whole) {
    const size_t at = whole.find(kLongWords);
    return at != whole.npos && shown.find(" tokens: $cold.m") != shown.npos &&
           shown.find(whole.substr(at, whole.find("\\n", at) - at)) != shown.npos;
}

// Each block of the history is in the request, except for results and for thoughts of earlier
// turns. Long words may have gaps, and those of an agent may be evicted. Counts such blocks in
// `gaps`.
void check_blocks(const Json &history, const Json &messages, size_t &gaps) {
    size_t turn = 0;
    for (size_t i = 0; i < history.items.size(); ++i)
        if (is_said_by_user(history.items[i])) turn = i;
    const std::vector<std::string> had = blocks_of(messages);
    const std::set<std::string> there(had.begin(), had.end());
    for (size_t i = 0; i < history.items.size(); ++i) {
        if (history.items[i].find("role")->text == "tool") continue;
        for (const std::string &block : blocks_of(Json::array({history.items[i]}))) {
            const bool is_thought = block.find("\"thinking\"") != block.npos;
            if (block.find("tool_result") != block.npos || (is_thought && i < turn)) continue;
            if (there.count(block)) continue;
            ASSERT_TRUE(std::any_of(had.begin(), had.end(), [&](const std::string &one) {
                return is_gapped_block(one, block) || is_evicted_block(one, block);
            })) << block;
            ++gaps;
        }
    }
}

// Images stay beside the texts of a result, and leave with them if it is evicted.
void check_images(const Json &history, const std::string &request) {
    for (const std::string &block : blocks_of(history)) {
        const auto result = parse_json(block);
        const Json *content = result->find("content");
        if (result->find("type")->text != "tool_result" || content->items.empty()) continue;
        const std::string id = write_json(*result->find("tool_use_id"));
        const size_t at = request.find("\"tool_use_id\":" + id);
        ASSERT_NE(at, request.npos) << id;
        const std::string shown = request.substr(at, request.find("}", at) - at);
        const bool is_evicted = shown.find(" tokens: $cold.m") != shown.npos;
        const bool has_image = request.find(write_json(content->items.at(1)), at) != request.npos;
        ASSERT_EQ(has_image, !is_evicted) << block;
    }
}

class ProviderChats : public testing::TestWithParam<std::tuple<int32_t, bool>> {};

TEST_P(ProviderChats, KeepTheRules) {
    const auto [as, has_cache] = GetParam();
    size_t evicted = 0, grown = 0, gaps = 0, words = 0;
    const uint64_t seeds = ACCP_SANITIZED ? 1 : 4;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
        EngineConfig config;
        config.rule(ACCP_RULE_WHOLE_MAX, 1000);
        if (!has_cache) config.rule(ACCP_RULE_PRICE_WRITE, 1000).rule(ACCP_RULE_PRICE_CACHED, 1000);
        const auto engine = open_engine(config);
        const auto session = open_session(engine.get());
        Chat chat(100 + seed, as == ACCP_INTERFACE_OPENAI, !seed);
        std::vector<std::string> history;
        std::string before;
        size_t away = 0;  // evicted messages
        for (int turn = 0; turn < (ACCP_SANITIZED ? 30 : 60); ++turn) {
            const std::vector<std::string> added = chat.next();
            ASSERT_EQ(append_messages(session.get(), as, joined(added)), ACCP_OK) << joined(added);
            history.insert(history.end(), added.begin(), added.end());
            const Request request = request_of(session.get(), as);
            const bool is_openai = as == ACCP_INTERFACE_OPENAI;
            ASSERT_EQ(is_openai ? accp_transcript::broken_openai_rule(request.json)
                                : accp_transcript::broken_anthropic_rule(request.json),
                      "")
                << request.text;
            const Json &messages = is_openai ? request.json : *request.json.find("messages");
            ASSERT_NO_FATAL_FAILURE(check_blocks(*parse_json(joined(history)), messages, words))
                << "seed " << seed << ", turn " << turn;
            if (!is_openai) {
                ASSERT_NO_FATAL_FAILURE(check_images(*parse_json(joined(history)), request.text));
            }
            std::string now;
            size_t left = 0;
            for (const std::string &block : blocks_of(messages)) now += block + "\n";
            for (size_t at = 0; (at = now.find(" tokens: $cold.m", at)) != now.npos; ++at) ++left;
            if (left == away) {
                ASSERT_EQ(now.substr(0, before.size()), before);
                ++grown;
            }
            evicted += left > away;
            gaps += now.find(" lines as above") != now.npos;
            away = left;
            before = now;
        }
    }
    if (ACCP_SANITIZED) return;  // one chat need not have everything
    EXPECT_GE(evicted, has_cache ? seeds : 2 * seeds);
    EXPECT_GE(grown, 25 * seeds);
    EXPECT_GE(gaps, 5 * seeds);
    EXPECT_GE(words, 5 * seeds);
}

INSTANTIATE_TEST_SUITE_P(All, ProviderChats,
                         testing::Combine(testing::Values(ACCP_INTERFACE_OPENAI,
                                                          ACCP_INTERFACE_ANTHROPIC),
                                          testing::Bool()));

// What a program gets back is byte for byte what it put in: messages, and values of every tier.
TEST(ProviderChats, ResolveReturnsWhatWasPut) {
    Random random(7);
    OneSession one;
    std::vector<std::string> texts;
    for (int round = 0; round < 300; ++round) {
        // white space, escapes, numbers and empty containers as a program may write them
        static const std::string kOdd[] = {"1.50",
                                           "-0",
                                           "1e400",
                                           "[ ]",
                                           "{ }",
                                           "\t[1,\n2]",
                                           R"("\u00e9\/")",
                                           R"({"b":1 , "a":""})",
                                           "null",
                                           "true",
                                           R"("\ud83d\ude00\u0000")"};
        const std::string text = hard_text(random, random.below(5)),
                          value = random.below(2) ? json_text(text) : kOdd[random.below(11)],
                          key = "k" + std::to_string(random.below(40)),
                          tier = random.below(2) ? "warm." : "cold.";
        const auto plain = parse_json(value);
        ASSERT_EQ(put(one.session.get(), tier + key, value), ACCP_OK) << value;
        EXPECT_EQ(resolve(one.session.get(), tier + key), write_json(*plain)) << value;
        if (plain->kind == accp_ref::JsonKind::kString) {
            EXPECT_EQ(answer(one.session.get(), "$" + tier + key), plain->text);
        }
        const std::string said = R"({"agent":"a","intent":"done","operation":"tool","payload":)"
                                 R"({"tool_name":"f","result":)" +
                                 json_text(text) + R"(,"more":[)" + value + "]}}";
        ASSERT_EQ(append(one.session.get(), said), ACCP_OK) << said;
        const std::string ref = "cold.m" + std::to_string(round + 1);
        EXPECT_EQ(resolve(one.session.get(), ref), said);
        EXPECT_EQ(resolve(one.session.get(), ref + ".result"), json_text(text));
        EXPECT_EQ(answer(one.session.get(), "$" + ref + ".result"), text);
        ASSERT_FALSE(HasFailure()) << "round " << round << ": " << value;
    }
}

}  // namespace
