// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Rules of chat completions, in the form of cases_messages.mjs.
const user = (content) => ({ role: "user", content });
const call = (id, more = {}) => ({ id, type: "function", function: { name: "read", arguments: "{}" }, ...more });
const calls = (...list) => ({ role: "assistant", content: null, tool_calls: list });
const answer = (id, content = "done") => ({ role: "tool", tool_call_id: id, content });
const says = (...messages) => ({ messages });
const tool = (name, more = {}) => ({ type: "function", function: { name, ...more } });
const empty = (param) => `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
const unanswered = (ids) => `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`;
const long = (count) => "x".repeat(count);

export const kBase = { model: "m", messages: [user("hello")] };
export const cases = [
    ["known members", { seed: 1 }, { sede: 1 }, "Unrecognized request argument supplied: sede"],
    ["a model", {}, { model: undefined }, "you must provide a model parameter"],
    ["messages are given", {}, { messages: undefined }, "Missing required parameter: 'messages'."],
    ["one message or more", {}, says(), empty("messages")],
    ["max_tokens is above 0", { max_tokens: 1 }, { max_tokens: 0 }, "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1."],
    ["one limit of tokens", { max_completion_tokens: 1 }, { max_tokens: 1, max_completion_tokens: 1 }, "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."],
    ["stream options need a stream", { stream: true, stream_options: {} }, { stream_options: {} }, "The 'stream_options' parameter is only allowed when 'stream' is enabled."],
    ["messages are objects", {}, says("hello"), "Invalid type for 'messages[0]': expected an object."],
    ["known roles", says({ role: "developer", content: "x" }), says({ role: "model", content: "x" }), "Invalid value: 'model'. Supported values are: 'system', 'developer', 'tool', 'user', 'assistant'."],
    ["content is given", {}, says({ role: "user" }), "Missing required parameter: 'messages[0].content'."],
    ["content is text or parts", says(user([{ type: "text", text: "x" }])), says(user(1)), "Invalid type for 'messages[0].content': expected one of a string or array of objects, but got number instead."],
    ["parts are given", says(user([{ type: "text", text: "x" }])), says(user([])), empty("messages[0].content")],
    ["kinds of parts", says(user([{ type: "image_url", image_url: { url: "data:," } }])), says({ role: "system", content: [{ type: "image_url", image_url: { url: "data:," } }] }), "Invalid value: 'image_url'. Supported values are: 'text'."],
    ["a text part has text", says(user([{ type: "text", text: "" }])), says(user([{ type: "text" }])), "Missing required parameter: 'messages[0].content[0].text'."],
    ["an image has a URL", says(user([{ type: "image_url", image_url: { url: "data:," } }])), says(user([{ type: "image_url" }])), "Missing required parameter: 'messages[0].content[0].image_url.url'."],
    ["an assistant says something", says(user("x"), { role: "assistant", content: "" }), says(user("x"), { role: "assistant", content: null }), "Invalid value for 'content': expected a string, got null."],
    ["calls are a list", says(user("x"), calls(call("c1")), answer("c1")), says(user("x"), { role: "assistant", content: null, tool_calls: {} }), "Invalid type for 'messages[1].tool_calls': expected an array of objects."],
    ["calls are not empty", says(user("x"), { role: "assistant", content: "y" }), says(user("x"), { role: "assistant", content: "y", tool_calls: [] }), empty("messages[1].tool_calls")],
    ["a call has an id", says(user("x"), calls(call("c1")), answer("c1")), says(user("x"), calls(call(undefined))), "Missing required parameter: 'messages[1].tool_calls[0].id'."],
    ["length of an id", says(user("x"), calls(call(long(40))), answer(long(40))), says(user("x"), calls(call(long(41))), answer(long(41))), "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead."],
    ["kind of a call", says(user("x"), calls(call("c1")), answer("c1")), says(user("x"), calls(call("c1", { type: "tool" })), answer("c1")), "Invalid value: 'tool'. Supported values are: 'function'."],
    ["a call has a name", says(user("x"), calls(call("c1")), answer("c1")), says(user("x"), calls(call("c1", { function: {} })), answer("c1")), "Missing required parameter: 'messages[1].tool_calls[0].function.name'."],
    ["arguments are a text", says(user("x"), calls(call("c1")), answer("c1")), says(user("x"), calls(call("c1", { function: { name: "a", arguments: {} } })), answer("c1")), "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got object instead."],
    ["a tool's message names its call", says(user("x"), calls(call("c1")), answer("c1")), says(user("x"), calls(call("c1")), answer(undefined)), "Missing required parameter: 'messages[2].tool_call_id'."],
    ["a tool's message follows a call", says(user("x"), calls(call("c1")), answer("c1")), says(user("x"), answer("c1")), "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."],
    ["a tool's message has a known id", says(user("x"), calls(call("c1")), answer("c1")), says(user("x"), calls(call("c1")), answer("c2")), "Invalid parameter: 'tool_call_id' of 'c2' not found in 'tool_calls' of previous message."],
    ["one answer to a call", says(user("x"), calls(call("c1"), call("c2")), answer("c2"), answer("c1")), says(user("x"), calls(call("c1"), call("c2")), answer("c1"), answer("c1")), "Duplicate value for 'tool_call_id' of 'c1' found in message array."],
    ["every call is answered", says(user("x"), calls(call("c1"), call("c2")), answer("c1"), answer("c2"), user("y")), says(user("x"), calls(call("c1"), call("c2")), answer("c1"), user("y"), answer("c2")), unanswered("c2")],
    ["calls at the end are answered", says(user("x"), calls(call("c1")), answer("c1")), says(user("x"), calls(call("c1"))), unanswered("c1")],
    ["ids are unique", says(user("x"), calls(call("c1")), answer("c1"), calls(call("c2")), answer("c2")), says(user("x"), calls(call("c1")), answer("c1"), calls(call("c1")), answer("c1")), "Duplicate value for 'tool_call_id' of 'c1' found in message array."],
    ["a choice needs tools", { tools: [tool("a")], tool_choice: "auto" }, { tool_choice: "auto" }, "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."],
    ["the chosen tool exists", { tools: [tool("a")], tool_choice: { type: "function", function: { name: "a" } } }, { tools: [tool("a")], tool_choice: { type: "function", function: { name: "b" } } }, "Tool choice 'b' not found in 'tools' parameter."],
    ["tools are a list", { tools: [tool("a")] }, { tools: {} }, "Invalid type for 'tools': expected an array of objects."],
    ["tools are not empty", { tools: [tool("a")] }, { tools: [] }, empty("tools")],
    ["at most 128 tools", { tools: Array.from({ length: 128 }, (_, at) => tool(`a${at}`)) }, { tools: Array.from({ length: 129 }, (_, at) => tool(`a${at}`)) }, "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead."],
    ["kinds of tools", { tools: [tool("a")] }, { tools: [{ type: "custom" }] }, "Invalid value: 'custom'. Supported values are: 'function'."],
    ["a tool has a function", { tools: [tool("a")] }, { tools: [{ type: "function" }] }, "Missing required parameter: 'tools[0].function'."],
    ["a tool has a name", { tools: [tool("a")] }, { tools: [tool(undefined)] }, "Missing required parameter: 'tools[0].function.name'."],
    ["form of a tool's name", { tools: [tool("a-B_1")] }, { tools: [tool("a.b")] }, "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."],
    ["names of tools are unique", { tools: [tool("a"), tool("b")] }, { tools: [tool("a"), tool("a")] }, "Invalid 'tools[1].function.name': the name 'a' is used twice."],
    ["a schema is of an object", { tools: [tool("a", { parameters: { type: "object" } })] }, { tools: [tool("a", { parameters: { type: "array" } })] }, "Invalid schema for function 'a': schema must have type 'object', got 'array'."],
    ["a schema is well formed", { tools: [tool("a", { parameters: { type: "object", required: [] } })] }, { tools: [tool("a", { parameters: { type: "object", required: "b" } })] }, "Invalid schema for function 'a': schema.required: not a list of different strings."],
];
