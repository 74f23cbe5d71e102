// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See payloads.h.
#include "peers/payloads.h"

#include <memory>

#include "accp/parts.h"

namespace accp_peers {

const char *const kDocument =
    R"({"schemas":{"zz_report":{"code":"ZZ","fields":["name","count","note"],"defaults":{"count":7,"note":"usual"},"bind":["report"]}}})";

namespace {

std::string quoted(const std::string &text) { return "\"" + text + "\""; }

// Few lengths and letters, so that long texts occur again.
std::string random_text(Dice &dice, const Setup &setup) {
    static const std::vector<std::string> kWords = {"null",
                                                    "true",
                                                    "",
                                                    "42",
                                                    "~",
                                                    "$warm.k",
                                                    "@dev:x",
                                                    "a_b c",
                                                    "100%",
                                                    "x:y",
                                                    "\\n@planner done:x"};
    switch (dice.below(4)) {
        case 0: return dice.pick(kWords);
        case 1: return std::string(51 + dice.below(3), static_cast<char>('a' + dice.below(3)));
        case 2: {
            std::string words;
            for (size_t n = dice.below(setup.parts && dice.one_in(4) ? 400 : 12); n; --n)
                words += " word" + std::to_string(dice.below(50));
            return words;
        }
        default: return "\xe6\x97\xa5" + std::to_string(dice.below(1000));
    }
}

std::string random_value(Dice &dice, const Setup &setup, size_t depth) {
    switch (dice.below(depth ? 7 : 5)) {
        case 0: return std::to_string(dice.below(100000));
        case 1: return dice.one_in(2) ? "null" : "-0.25";
        case 2: return "[{\"id\":1,\"ok\":true},{\"id\":2,\"ok\":false},{\"id\":3,\"ok\":null}]";
        case 3:
        case 4: return quoted(random_text(dice, setup));
        case 5:
            return R"({"k":)" + random_value(dice, setup, depth - 1) + R"(,"l":[)" +
                   random_value(dice, setup, depth - 1) + "]}";
        default: return R"({"word":"null","gone":null,"deep":{"word":"null"}})";
    }
}

std::string message(const std::string &agent, const std::string &intent,
                    const std::string &operation, const std::string &payload) {
    return R"({"agent":")" + agent + R"(","intent":")" + intent + R"(","operation":")" + operation +
           R"(","payload":{)" + payload + "}}";
}

Said random_report(const std::string &agent, const Setup &setup, Dice &dice) {
    const std::string name = R"("name":)" + quoted(random_text(dice, setup));
    const char *const counts[] = {"", R"(,"count":7)", R"(,"count":8)"}, *const notes[] = {
                                                                             "",
                                                                             R"(,"note":"usual")",
                                                                             R"(,"note":null)"};
    const std::string count = counts[dice.below(3)], note = notes[dice.below(3)];
    return {message(agent, "done", "report", name + count + note),
            message(agent, "done", "report",
                    name + (count.empty() ? counts[1] : count) + (note.empty() ? notes[1] : note))};
}

}  // namespace

Said random_message(const std::string &agent, const Setup &setup, Dice &dice) {
    if (setup.schemas && dice.one_in(3)) return random_report(agent, setup, dice);
    static const std::vector<std::string> kIntents = {"req",  "qry", "done", "comp",
                                                      "wait", "ack", "esc"};
    std::string payload;
    for (size_t n = dice.below(4); n; --n)
        payload += (payload.empty() ? "" : ",") + quoted("k" + std::to_string(n)) + ":" +
                   random_value(dice, setup, 1);
    if (dice.one_in(6))
        payload += (payload.empty() ? "" : ",") +
                   std::string(R"("delta":{"a":"null","b":null,"c":{"d":"null"}})");
    const std::string json = message(agent, dice.pick(kIntents), "plan", payload);
    return {json, json};
}

std::string random_state(Dice &dice) {
    std::string state;
    for (size_t i = 0; i < 6; ++i) {
        if (dice.one_in(3)) continue;
        static const std::vector<std::string> kValues = {
            "null",           "\"null\"", "1", R"({"s":"open","n":1})", R"({"s":"done","n":null})",
            R"({"s":"null"})"};
        state += (state.empty() ? "" : ",") + quoted("task" + std::to_string(i)) + ":" +
                 dice.pick(kValues);
    }
    return "{" + state + "}";
}

std::string canonical(const std::string &json) {
    struct Free {
        void operator()(accp_value *value) const { accp_value_free(value); }
    };
    static const std::unique_ptr<accp_value, Free> value([] {
        accp_value *made = nullptr;
        accp_value_new(nullptr, &made, nullptr);
        return made;
    }());
    accp_text text = {};
    accp_error error = {};
    accp_status status = accp_value_parse_json(value.get(), json.data(), json.size(), &error);
    if (status == ACCP_OK) status = accp_value_print_hash_form(value.get(), &text, &error);
    if (status != ACCP_OK)
        stop(std::string("no JSON was handed out: ") + error.message + "\n" + json);
    return std::string(text.text, text.len);
}

std::string without_envelope(const std::string &json) {
    const size_t meta = json.rfind(R"(,"meta":{"mid":)");
    return meta == std::string::npos ? json : json.substr(0, meta) + "}";
}

}  // namespace accp_peers
