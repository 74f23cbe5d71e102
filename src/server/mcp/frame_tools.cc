// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools on frames and on their registry.
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/mcp/tools.h"

namespace server {

using host::Failure;
using host::json_string;
using host::to_view;

namespace {

// Throws a Failure with the name of the argument.
void check_of(const char *what, accp_status status, const accp_error &err) {
    if (status != ACCP_OK) throw Failure(std::string(what) + ": " + host::describe_short(err));
}

void frame_encode(McpCall &call, McpResult &result) {
    const std::string_view message = call.json("message");
    accp_text frame = {};
    accp_error err = {};
    check_of("message",
             accp_codec_encode(call.tools.codec(), message.data(), message.size(), &frame, &err),
             err);
    const std::string_view text = to_view(frame);
    result.add_text(text);
    result.structured = "{\"frame\":" + json_string(text) +
                        ",\"tokens\":" + std::to_string(call.tools.count(text)) +
                        ",\"json_tokens\":" + std::to_string(call.tools.count(message)) + "}";
}

std::string rendered_frame(McpTools &tools, const std::string &frame) {
    accp_text text = {};
    accp_error err = {};
    check_of("frame",
             accp_render_frame(tools.render(), frame.data(), frame.size(), ACCP_RENDER_ENVELOPE,
                               &text, &err),
             err);
    return std::string(to_view(text));
}

void frame_decode(McpCall &call, McpResult &result) {
    const std::string frame = call.text("frame");
    accp_text message = {};
    accp_error err = {};
    check_of("frame",
             accp_codec_decode(call.tools.codec(), frame.data(), frame.size(), &message, &err),
             err);
    result.structured = "{\"message\":" + std::string(to_view(message)) + "}";
    result.add_text(rendered_frame(call.tools, frame));
}

void frame_render(McpCall &call, McpResult &result) {
    if (call.has("frame") == call.has("message"))
        throw Failure("arguments: give either frame, a text, or message, an object");
    std::string text;
    if (call.has("frame")) {
        text = rendered_frame(call.tools, call.text("frame"));
    } else {
        const std::string_view message = call.json("message");
        accp_text made = {};
        accp_error err = {};
        check_of("message",
                 accp_render_json(call.tools.render(), message.data(), message.size(),
                                  ACCP_RENDER_ENVELOPE, &made, &err),
                 err);
        text = to_view(made);
    }
    result.add_text(text);
    result.structured = "{\"text\":" + json_string(text) +
                        ",\"tokens\":" + std::to_string(call.tools.count(text)) + "}";
}

// Prints a schema as a line, "TC tool_call: tool_name (tool), status (stat) = ok", and as JSON.
void add_schema(const accp_registry *registry, uint32_t number, std::string &line,
                std::string &json) {
    accp_schema schema = {};
    accp_error err = {};
    host::check(accp_registry_schema(registry, number, &schema, &err), err);
    line.append(to_view(schema.code)).append(" ").append(to_view(schema.name));
    json.append("{\"code\":").append(json_string(to_view(schema.code)));
    json.append(",\"name\":").append(json_string(to_view(schema.name))).append(",\"fields\":[");
    for (uint32_t i = 0; i < schema.field_count; ++i) {
        accp_field field = {};
        host::check(accp_registry_field(registry, number, i, &field, &err), err);
        const std::string_view name = to_view(field.name), wire = to_view(field.wire),
                               otherwise = to_view(field.default_json);
        line.append(i ? ", " : ": ").append(name);
        if (wire != name) line.append(" (").append(wire).append(")");
        if (!otherwise.empty()) line.append(" = ").append(otherwise);
        json.append(i ? "," : "").append(json_string(name));
    }
    line += '\n';
    json += "]}";
}

void registry_show(McpCall &call, McpResult &result) {
    const accp_registry *registry = call.tools.environment().registry;
    const accp_registry_info info = host::info_of(registry);
    std::string text, schemas, frames;
    for (uint32_t i = 0; i < info.schema_count; ++i) {
        schemas += i ? "," : "";
        add_schema(registry, i, text, schemas);
    }
    for (const std::string &frame : call.tools.registry_frames()) {
        text.append(frame).append("\n");
        frames.append(frames.empty() ? "" : ",").append(json_string(frame));
    }
    result.add_text(text);
    result.structured = "{\"hash\":" + json_string(to_view(info.hash)) + ",\"schemas\":[" +
                        schemas + "],\"frames\":[" + frames + "]}";
}

#define FRAME_TEXT R"("frame":{"type":"string","minLength":1})"

constexpr McpTool kFrameTools[] = {
    {"frame_encode", "Encode a frame",
     "A message {\"agent\",\"intent\",\"operation\",\"payload\",\"meta\"} as a frame, one line.",
     R"({"type":"object","properties":{"message":{"type":"object"}},)"
     R"("required":["message"],"additionalProperties":false})",
     R"({"type":"object","properties":{"frame":{"type":"string"},"tokens":{"type":"integer"},)"
     R"("json_tokens":{"type":"integer"}},"required":["frame","tokens","json_tokens"]})",
     kReadsOnly, 0, frame_encode},
    {"frame_decode", "Decode a frame", "The message that a frame is.",
     R"({"type":"object","properties":{)" FRAME_TEXT
     R"(},"required":["frame"],"additionalProperties":false})",
     R"({"type":"object","properties":{"message":{"type":"object"}},"required":["message"]})",
     kReadsOnly, 0, frame_decode},
    {"frame_render", "Render for reading",
     "A frame or a message as the short text that a model reads.",
     R"({"type":"object","properties":{)" FRAME_TEXT
     R"(,"message":{"type":"object"}},"additionalProperties":false})",
     R"({"type":"object","properties":{"text":{"type":"string"},"tokens":{"type":"integer"}},)"
     R"("required":["text","tokens"]})",
     kReadsOnly, 0, frame_render},
    {"registry_show", "The registry in force",
     "Schemas of frames: codes, fields, short keys, defaults.",
     R"({"type":"object","properties":{},"additionalProperties":false})",
     R"({"type":"object","properties":{"hash":{"type":"string"},"schemas":{"type":"array",)"
     R"("items":{"type":"object","properties":{"code":{"type":"string"},"name":{"type":"string"},)"
     R"("fields":{"type":"array","items":{"type":"string"}}},"required":["code","name","fields"]}},)"
     R"("frames":{"type":"array","items":{"type":"string"}}},"required":["hash","schemas","frames"]})",
     kReadsOnly, 0, registry_show},
};
#undef FRAME_TEXT

}  // namespace

McpToolTable mcp_frame_tools() { return {"frame", kFrameTools, std::size(kFrameTools)}; }

}  // namespace server
