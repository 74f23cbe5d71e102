// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/answers.h"

#include "proxy/talk.h"
#include "reference/ref_json.h"

namespace accp_proxy {

namespace {

using accp_ref::Json;

std::vector<std::string> pieces(const std::string &text, size_t cut) {
    std::vector<std::string> all;
    for (size_t at = 0; at < text.size(); at += cut) all.push_back(text.substr(at, cut));
    return all;
}

std::string event(const std::string &type, const std::string &more) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + more + "}\n\n";
}

bool has_calls(const SaidTurn &turn) {
    for (const Said &one : turn.blocks)
        if (one.kind == Said::kCall) return true;
    return false;
}

std::string stop_of(proxy::Api api, const SaidTurn &turn) {
    if (!turn.stop.empty()) return turn.stop;
    if (api == proxy::Api::kResponses) return "completed";
    if (api == proxy::Api::kMessages) return has_calls(turn) ? "tool_use" : "end_turn";
    return has_calls(turn) ? "tool_calls" : "stop";
}

std::string block_json(const Said &one, bool is_start) {
    switch (one.kind) {
        case Said::kThought:
            return R"({"type":"thinking","thinking":)" + quoted(is_start ? "" : one.text) +
                   R"(,"signature":)" + quoted(is_start ? "" : "sig" + one.text) + "}";
        case Said::kText:
            return R"({"type":"text","text":)" + quoted(is_start ? "" : one.text) + "}";
        case Said::kCall: break;
    }
    return R"({"type":"tool_use","id":")" + one.id + R"(","name":")" + one.name + R"(","input":)" +
           (is_start ? "{}" : one.text) + "}";
}

std::string message_events(const SaidTurn &turn, size_t cut, bool pings) {
    std::string out =
        event("message_start", R"(,"message":{"id":"msg_1","content":[],"usage":{"input_tokens":7,)"
                               R"("output_tokens":1}})");
    for (size_t i = 0; i < turn.blocks.size(); ++i) {
        const Said &one = turn.blocks[i];
        const std::string index = ",\"index\":" + std::to_string(i);
        out += event("content_block_start", index + ",\"content_block\":" + block_json(one, true));
        const char *names[] = {"thinking_delta\",\"thinking", "text_delta\",\"text",
                               "input_json_delta\",\"partial_json"};
        for (const std::string &piece : pieces(one.text, cut)) {
            out += event("content_block_delta", index + R"(,"delta":{"type":")" + names[one.kind] +
                                                    "\":" + quoted(piece) + "}");
            if (pings) out += event("ping", "");
        }
        if (one.kind == Said::kThought)
            out += event("content_block_delta",
                         index + R"(,"delta":{"type":"signature_delta","signature":)" +
                             quoted("sig" + one.text) + "}");
        out += event("content_block_stop", index);
    }
    out += event("message_delta",
                 R"(,"delta":{"stop_reason":")" + stop_of(proxy::Api::kMessages, turn) +
                     R"("},"usage":{"output_tokens":)" + std::to_string(turn.output) + "}");
    return out + event("message_stop", "");
}

std::string call_json(const Said &one, const std::string &arguments) {
    return R"("id":")" + one.id + R"(","type":"function","function":{"name":")" + one.name +
           R"(","arguments":)" + quoted(arguments) + "}";
}

std::string chunk_events(const SaidTurn &turn, size_t cut, bool pings) {
    std::string out;
    const auto chunk = [&](const std::string &delta, const std::string &finish = "null") {
        out += R"(data: {"id":"chat_1","choices":[{"index":0,"delta":{)" + delta +
               "},\"finish_reason\":" + finish + "}]}\n\n";
        if (pings) out += ": ping\n\n";
    };
    chunk(R"("role":"assistant","content":"")");
    size_t calls = 0;
    for (const Said &one : turn.blocks) {
        if (one.kind != Said::kCall) {
            const char *name = one.kind == Said::kText ? "\"content\":" : "\"reasoning_content\":";
            for (const std::string &piece : pieces(one.text, cut)) chunk(name + quoted(piece));
            continue;
        }
        const std::string begin = R"("tool_calls":[{"index":)" + std::to_string(calls++) + ",";
        chunk(begin + call_json(one, "") + "}]");
        for (const std::string &piece : pieces(one.text, cut))
            chunk(begin + R"("function":{"arguments":)" + quoted(piece) + "}}]");
    }
    chunk("", "\"" + stop_of(proxy::Api::kChat, turn) + "\"");
    return out + R"(data: {"id":"chat_1","choices":[],"usage":{"completion_tokens":)" +
           std::to_string(turn.output) + ",\"total_tokens\":" + std::to_string(turn.output) +
           "}}\n\ndata: [DONE]\n\n";
}

