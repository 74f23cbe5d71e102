// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rules of chat completions. checkChat() throws a Refusal for the first fault.
//
// Stricter than the provider: names of tools are unique.
import { isCount, isObject, Refusal, schemaFault } from "./rules.mjs";

const kTop = [
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "n",
    "stop",
    "presence_penalty",
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "top_logprobs",
    "seed",
    "user",
    "safety_identifier",
    "prompt_cache_key",
    "prompt_cache_retention",
    "response_format",
    "reasoning_effort",
    "verbosity",
    "service_tier",
    "store",
    "metadata",
    "modalities",
    "audio",
    "prediction",
    "web_search_options",
    "functions",
    "function_call",
];
const kParts = { system: ["text"], developer: ["text"], tool: ["text"], user: ["text", "image_url", "input_audio", "file"], assistant: ["text", "refusal"] };
const kMaxTools = 128;
const kMaxId = 40;

function refuse(message, param = null, code = null) {
    throw new Refusal(message, { param, code });
}

const missing = (param) => refuse(`Missing required parameter: '${param}'.`, param, "missing_required_parameter");
const empty = (param) =>
    refuse(`Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`, param, "empty_array");

function checkContent({ role, content }, where) {
    if (typeof content === "string") return;
    if (!Array.isArray(content))
        refuse(
            `Invalid type for '${where}.content': expected one of a string or array of objects, but got ${typeof content} instead.`,
            `${where}.content`,
            "invalid_type",
        );
    if (!content.length) empty(`${where}.content`);
    content.forEach((part, at) => {
        const path = `${where}.content[${at}]`;
        if (!kParts[role].includes(part?.type))
            refuse(
                `Invalid value: '${part?.type}'. Supported values are: ${kParts[role].map((type) => `'${type}'`).join(", ")}.`,
                `${path}.type`,
                "invalid_value",
            );
        if (part.type === "text" && typeof part.text !== "string") missing(`${path}.text`);
        if (part.type === "image_url" && typeof part.image_url?.url !== "string") missing(`${path}.image_url.url`);
    });
}

function checkCalls(calls, where) {
    if (!Array.isArray(calls)) refuse(`Invalid type for '${where}.tool_calls': expected an array of objects.`, `${where}.tool_calls`, "invalid_type");
    if (!calls.length) empty(`${where}.tool_calls`);
    calls.forEach((call, at) => {
        const path = `${where}.tool_calls[${at}]`;
        if (typeof call?.id !== "string") missing(`${path}.id`);
        if (call.id.length > kMaxId) {
            refuse(
                `Invalid '${path}.id': string too long. Expected a string with maximum length ${kMaxId}, but got a string with length ${call.id.length} instead.`,
                `${path}.id`,
                "string_above_max_length",
            );
        }
        if (call.type !== "function") refuse(`Invalid value: '${call.type}'. Supported values are: 'function'.`, `${path}.type`, "invalid_value");
        if (typeof call.function?.name !== "string") missing(`${path}.function.name`);
        if (typeof call.function.arguments !== "string") {
            refuse(
                `Invalid type for '${path}.function.arguments': expected a string, but got ${typeof call.function.arguments} instead.`,
                `${path}.function.arguments`,
                "invalid_type",
            );
        }
    });
}

function checkMessage(message, where) {
    if (!isObject(message)) refuse(`Invalid type for '${where}': expected an object.`, where, "invalid_type");
    const { role, content, tool_calls: calls } = message;
    if (!(role in kParts)) {
        refuse(
            `Invalid value: '${role}'. Supported values are: ${Object.keys(kParts)
                .map((one) => `'${one}'`)
                .join(", ")}.`,
            `${where}.role`,
            "invalid_value",
        );
    }
    if (role === "tool" && typeof message.tool_call_id !== "string") missing(`${where}.tool_call_id`);
    if (role !== "assistant" || content != null) {
        if (content == null) missing(`${where}.content`);
        checkContent(message, where);
    }
    if (role !== "assistant") return;
    if (calls !== undefined) checkCalls(calls, where);
    else if (content == null && message.refusal == null) refuse("Invalid value for 'content': expected a string, got null.", `${where}.content`);
}

