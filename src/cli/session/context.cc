// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session context, tool, answer, append --from: what a model is given, and what hosts have.
#include <unistd.h>
#include <iterator>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/replay/blocks.h"
#include "cli/session/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

// The interface of an option, for which the library has what is asked.
int32_t interface_of(const std::string &name, const char *option) {
    const int32_t found = accp_interface_find(name.data(), name.size());
    if (found < 0) throw Failure("no interface that " + std::string(option) + " takes: " + name);
    return found;
}

int show_blocks(SessionTools &tools, uint64_t budget, Streams &io) {
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    accp_error err = {};
    const accp_status status =
        accp_session_context_blocks(tools.session(), budget, &blocks, &count, &err);
    for (size_t i = 0; status == ACCP_OK && i < count; ++i) {
        const accp_context_block &block = blocks[i];
        std::string &out = io.out.text;
        out.append("{\"kind\":\"").append(kBlockKinds[block.kind].name);
        out.append("\",\"stable\":").append(block.is_stable ? "true" : "false");
        out.append(",\"tokens\":").append(std::to_string(block.tokens));
        out.append(",\"since\":").append(std::to_string(block.since));
        out.append(",\"checkpoint\":").append(std::to_string(block.checkpoint));
        out.append(",\"text\":");
        append_json_string(to_view(block.text), out);
        out.append("}\n");
    }
    return answer(io, status, err);
}

// What others have, and in which form.
struct Transcript {
    int32_t from;
    std::string text;

    accp_status append(const SessionTools &tools, uint64_t &count, accp_error *err) const {
        return accp_session_append_messages(tools.session(), text.data(), text.size(), from,
                                            tools.now(), &count, err);
    }
};

// The only file, or standard input.
Transcript read_transcript(const Arguments &arguments) {
    if (arguments.files.size() > 1) throw Failure(arguments.action + " --from takes one file");
    const bool detects = arguments.from == "auto";
    Transcript said = {detects ? -1 : interface_of(arguments.from, "--from"), {}};
    said.text = read_input(input_names(arguments)[0]);
    if (detects) said.from = accp_interface_detect(said.text.data(), said.text.size());
    if (said.from < 0)
        throw Failure(
            "--from auto: it is not seen what this is; name it, or leave --from out "
            "where it is messages of our own");
    return said;
}

}  // namespace

int show_context(const Arguments &arguments, Streams &io) {
    SessionTools tools(arguments, true);
    if (arguments.blocks) return show_blocks(tools, arguments.budget, io);
    return answer_text(io, [&](accp_text *out, accp_error *err) {
        return arguments.as.empty()
                   ? accp_session_context(tools.session(), arguments.budget, out, nullptr, err)
                   : accp_session_context_messages(tools.session(),
                                                   interface_of(arguments.as, "--as"),
                                                   arguments.budget, out, nullptr, err);
    });
}

int show_tool(const Arguments &arguments, Streams &io) {
    if (arguments.as.empty()) throw Failure("tool takes --as openai, anthropic or mcp");
    const char *tool = accp_interface_tool(interface_of(arguments.as, "--as"));
    if (!tool) throw Failure("an interface without tools: " + arguments.as);
    io.out.text.append(tool).append("\n");
    return 0;
}

int answer_call(const Arguments &arguments, Streams &io) {
    const std::string &call = argument(arguments, 0, "the arguments of a call, as JSON");
    SessionTools tools(arguments, true);
    accp_text text = {};
    accp_error err = {};
    const accp_status status =
        accp_session_answer(tools.session(), call.data(), call.size(), tools.now(), &text, &err);
    if (status == ACCP_OK) io.out.text.append(text.text, text.len);
    return answer(io, status, err);
}

int append_transcript(const Arguments &arguments, Streams &io) {
    const Transcript said = read_transcript(arguments);
    SessionTools tools(arguments);
    return change(tools, io, [&](accp_error *err) {
        uint64_t count = 0;
        const accp_status status = said.append(tools, count, err);
        if (status == ACCP_OK) io.out.text.append(std::to_string(count)).append("\n");
        return status;
    });
}

// A session that ends with the command makes the messages: each is a record of its log.
std::vector<std::string> messages_of_transcript(const Arguments &arguments) {
    const Transcript said = read_transcript(arguments);
    Arguments alone = arguments;
    alone.store.clear();
    alone.rules.clear();
    const SessionTools tools(alone);
    uint64_t count = 0;
    accp_error err = {};
    if (said.append(tools, count, &err) != ACCP_OK)
        throw Failure("--from " + arguments.from + ": " + describe(err));
    std::vector<std::string> messages;
    for (uint64_t i = 1; i <= accp_session_record_count(tools.session()); ++i) {
        accp_log_record record = {};
        if (accp_session_record(tools.session(), i, &record, &err) != ACCP_OK)
            throw Failure(message_of(err));
        if (record.kind == ACCP_RECORD_MESSAGE) messages.emplace_back(to_view(record.text));
    }
    return messages;
}

}  // namespace cli
