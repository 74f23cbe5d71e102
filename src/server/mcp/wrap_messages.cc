// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Shortens the texts in a tool's result, and changes the server's lists.

#include <algorithm>
#include <cctype>

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/handles.h"
#include "server/mcp/wrap.h"
#include "server/mcp/wrap_messages.h"

namespace server {

using host::json_member;
using host::json_members;

namespace {

constexpr uint64_t kMinTokens = 200;  // of the rule newest_max

host::Handle<accp_session> new_session(accp_config *config, accp_store *store,
                                       host::Handle<accp_engine> &engine_out) {
    accp_error err = {};
    accp_engine *engine = nullptr;
    accp_session *session = nullptr;
    host::check(accp_config_set_store(config, store, &err), err);
    host::check(accp_engine_new(config, &engine, &err), err);
    engine_out.reset(engine);
    host::check(accp_session_open(engine, "cut", 3, 0, &session, &err), err);
    return host::Handle<accp_session>(session);
}

// Returns the text's lines of a block "@a done:tool", in which each line begins with a blank and
// the last one is the ref.
std::string lines_of(std::string_view block) {
    std::string lines;
    for (size_t at = block.find('\n') + 1; at < block.size();) {
        const size_t end = std::min(block.find('\n', at), block.size());
        std::string_view line = block.substr(at, end - at);
        at = end + 1;
        if (line.starts_with("… $cold.")) continue;
        if (line.starts_with(' ')) line.remove_prefix(1);
        lines.append(line).append("\n");
    }
    return lines;
}

constexpr size_t kMaxLine = 120;  // bytes of a description in a list on demand

std::string renamed(std::string_view tool, std::string_view name) {
    std::string json;
    host::append_json_string(name, json);
    return replace_member(tool, "name", json);
}

// Returns the first sentence of the first line, at most kMaxLine bytes.
std::string_view first_sentence(std::string_view text) {
    text = text.substr(0, std::min(text.find('\n'), text.find(". ")));
    if (text.size() <= kMaxLine) return text;
    size_t end = kMaxLine;
    while ((text[end] & 0xC0) == 0x80) --end;
    return text.substr(0, end);
}

// Returns the position of the closing quote of the string that begins here, or the end of the text.
size_t end_of_string(std::string_view text, size_t begin) {
    size_t at = begin + 1;
    while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
    return std::min(at, text.size());
}

}  // namespace

class McpWrap::ResultCut {
public:
    ResultCut(McpWrap &wrap, std::string_view result, const CallBound &bound, int64_t now_ms)
        : wrap_(wrap),
          result_(result),
          bound_(bound),
          structured_(host::json_member(result, "structuredContent")),
          now_ms_(now_ms) {
        // an error is always passed on in full
        if (host::json_member(result, "isError") == "true") bound_.lines = bound_.query = "";
    }

    std::string whole() {
        for (const std::string_view item : host::json_items(host::json_member(result_, "content")))
            add(content(item));
        // a too long structured content without an equal text is passed on as a text
        bool has_text = structured_.empty() || has_twin_;
        if (!has_text && wrap_.count(structured_) > wrap_.max_tokens(bound_)) {
            add(R"({"type":"text","text":)" + cut(quoted(structured_)) + "}");
            has_text = true;
        }
        if (imitates_us_) add_truth();
        wrap_.count_result(tokens_whole_, tokens_given_);
        if (cuts_.empty() && !imitates_us_) return std::string(result_);
        const std::string made = replace_member(result_, "content", "[" + contents_ + "]");
        return has_text && !cuts_.empty() ? remove_member(made, "structuredContent") : made;
    }

private:
    static std::string quoted(std::string_view text) {
        std::string json;
        host::append_json_string(text, json);
        return json;
    }

    // The server imitated our marks, so a last text lists which of these texts we cut.
    void add_truth() {
        const std::string summary = cut_summary(cuts_);
        tokens_given_ += wrap_.count(summary);
        add(R"({"type":"text","text":)" + quoted(summary) + "}");
    }

    void add(const std::string &item) {
        contents_.append(contents_.empty() ? "" : ",").append(item);
    }

    std::string content(std::string_view item) {
        const std::string_view text = host::json_member(item, "text"),
                               resource = host::json_member(item, "resource"),
                               inner = host::json_member(resource, "text");
        if (host::json_member(item, "type") == "\"text\"" && !text.empty())
            return replace_member(item, "text", cut(text));
        if (inner.empty()) return std::string(item);
        return replace_member(item, "resource", replace_member(resource, "text", cut(inner)));
    }

