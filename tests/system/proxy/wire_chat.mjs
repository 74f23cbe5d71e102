// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Chat completions: from a turn of the script to the response, whole or as chunks.
import { digest } from "./canonical.mjs";
import { checkChat } from "./rules_chat.mjs";
import { pieces, sse } from "./stream.mjs";

const textOf = (content) => (typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n"));

const usageOf = ({ input, read, output }) => ({
    prompt_tokens: input + read,
    completion_tokens: output,
    total_tokens: input + read + output,
    prompt_tokens_details: { cached_tokens: read, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
});

export const chat = {
    name: "chat",
    check: (body) => checkChat(body),
    said: ({ messages }) => messages.map(({ role, content }) => ({ role, text: textOf(content) })),
    offered: ({ tools = [] }) => tools.map((tool) => tool.function.name),

    answer(body, { conversation, number, turn }, issued, key) {
        const message = { role: "assistant", content: turn.text ?? null, refusal: null, annotations: [] };
        const calls = (turn.calls ?? []).map((call, at) => ({
            id: `call_${digest(conversation, String(number), String(at)).slice(0, 24)}`,
            type: "function",
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
        }));
        if (calls.length) message.tool_calls = calls;
        const finish = turn.stop ?? (calls.length ? "tool_calls" : "stop");
        const head = { id: `chatcmpl-${key}`, created: 1_700_000_000, model: body.model, service_tier: "default", system_fingerprint: "fp_standin" };
        return {
            output: [message.content ?? "", ...calls.map((call) => call.function)],
            head,
            message,
            finish,
            hasUsage: body.stream_options?.include_usage === true,
        };
    },
    whole: ({ head, message, finish }, usage) => ({
        ...head,
        object: "chat.completion",
        choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
        usage: usageOf(usage),
    }),
    events({ head, message, finish, hasUsage }, usage) {
        const chunk = (choices, more = {}) => sse({ ...head, object: "chat.completion.chunk", choices, ...(hasUsage ? { usage: null } : {}), ...more });
        const delta = (value, finish_reason = null) => chunk([{ index: 0, delta: value, logprobs: null, finish_reason }]);
        const events = [delta({ role: "assistant", content: message.content === null ? null : "", refusal: null })];
        for (const content of pieces(message.content ?? "")) events.push(delta({ content }));
        (message.tool_calls ?? []).forEach((call, index) => {
            events.push(delta({ tool_calls: [{ index, id: call.id, type: "function", function: { name: call.function.name, arguments: "" } }] }));
            for (const piece of pieces(call.function.arguments)) events.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
        });
        events.push(delta({}, finish));
        if (hasUsage) events.push(chunk([], { usage: usageOf(usage) }));
        return [...events, "data: [DONE]\n\n"];
    },
    ping: ": ping\n\n",
    broken: sse({
        error: { message: "The server had an error while processing your request. Sorry about that!", type: "server_error", param: null, code: null },
    }),
    errorTypes: { 401: "invalid_request_error", 429: "requests", 500: "server_error", 529: "server_error" },
    error: ({ status, message, type, param, code }) => ({ error: { message, type: chat.errorTypes[status] ?? type, param, code } }),
    keyOf: (headers) => headers.authorization,
};
