// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tool that calls a tool by a frame (specification 10.2, 11.3): the request
// @a>req:tool{tool:NAME|…}, and the reply done:tool or fail:error. With a session, it receives the
// request and stores the reply. Without one, both are independent of sessions.
#include <cstdio>

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/mcp/schema_check.h"
#include "server/mcp/tools.h"

namespace server {

using host::Failure;
using host::json_member;
using host::json_string;
using host::json_text;
using host::to_view;

namespace {

constexpr const char *kNoCall =
    "frame: it is not a call of a tool; a call is "
    "@me>req:tool{tool:NAME|args:{…}|schema:TC}[mid:…,seq:1]";

constexpr const char *kTooLong =
    "the result is too long for a frame: call the tool itself, or by a frame in a session";

// A request to call a tool. It refers to the JSON of its message.
struct ToolRequest {
    explicit ToolRequest(std::string_view message)
        : payload(json_member(message, "payload")),
          name(json_text(json_member(payload, "tool_name"))) {
        is_valid = json_member(message, "intent") == R"("req")" &&
                   json_member(message, "operation") == R"("tool")" && !name.empty();
        arguments = json_member(payload, "arguments");
        if (arguments.empty() || arguments == "null") arguments = "{}";
    }
    std::string_view payload, arguments;
    std::string name;
    bool is_valid;
};

std::string done_json(const std::string &agent, const std::string &tool,
                      const std::string &result) {
    return "{\"agent\":" + json_string(agent) +
           R"(,"intent":"done","operation":"tool","payload":{"tool_name":)" + json_string(tool) +
           ",\"result\":" + result + R"(,"schema":"TC"}})";
}

std::string fail_json(const std::string &agent, const std::string &tool, accp_status code,
                      const std::string &why) {
    return "{\"agent\":" + json_string(agent) +
           R"(,"intent":"fail","operation":"error","payload":{"code":")" +
           accp_status_code_name(code) + R"(","msg":)" + json_string(why) +
           ",\"retry\":" + (accp_status_is_retryable(code) ? "true" : "false") +
           ",\"src\":" + json_string(tool) + R"(,"schema":"ER"}})";
}

// The result of a call.
struct ToolAnswer {
    std::vector<std::string> messages;  // possible replies, the best first
    std::string result;                 // the value under a ref, if no reply fits a frame
    bool is_done = false;               // the sent message reports completion
    bool is_quote = false;              // it quotes others, which may be untrusted
};

// Joins the texts of the blocks.
std::string texts_of(const McpResult &made) {
    const std::string blocks = "[" + made.contents + "]";
    std::string text;
    for (const std::string_view block : host::json_items(blocks))
        text += json_text(json_member(block, "text"));
    return text;
}

ToolAnswer run_request(McpCall &call, const ToolRequest &tool_request) {
    const std::string &agent = call.tools.environment().agent;
    ToolAnswer answer;
    answer.is_quote = !call.client.origin.is_trusted();
    const auto fail = [&](accp_status code, const std::string &why) {
        answer.messages.push_back(fail_json(agent, tool_request.name, code, why));
        return answer;
    };
    const McpTool *tool = call.tools.find(tool_request.name);
    if (!tool || tool->name == std::string_view("frame_call"))
        return fail(ACCP_E4001, "no tool of this name can be called by a frame");
    if (tool_request.arguments[0] != '{') return fail(ACCP_E4003, "args must be a map");
    const std::string fault = schema_fault(tool->input, tool_request.arguments, "args");
    if (!fault.empty()) return fail(ACCP_E4003, fault);
    McpCall inner(call.tools, call.client, tool_request.arguments, call.now_ms);
    inner.progress = call.progress;
    const McpResult made = call.tools.run(*tool, inner);
    const std::string text = texts_of(made);
    if (made.is_error) return fail(ACCP_E4002, text);
    // a result that is too deep for a frame is sent as the text for a model
    answer.messages = {done_json(agent, tool_request.name, made.structured),
                       done_json(agent, tool_request.name, json_string(text))};
    answer.result = made.structured;
    answer.is_quote = answer.is_quote || tool->hints & kQuotes;
    return answer;
}