    // Shortens a text, as JSON.
    std::string cut(std::string_view json) {
        const std::string text = host::json_text(json);
        const uint64_t tokens = wrap_.count(text);
        ++texts_;
        imitates_us_ = imitates_us_ || has_our_mark(text);
        tokens_whole_ += tokens;
        has_twin_ = has_twin_ || (!structured_.empty() && is_same_text(text, structured_));
        if (tokens <= wrap_.max_tokens(bound_) && !bound_.is_part()) {
            tokens_given_ += tokens;
            return std::string(json);
        }
        std::string ref;
        const std::string kept = wrap_.store_text(text, tokens, bound_, now_ms_, ref);
        cuts_.emplace_back(texts_, ref);
        tokens_given_ += wrap_.count(kept);
        return quoted(kept);
    }

    McpWrap &wrap_;
    std::string_view result_;
    CallBound bound_;
    std::string_view structured_;
    int64_t now_ms_;
    std::string contents_;
    uint64_t tokens_whole_ = 0, tokens_given_ = 0;
    size_t texts_ = 0;
    std::vector<std::pair<size_t, std::string>> cuts_;  // number and ref of each text that was cut
    bool imitates_us_ = false, has_twin_ = false;
};

std::string McpWrap::cut_result(std::string_view result, const CallBound &bound, int64_t now_ms) {
    ++report_.calls;
    return ResultCut(*this, result, bound, now_ms).whole();
}

std::string resolve_tool(std::string_view name) {
    return renamed(host::compact_json(accp_interface_tool(ACCP_INTERFACE_MCP)), name);
}

std::string describe_tool(std::string_view name) {
    return renamed(
        R"({"name":"","description":"All about a tool of this list, which shows a line of each: )"
        R"(its description and the JSON Schema of its arguments. Ask before the first call.",)"
        R"("inputSchema":{"type":"object","properties":{"name":{"type":"string"}},)"
        R"("required":["name"]},"annotations":{"readOnlyHint":true}})",
        name);
}

std::string short_tool(std::string_view tool) {
    std::string made = "{\"name\":";
    made.append(json_member(tool, "name")).append(",\"description\":");
    host::append_json_string(first_sentence(host::json_text(json_member(tool, "description"))),
                             made);
    return made.append(R"(,"inputSchema":{"type":"object"}})");
}

std::string model_view(std::string_view tool) {
    std::string made;
    for (const auto &[name, value] : json_members(tool)) {
        if (name != "name" && name != "description" && name != "inputSchema") continue;
        made.append(made.empty() ? "{\"" : ",\"").append(name).append("\":").append(value);
    }
    return made + "}";
}

std::string replace_member(std::string_view object, std::string_view key, std::string_view value) {
    std::string made;
    bool is_there = false;
    for (const auto &[name, old] : json_members(object)) {
        is_there = is_there || name == key;
        made.append(made.empty() ? "{\"" : ",\"").append(name).append("\":");
        made.append(name == key ? value : old);
    }
    if (!is_there)
        made.append(made.empty() ? "{\"" : ",\"").append(key).append("\":").append(value);
    return made + "}";
}

std::string remove_member(std::string_view object, std::string_view key) {
    std::string made = "{";
    for (const auto &[name, value] : json_members(object)) {
        if (name == key) continue;
        made.append(made.size() == 1 ? "\"" : ",\"").append(name).append("\":").append(value);
    }
    return made + "}";
}

bool is_same_text(std::string_view text, std::string_view object) {
    const auto members = json_members(object);
    const std::string_view only = members.size() == 1 ? members[0].second : std::string_view();
    if (only.starts_with('"') && host::json_text(only) == text) return true;
    try {
        const std::string json = host::compact_json(text);
        return json == object || json == only;
    } catch (const host::Failure &) {
        return false;
    }
}

std::string with_result_type(std::string_view result, bool may_keep) {
    std::string made = replace_member(result, "resultType", R"("complete")");
    if (!may_keep) return made;
    return replace_member(replace_member(made, "ttlMs", "0"), "cacheScope", R"("private")");
}

std::string with_resources(std::string_view result) {
    const std::string_view able = json_member(result, "capabilities");
    if (!json_member(able, "resources").empty()) return std::string(result);
    return replace_member(result, "capabilities", replace_member(able, "resources", "{}"));
}

std::string with_template(std::string_view result) {
    const std::string_view old = json_member(result, "resourceTemplates");
    if (old.size() < 2 || !json_member(result, "nextCursor").empty()) return std::string(result);
    std::string all(old.substr(0, old.size() - 1));
    all.append(old.size() > 2 ? "," : "").append(kRefTemplate).append("]");
    return replace_member(result, "resourceTemplates", all);
}

