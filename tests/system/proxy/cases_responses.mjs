// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Rules of the Responses interface, in the form of cases_messages.mjs.
import { Issued } from "./issued.mjs";

const user = (content) => ({ type: "message", role: "user", content });
const call = (id, more = {}) => ({ type: "function_call", call_id: id, name: "read", arguments: "{}", ...more });
const output = (id, more = {}) => ({ type: "function_call_output", call_id: id, output: "done", ...more });
const custom = (id, more = {}) => ({ type: "custom_tool_call", call_id: id, name: "patch", input: "x", ...more });
const search = (execution, id = null) => ({ type: "tool_search_call", call_id: id, execution, arguments: {} });
const says = (...input) => ({ input });
const tool = (name, more = {}) => ({ type: "function", name, ...more });
const long = (count) => "x".repeat(count);
const text = (type) => [{ type, text: "x" }];

export const kBase = { model: "m", input: "hello" };
export const issued = new Issued();
const reasoning = (more = {}) => ({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: issued.sealReasoning("rs_1", "I must read."), ...more });
issued.keepItems([reasoning(), call("c9", { id: "fc_9" })]);
issued.keepResponse("resp_1", [user("x"), call("c1")]);
const unverified = "The encrypted content for item rs_1 could not be verified. Reason: Encrypted content could not be decrypted or parsed.";
const others = "'message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output', 'reasoning', 'item_reference', 'local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output', 'apply_patch_call', 'apply_patch_call_output', 'web_search_call', 'file_search_call', 'computer_call', 'computer_call_output', 'code_interpreter_call', 'image_generation_call', 'mcp_call', 'mcp_list_tools', 'compaction', 'tool_search_call', 'tool_search_output'";

