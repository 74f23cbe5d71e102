// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/agents/prompt.h"

#include "value/json_writer.h"

namespace accp::sacp {

namespace {

// The text around the slots name, verbs, tools and message, in this order.
constexpr std::string_view kTemplate[] = {
    R"(You are an autonomous agent operating under the SACP protocol.

### Agent Role: )",
    R"(

### Role Definition:
- You respond only to SACP-compliant messages.
- You only execute actions that include your assigned verb(s) and tool(s).
- All other messages must be rejected with an ERR response.
- You must follow the output format defined by `out_fmt`.

### Supported Verb(s):
)",
    R"(
### Supported Tool(s):
)",
    R"(
### Behavior:
- Validate the message structure.
- Parse and use relevant fields from `ctx` and `plan`.
- Return either a valid SACP output or a protocol-compliant error.

### Message Input:
)",
    R"(

### Instruction:
Process this message strictly according to the rules of your defined role and the SACP protocol.
)"};

constexpr std::string_view kSpecification =
    R"(SACP 0.1: agents exchange JSON messages, nothing else. Reply to anything else with an ERR.

Message: {"g":goal,"ctx":{},"plan":[],"out_fmt":"raw|human|summary","state":"PENDING|IN_PROGRESS|DONE|FAILED","msg_id":id,"reply_to":id}
Also allowed: proto_ver, subtask (a message or an array of them), test_mode, result, ext; no other members. g and plan are required.
Step: ["verb","tool",{params}], done in order. {"parallel":[branch,...]}: a branch is a step or an array of steps. ["join","MERGE",{}] directly behind a parallel gets the outputs of its branches.
References, whole strings in params: "$step.2.rows" (output of an earlier step, then keys or indexes), "$ctx.key", "$sub.1" (output of a subtask). Text that begins with $ is written $$.
Paths: 2 is the second step, 2.1 its first branch, 2.1.3 the third step of that branch.
Use only verbs and tools that are listed, tools only with verbs that they support, params of the types listed.
Answers: {"status":"VALID"}; {"status":"REQ_CLARIFY","need":["step.2.city"]} when something required is missing: ask, do not guess; {"status":"ERR","code":CODE,"details":"... for action step 2"}.
Codes: MISSING_FIELD MALFORMED_MESSAGE MALFORMED_PLAN INVALID_TYPE UNKNOWN_VERB UNKNOWN_TOOL VERB_TOOL_MISMATCH UNKNOWN_STATE BAD_OUT_FMT OUTPUT_DISCIPLINE UNSUPPORTED_VERSION NO_AGENT TOOL_FAILED TIMEOUT LIMIT.
A reply repeats g and plan, has reply_to, and state DONE with result {"output":...,"step_results":{"1":...}} or FAILED with result {"error":ERR object}. Under out_fmt summary result.summary is a text of at most 280 characters. Prose only if you are the interface or the formatter, or out_fmt is human.
)";

// Writes each name of the list on a line of its own.
void write_names(std::string_view list, Buffer<char> &out) {
    while (!list.empty()) {
        const std::string_view name = list.substr(0, list.find('\n'));
        list.remove_prefix(name.size() < list.size() ? name.size() + 1 : name.size());
        if (name.empty()) continue;
        out.append("- ");
        out.append(name);
        out.push('\n');
    }
}

void write_verb(const Library &library, const Verb &verb, Buffer<char> &out) {
    const value::TreeView tree = library.document();
    out.append(library.text(verb.name));
    char before = '(';
    for (const Input &input : library.inputs(verb)) {
        out.push(before);
        before = ',';
        out.append(library.text(input.name));
        for (NameId required : library.names(verb.required))
            if (required == input.name) out.push('!');
        if (input.type == Type::kAny) continue;
        out.push(':');
        out.append(type_name(input.type));
    }
    if (before == '(') out.push('(');
    out.append(") -> ");
    const uint32_t outputs = tree.find(verb.node, "outputs");
    if (tree[outputs].kind == ACCP_STRING && is_single_line(tree.string(outputs)))
        out.append(tree.string(outputs));
    else value::write_json(tree, outputs, out);
    out.push('\n');
}

void write_tool(const Library &library, const Tool &tool, Buffer<char> &out) {
    out.append(library.text(tool.name));
    char before = ':';
    for (NameId verb : library.names(tool.verbs)) {
        out.push(before);
        out.push(' ');
        before = ',';
        out.append(library.text(verb));
    }
    out.push('\n');
}

}  // namespace

bool is_single_line(std::string_view text) {
    for (char c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
    return !text.empty();
}

void write_prompt(const AgentRole &role, std::string_view message, Buffer<char> &out) {
    out.append(kTemplate[0]);
    out.append(role.name);
    out.append(kTemplate[1]);
    write_names(role.verbs, out);
    out.append(kTemplate[2]);
    write_names(role.tools, out);
    out.append(kTemplate[3]);
    out.append(message.empty() ? "<Insert SACP JSON message here>" : message);
    out.append(kTemplate[4]);
}

void write_specification(const Library &library, Buffer<char> &out) {
    out.append(kSpecification);
    if (!library.document().nodes[0].len) return;
    out.append("\nVerbs, with their params (! is required) and what they make:\n");
    for (const Verb &verb : library.verbs())
        if (verb.node && is_single_line(library.text(verb.name))) write_verb(library, verb, out);
    out.append("\nTools, with the verbs that they support:\n");
    for (const Tool &tool : library.tools())
        if (is_single_line(library.text(tool.name))) write_tool(library, tool, out);
}

}  // namespace accp::sacp
