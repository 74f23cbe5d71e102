// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rules of the Responses interface. checkResponses() throws a Refusal for the first fault.
import { isCount, isObject, Refusal } from "./rules.mjs";
import { checkFunction } from "./rules_chat.mjs";

const kTop = [
    "model",
    "input",
    "instructions",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "stream_options",
    "max_output_tokens",
    "max_tool_calls",
    "temperature",
    "top_p",
    "top_logprobs",
    "previous_response_id",
    "conversation",
    "store",
    "include",
    "reasoning",
    "text",
    "truncation",
    "metadata",
    "client_metadata",
    "user",
    "safety_identifier",
    "prompt_cache_key",
    "prompt_cache_retention",
    "prompt",
    "service_tier",
    "background",
    "context_management",
];
// The members of each item. In items of other known types, members are not checked.
const kMembers = {
    message: ["type", "id", "role", "content", "status", "phase"],
    function_call: ["type", "id", "call_id", "name", "namespace", "arguments", "status"],
    function_call_output: ["type", "id", "call_id", "output", "status"],
    custom_tool_call: ["type", "id", "call_id", "name", "namespace", "input", "status"],
    custom_tool_call_output: ["type", "id", "call_id", "output", "status"],
    reasoning: ["type", "id", "summary", "content", "encrypted_content", "status"],
    item_reference: ["type", "id"],
};
const kOther = [
    "local_shell_call",
    "local_shell_call_output",
    "shell_call",
    "shell_call_output",
    "apply_patch_call",
    "apply_patch_call_output",
    "web_search_call",
    "file_search_call",
    "computer_call",
    "computer_call_output",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
    "mcp_list_tools",
    "compaction",
    "tool_search_call",
    "tool_search_output",
];
const kIdStarts = { message: "msg", function_call: "fc", custom_tool_call: "ctc", reasoning: "rs" };
const kParts = { user: ["input_text", "input_image", "input_file"], assistant: ["output_text", "refusal"] };
const kMaxCallId = 64;

function refuse(message, param = null, code = null) {
    throw new Refusal(message, { param, code });
}

const missing = (param) => refuse(`Missing required parameter: '${param}'.`, param, "missing_required_parameter");
// Calls that the provider runs itself have no call_id.
const isCall = ({ type, call_id }) => Boolean(type?.endsWith("_call") && call_id != null);
const isOutput = ({ type, call_id }) => Boolean(type?.endsWith("_output") && call_id != null);
const named = (values) => values.map((value) => `'${value}'`).join(", ");

function checkMessage(item, where) {
    if (!["user", "assistant", "system", "developer"].includes(item.role))
        refuse(`Invalid value: '${item.role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`, `${where}.role`, "invalid_value");
    if (typeof item.content === "string") return;
    if (!Array.isArray(item.content)) missing(`${where}.content`);
    const allowed = kParts[item.role] ?? kParts.user;
    item.content.forEach((part, at) => {
        if (!allowed.includes(part?.type))
            refuse(`Invalid value: '${part?.type}'. Supported values are: ${named(allowed)}.`, `${where}.content[${at}]`, "invalid_value");
        if (part.type.endsWith("_text") && typeof part.text !== "string") missing(`${where}.content[${at}].text`);
    });
}

function checkCall(item, where) {
    if (typeof item.call_id !== "string" || !item.call_id) missing(`${where}.call_id`);
    if (item.call_id.length > kMaxCallId)
        refuse(
            `Invalid '${where}.call_id': string too long. Expected a string with maximum length ${kMaxCallId}, but got a string with length ${item.call_id.length} instead.`,
            `${where}.call_id`,
            "string_above_max_length",
        );
    if (typeof item.name !== "string") missing(`${where}.name`);
    const text = item.type === "function_call" ? "arguments" : "input";
    if (typeof item[text] !== "string") missing(`${where}.${text}`);
}

function checkOutput(item, where) {
    if (typeof item.call_id !== "string") missing(`${where}.call_id`);
    if (typeof item.output === "string") return;
    if (!Array.isArray(item.output)) missing(`${where}.output`);
    item.output.forEach((part, at) => {
        if (!kParts.user.includes(part?.type))
            refuse(`Invalid value: '${part?.type}'. Supported values are: ${named(kParts.user)}.`, `${where}.output[${at}]`, "invalid_value");
    });
}

const kItemChecks = {
    message: checkMessage,
    function_call: checkCall,
    custom_tool_call: checkCall,
    function_call_output: checkOutput,
    custom_tool_call_output: checkOutput,
};

