// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The Responses interface: from a turn of the script to the response, whole or as events.
import { digest } from "./canonical.mjs";
import { checkResponses } from "./rules_responses.mjs";
import { pieces, sse } from "./stream.mjs";
import { chat } from "./wire_chat.mjs";

const textOf = (content) => (typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n"));
const itemsOf = ({ input }) => (typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input);
const isOurs = ({ type, role }) => role === "assistant" || ["reasoning", "function_call", "custom_tool_call"].includes(type);

const usageOf = ({ input, read, output }) => ({
    input_tokens: input + read,
    input_tokens_details: { cached_tokens: read },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + read + output,
});

function callItem(call, id) {
    if (call.freeform !== undefined)
        return { type: "custom_tool_call", id: `ctc_${id}`, call_id: `call_${id}`, name: call.name, input: call.freeform, status: "completed" };
    const item = {
        type: "function_call",
        id: `fc_${id}`,
        call_id: `call_${id}`,
        name: call.name,
        arguments: JSON.stringify(call.arguments),
        status: "completed",
    };
    return call.namespace ? { ...item, namespace: call.namespace } : item;
}

const kCalls = { function_call: ["arguments", "response.function_call_arguments"], custom_tool_call: ["input", "response.custom_tool_call_input"] };

// Events between the start and the end of an item, as [type, members].
function inside(item) {
    const { id: item_id } = item;
    if (item.type in kCalls) {
        const [member, type] = kCalls[item.type];
        return [...pieces(item[member]).map((delta) => [`${type}.delta`, { item_id, delta }]), [`${type}.done`, { item_id, [member]: item[member] }]];
    }
    const isText = item.type === "message",
        part = (isText ? item.content : item.summary)[0];
    if (!part) return [];
    const at = isText ? { item_id, content_index: 0 } : { item_id, summary_index: 0 };
    const [whole, text] = isText ? ["response.content_part", "response.output_text"] : ["response.reasoning_summary_part", "response.reasoning_summary_text"];
    const more = isText ? { logprobs: [] } : {};
    return [
        [`${whole}.added`, { ...at, part: { ...part, text: "" } }],
        ...pieces(part.text).map((delta) => [`${text}.delta`, { ...at, delta, ...more }]),
        [`${text}.done`, { ...at, text: part.text, ...more }],
        [`${whole}.done`, { ...at, part }],
    ];
}

function started(item) {
    if (item.type in kCalls) return { ...item, [kCalls[item.type][0]]: "", status: "in_progress" };
    return item.type === "message" ? { ...item, content: [], status: "in_progress" } : { ...item, summary: [] };
}

export const responses = {
    name: "responses",
    check: (body, issued) => checkResponses(body, issued, issued.itemsOf(body?.previous_response_id)),
    // Puts the items of earlier responses in front, for the script and the bill.
    expand: (body, issued) => (body.previous_response_id ? { ...body, input: [...issued.itemsOf(body?.previous_response_id), ...itemsOf(body)] } : body),
    // Our items in a row are one turn.
    said: (body) =>
        itemsOf(body).flatMap((item, at, all) =>
            !isOurs(item) ? [{ role: item.role ?? "tool", text: textOf(item.content) }] : at && isOurs(all[at - 1]) ? [] : [{ role: "assistant", text: "" }],
        ),
    offered: ({ tools = [] }) => tools.flatMap((tool) => (tool.type === "namespace" ? tool.tools.map(({ name }) => name) : [tool.name ?? tool.type])),

    answer(body, { conversation, number, turn }, issued, key) {
        const id = (what) => digest(conversation, String(number), what).slice(0, 32),
            output = [];
        if (turn.thinking) {
            const reasoning = { type: "reasoning", id: `rs_${id("reasoning")}`, summary: [{ type: "summary_text", text: turn.thinking }] };
            if (body.include?.includes("reasoning.encrypted_content")) reasoning.encrypted_content = issued.sealReasoning(reasoning.id, turn.thinking);
            output.push(reasoning);
        }
        if (turn.text)
            output.push({
                type: "message",
                id: `msg_${id("text")}`,
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text: turn.text, annotations: [], logprobs: [] }],
            });
        (turn.calls ?? []).forEach((call, at) => output.push(callItem(call, id(`call ${at}`))));
        issued.keepItems(output);
        const response = {
            id: `resp_${key}`,
            object: "response",
            created_at: 1_700_000_000,
            status: "completed",
            error: null,
            incomplete_details: null,
            instructions: body.instructions ?? null,
            max_output_tokens: body.max_output_tokens ?? null,
            model: body.model,
            output,
            parallel_tool_calls: body.parallel_tool_calls ?? true,
            previous_response_id: body.previous_response_id ?? null,
            reasoning: { effort: null, summary: null, ...body.reasoning },
            store: body.store !== false,
            temperature: 1,
            text: { format: { type: "text" } },
            tool_choice: body.tool_choice ?? "auto",
            tools: body.tools ?? [],
            top_p: 1,
            truncation: "disabled",
            usage: null,
            metadata: body.metadata ?? {},
        };
        if (response.store) issued.keepResponse(response.id, [...itemsOf(responses.expand(body, issued)), ...output]);
        return { output, response };
    },
    whole: ({ response }, usage) => ({ ...response, usage: usageOf(usage) }),
    events({ output, response }, usage) {
        const begun = { ...response, status: "in_progress", output: [] };
        const events = [
            ["response.created", { response: begun }],
            ["response.in_progress", { response: begun }],
        ];
        output.forEach((item, output_index) => {
            events.push(["response.output_item.added", { output_index, item: started(item) }]);
            for (const [type, more] of inside(item)) events.push([type, { output_index, ...more }]);
            events.push(["response.output_item.done", { output_index, item }]);
        });
        events.push(["response.completed", { response: responses.whole({ response }, usage) }]);
        return events.map(([type, more], sequence_number) => sse({ type, ...more, sequence_number }, type));
    },
    ping: chat.ping,
    broken: sse(
        {
            type: "error",
            code: "server_error",
            message: "The server had an error while processing your request. Sorry about that!",
            param: null,
            sequence_number: 0,
        },
        "error",
    ),
    error: chat.error,
    keyOf: chat.keyOf,
};
