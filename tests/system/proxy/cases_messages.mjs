// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Rules of the Messages interface: [rule, a request that keeps it, a request that breaks it, the response]. A request is given as its differences from
// kBase.
import { Issued } from "./issued.mjs";

const user = (content) => ({ role: "user", content });
const assistant = (...content) => ({ role: "assistant", content });
const text = (value, more = {}) => ({ type: "text", text: value, ...more });
const use = (id, more = {}) => ({ type: "tool_use", id, name: "read", input: {}, ...more });
const result = (id, more = {}) => ({ type: "tool_result", tool_use_id: id, content: "done", ...more });
const tool = (name, more = {}) => ({ name, input_schema: { type: "object" }, ...more });
const schema = (value) => ({ tools: [{ name: "read", input_schema: value }] });
const says = (...messages) => ({ messages });
const first = (...blocks) => says(user(blocks));
const mark = (ttl) => ({ cache_control: { type: "ephemeral", ...(ttl && { ttl }) } });
const image = (source) => ({ type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=", ...source } });

export const kBase = { model: "m", max_tokens: 2048, messages: [user("hello")] };
export const issued = new Issued();
const thought = issued.thinkingBlock("I must read."), other = issued.thinkingBlock("I must write.");
issued.keepThoughts([thought, use("t9")]);
const thinking = { thinking: { type: "enabled", budget_tokens: 1024 } };
const thinks = (...blocks) => ({ ...thinking, ...says(user("hello"), assistant(...blocks, use("t9")), user([result("t9")])) });
const invalidSchema = (fault) => `tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (${fault})`;
const unanswered = "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
const orphan = (at, id) => `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
const tags = "text, image, document, tool_use, tool_result, thinking, redacted_thinking, search_result, server_tool_use, web_search_tool_result, web_fetch_tool_result, code_execution_tool_result, bash_code_execution_tool_result, text_editor_code_execution_tool_result, tool_search_tool_result, tool_reference, mcp_tool_use, mcp_tool_result, container_upload, compaction";
const big = "A".repeat(7_000_000);

export const cases = [
    ["known members", { temperature: 1 }, { temprature: 1 }, "temprature: Extra inputs are not permitted"],
    ["a model", {}, { model: undefined }, "model: Field required"],
    ["max_tokens is given", {}, { max_tokens: undefined }, "max_tokens: Field required"],
    ["max_tokens is above 0", { max_tokens: 1 }, { max_tokens: 0 }, "max_tokens: Input should be greater than or equal to 1"],
    ["max_tokens has a limit", { max_tokens: 128_000 }, { max_tokens: 128_001 }, "max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for m"],
    ["messages are given", {}, { messages: undefined }, "messages: Field required"],
    ["one message or more", {}, says(), "messages: at least one message is required"],
    ["messages are objects", {}, says("hello"), "messages.0: Input should be a valid dictionary"],
    ["known members of a message", {}, says({ role: "user", content: "x", name: "y" }), "messages.0.name: Extra inputs are not permitted"],
    ["known roles", {}, says({ role: "tool", content: "x" }), "messages.0.role: Input should be 'user' or 'assistant'"],
    ["no system role", { system: "x" }, says({ role: "system", content: "x" }), 'messages.0: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.'],
    ["content is given", {}, says({ role: "user" }), "messages.0.content: Field required"],
    ["content is text or blocks", {}, says(user({ length: 1 })), "messages.0.content: Input should be a valid string or list"],
    ["content is not empty", says(user("x"), { role: "assistant", content: "" }), says(user("x"), { role: "assistant", content: "" }, user("y")),
        "messages.1: all messages must have non-empty content except for the optional final assistant message"],
    ["the user begins", says(user("x"), assistant(text("y"))), says(assistant(text("y"))), 'messages: first message must use the "user" role'],
    ["roles alternate", says(user("x"), assistant(text("y")), user("z")), says(user("x"), user("z")), 'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row'],
    ["no space at the end", says(user("x"), assistant(text("y"))), says(user("x"), assistant(text("y "))), "messages: final assistant content cannot end with trailing whitespace"],
    ["blocks are objects", first(text("x")), first("x"), "messages.0.content.0: Input should be a valid dictionary"],
    ["known blocks", first(text("x")), first({ type: "txt", text: "x" }), `messages.0.content.0: Input tag 'txt' found using 'type' does not match any of the expected tags: ${tags}`],
    ["known members of a block", first(text("x", { citations: [] })), first(text("x", { ref: 1 })), "messages.0.content.0.text.ref: Extra inputs are not permitted"],
    ["a text block has text", first(text("x")), first(text(undefined)), "messages.0.content.0.text.text: Field required"],
    ["text blocks are not empty", first(text("x")), first(text("")), "messages: text content blocks must be non-empty"],
    ["text blocks are not blank", first(text(" x ")), first(text(" \n")), "messages: text content blocks must contain non-whitespace text"],
    ["a text is not blank", says(user(" x")), says(user(" ")), "messages: text content blocks must contain non-whitespace text"],
    ["no mark on an empty text", first(text("x", mark())), first(text("", mark())), "messages.0.content.0.text: cache_control cannot be set for empty text blocks"],
    ["an image has a source", first(image()), first({ type: "image" }), "messages.0.content.0.image.source: Field required"],
    ["kinds of images", first(image({ media_type: "image/gif" })), first(image({ media_type: "image/bmp" })), "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif', 'image/webp'"],
    ["images are base64", first(image({ data: "aGk=" })), first(image({ data: "?" })), "messages.0.content.0.image.source.base64.data: Invalid base64 data"],
    ["images have a size", first(image({ data: big.slice(0, 6_990_000) })), first(image({ data: big })), "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5250000 bytes > 5242880 bytes"],
    ["calls are the assistant's", says(user("x"), assistant(use("t1")), user([result("t1")])), first(use("t1")), "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages"],
    ["results are the user's", says(user("x"), assistant(use("t1")), user([result("t1")])), says(user("x"), assistant(use("t1"), result("t1"))), "messages.1.content.1: `tool_result` blocks can only be in `user` messages"],
    ["form of an id", says(user("x"), assistant(use("t-1_A")), user([result("t-1_A")])), says(user("x"), assistant(use("t 1")), user([result("t 1")])), "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
    ["form of a call's name", says(user("x"), assistant(use("t1", { name: "a-B_1" })), user([result("t1")])), says(user("x"), assistant(use("t1", { name: "a.b" })), user([result("t1")])),
        "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'"],
    ["input is an object", says(user("x"), assistant(use("t1", { input: { a: 1 } })), user([result("t1")])), says(user("x"), assistant(use("t1", { input: "{}" })), user([result("t1")])), "messages.1.content.0.tool_use.input: Input should be a valid dictionary"],
    ["a result names its call", says(user("x"), assistant(use("t1")), user([result("t1")])), says(user("x"), assistant(use("t1")), user([{ type: "tool_result", content: "x" }])), "messages.2.content.0.tool_result.tool_use_id: Field required"],
    ["a result's content", says(user("x"), assistant(use("t1")), user([result("t1", { content: undefined })])), says(user("x"), assistant(use("t1")), user([result("t1", { content: {} })])), "messages.2.content.0.tool_result.content: Input should be a valid string or list"],
    ["blocks of a result", says(user("x"), assistant(use("t1")), user([result("t1", { content: [text("y"), image()] })])), says(user("x"), assistant(use("t1")), user([result("t1", { content: [use("t2")] })])),
        "messages.2.content.0.tool_result.content.0: Input tag 'tool_use' found using 'type' does not match any of the expected tags: text, image, document, search_result, tool_reference"],
    ["no empty text in a result", says(user("x"), assistant(use("t1")), user([result("t1", { content: "" })])), says(user("x"), assistant(use("t1")), user([result("t1", { content: [text("")] })])), "messages: text content blocks must be non-empty"],
    ["errors are texts", says(user("x"), assistant(use("t1")), user([result("t1", { content: [text("y")], is_error: true })])), says(user("x"), assistant(use("t1")), user([result("t1", { content: [image()], is_error: true })])),
        'messages.2.content.0.tool_result: all content must be type "text" if `is_error` is true'],
    ["every call is answered at once", says(user("x"), assistant(use("t1")), user([result("t1")])), says(user("x"), assistant(use("t1")), user("y")), unanswered],
    ["all calls of a message are answered", says(user("x"), assistant(use("t1"), use("t2")), user([result("t2"), result("t1")])), says(user("x"), assistant(use("t1"), use("t2")), user([result("t2")])), unanswered],
    ["no call is last", says(user("x"), assistant(text("y"))), says(user("x"), assistant(use("t1"))), "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1."],
    ["results of the message before", says(user("x"), assistant(use("t1")), user([result("t1")])), says(user("x"), assistant(text("y")), user([result("t1")])), orphan(2, "t1")],
    ["no results of an older message", says(user("x"), assistant(use("t1")), user([result("t1")]), assistant(text("y")), user("z")), says(user("x"), assistant(use("t1")), user([result("t1")]), assistant(text("y")), user([result("t1")])), orphan(4, "t1")],
    ["one result for a call", says(user("x"), assistant(use("t1")), user([result("t1"), text("y")])), says(user("x"), assistant(use("t1")), user([result("t1"), result("t1")])),
        "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: t1"],
    ["results come first", says(user("x"), assistant(use("t1")), user([result("t1"), text("y")])), says(user("x"), assistant(use("t1")), user([text("y"), result("t1")])), "messages.2.content.1: `tool_result` blocks must come before other content of the message"],
    ["ids are unique", says(user("x"), assistant(use("t1"), use("t2")), user([result("t1"), result("t2")])), says(user("x"), assistant(use("t1")), user([result("t1")]), assistant(use("t1")), user([result("t1")])), "messages.3: `tool_use` ids must be unique"],
    ["four marks", first(...["a", "b", "c", "d"].map((one) => text(one, mark()))), first(...["a", "b", "c", "d", "e"].map((one) => text(one, mark()))), "A maximum of 4 blocks with cache_control may be provided. Found 5."],
    ["marks of all parts count", { tools: [tool("a", mark())], system: [text("b", mark())], ...first(text("c", mark()), text("d", mark())) },
        { tools: [tool("a", mark())], system: [text("b", mark())], ...first(text("c", mark()), text("d", mark())), cache_control: { type: "ephemeral" } }, "A maximum of 4 blocks with cache_control may be provided. Found 5."],
    ["marks in results count", says(user([text("x", mark())]), assistant(use("t1")), user([result("t1", { content: [text("y", mark())] })])),
        says(user([text("x", mark()), text("a", mark()), text("b", mark()), text("c", mark())]), assistant(use("t1")), user([result("t1", { content: [text("y", mark())] })])), "A maximum of 4 blocks with cache_control may be provided. Found 5."],
    ["kind of a mark", first(text("x", mark())), first(text("x", { cache_control: { type: "forever" } })), "messages.0.content.0.cache_control: Input tag 'forever' found using 'type' does not match any of the expected tags: 'ephemeral'"],
    ["life of a mark", first(text("x", mark("1h"))), first(text("x", mark("2h"))), "messages.0.content.0.cache_control.ephemeral.ttl: Input should be '5m' or '1h'"],
    ["long marks come first", { tools: [tool("a", mark("1h"))], ...first(text("x", mark("5m"))) }, { tools: [tool("a", mark())], ...first(text("x", mark("1h"))) },
        "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`."],
    ["no mark on thoughts", thinks(thought), thinks({ ...thought, ...mark() }), "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted"],
    ["system is text or blocks", { system: "x" }, { system: { text: "x" } }, "system: Input should be a valid string or list"],
    ["blocks of the system prompt", { system: [text("x")] }, { system: [image()] }, "system.0.type: Input should be 'text'"],
    ["known members in the system prompt", { system: [text("x", mark())] }, { system: [text("x", { name: "y" })] }, "system.0.name: Extra inputs are not permitted"],
    ["no empty system prompt", { system: [text("x")] }, { system: [text("")] }, "system: text content blocks must be non-empty"],
    ["tools are a list", { tools: [] }, { tools: {} }, "tools: Input should be a valid list"],
    ["names of tools are unique", { tools: [tool("a"), tool("b")] }, { tools: [tool("a"), tool("a")] }, "tools: Tool names must be unique."],
    ["form of a tool's name", { tools: [tool("a-B_1")] }, { tools: [tool("a b")] }, "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"],
    ["a tool has a schema", { tools: [{ type: "web_search_20250305", name: "web_search" }] }, { tools: [{ name: "read" }] }, "tools.0.custom.input_schema: Field required"],
    ["a schema has a type", schema({ type: "object" }), schema({}), "tools.0.custom.input_schema.type: Field required"],
    ["a schema is of an object", schema({ type: "object" }), schema({ type: "array" }), "tools.0.custom.input_schema.type: Input should be 'object'"],
    ["no choices at the top", schema({ type: "object", properties: { a: { anyOf: [{ type: "null" }] } } }), schema({ type: "object", anyOf: [{ type: "object" }] }), "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"],
    ["types of a schema", schema({ type: "object", properties: { a: { type: ["string", "null"] } } }), schema({ type: "object", properties: { a: { type: "text" } } }), invalidSchema('input_schema.properties.a.type: "text" is not a type')],
    ["a schema has one type or more", schema({ type: "object", properties: { a: {} } }), schema({ type: "object", properties: { a: { type: [] } } }), invalidSchema("input_schema.properties.a.type: empty")],
    ["properties are an object", schema({ type: "object", properties: {} }), schema({ type: "object", properties: [] }), invalidSchema("input_schema.properties: not an object")],
    ["required is a list", schema({ type: "object", required: ["a"] }), schema({ type: "object", required: ["a", "a"] }), invalidSchema("input_schema.required: not a list of different strings")],
    ["enum is a list", schema({ type: "object", properties: { a: { enum: [1] } } }), schema({ type: "object", properties: { a: { enum: 1 } } }), invalidSchema("input_schema.properties.a.enum: not a list")],
    ["a description is a text", schema({ type: "object", description: "x" }), schema({ type: "object", description: 1 }), invalidSchema("input_schema.description: not a string")],
    ["schemas of members", schema({ type: "object", properties: { a: { items: true } } }), schema({ type: "object", properties: { a: { items: 1 } } }), invalidSchema("input_schema.properties.a.items: not an object or a boolean")],
    ["choices have members", schema({ type: "object", properties: { a: { oneOf: [true] } } }), schema({ type: "object", properties: { a: { oneOf: [] } } }), invalidSchema("input_schema.properties.a.oneOf: not a list with members")],
    ["kinds of choice", { tools: [tool("a")], tool_choice: { type: "auto" } }, { tools: [tool("a")], tool_choice: { type: "maybe" } }, "tool_choice: Input tag 'maybe' found using 'type' does not match any of the expected tags: 'any', 'auto', 'none', 'tool'"],
    ["the chosen tool exists", { tools: [tool("a")], tool_choice: { type: "tool", name: "a" } }, { tools: [tool("a")], tool_choice: { type: "tool", name: "b" } }, "tool_choice: Tool 'b' not found in provided tools"],
    ["kinds of thinking", { thinking: { type: "adaptive" } }, { thinking: { type: "on" } }, "thinking: Input tag 'on' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'"],
    ["thinking has a budget", thinking, { thinking: { type: "enabled" } }, "thinking.enabled.budget_tokens: Field required"],
    ["the budget has a minimum", thinking, { thinking: { type: "enabled", budget_tokens: 1023 } }, "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"],
    ["the budget is below max_tokens", { ...thinking, max_tokens: 1025 }, { ...thinking, max_tokens: 1024 }, "`max_tokens` must be greater than `thinking.budget_tokens`."],
    ["no temperature while thinking", { ...thinking, temperature: 1 }, { ...thinking, temperature: 0 }, "`temperature` may only be set to 1 when thinking is enabled."],
    ["no forced tool while thinking", { thinking: { type: "disabled" }, tools: [tool("a")], tool_choice: { type: "any" } }, { ...thinking, tools: [tool("a")], tool_choice: { type: "any" } }, "Thinking may not be enabled when tool_choice forces tool use."],
    ["signatures are genuine", thinks(thought), thinks({ ...thought, signature: "x" }), "messages.1.content.0: Invalid `signature` in `thinking` block"],
    ["thoughts are unchanged", thinks(thought), thinks({ ...thought, thinking: "I may read." }), "messages.1.content.0: Invalid `signature` in `thinking` block"],
    ["thoughts are not dropped", { ...thinks(), thinking: undefined }, thinks(), "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block."],
    ["thoughts are not exchanged", thinks(thought), thinks(other), "messages.1.content: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response."],
    ["thoughts of an earlier turn may go", { ...thinking, ...says(user("x"), assistant(use("t9")), user([result("t9")]), assistant(text("y")), user("z")) }, { ...thinking, ...says(user("x"), assistant(use("t9")), user([result("t9"), text("z")])) },
        "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block."],
];