// `issued`: an Issued (issued.mjs).
function checkReasoning(item, where, body, issued) {
    if (!Array.isArray(item.summary)) missing(`${where}.summary`);
    if (item.encrypted_content != null) {
        if (issued.openReasoning(item.encrypted_content) === (item.id ?? issued.openReasoning(item.encrypted_content) ?? "")) return;
        refuse(
            `The encrypted content for item ${item.id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
            null,
            "invalid_encrypted_content",
        );
    }
    if (body.store === false)
        refuse(
            `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
            "input",
        );
}

const typeOf = (item) => item?.type ?? (item?.role ? "message" : undefined);

function checkItem(item, where, body, issued) {
    if (!isObject(item)) refuse(`Invalid type for '${where}': expected an object.`, where, "invalid_type");
    const type = typeOf(item);
    if (type === undefined) missing(`${where}.type`);
    if (kOther.includes(type)) return;
    if (!(type in kMembers)) refuse(`Invalid value: '${type}'. Supported values are: ${named([...Object.keys(kMembers), ...kOther])}.`, where, "invalid_value");
    for (const key of Object.keys(item))
        if (!kMembers[type].includes(key)) refuse(`Unknown parameter: '${where}.${key}'.`, `${where}.${key}`, "unknown_parameter");
    if (item.id != null && typeof item.id !== "string") refuse(`Invalid type for '${where}.id': expected a string.`, `${where}.id`, "invalid_type");
    if (item.id != null && kIdStarts[type] && !item.id.startsWith(kIdStarts[type])) {
        refuse(`Invalid '${where}.id': '${item.id}'. Expected an ID that begins with '${kIdStarts[type]}'.`, `${where}.id`, "invalid_value");
    }
    kItemChecks[type]?.(item, where);
    if (type === "reasoning") checkReasoning(item, where, body, issued);
}

// Calls and outputs come in pairs, the call first; an item that followed reasoning is sent with it.
function checkPairs(items, issued) {
    const calls = new Set(),
        outputs = new Set(),
        ids = new Set();
    items.forEach((item, at) => {
        if (item.id != null) {
            if (ids.has(item.id)) refuse(`Duplicate item found with id ${item.id}. Remove duplicate items from your input and try again.`, "input");
            ids.add(item.id);
            const needs = issued.reasoningBefore(item.id);
            if (needs && !ids.has(needs))
                refuse(`Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${needs}'.`, "input");
        }
        if (isCall(item)) {
            if (calls.has(item.call_id)) refuse(`Duplicate function call with call_id ${item.call_id}.`, "input");
            calls.add(item.call_id);
        }
        if (isOutput(item)) {
            if (!calls.has(item.call_id)) refuse(`No tool call found for function call output with call_id ${item.call_id}.`, "input");
            if (outputs.has(item.call_id)) refuse(`Duplicate function call output with call_id ${item.call_id}.`, "input");
            outputs.add(item.call_id);
        }
        if (
            item.type === "reasoning" &&
            !(items[at + 1] && (isCall(items[at + 1]) || items[at + 1].type === "reasoning" || items[at + 1].role === "assistant"))
        ) {
            refuse(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`, "input");
        }
    });
    for (const id of calls) if (!outputs.has(id)) refuse(`No tool output found for function call ${id}.`, "input");
}

function checkTools(tools, names = new Set(), where = "tools") {
    if (!Array.isArray(tools)) refuse(`Invalid type for '${where}': expected an array of objects.`, where, "invalid_type");
    tools.forEach((tool, at) => {
        if (typeof tool?.type !== "string") missing(`${where}[${at}].type`);
        if (tool.type === "function") checkFunction(tool, `${where}[${at}]`, names);
        if (tool.type === "custom") checkFunction({ name: tool.name }, `${where}[${at}]`, names);
        if (tool.type === "namespace") checkTools(tool.tools, new Set(), `${where}[${at}].tools`);
    });
}

// `earlier`: the items of the responses that previous_response_id names; nothing if that response is unknown.
export function checkResponses(body, issued, earlier) {
    if (!isObject(body)) refuse("We could not parse the JSON body of your request.");
    for (const key of Object.keys(body)) if (!kTop.includes(key)) refuse(`Unknown parameter: '${key}'.`, key, "unknown_parameter");
    if (typeof body.model !== "string") missing("model");
    if (body.previous_response_id != null && !earlier)
        refuse(`Previous response with id '${body.previous_response_id}' not found.`, "previous_response_id", "previous_response_not_found");
    if (body.max_output_tokens != null && !isCount(body.max_output_tokens))
        refuse("Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 1.", "max_output_tokens", "integer_below_min_value");
    if (body.tools !== undefined) checkTools(body.tools);
    const items = typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input;
    if (!Array.isArray(items)) missing("input");
    if (!items.length) refuse("Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead.", "input", "empty_array");
    items.forEach((item, at) => checkItem(item, `input[${at}]`, body, issued));
    checkPairs([...(earlier ?? []), ...items], issued);
}