// Encodes the first message that fits a frame. `reply` tries it.
template <typename Reply>
accp_status encode_first(ToolAnswer &answer, Reply reply, std::string &out) {
    accp_status status = ACCP_OK;
    for (const std::string &message : answer.messages) {
        accp_text frame = {};
        status = reply(message, frame);
        if (status == ACCP_OK) out = to_view(frame);
        answer.is_done = status == ACCP_OK && !answer.result.empty();
        if (status == ACCP_OK || status < 0) break;  // another message would fail too
    }
    return status;
}

// Twelve hexadecimal digits, different for each reply.
std::string unique_mid(int64_t now_ms, int64_t number) {
    char mid[13];
    std::snprintf(mid, sizeof mid, "%08x%04x", static_cast<uint32_t>(now_ms / 1000),
                  static_cast<uint32_t>(number & 0xFFFF));
    return mid;
}

std::string reply_alone(McpCall &call, const std::string &request, const std::string &tool,
                        ToolAnswer &answer) {
    const int64_t number = call.tools.next_number();
    const std::string mid = unique_mid(call.now_ms, number);
    accp_envelope envelope = {};
    envelope.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ | ACCP_ENVELOPE_TS;
    envelope.mid = {mid.data(), mid.size()};
    envelope.seq = number;
    envelope.ts = call.now_ms / 1000;
    accp_error err = {};
    host::check(accp_codec_set_envelope(call.tools.codec(), &envelope, &err), err);
    std::string out;
    const auto reply = [&](const std::string &message, accp_text &frame) {
        return accp_codec_reply(call.tools.codec(), request.data(), request.size(), message.data(),
                                message.size(), &frame, &err);
    };
    accp_status status = encode_first(answer, reply, out);
    if (status > 0) {
        answer = {
            {fail_json(call.tools.environment().agent, tool, ACCP_E2003, kTooLong)}, {}, false};
        status = encode_first(answer, reply, out);
    }
    accp_codec_set_envelope(call.tools.codec(), nullptr, nullptr);
    host::check(status, err);
    return out;
}

void set_frames(const std::vector<std::string> &frames, bool is_done, McpResult &result) {
    result.is_error = !is_done;
    result.structured = is_done ? R"({"done":true,"frames":[)" : R"({"done":false,"frames":[)";
    for (const std::string &frame : frames) {
        result.add_text(frame);
        result.structured.append(&frame == frames.data() ? "" : ",").append(json_string(frame));
    }
    result.structured += "]}";
}

void call_alone(McpCall &call, const std::string &frame, McpResult &result) {
    accp_text decoded = {};
    accp_error err = {};
    if (accp_codec_decode(call.tools.codec(), frame.data(), frame.size(), &decoded, &err) !=
        ACCP_OK)
        throw Failure("frame: " + host::describe_short(err));
    const std::string request(to_view(decoded));
    const ToolRequest tool_request(request);
    if (!tool_request.is_valid) throw Failure(kNoCall);
    const std::string_view meta = json_member(request, "meta");
    if (json_member(meta, "mid").empty() && json_member(meta, "cid").empty())
        throw Failure("frame: it has neither mid nor cid, so a reply could not refer to it");
    ToolAnswer answer = run_request(call, tool_request);
    const std::string reply = reply_alone(call, request, tool_request.name, answer);
    set_frames({reply}, answer.is_done, result);
}

// May a message from this delivery run with the rights of the client that sent the frame? True for
// the frame's own message. A message that waited for this frame must be of the same agent, and the
// client must not be more trusted than the sender of that message.
bool is_of_client(const McpCall &call, const std::string &frame, const accp_delivery &one) {
    const std::string mid(to_view(one.mid));
    if (!mid.empty() && frame.find("mid:" + mid) != frame.npos) return true;
    const std::string agent = json_text(json_member(to_view(one.message), "agent"));
    return frame.starts_with("@" + agent + ">") &&
           (one.origin == ACCP_ORIGIN_TRUSTED || !call.client.origin.is_trusted());
}

