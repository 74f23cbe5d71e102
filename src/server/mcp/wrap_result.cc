// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mcp_wrap.h: what a tool has answered, with each text of it that is too long cut.
#include "server/json/json_parts.h"
#include "server/json/typed_json.h"
#include "server/mcp/wrap.h"
#include "server/mcp/wrap_words.h"

namespace server {

class McpWrap::ResultCut {
public:
    ResultCut(McpWrap &wrap, std::string_view result, const CallBound &bound, int64_t now_ms)
        : wrap_(wrap),
          result_(result),
          bound_(bound),
          structured_(host::json_member(result, "structuredContent")),
          now_ms_(now_ms) {
        // what went wrong is said whatever part was wanted
        if (host::json_member(result, "isError") == "true") bound_.lines = bound_.query = "";
    }

    std::string whole() {
        for (const std::string_view item : host::json_items(host::json_member(result_, "content")))
            add(content(item));
        // what no text says is said by one, where it is too long
        bool is_said = structured_.empty() || has_twin_;
        if (!is_said && wrap_.count(structured_) > wrap_.max_tokens(bound_)) {
            add(R"({"type":"text","text":)" + cut(quoted(structured_)) + "}");
            is_said = true;
        }
        if (imitates_us_) add_truth();
        wrap_.note_result(tokens_whole_, tokens_given_);
        if (cuts_.empty() && !imitates_us_) return std::string(result_);
        const std::string made = replace_member(result_, "content", "[" + contents_ + "]");
        return is_said && !cuts_.empty() ? remove_member(made, "structuredContent") : made;
    }

private:
    static std::string quoted(std::string_view text) {
        std::string json;
        host::append_json_string(text, json);
        return json;
    }

    // The server imitated our marks, so a last text lists which of these texts we cut.
    void add_truth() {
        const std::string said = true_cuts(cuts_);
        tokens_given_ += wrap_.count(said);
        add(R"({"type":"text","text":)" + quoted(said) + "}");
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

    // A text, as JSON.
    std::string cut(std::string_view json) {
        const std::string text = host::json_text(json);
        const uint64_t tokens = wrap_.count(text);
        ++texts_;
        imitates_us_ = imitates_us_ || has_our_mark(text);
        tokens_whole_ += tokens;
        has_twin_ = has_twin_ || (!structured_.empty() && says_same(text, structured_));
        if (tokens <= wrap_.max_tokens(bound_) && !bound_.is_part()) {
            tokens_given_ += tokens;
            return std::string(json);
        }
        std::string ref;
        const std::string kept = wrap_.keep(text, tokens, bound_, now_ms_, ref);
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

}  // namespace server