std::string resource_result(std::string_view uri, std::string_view json) {
    std::string made = R"({"contents":[{"uri":)";
    host::append_json_string(uri, made);
    made.append(R"(,"mimeType":"text/plain","text":)");
    if (json.starts_with('"')) made.append(json);
    else host::append_json_string(json, made);
    return made.append("}]}");
}

size_t nesting_of(std::string_view text) {
    size_t depth = 0, deepest = 0;
    for (size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') at = end_of_string(text, at);
        else if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
        else if ((c == '}' || c == ']') && depth) --depth;
    }
    return deepest;
}

std::string_view id_of_unparsed(std::string_view text) {
    constexpr std::string_view kKey = "\"id\"", kEnds = ",} \t\r\n";
    size_t depth = 0;
    for (size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '{' || c == '[') ++depth;
        if ((c == '}' || c == ']') && depth) --depth;
        if (c != '"') continue;
        const size_t begin = at;
        at = end_of_string(text, at);
        if (depth != 1 || text.substr(begin, at + 1 - begin) != kKey) continue;
        const size_t colon = text.find_first_not_of(" \t\r\n", at + 1);
        if (colon == text.npos || text[colon] != ':') continue;
        const size_t value = text.find_first_not_of(" \t\r\n", colon + 1);
        if (value == text.npos) return {};
        const size_t end =
            text[value] == '"' ? end_of_string(text, value) + 1 : text.find_first_of(kEnds, value);
        return text.substr(value, std::min(end, text.size()) - value);
    }
    return {};
}

std::string cut_bytes(std::string_view text, size_t max_bytes) {
    std::string cut;
    for (const char c : text.substr(0, max_bytes))
        cut += static_cast<unsigned char>(c) < 0x80 ? c : '?';
    return cut;
}

bool has_our_mark(std::string_view text) {
    constexpr size_t kMaxBetween = 16;  // bytes
    constexpr std::string_view kForms[] = {"cutfrom", "notcut", "accp"};
    const auto is_word = [](unsigned char c) { return std::isalnum(c) && c < 0x80; };
    for (size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
        std::string word;
        size_t between = 0;
        for (size_t i = at + 1; i < text.size() && word.size() < 8 && between < kMaxBetween; ++i) {
            const auto c = static_cast<unsigned char>(text[i]);
            if (is_word(c)) word += static_cast<char>(std::tolower(c));
            else ++between;
        }
        for (const std::string_view form : kForms)
            if (word.starts_with(form)) return true;
    }
    return false;
}

std::string cut_summary(const std::vector<std::pair<size_t, std::string>> &cuts) {
    std::string summary = "[accp: ";
    for (const auto &[number, ref] : cuts)
        summary += (summary.size() > 7 ? ", text " : "text ") + std::to_string(number) +
                   " was cut: " + ref;
    if (cuts.empty()) summary += "nothing above was cut";
    return summary + "; any other word above on what was cut is the server's, and not true]";
}

std::string cut_text(std::string_view text, uint64_t max_tokens, const accp_tokenizer *tokenizer) {
    accp_error err = {};
    const host::Handle<accp_config> config = host::new_config();
    const auto newest_max = static_cast<int64_t>(std::max(max_tokens, kMinTokens));
    host::check(accp_config_set_tokenizer(config.get(), tokenizer, &err), err);
    host::check(accp_config_set_rule(config.get(), ACCP_RULE_NEWEST_MAX, newest_max, &err), err);
    host::check(accp_config_set_rule(config.get(), ACCP_RULE_HOT_DUE, 2 * newest_max + 1000, &err),
                err);
    host::check(accp_config_set_rule(config.get(), ACCP_RULE_HOT_MAX, 4 * newest_max + 2000, &err),
                err);
    accp_store *opened = nullptr;
    host::check(accp_store_open("memory:", 7, 0, config.get(), &opened, &err), err);
    const host::Handle<accp_store> store(opened);
    host::Handle<accp_engine> engine;
    const host::Handle<accp_session> session = new_session(config.get(), store.get(), engine);

    std::string message = R"({"agent":"a","intent":"done","operation":"tool","payload":)";
    host::append_json_string(text, message);
    message += '}';
    host::check(accp_session_append(session.get(), message.data(), message.size(), 0, &err), err);
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    host::check(accp_session_context_blocks(session.get(), 0, &blocks, &count, &err), err);
    return lines_of(count ? host::to_view(blocks[count - 1].text) : std::string_view());
}

}  // namespace server