// An item of the Responses interface.
std::string item_json(const Said &one, bool is_start) {
    const std::string text = is_start ? "" : quoted(one.text);
    if (one.kind == Said::kThought)
        return R"({"type":"reasoning","summary":[)" +
               (is_start ? "" : R"({"type":"summary_text","text":)" + text + "}") +
               R"(],"encrypted_content":"e"})";
    if (one.kind == Said::kText)
        return R"({"type":"message","role":"assistant","content":[)" +
               (is_start ? "" : R"({"type":"output_text","text":)" + text + "}") + "]}";
    return R"({"type":"function_call","id":"fc_)" + one.id + R"(","call_id":")" + one.id +
           R"(","name":")" + one.name + R"(","arguments":)" + (is_start ? "\"\"" : text) + "}";
}

std::string response_json(const SaidTurn &turn, bool is_start) {
    std::string items;
    for (const Said &one : turn.blocks)
        if (!is_start) (items += items.empty() ? "" : ",") += item_json(one, false);
    const std::string output = std::to_string(turn.output);
    return R"({"id":"resp_1","status":")" +
           (is_start ? "in_progress" : stop_of(proxy::Api::kResponses, turn)) + R"(","output":[)" +
           items + R"(],"usage":)" +
           (is_start ? "null"
                     : "{\"output_tokens\":" + output + ",\"total_tokens\":" + output + "}") +
           "}";
}

std::string response_events(const SaidTurn &turn, size_t cut, bool pings) {
    std::string out;
    size_t sequence = 0;
    const auto add = [&](const std::string &type, const std::string &more) {
        out += event(type, more + ",\"sequence_number\":" + std::to_string(sequence++));
        if (pings) out += ": ping\n\n";
    };
    add("response.created", ",\"response\":" + response_json(turn, true));
    for (size_t i = 0; i < turn.blocks.size(); ++i) {
        const Said &one = turn.blocks[i];
        const std::string index = ",\"output_index\":" + std::to_string(i);
        add("response.output_item.added", index + ",\"item\":" + item_json(one, true));
        for (const std::string &piece : pieces(one.text, cut))
            add("response.output_text.delta", index + ",\"delta\":" + quoted(piece));
        add("response.output_item.done", index + ",\"item\":" + item_json(one, false));
    }
    add("response." + stop_of(proxy::Api::kResponses, turn),
        ",\"response\":" + response_json(turn, false));
    return out;
}

std::string text_of(const Json *json) { return json ? json->text : ""; }

SaidTurn said_of_response(const Json &response) {
    SaidTurn turn;
    turn.stop = text_of(response.find("status"));
    turn.output =
        static_cast<unsigned>(std::stoul(response.find("usage")->find("output_tokens")->text));
    for (const Json &item : response.find("output")->items) {
        const std::string kind = text_of(item.find("type"));
        const Json *list = item.find(kind == "message" ? "content" : "summary");
        Said one = {kind == "message"     ? Said::kText
                    : kind == "reasoning" ? Said::kThought
                                          : Said::kCall,
                    "", text_of(item.find("call_id")), text_of(item.find("name"))};
        one.text = list ? text_of(list->items[0].find("text")) : text_of(item.find("arguments"));
        turn.blocks.push_back(one);
    }
    return turn;
}

// The reader of one stream.
struct StreamReader {
    SaidTurn turn;
    size_t starts = 0;
    int open = -1;
    bool is_ended = false, is_good = true, is_stopped = false;

