// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rules of the Messages interface. checkMessages() throws a Refusal with the path of the first fault.
//
// The provider joins neighbours of one role to one message. `alternate` refuses them.
import { canonical } from "./canonical.mjs";
import { isCount, isObject, Refusal, schemaFault } from "./rules.mjs";

const kTop = [
    "model",
    "messages",
    "max_tokens",
    "system",
    "tools",
    "tool_choice",
    "thinking",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "stream",
    "metadata",
    "service_tier",
    "container",
    "context_management",
    "mcp_servers",
    "output_config",
    "output_format",
    "cache_control",
    "speed",
    "inference_geo",
];
// The members of each block. In blocks of other known types, members are not checked.
const kMembers = {
    text: ["type", "text", "citations", "cache_control"],
    image: ["type", "source", "cache_control"],
    document: ["type", "source", "title", "context", "citations", "cache_control"],
    tool_use: ["type", "id", "name", "input", "caller", "cache_control"],
    tool_result: ["type", "tool_use_id", "content", "is_error", "cache_control"],
    thinking: ["type", "thinking", "signature"],
    redacted_thinking: ["type", "data"],
};
const kOther = [
    "search_result",
    "server_tool_use",
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "tool_reference",
    "mcp_tool_use",
    "mcp_tool_result",
    "container_upload",
    "compaction",
];
const kOnlyAssistant = ["tool_use", "thinking", "redacted_thinking", "server_tool_use"];
const kOnlyUser = ["tool_result", "image", "document"];
const kInResult = ["text", "image", "document", "search_result", "tool_reference"];
const kImages = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const kMaxImageBytes = 5 << 20;
const kMaxMarks = 4;

const refuse = (message) => {
    throw new Refusal(message);
};

function only(value, members, where) {
    for (const key of Object.keys(value)) if (!members.includes(key)) refuse(`${where}.${key}: Extra inputs are not permitted`);
}

function checkText(block, where) {
    if (typeof block.text !== "string") refuse(`${where}.text: Field required`);
    if (!block.text)
        refuse(block.cache_control ? `${where}: cache_control cannot be set for empty text blocks` : "messages: text content blocks must be non-empty");
    if (!block.text.trim()) refuse("messages: text content blocks must contain non-whitespace text");
}

function checkImage(block, where) {
    const { source } = block;
    if (!isObject(source)) refuse(`${where}.source: Field required`);
    if (source.type !== "base64") return;
    if (!kImages.includes(source.media_type)) refuse(`${where}.source.base64.media_type: Input should be ${kImages.map((type) => `'${type}'`).join(", ")}`);
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(source.data ?? "")) refuse(`${where}.source.base64.data: Invalid base64 data`);
    if (source.data.length * 0.75 > kMaxImageBytes)
        refuse(`${where}.source.base64: image exceeds 5 MB maximum: ${Math.ceil(source.data.length * 0.75)} bytes > ${kMaxImageBytes} bytes`);
}

function checkUse(block, where) {
    if (typeof block.id !== "string" || !/^[a-zA-Z0-9_-]+$/.test(block.id)) refuse(`${where}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    if (typeof block.name !== "string" || !/^[a-zA-Z0-9_-]{1,200}$/.test(block.name))
        refuse(`${where}.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`);
    if (!isObject(block.input)) refuse(`${where}.input: Input should be a valid dictionary`);
}

function checkResult(block, where) {
    if (typeof block.tool_use_id !== "string") refuse(`${where}.tool_use_id: Field required`);
    if (block.content === undefined || typeof block.content === "string") return;
    if (!Array.isArray(block.content)) refuse(`${where}.content: Input should be a valid string or list`);
    block.content.forEach((inner, at) => {
        if (!kInResult.includes(inner?.type))
            refuse(`${where}.content.${at}: Input tag '${inner?.type}' found using 'type' does not match any of the expected tags: ${kInResult.join(", ")}`);
        checkBlock(inner, `${where}.content.${at}`);
    });
    if (block.is_error && block.content.some(({ type }) => type !== "text")) refuse(`${where}: all content must be type "text" if \`is_error\` is true`);
}

const kBlockChecks = { text: checkText, image: checkImage, tool_use: checkUse, tool_result: checkResult };

function checkBlock(block, where) {
    if (!isObject(block)) refuse(`${where}: Input should be a valid dictionary`);
    const { type } = block;
    if (kOther.includes(type)) return;
    if (!(type in kMembers))
        refuse(`${where}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${[...Object.keys(kMembers), ...kOther].join(", ")}`);
    only(block, kMembers[type], `${where}.${type}`);
    kBlockChecks[type]?.(block, `${where}.${type}`);
}