// Receives the frame. Returns its request, and those that waited for it.
std::vector<std::string> receive_requests(McpCall &call, const std::string &id,
                                          const std::string &frame) {
    std::vector<std::string> requests;
    accp_status receive_status = ACCP_OK;
    call.tools.use_session(id, McpTools::Use::kWrite, [&](accp_session *session, accp_error &err) {
        requests.clear();
        receive_status = call.client.origin.take_frame(session, frame, call.now_ms, err);
        for (accp_delivery one; accp_session_next_delivery(session, &one) != 0;)
            if (one.status == ACCP_OK && is_of_client(call, frame, one))
                requests.emplace_back(to_view(one.message));
        return receive_status == ACCP_HELD || receive_status == ACCP_DROPPED ? ACCP_OK
                                                                             : receive_status;
    });
    if (receive_status == ACCP_HELD)
        throw Failure("frame: it is held until an earlier one arrives (seq)");
    if (receive_status == ACCP_DROPPED)
        throw Failure("frame: dropped: it has expired, or was cancelled");
    return requests;
}

// Sends the reply in the session. A reply that quotes data from outside is marked: the server sends
// it but does not vouch for it. A result that is too large for a frame is stored under a ref, which
// the tool session_resolve resolves.
accp_status reply_in_session(const McpCall &call, const std::string &request,
                             const ToolRequest &tool_request, ToolAnswer &answer,
                             accp_session *session, std::string &out, accp_error &err) {
    const auto reply = [&](const std::string &message, accp_text &frame) {
        const std::string sent = answer.is_quote ? marked_untrusted(message) : message;
        return accp_session_reply(session, request.data(), request.size(), sent.data(), sent.size(),
                                  call.now_ms, &frame, &err);
    };
    accp_status status = encode_first(answer, reply, out);
    if (status <= 0 || answer.result.empty()) return status;
    const std::string ref = "cold.result_" + std::to_string(accp_session_record_count(session) + 1);
    if (answer.is_quote) answer.result = marked_untrusted(answer.result);
    status = accp_session_put(session, ref.data(), ref.size(), answer.result.data(),
                              answer.result.size(), 0, &err);
    if (status != ACCP_OK) return status;
    answer.messages = {
        done_json(call.tools.environment().agent, tool_request.name, "{\"$ref\":\"" + ref + "\"}")};
    return encode_first(answer, reply, out);
}

void call_in_session(McpCall &call, const std::string &frame, McpResult &result) {
    const std::string id = call.session_to_write();
    std::vector<std::string> frames;
    bool is_done = true;
    for (const std::string &request : receive_requests(call, id, frame)) {
        const ToolRequest tool_request(request);
        if (!tool_request.is_valid) continue;
        ToolAnswer answer = run_request(call, tool_request);
        std::string out;
        call.tools.use_session(
            id, McpTools::Use::kWrite, [&](accp_session *session, accp_error &err) {
                return reply_in_session(call, request, tool_request, answer, session, out, err);
            });
        frames.push_back(out);
        is_done = is_done && answer.is_done;
    }
    if (frames.empty()) throw Failure(kNoCall);
    set_frames(frames, is_done, result);
}

void frame_call(McpCall &call, McpResult &result) {
    const std::string frame = call.text("frame");
    if (call.has("session")) call_in_session(call, frame, result);
    else call_alone(call, frame, result);
}

constexpr McpTool kCallTools[] = {
    {"frame_call", "Call a tool by a frame",
     "Call one of these tools by a frame @me>req:tool{tool:NAME|args:{…}|schema:TC}[mid:…,seq:1]; "
     "the answer is the frame done:tool, or fail:error. In a session both are kept.",
     R"({"type":"object","properties":{"frame":{"type":"string","minLength":1},)"
     R"("session":{"type":"string","minLength":1,"maxLength":256}},)"
     R"("required":["frame"],"additionalProperties":false})",
     R"({"type":"object","properties":{"done":{"type":"boolean"},"frames":{"type":"array",)"
     R"("items":{"type":"string"}}},"required":["done","frames"]})",
     kDestructive, 0, frame_call},
};

}  // namespace

McpToolTable mcp_call_tools() { return {"frame", kCallTools, std::size(kCallTools)}; }

}  // namespace server