// Each call has exactly one result, in the messages right after it.
function checkPairs(messages) {
    const seen = new Set();
    let open = [],
        known = [],
        from = 0;
    const checkAnswered = () => {
        if (!open.length) return;
        refuse(
            `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
            `messages.[${from}].role`,
        );
    };
    messages.forEach((message, at) => {
        if (message.role === "tool") {
            const id = message.tool_call_id;
            if (!known.length)
                refuse("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.", `messages.[${at}].role`);
            if (!known.includes(id))
                refuse(`Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`, `messages.[${at}].tool_call_id`);
            if (!open.includes(id)) refuse(`Duplicate value for 'tool_call_id' of '${id}' found in message array.`, `messages.[${at}].tool_call_id`);
            open = open.filter((one) => one !== id);
            return;
        }
        checkAnswered();
        known = (message.tool_calls ?? []).map(({ id }) => id);
        open = known;
        from = at + 1;
        for (const id of known) {
            if (seen.has(id)) refuse(`Duplicate value for 'tool_call_id' of '${id}' found in message array.`, `messages.[${at}].tool_calls`);
            seen.add(id);
        }
    });
    checkAnswered();
}

// Names of the tools that a request offers; `where` is the parameter of a function.
export function checkFunction({ name, parameters }, where, names) {
    if (typeof name !== "string") missing(`${where}.name`);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
        refuse(
            `Invalid '${where}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
            `${where}.name`,
            "invalid_value",
        );
    if (names.has(name)) refuse(`Invalid '${where}.name': the name '${name}' is used twice.`, `${where}.name`, "invalid_value");
    names.add(name);
    if (parameters == null) return;
    const fault = !isObject(parameters) || parameters.type !== "object" ? `schema must have type 'object', got '${parameters?.type}'` : schemaFault(parameters);
    if (fault) refuse(`Invalid schema for function '${name}': ${fault}.`, `${where}.parameters`, "invalid_function_parameters");
}

function checkTools({ tools, tool_choice: choice }) {
    if (tools === undefined)
        return choice === undefined
            ? undefined
            : refuse("Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", "tool_choice");
    if (!Array.isArray(tools)) refuse("Invalid type for 'tools': expected an array of objects.", "tools", "invalid_type");
    if (!tools.length) empty("tools");
    if (tools.length > kMaxTools)
        refuse(
            `Invalid 'tools': array too long. Expected an array with maximum length ${kMaxTools}, but got an array with length ${tools.length} instead.`,
            "tools",
            "array_above_max_length",
        );
    const names = new Set();
    tools.forEach((tool, at) => {
        if (tool?.type !== "function") refuse(`Invalid value: '${tool?.type}'. Supported values are: 'function'.`, `tools[${at}].type`, "invalid_value");
        if (!isObject(tool.function)) missing(`tools[${at}].function`);
        checkFunction(tool.function, `tools[${at}].function`, names);
    });
    if (isObject(choice) && !names.has(choice.function?.name)) refuse(`Tool choice '${choice.function?.name}' not found in 'tools' parameter.`, "tool_choice");
}

export function checkChat(body) {
    if (!isObject(body)) refuse("We could not parse the JSON body of your request.");
    for (const key of Object.keys(body)) if (!kTop.includes(key)) refuse(`Unrecognized request argument supplied: ${key}`);
    if (typeof body.model !== "string") refuse("you must provide a model parameter");
    if (!Array.isArray(body.messages)) missing("messages");
    if (!body.messages.length) empty("messages");
    for (const key of ["max_tokens", "max_completion_tokens"])
        if (body[key] != null && !isCount(body[key]))
            refuse(`Invalid '${key}': integer below minimum value. Expected a value >= 1.`, key, "integer_below_min_value");
    if (body.max_tokens != null && body.max_completion_tokens != null)
        refuse("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.");
    if (body.stream_options != null && !body.stream) refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options");
    checkTools(body);
    body.messages.forEach((message, at) => checkMessage(message, `messages[${at}]`));
    checkPairs(body.messages);
}
