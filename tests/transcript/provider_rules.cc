// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "transcript/provider_rules.h"

#include <algorithm>
#include <set>
#include <vector>

namespace accp_transcript {

namespace {

using accp_ref::Json;
using accp_ref::JsonKind;

struct Broken {
    std::string rule;
};
void want(bool holds, const std::string &rule) {
    if (!holds) throw Broken{rule};
}

const Json &member(const Json &object, const char *key) {
    want(object.is_object(), std::string("an object with ") + key);
    const Json *found = object.find(key);
    want(found != nullptr, std::string("a member ") + key);
    return *found;
}
std::string text(const Json &object, const char *key) {
    const Json &found = member(object, key);
    want(found.kind == JsonKind::kString, std::string(key) + " is a text");
    return found.text;
}
bool is_blank(const std::string &text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}
bool is_identifier(const std::string &text) {
    return !text.empty() && text.size() <= 64 &&
           text.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               std::string::npos;
}
void only(const Json &object, const std::set<std::string> &keys) {
    for (const auto &[key, value] : object.members) want(keys.count(key), "no member " + key);
}

// The ids of calls without a result, and all ids so far.
struct Calls {
    std::set<std::string> open, all;

    void call(const std::string &id, const std::string &name) {
        want(is_identifier(id) && id.size() <= 40, "an id is an identifier of at most 40");
        want(is_identifier(name), "a tool's name is an identifier");
        want(all.insert(id).second, "an id stands once");
        open.insert(id);
    }
    void answer(const std::string &id) { want(open.erase(id), "a result has its call before it"); }
};

void check_openai_call(const Json &call, Calls &calls) {
    if (text(call, "type") == "custom") {
        only(call, {"id", "type", "custom"});
        text(member(call, "custom"), "input");
        return calls.call(text(call, "id"), text(member(call, "custom"), "name"));
    }
    only(call, {"id", "type", "function"});
    want(text(call, "type") == "function", "a call is a function");
    const Json &function = member(call, "function");
    only(function, {"name", "arguments"});
    calls.call(text(call, "id"), text(function, "name"));
    const auto arguments = accp_ref::parse_json(text(function, "arguments"));
    want(arguments && arguments->is_object(), "arguments are the text of an object");
}

// A content is a text, or a list of parts. Only a user has others than texts.
void check_openai_content(const Json &content, bool is_user) {
    if (content.kind == JsonKind::kString) return;
    want(content.kind == JsonKind::kArray && !content.items.empty(), "a content is a text or list");
    for (const Json &part : content.items) {
        const std::string type = text(part, "type");
        if (type == "text") {
            only(part, {"type", "text"});
            want(!text(part, "text").empty(), "a part says something");
            continue;
        }
        want(is_user, "only a user has images");
        want(std::set<std::string>{"image_url", "input_audio", "file"}.count(type), "a known part");
        want(member(part, type.c_str()).is_object(), "a part has its object");
    }
}

void check_openai(const Json &messages) {
    want(messages.kind == JsonKind::kArray, "a list of messages");
    Calls calls;
    for (const Json &message : messages.items) {
        const std::string role = text(message, "role");
        if (role == "tool") {
            only(message, {"role", "tool_call_id", "content"});
            check_openai_content(member(message, "content"), false);
            calls.answer(text(message, "tool_call_id"));
            continue;
        }
        want(calls.open.empty(), "results follow their calls at once");
        const Json *made = message.find("tool_calls");
        want(std::set<std::string>{"system", "developer", "user", "assistant"}.count(role),
             "a role");
        want(!made || role == "assistant", "calls are an assistant's");
        want(!message.find("name") || role == "user", "a name is a user's");
        if (role == "assistant")
            only(message, {"role", "content", "tool_calls", "refusal", "reasoning_content"});
        else only(message, {"role", "content", "name"});
        if (!made || member(message, "content").kind != JsonKind::kNull)
            check_openai_content(member(message, "content"), role == "user");
        if (!made) continue;
        want(!made->items.empty() && made->items.size() <= 128, "1 to 128 calls");
        for (const Json &call : made->items) check_openai_call(call, calls);
    }
    // Calls of the last turn may have no result yet.
}

class AnthropicRules {
public:
    void check(const Json &request) {
        only(request, {"system", "messages"});
        if (const Json *system = request.find("system")) {
            want(!system->items.empty(), "a system says something");
            for (const Json &block : system->items) check_text(block);
        }
        const std::vector<Json> &messages = member(request, "messages").items;
        for (size_t i = 0; i < messages.size(); ++i) {
            only(messages[i], {"role", "content"});
            const std::string role = text(messages[i], "role");
            want(role == "assistant" || role == "user", "a role");
            want(!i || text(messages[i - 1], "role") != role, "roles take turns");
            is_last_ = i + 1 == messages.size();
            want(!member(messages[i], "content").items.empty(), "a message has blocks");
            if (role == "assistant") check_assistant(member(messages[i], "content").items);
            else check_user(member(messages[i], "content").items);
        }
        want(marks_ <= 4, "at most four marks");
    }

private:
    void check_mark(const Json &block) {
        const Json *mark = block.find("cache_control");
        if (!mark) return;
        ++marks_;
        want(accp_ref::write_json(*mark) == R"({"type":"ephemeral"})", "a mark is ephemeral");
    }
    void check_text(const Json &block) {
        check_mark(block);
        only(block, {"type", "text", "cache_control", "citations"});
        want(text(block, "type") == "text", "a block of text");
        want(!is_blank(text(block, "text")), "a text says something");
    }
    // An image or a document.
    bool check_media(const Json &block) {
        const std::string type = text(block, "type");
        if (type != "image" && type != "document") return false;
        check_mark(block);
        only(block, {"type", "source", "title", "context", "citations", "cache_control"});
        want(member(block, "source").is_object(), "an image has a source");
        return true;
    }
    bool check_thought(const Json &block) {
        const std::string type = text(block, "type");
        if (type == "thinking") {
            only(block, {"type", "thinking", "signature"});
            want(!text(block, "signature").empty(), "a thought is signed");
        } else if (type == "redacted_thinking") {
            only(block, {"type", "data"});
        }
        return type == "thinking" || type == "redacted_thinking";
    }
    void check_assistant(const std::vector<Json> &blocks) {
        bool has_call = false;
        for (const Json &block : blocks) {
            if (check_thought(block)) continue;
            if (text(block, "type") != "tool_use") {
                want(!has_call, "calls stand at the end");
                check_text(block);
                continue;
            }
            has_call = true;
            check_mark(block);
            only(block, {"type", "id", "name", "input", "cache_control"});
            calls_.call(text(block, "id"), text(block, "name"));
            want(member(block, "input").is_object(), "an input is an object");
        }
        const std::string last = text(blocks.back(), "type");
        want(last != "thinking" && last != "redacted_thinking",
             "a message does not end in thought");
    }
    void check_user(const std::vector<Json> &blocks) {
        for (const Json &block : blocks) {
            if (text(block, "type") != "tool_result") {
                want(calls_.open.empty(), "results come first, and all of them");
                if (!check_media(block)) check_text(block);
                continue;
            }
            check_mark(block);
            only(block, {"type", "tool_use_id", "content", "is_error", "cache_control"});
            const Json &content = member(block, "content");
            for (const Json &inner : content.items)
                if (!check_media(inner)) check_text(inner);
            if (content.kind != JsonKind::kArray) text(block, "content");
            calls_.answer(text(block, "tool_use_id"));
        }
        want(is_last_ || calls_.open.empty(), "every call is answered at once");
    }

    Calls calls_;
    int marks_ = 0;
    bool is_last_ = false;  // the last message, whose calls may have no result yet
};

}  // namespace

std::string broken_openai_rule(const Json &messages) {
    try {
        check_openai(messages);
    } catch (const Broken &broken) {
        return broken.rule;
    }
    return {};
}

std::string broken_anthropic_rule(const Json &request) {
    try {
        AnthropicRules().check(request);
    } catch (const Broken &broken) {
        return broken.rule;
    }
    return {};
}

}  // namespace accp_transcript