    void read_message_event(const Json &json) {
        const std::string type = text_of(json.find("type"));
        if (type == "ping") return;
        is_good &= !is_ended && (type == "message_start") == (starts == 0);
        if (type == "message_start") ++starts;
        if (type == "message_delta") {
            is_good &= open < 0 && turn.stop.empty();
            turn.stop = text_of(json.find("delta")->find("stop_reason"));
            turn.output =
                static_cast<unsigned>(std::stoul(json.find("usage")->find("output_tokens")->text));
        }
        if (type == "message_stop") is_ended = true;
        if (!type.starts_with("content_block_")) return;
        const int index = std::stoi(json.find("index")->text);
        if (type == "content_block_start") {
            is_good &= open < 0 && index == static_cast<int>(turn.blocks.size());
            const Json &block = *json.find("content_block");
            const std::string kind = text_of(block.find("type"));
            turn.blocks.push_back({kind == "text"       ? Said::kText
                                   : kind == "thinking" ? Said::kThought
                                                        : Said::kCall,
                                   "", text_of(block.find("id")), text_of(block.find("name"))});
            open = index;
            return;
        }
        is_good &= open == index;
        if (type == "content_block_stop") {
            open = -1;
            return;
        }
        const Json &delta = *json.find("delta");
        for (const char *name : {"text", "thinking", "partial_json"})
            turn.blocks.back().text += text_of(delta.find(name));
    }

    void read_response_event(const Json &json) {
        const std::string type = text_of(json.find("type"));
        is_good &= !is_ended && std::stoul(json.find("sequence_number")->text) == starts++ &&
                   (type == "response.created") == (starts == 1);
        const Json *index = json.find("output_index");
        if (index && type == "response.output_item.added") {
            is_good &= open < 0 && std::stoul(index->text) == turn.blocks.size();
            turn.blocks.emplace_back();
            open = std::stoi(index->text);
        } else if (index) {
            is_good &= std::stoi(index->text) == open;
            if (type == "response.output_item.done") open = -1;
        }
        if (index || type == "response.created") return;
        const size_t items = turn.blocks.size();
        turn = said_of_response(*json.find("response"));
        is_good &= turn.blocks.size() == items && type == "response." + turn.stop;
        is_ended = true;
    }

    void read_chunk(const Json &json) {
        is_good &= !is_ended && text_of(json.find("id")) == "chat_1";
        if (const Json *usage = json.find("usage"))
            turn.output = static_cast<unsigned>(std::stoul(usage->find("completion_tokens")->text));
        if (json.find("choices")->items.empty()) return;
        const Json &choice = json.find("choices")->items[0], &delta = *choice.find("delta");
        is_good &= !is_stopped;
        for (const auto &[name, kind] :
             {std::pair{"reasoning_content", Said::kThought}, std::pair{"content", Said::kText}}) {
            const std::string text = text_of(delta.find(name));
            if (text.empty()) continue;
            Said *found = nullptr;
            for (Said &one : turn.blocks)
                if (one.kind == kind) found = &one;
            if (!found) found = &turn.blocks.emplace_back(Said{kind, "", "", ""});
            found->text += text;
        }
        if (const Json *calls = delta.find("tool_calls"))
            for (const Json &call : calls->items) read_call(call);
        turn.stop = text_of(choice.find("finish_reason"));
        is_stopped = !turn.stop.empty();
    }

    void read_call(const Json &call) {
        const size_t index = std::stoul(call.find("index")->text);
        size_t count = 0;
        for (Said &one : turn.blocks) {
            if (one.kind != Said::kCall || count++ != index) continue;
            is_good &= !call.find("id");
            one.text += text_of(call.find("function")->find("arguments"));
            return;
        }
        is_good &= count == index;
        turn.blocks.push_back({Said::kCall, text_of(call.find("function")->find("arguments")),
                               text_of(call.find("id")),
                               text_of(call.find("function")->find("name"))});
    }
};

}  // namespace

std::string write_events(proxy::Api api, const SaidTurn &turn, size_t cut, bool pings) {
    if (api == proxy::Api::kResponses) return response_events(turn, cut, pings);
    return api == proxy::Api::kMessages ? message_events(turn, cut, pings)
                                        : chunk_events(turn, cut, pings);
}

std::string write_whole(proxy::Api api, const SaidTurn &turn) {
    if (api == proxy::Api::kResponses) return response_json(turn, false);
    std::string blocks, calls, words = "null", thoughts = "null";
    for (const Said &one : turn.blocks) {
        if (api == proxy::Api::kMessages) {
            (blocks += blocks.empty() ? "" : ",") += block_json(one, false);
        } else if (one.kind == Said::kCall) {
            ((calls += calls.empty() ? "" : ",") += '{') += call_json(one, one.text) + "}";
        } else {
            (one.kind == Said::kText ? words : thoughts) = quoted(one.text);
        }
    }
    const std::string output = std::to_string(turn.output), stop = stop_of(api, turn);
    if (api == proxy::Api::kMessages)
        return R"({"type":"message","content":[)" + blocks + R"(],"stop_reason":")" + stop +
               R"(","usage":{"output_tokens":)" + output + "}}";
    return R"({"choices":[{"message":{"role":"assistant","content":)" + words +
           ",\"reasoning_content\":" + thoughts +
           (calls.empty() ? "" : ",\"tool_calls\":[" + calls + "]") + R"(},"finish_reason":")" +
           stop + R"("}],"usage":{"completion_tokens":)" + output + ",\"total_tokens\":" + output +
           "}}";
}

