// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/talk.h"

namespace accp_proxy {

namespace {

class Writer {
public:
    static constexpr int kFront = -1;  // the number of the system prompt among the blocks

    Writer(const Style &style, std::vector<Piece> &pieces) : style_(style), pieces_(pieces) {
        pieces_.emplace_back();
    }
    void add(const std::string &json) {
        for (const char c : json) {
            pieces_.back().json += c;
            if (style_.spaces && c == ',') pieces_.back().json += "\n  ";
        }
    }
    void content(int block, const std::string &json) {
        pieces_.push_back({json, block});
        pieces_.emplace_back();
    }
    std::string text(const std::string &text) const { return quoted(text, style_.escapes); }
    std::string mark(int block) const {
        const bool is_front = block == kFront && style_.marks_front;
        if (block < 0 ? !is_front : block != style_.mark && block != style_.second_mark) return "";
        return style_.hour ? R"(,"cache_control":{"type":"ephemeral","ttl":"1h"})"
                           : R"(,"cache_control":{"type":"ephemeral"})";
    }
    // Texts may have commas, so they do not go through add().
    void raw(const std::string &json) { pieces_.back().json += json; }

    const Style &style_;

private:
    std::vector<Piece> &pieces_;
};

bool is_model(const Block &block) {
    return block.kind == Block::kWords || block.kind == Block::kCall;
}

std::string id_of(const Block &block) { return "\"call_" + std::to_string(block.id) + '"'; }

std::string result_content(const Writer &out, const Block &block, const char *type) {
    if (block.kind == Block::kImageResult)
        return R"([{"type":"image","source":{"type":"base64","data":"AAAA"}},{"type":"text","text":)" +
               out.text(block.text) + "}]";
    if (!out.style_.lists) return out.text(block.text);
    return std::string("[{\"type\":\"") + type + "\",\"text\":" + out.text(block.text) + "}]";
}

void write_block(Writer &out, const Block &block, int i) {
    switch (block.kind) {
        case Block::kUser:
        case Block::kWords:
            out.add(R"({"type":"text","text":)");
            out.raw(out.text(block.text));
            break;
        case Block::kCall:
            out.add(R"({"type":"tool_use","id":)" + id_of(block) +
                    R"(,"name":"Read","input":{"file_path":)");
            out.raw(out.text(block.text));
            out.add("}");
            break;
        case Block::kResult:
        case Block::kImageResult:
            out.add(R"({"type":"tool_result","tool_use_id":)" + id_of(block));
            if (block.is_error) out.add(R"(,"is_error":true)");
            out.add(R"(,"content":)");
            out.content(i, result_content(out, block, "text"));
    }
    out.raw(out.mark(i) + "}");
}

void write_messages(Writer &out, const Talk &talk) {
    out.add(R"({"model":")" + out.style_.model +
            R"(","max_tokens":9,"system":[{"type":"text","text":)");
    out.raw(out.text(out.style_.session) + out.mark(Writer::kFront) + "}");
    out.add(R"(],"tools":[{"name":"Read","input_schema":{"type":"object"}}],"messages":[)");
    for (size_t i = 0; i < talk.size(); ++i) {
        const bool begins = i == 0 || is_model(talk[i]) != is_model(talk[i - 1]);
        const bool ends = i + 1 == talk.size() || is_model(talk[i]) != is_model(talk[i + 1]);
        const bool is_text = talk[i].kind == Block::kUser || talk[i].kind == Block::kWords;
        if (begins)
            out.add(std::string(i ? "," : "") + R"({"role":)" +
                    (is_model(talk[i]) ? R"("assistant")" : R"("user")") + R"(,"content":)");
        if (begins && ends && is_text && !out.style_.lists &&
            out.mark(static_cast<int>(i)).empty()) {
            out.raw(out.text(talk[i].text) + "}");
            continue;
        }
        out.add(begins ? "[" : ",");
        write_block(out, talk[i], static_cast<int>(i));
        if (ends) out.add("]}");
    }
    out.add(R"(],"stream":true})");
}

void write_chat(Writer &out, const Talk &talk) {
    out.add(R"({"model":"gpt-x","messages":[{"role":"system","content":)");
    out.raw(out.text(out.style_.session) + "}");
    for (size_t i = 0; i < talk.size(); ++i) {
        const Block &block = talk[i];
        const bool is_said = block.kind == Block::kUser || block.kind == Block::kWords;
        if (is_said) {
            out.add(std::string(R"(,{"role":)") +
                    (is_model(block) ? R"("assistant")" : R"("user")") + R"(,"content":)");
            out.raw(result_content(out, block, "text") + "}");
        } else if (block.kind == Block::kCall) {
            out.add(R"(,{"role":"assistant","content":null,"tool_calls":[{"id":)" + id_of(block) +
                    R"(,"type":"function","function":{"name":"read","arguments":)");
            out.raw(quoted("{\"path\":" + quoted(block.text) + "}"));
            out.add("}}]}");
        } else {
            out.add(R"(,{"role":"tool","tool_call_id":)" + id_of(block) + R"(,"content":)");
            out.content(static_cast<int>(i), result_content(out, block, "text"));
            out.add("}");
        }
    }
    out.add(R"(],"stream":true})");
}

void write_responses(Writer &out, const Talk &talk) {
    out.add(R"({"model":"gpt-x","instructions":)");
    out.raw(out.text(out.style_.session));
    out.add(R"(,"input":[)");
    for (size_t i = 0; i < talk.size(); ++i) {
        const Block &block = talk[i];
        if (i) out.add(",");
        if (block.kind == Block::kUser || block.kind == Block::kWords) {
            out.add(std::string(R"({"type":"message","role":)") +
                    (is_model(block) ? R"("assistant")" : R"("user")") + R"(,"content":)");
            out.raw(result_content(out, block, is_model(block) ? "output_text" : "input_text") +
                    "}");
        } else if (block.kind == Block::kCall) {
            out.add(R"({"type":"function_call","call_id":)" + id_of(block) +
                    R"(,"name":"shell","arguments":)");
            out.raw(quoted("{\"command\":[\"cat\"," + quoted(block.text) + "]}") + "}");
        } else {
            out.add(R"({"type":"function_call_output","call_id":)" + id_of(block) +
                    R"(,"output":)");
            out.content(static_cast<int>(i), result_content(out, block, "input_text"));
            out.add("}");
        }
    }
    out.add(R"(],"stream":true})");
}

}  // namespace

std::string quoted(const std::string &text, bool escapes) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') (out += '\\') += c;
        else if (c == '\n') out += "\\n";
        else if (escapes && c == 'e') out += "\\u0065";
        else out += c;
    }
    return out + '"';
}

std::vector<Piece> write_pieces(proxy::Api api, const Talk &talk, const Style &style) {
    std::vector<Piece> pieces;
    Writer out(style, pieces);
    if (api == proxy::Api::kMessages) write_messages(out, talk);
    else if (api == proxy::Api::kChat) write_chat(out, talk);
    else write_responses(out, talk);
    return pieces;
}

std::string join(const std::vector<Piece> &pieces) {
    std::string out;
    for (const Piece &piece : pieces) out += piece.json;
    return out;
}

}  // namespace accp_proxy
