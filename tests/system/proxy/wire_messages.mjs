// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The Messages interface: from a turn of the script to the response, whole or as events.
import { canonical, digest, seal } from "./canonical.mjs";
import { checkMessages } from "./rules_messages.mjs";
import { pieces, sse } from "./stream.mjs";

const textOf = (content) => (typeof content === "string" ? content : content.map((block) => block.text ?? "").join("\n"));

const usageOf = ({ input, read, write_5m, write_1h }) => ({
    input_tokens: input,
    cache_creation_input_tokens: write_5m + write_1h,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: write_5m, ephemeral_1h_input_tokens: write_1h },
});

function blockEvents(block, index) {
    const start = (content_block) => ["content_block_start", { index, content_block }];
    const delta = (value) => ["content_block_delta", { index, delta: value }];
    const events = [];
    if (block.type === "text") events.push(start({ type: "text", text: "" }), ...pieces(block.text).map((text) => delta({ type: "text_delta", text })));
    if (block.type === "thinking") {
        events.push(
            start({ type: "thinking", thinking: "", signature: "" }),
            ...pieces(block.thinking).map((thinking) => delta({ type: "thinking_delta", thinking })),
        );
        events.push(delta({ type: "signature_delta", signature: block.signature }));
    }
    if (block.type === "tool_use") {
        const parts = Object.keys(block.input).length ? pieces(JSON.stringify(block.input)) : [];
        events.push(start({ ...block, input: {} }), ...["", ...parts].map((partial_json) => delta({ type: "input_json_delta", partial_json })));
    }
    return [...events, ["content_block_stop", { index }]];
}

export const messages = {
    name: "messages",
    check: (body, issued, options) => checkMessages(body, issued, options),
    said: ({ messages: list }) => list.map(({ role, content }) => ({ role, text: textOf(content) })),
    offered: ({ tools = [] }) => tools.map(({ name }) => name),

    answer(body, { conversation, number, turn }, issued, key) {
        const content = [];
        if (turn.thinking && ["enabled", "adaptive"].includes(body.thinking?.type)) content.push(issued.thinkingBlock(turn.thinking));
        if (turn.text) content.push({ type: "text", text: turn.text });
        (turn.calls ?? []).forEach((call, at) =>
            content.push({
                type: "tool_use",
                id: `toolu_${digest(conversation, String(number), String(at)).slice(0, 24)}`,
                name: call.name,
                input: call.arguments,
            }),
        );
        issued.keepThoughts(content);
        const stop_reason = turn.stop ?? (turn.calls?.length ? "tool_use" : "end_turn");
        return {
            output: content,
            body: { id: `msg_${key}`, type: "message", role: "assistant", model: body.model, content, stop_reason, stop_sequence: null },
        };
    },
    whole: (answer, usage) => ({ ...answer.body, usage: { ...usageOf(usage), output_tokens: usage.output, service_tier: "standard" } }),
    events({ body }, usage) {
        const { content, stop_reason, stop_sequence } = body;
        const message = { ...body, content: [], stop_reason: null, usage: { ...usageOf(usage), output_tokens: 1, service_tier: "standard" } };
        const end = ["message_delta", { delta: { stop_reason, stop_sequence }, usage: { ...usageOf(usage), output_tokens: usage.output } }];
        return [["message_start", { message }], ...content.flatMap(blockEvents), end, ["message_stop", {}]].map(([type, more]) => sse({ type, ...more }, type));
    },
    ping: sse({ type: "ping" }, "ping"),
    broken: sse({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "error"),
    errorTypes: {
        401: "authentication_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        500: "api_error",
        529: "overloaded_error",
    },
    error({ status, message, type }) {
        const error = { type: messages.errorTypes[status] ?? type, message };
        return { type: "error", error, request_id: `req_${seal(canonical(error)).slice(0, 24)}` };
    },
    keyOf: (headers) => headers["x-api-key"] ?? headers.authorization,
};