function checkMessage(message, at, count) {
    const where = `messages.${at}`;
    if (!isObject(message)) refuse(`${where}: Input should be a valid dictionary`);
    only(message, ["role", "content"], where);
    if (message.role === "system")
        refuse(`${where}: Unexpected role "system". The Messages API accepts a top-level \`system\` parameter, not "system" as an input message role.`);
    if (!["user", "assistant"].includes(message.role)) refuse(`${where}.role: Input should be 'user' or 'assistant'`);
    if (message.content === undefined) refuse(`${where}.content: Field required`);
    if (!message.content?.length && !(at === count - 1 && message.role === "assistant")) {
        refuse(`${where}: all messages must have non-empty content except for the optional final assistant message`);
    }
    if (typeof message.content === "string") return checkText({ text: message.content || "-" }, where);
    if (!Array.isArray(message.content)) refuse(`${where}.content: Input should be a valid string or list`);
    message.content.forEach((block, number) => {
        const path = `${where}.content.${number}`;
        checkBlock(block, path);
        if (message.role === "user" ? kOnlyAssistant.includes(block.type) : kOnlyUser.includes(block.type)) {
            refuse(`${path}: \`${block.type}\` blocks can only be in \`${message.role === "user" ? "assistant" : "user"}\` messages`);
        }
    });
}

const blocksOf = (message, type) => (Array.isArray(message?.content) ? message.content.filter((block) => block.type === type) : []);

function checkOrder(messages, alternate) {
    if (messages[0].role !== "user") refuse('messages: first message must use the "user" role');
    if (alternate) {
        messages.forEach(({ role }, at) => {
            if (at && role === messages[at - 1].role)
                refuse(`messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`);
        });
    }
    const last = messages.at(-1),
        end = typeof last.content === "string" ? last.content : last.content.at(-1)?.text;
    if (last.role === "assistant" && typeof end === "string" && end !== end.trimEnd())
        refuse("messages: final assistant content cannot end with trailing whitespace");
}

// Returns the messages as the provider sees them.
function joined(messages) {
    const all = [];
    for (const { role, content } of messages) {
        const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
        if (all.at(-1)?.role === role) all.at(-1).content.push(...blocks);
        else all.push({ role, content: [...blocks] });
    }
    return all;
}

