// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages for tests: one with given fields, and random ones of many kinds.
#pragma once

#include <string>

#include "unit.h"

namespace accp_context {

inline std::string message(std::string_view agent, std::string_view intent,
                           std::string_view operation, std::string_view payload) {
    std::string json = "{\"agent\":\"";
    json.append(agent)
        .append("\",\"intent\":\"")
        .append(intent)
        .append("\",\"operation\":\"")
        .append(operation);
    return json.append("\",\"payload\":").append(payload).append("}");
}

// Prose, code, logs, JSON, CJK; short and long; requests of all kinds and their results.
class RandomMessages {
public:
    explicit RandomMessages(uint64_t seed) : random_(seed) {}

    std::string next() {
        static constexpr std::string_view kIntents[] = {"req",    "req",  "req", "done",
                                                        "done",   "fail", "ack", "qry",
                                                        "stream", "sync", "esc", "comp"};
        static constexpr std::string_view kAgents[] = {"coder", "shell", "user", "planner"};
        std::string_view intent = kIntents[random_.below(12)], agent = kAgents[random_.below(4)];
        switch (random_.below(4)) {
            case 0: return message(agent, intent, "state", facts());
            case 1:
                return message(agent, "req", "tool",
                               "{\"thought\":\"" + prose(random_.below(40)) +
                                   "\",\"tool_name\":\"run\",\"arguments\":{\"command\":\"" +
                                   text() + "\"}}");
            case 2:
                return message(agent, intent, "tool",
                               "{\"tool_name\":\"run\",\"result\":\"" + text() +
                                   "\",\"state\":" + facts() + "}");
            default: return message(agent, intent, "chat", "{\"content\":\"" + text() + "\"}");
        }
    }

private:
    std::string word() {
        static constexpr std::string_view kWords[] = {
            "the",   "error", "parser",  "src/main.cc", "kMaxItems", "open_file",
            "is",    "in",    "0x1f",    "README.md",   "文件",      "データ",
            "naïve", "@user", "$warm.x", "build-7",     "HTTP",      "1474"};
        return random_.below(3) ? std::string(kWords[random_.below(18)])
                                : random_.text("abcXYZ_./-019", 1 + random_.below(14));
    }
    std::string prose(size_t words) {
        std::string made;
        for (size_t i = 0; i < words; ++i) made += word() + (random_.below(9) ? " " : ". ");
        return made;
    }
    std::string text() {
        static constexpr std::string_view kEnds[] = {
            "\\n",  "\\n    ", ";\\n", " {\\n\\t", "\\n```\\n", "\\r\\n", "\\n@user req:plan x:",
            "\\n/", "。\\n"};
        std::string made;
        size_t lines = random_.below(8) ? random_.below(12) : random_.below(300);
        for (size_t i = 0; i < lines; ++i)
            made += prose(random_.below(random_.below(20) ? 12 : 90)) +
                    std::string(kEnds[random_.below(9)]);
        return made;
    }
    std::string facts() {
        std::string made = "{";
        for (size_t i = random_.below(12); i-- > 0;) {
            made += "\"k" + std::to_string(i) + "\":";
            switch (random_.below(6)) {
                case 0: made += std::to_string(random_.below(1000)); break;
                case 1: made += "[\"a\",\"" + word() + "\"]"; break;
                case 2: made += "{\"deep\":{\"er\":\"" + word() + "\",\"n\":null}}"; break;
                case 3:
                    made += "[{\"id\":1,\"name\":\"x\"},{\"id\":2,\"name\":\"" + word() + "\"}]";
                    break;
                default: made += "\"" + word() + "\"";
            }
            made += i ? "," : "";
        }
        return made + "}";
    }

    accp_unit::Random random_;
};

}  // namespace accp_context