std::optional<SaidTurn> read_events(proxy::Api api, const std::string &text) {
    StreamReader reader;
    for (size_t at = 0; at < text.size();) {
        const size_t end = text.find("\n\n", at);
        if (end == text.npos) return std::nullopt;
        const std::string one = text.substr(at, end - at);
        at = end + 2;
        const size_t data = one.find("data: ");
        if (data == one.npos) continue;
        if (one.substr(data + 6) == "[DONE]") {
            reader.is_ended = true;
            continue;
        }
        const auto json = accp_ref::parse_json(one.substr(data + 6));
        if (!json) return std::nullopt;
        if (api == proxy::Api::kMessages) reader.read_message_event(*json);
        else if (api == proxy::Api::kResponses) reader.read_response_event(*json);
        else reader.read_chunk(*json);
    }
    if (!reader.is_good || !reader.is_ended) return std::nullopt;
    return reader.turn;
}

std::optional<SaidTurn> read_whole(proxy::Api api, const std::string &text) {
    const auto json = accp_ref::parse_json(text);
    if (!json) return std::nullopt;
    if (api == proxy::Api::kResponses) return said_of_response(*json);
    SaidTurn turn;
    const bool is_messages = api == proxy::Api::kMessages;
    turn.output = static_cast<unsigned>(std::stoul(
        json->find("usage")->find(is_messages ? "output_tokens" : "completion_tokens")->text));
    if (is_messages) {
        turn.stop = text_of(json->find("stop_reason"));
        for (const Json &block : json->find("content")->items) {
            const std::string kind = text_of(block.find("type"));
            if (kind == "text")
                turn.blocks.push_back({Said::kText, text_of(block.find("text")), "", ""});
            else if (kind == "thinking")
                turn.blocks.push_back({Said::kThought, text_of(block.find("thinking")), "", ""});
            else
                turn.blocks.push_back({Said::kCall, accp_ref::write_json(*block.find("input")),
                                       text_of(block.find("id")), text_of(block.find("name"))});
        }
        return turn;
    }
    const Json &choice = json->find("choices")->items[0], &message = *choice.find("message");
    turn.stop = text_of(choice.find("finish_reason"));
    for (const auto &[name, kind] :
         {std::pair{"reasoning_content", Said::kThought}, std::pair{"content", Said::kText}})
        if (const std::string words = text_of(message.find(name)); !words.empty())
            turn.blocks.push_back({kind, words, "", ""});
    if (const Json *calls = message.find("tool_calls"))
        for (const Json &call : calls->items)
            turn.blocks.push_back({Said::kCall, text_of(call.find("function")->find("arguments")),
                                   text_of(call.find("id")),
                                   text_of(call.find("function")->find("name"))});
    return turn;
}

SaidTurn join_turns(proxy::Api api, const std::vector<SaidTurn> &turns) {
    SaidTurn all;
    std::vector<Said> calls;
    std::string words, thoughts;
    for (const SaidTurn &turn : turns) {
        all.output += turn.output;
        all.stop = stop_of(api, turn);
        for (const Said &one : turn.blocks) {
            if (one.name == "accp_resolve") continue;
            if (api != proxy::Api::kChat) all.blocks.push_back(one);
            else if (one.kind == Said::kCall) calls.push_back(one);
            else if (one.kind == Said::kText) words += (words.empty() ? "" : "\n\n") + one.text;
            else thoughts += one.text;
        }
    }
    if (!thoughts.empty()) all.blocks.push_back({Said::kThought, thoughts, "", ""});
    if (!words.empty()) all.blocks.push_back({Said::kText, words, "", ""});
    all.blocks.insert(all.blocks.end(), calls.begin(), calls.end());
    return all;
}

}  // namespace accp_proxy