// Each tool_use has exactly one result, at the start of the next message, and there are no other results.
function checkPairs(messages) {
    const seen = new Set();
    messages.forEach((message, at) => {
        const before = blocksOf(messages[at - 1], "tool_use").map(({ id }) => id),
            answered = new Set();
        (Array.isArray(message.content) ? message.content : []).forEach((block, number) => {
            if (block.type !== "tool_result") return;
            const id = block.tool_use_id;
            if (!before.includes(id)) {
                refuse(
                    `messages.${at}.content.${number}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
                );
            }
            if (answered.has(id))
                refuse(`messages.${at}.content.${number}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`);
            if (answered.size !== number) refuse(`messages.${at}.content.${number}: \`tool_result\` blocks must come before other content of the message`);
            answered.add(id);
        });
        const open = before.filter((id) => !answered.has(id));
        if (open.length) {
            refuse(
                `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
            );
        }
        for (const { id } of blocksOf(message, "tool_use")) {
            if (seen.has(id)) refuse(`messages.${at}: \`tool_use\` ids must be unique`);
            seen.add(id);
        }
    });
    const open = blocksOf(messages.at(-1), "tool_use").map(({ id }) => id);
    if (open.length)
        refuse(`messages.${messages.length - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}.`);
}

const isThought = ({ type }) => type === "thinking" || type === "redacted_thinking";

// `issued`: an Issued (issued.mjs).
function checkThinking(body, issued) {
    const { messages } = body,
        isOn = ["enabled", "adaptive"].includes(body.thinking?.type);
    const turn = messages.findLastIndex(
        ({ role, content }) => role === "user" && (typeof content === "string" || !content.some(({ type }) => type === "tool_result")),
    );
    messages.forEach((message, at) => {
        if (message.role !== "assistant" || typeof message.content === "string") return;
        message.content.forEach((block, number) => {
            if (isThought(block) && !issued.isGenuine(block)) refuse(`messages.${at}.content.${number}: Invalid \`signature\` in \`${block.type}\` block`);
        });
        if (!isOn || at < turn) return;
        const has = message.content.filter(isThought).map(canonical);
        for (const { id } of blocksOf(message, "tool_use")) {
            const needs = issued.thoughtsBefore(id)?.map(canonical);
            if (!needs?.length) continue;
            if (!has.length) {
                refuse(
                    `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${message.content[0].type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
                );
            }
            if (needs.join() !== has.join())
                refuse(
                    `messages.${at}.content: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
                );
        }
    });
}

function checkThinkingChoice({ thinking, max_tokens, temperature, tool_choice }) {
    if (thinking === undefined) return;
    if (!["enabled", "adaptive", "disabled"].includes(thinking?.type))
        refuse(`thinking: Input tag '${thinking?.type}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`);
    if (thinking.type === "disabled") return;
    if (thinking.type === "enabled") {
        if (!Number.isInteger(thinking.budget_tokens)) refuse("thinking.enabled.budget_tokens: Field required");
        if (thinking.budget_tokens < 1024) refuse("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024");
        if (max_tokens !== undefined && max_tokens <= thinking.budget_tokens) refuse("`max_tokens` must be greater than `thinking.budget_tokens`.");
    }
    if (temperature !== undefined && temperature !== 1) refuse("`temperature` may only be set to 1 when thinking is enabled.");
    if (["any", "tool"].includes(tool_choice?.type)) refuse("Thinking may not be enabled when tool_choice forces tool use.");
}

function checkTools({ tools = [], tool_choice: choice }) {
    if (!Array.isArray(tools)) refuse("tools: Input should be a valid list");
    const names = new Set();
    tools.forEach((tool, at) => {
        const where = `tools.${at}.custom`,
            schema = tool?.input_schema;
        if (names.has(tool?.name)) refuse("tools: Tool names must be unique.");
        names.add(tool?.name);
        if (tool?.type !== undefined && tool.type !== "custom") return; // a tool of the provider
        if (typeof tool?.name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name))
            refuse(`${where}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
        if (!isObject(schema)) refuse(`${where}.input_schema: Field required`);
        if (schema.type !== "object") refuse(`${where}.input_schema.type: ${schema.type === undefined ? "Field required" : "Input should be 'object'"}`);
        if (schema.anyOf || schema.oneOf || schema.allOf)
            refuse(`${where}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
        const fault = schemaFault(schema, "input_schema");
        if (fault) refuse(`${where}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (${fault})`);
    });
    if (choice === undefined) return;
    if (!["auto", "any", "tool", "none"].includes(choice?.type))
        refuse(`tool_choice: Input tag '${choice?.type}' found using 'type' does not match any of the expected tags: 'any', 'auto', 'none', 'tool'`);
    if (choice.type === "tool" && !names.has(choice.name)) refuse(`tool_choice: Tool '${choice.name}' not found in provided tools`);
}

// Marks in the order of the prompt.
function marks(body) {
    const found = [];
    const add = (value, where) => value?.cache_control && found.push({ mark: value.cache_control, where: `${where}.cache_control` });
    (body.tools ?? []).forEach((tool, at) => add(tool, `tools.${at}`));
    if (Array.isArray(body.system)) body.system.forEach((block, at) => add(block, `system.${at}`));
    body.messages.forEach(({ content }, at) => {
        if (typeof content === "string") return;
        content.forEach((block, number) => {
            add(block, `messages.${at}.content.${number}`);
            if (block.type === "tool_result" && Array.isArray(block.content))
                block.content.forEach((inner, place) => add(inner, `messages.${at}.content.${number}.content.${place}`));
        });
    });
    if (body.cache_control) found.push({ mark: body.cache_control, where: "cache_control" });
    return found;
}

function checkMarks(body) {
    const found = marks(body);
    let isShort = false;
    for (const { mark, where } of found) {
        if (mark.type !== "ephemeral") refuse(`${where}: Input tag '${mark.type}' found using 'type' does not match any of the expected tags: 'ephemeral'`);
        if (![undefined, "5m", "1h"].includes(mark.ttl)) refuse(`${where}.ephemeral.ttl: Input should be '5m' or '1h'`);
        if (mark.ttl === "1h" && isShort) {
            refuse(
                `${where}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
            );
        }
        isShort ||= mark.ttl !== "1h";
    }
    if (found.length > kMaxMarks) refuse(`A maximum of ${kMaxMarks} blocks with cache_control may be provided. Found ${found.length}.`);
}

function checkSystem(system) {
    if (system === undefined || typeof system === "string") return;
    if (!Array.isArray(system)) refuse("system: Input should be a valid string or list");
    system.forEach((block, at) => {
        if (block?.type !== "text") refuse(`system.${at}.type: Input should be 'text'`);
        only(block, kMembers.text, `system.${at}`);
        if (!block.text) refuse("system: text content blocks must be non-empty");
    });
}

// `counts`: a request of count_tokens, which has no max_tokens.
export function checkMessages(body, issued, { alternate = false, max_output = 128_000, counts = false } = {}) {
    if (!isObject(body)) refuse("Input should be a valid dictionary");
    for (const key of Object.keys(body)) if (!kTop.includes(key)) refuse(`${key}: Extra inputs are not permitted`);
    if (typeof body.model !== "string" || !body.model) refuse("model: Field required");
    if (!counts) {
        if (body.max_tokens === undefined) refuse("max_tokens: Field required");
        if (!isCount(body.max_tokens)) refuse("max_tokens: Input should be greater than or equal to 1");
        if (body.max_tokens > max_output)
            refuse(`max_tokens: ${body.max_tokens} > ${max_output}, which is the maximum allowed number of output tokens for ${body.model}`);
    }
    if (!Array.isArray(body.messages)) refuse("messages: Field required");
    if (!body.messages.length) refuse("messages: at least one message is required");
    checkSystem(body.system);
    checkTools(body);
    body.messages.forEach((message, at) => checkMessage(message, at, body.messages.length));
    checkMarks(body);
    checkOrder(body.messages, alternate);
    checkPairs(joined(body.messages));
    checkThinkingChoice(body);
    checkThinking(body, issued);
}