export const cases = [
    ["known members", { store: false }, { stored: false }, "Unknown parameter: 'stored'."],
    ["a model", {}, { model: undefined }, "Missing required parameter: 'model'."],
    ["input is given", {}, { input: undefined }, "Missing required parameter: 'input'."],
    ["one item or more", says(user("x")), says(), "Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead."],
    ["max_output_tokens is above 0", { max_output_tokens: 1 }, { max_output_tokens: 0 }, "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 1."],
    ["an earlier response is known", { previous_response_id: "resp_1", ...says(output("c1")) }, { previous_response_id: "resp_2", ...says(output("c1")) }, "Previous response with id 'resp_2' not found."],
    ["an earlier response's calls are answered", { previous_response_id: "resp_1", ...says(output("c1"), user("y")) }, { previous_response_id: "resp_1", ...says(user("y")) }, "No tool output found for function call c1."],
    ["items are objects", says(user("x")), says("x"), "Invalid type for 'input[0]': expected an object."],
    ["an item has a type", says({ role: "user", content: "x" }), says({ content: "x" }), "Missing required parameter: 'input[0].type'."],
    ["known items", says(user("x"), { type: "compaction", encrypted_content: "x" }), says({ type: "compact" }), `Invalid value: 'compact'. Supported values are: ${others}.`],
    ["known members of an item", says(user("x")), says({ ...user("x"), name: "y" }), "Unknown parameter: 'input[0].name'."],
    ["an id is a text", says({ ...user("x"), id: null }), says({ ...user("x"), id: 1 }), "Invalid type for 'input[0].id': expected a string."],
    ["form of an id", says({ ...user("x"), id: "msg_1" }), says({ ...user("x"), id: "1" }), "Invalid 'input[0].id': '1'. Expected an ID that begins with 'msg'."],
    ["ids are unique", says({ ...user("x"), id: "msg_1" }, { ...user("x"), id: "msg_2" }), says({ ...user("x"), id: "msg_1" }, { ...user("x"), id: "msg_1" }), "Duplicate item found with id msg_1. Remove duplicate items from your input and try again."],
    ["known roles", says({ role: "developer", content: "x" }), says({ role: "tool", content: "x" }), "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'."],
    ["content is given", says(user("x")), says(user(undefined)), "Missing required parameter: 'input[0].content'."],
    ["parts of the user", says(user(text("input_text"))), says(user(text("output_text"))), "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', 'input_file'."],
    ["parts of the assistant", says({ role: "assistant", content: text("output_text") }), says({ role: "assistant", content: text("input_text") }), "Invalid value: 'input_text'. Supported values are: 'output_text', 'refusal'."],
    ["a text part has text", says(user([{ type: "input_text", text: "" }])), says(user([{ type: "input_text" }])), "Missing required parameter: 'input[0].content[0].text'."],
    ["a call has an id", says(call("c1"), output("c1")), says(call(undefined)), "Missing required parameter: 'input[0].call_id'."],
    ["length of an id", says(call(long(64)), output(long(64))), says(call(long(65)), output(long(65))), "Invalid 'input[0].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead."],
    ["a call has a name", says(call("c1"), output("c1")), says(call("c1", { name: undefined }), output("c1")), "Missing required parameter: 'input[0].name'."],
    ["arguments are a text", says(call("c1"), output("c1")), says(call("c1", { arguments: {} }), output("c1")), "Missing required parameter: 'input[0].arguments'."],
    ["input of a custom tool is a text", says(custom("c1"), { ...output("c1"), type: "custom_tool_call_output" }), says(custom("c1", { input: {} })), "Missing required parameter: 'input[0].input'."],
    ["an output names its call", says(call("c1"), output("c1")), says(call("c1"), output(undefined)), "Missing required parameter: 'input[1].call_id'."],
    ["an output is given", says(call("c1"), output("c1")), says(call("c1"), output("c1", { output: undefined })), "Missing required parameter: 'input[1].output'."],
    ["parts of an output", says(call("c1"), output("c1", { output: text("input_text") })), says(call("c1"), output("c1", { output: text("text") })), "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', 'input_file'."],
    ["an output follows its call", says(call("c1"), output("c1")), says(output("c1"), call("c1")), "No tool call found for function call output with call_id c1."],
    ["every call has an output", says(call("c1"), user("x"), output("c1")), says(call("c1"), user("x")), "No tool output found for function call c1."],
    ["every search for tools by the client has an output", says(search("server"), search("client", "c1"), { ...output("c1"), type: "tool_search_output" }), says(search("client", "c1")), "No tool output found for function call c1."],
    ["calls are unique", says(call("c1"), call("c2"), output("c1"), output("c2")), says(call("c1"), call("c1"), output("c1")), "Duplicate function call with call_id c1."],
    ["one output for a call", says(call("c1"), output("c1")), says(call("c1"), output("c1"), output("c1")), "Duplicate function call output with call_id c1."],
    ["reasoning has a summary", says(reasoning(), call("c1"), output("c1")), says(reasoning({ summary: undefined }), call("c1"), output("c1")), "Missing required parameter: 'input[0].summary'."],
    ["reasoning is unchanged", says(reasoning(), call("c1"), output("c1")), says(reasoning({ encrypted_content: `${reasoning().encrypted_content}x` }), call("c1"), output("c1")), unverified],
    ["reasoning is the item's own", says(reasoning(), call("c1"), output("c1")), says(reasoning({ encrypted_content: issued.sealReasoning("rs_2", "x") }), call("c1"), output("c1")), unverified],
    ["reasoning that is not stored is sent", says(reasoning({ encrypted_content: undefined }), call("c1"), output("c1")), { store: false, ...says(reasoning({ encrypted_content: undefined }), call("c1"), output("c1")) },
        "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input."],
    ["reasoning has what followed", says(reasoning(), call("c9", { id: "fc_9" }), output("c9")), says(reasoning(), user("x")), "Item 'rs_1' of type 'reasoning' was provided without its required following item."],
    ["what followed has its reasoning", says(reasoning(), call("c9", { id: "fc_9" }), output("c9")), says(call("c9", { id: "fc_9" }), output("c9")), "Item 'fc_9' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'."],
    ["tools are a list", { tools: [tool("a")] }, { tools: {} }, "Invalid type for 'tools': expected an array of objects."],
    ["a tool has a type", { tools: [{ type: "web_search" }] }, { tools: [{ name: "a" }] }, "Missing required parameter: 'tools[0].type'."],
    ["names of tools are unique", { tools: [tool("a"), { type: "custom", name: "b" }] }, { tools: [tool("a"), { type: "custom", name: "a" }] }, "Invalid 'tools[1].name': the name 'a' is used twice."],
    ["tools of a namespace", { tools: [{ type: "namespace", name: "n", tools: [tool("a")] }] }, { tools: [{ type: "namespace", name: "n", tools: [tool("a.b")] }] },
        "Invalid 'tools[0].tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."],
    ["a schema is well formed", { tools: [tool("a", { parameters: { type: "object" } })] }, { tools: [tool("a", { parameters: { type: "object", properties: { b: { type: "text" } } } })] }, "Invalid schema for function 'a': schema.properties.b.type: \"text\" is not a type."],
];
