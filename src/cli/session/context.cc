// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Contexts for a model, calls of the context tool, and transcripts of other hosts.
#include "cli/host.h"
#include "cli/replay/figures.h"
#include "cli/session/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

int32_t interface_of(const std::string &name, const char *option) {
    const int32_t found = accp_interface_find(name.data(), name.size());
    if (found >= 0) return found;
    std::string names;
    for (int32_t i = 1; accp_interface_name(i); ++i)
        names.append(names.empty() ? "" : ", ").append(accp_interface_name(i));
    throw Failure(std::string(option) + ": unknown interface: " + name + "; known are " + names);
}

int show_blocks(CommandSession &session, uint64_t budget, Streams &io) {
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    accp_error err = {};
    const accp_status status =
        accp_session_context_blocks(session.get(), budget, &blocks, &count, &err);
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
    return report_status(io, status, err);
}

struct Transcript {
    int32_t an_interface;
    std::string text;

    accp_status append(const CommandSession &session, uint64_t &count, accp_error *err) const {
        return accp_session_append_messages(session.get(), text.data(), text.size(), an_interface,
                                            session.now(), &count, err);
    }
};

// Reads the only file, or standard input.
Transcript read_transcript(const Arguments &arguments) {
    if (arguments.files.size() > 1) throw Failure(arguments.action + " --from takes one file");
    const bool detects = arguments.from == "auto";
    Transcript transcript = {detects ? -1 : interface_of(arguments.from, "--from"), {}};
    transcript.text = read_input(input_names(arguments)[0]);
    if (detects)
        transcript.an_interface =
            accp_interface_detect(transcript.text.data(), transcript.text.size());
    if (transcript.an_interface < 0)
        throw Failure(
            "--from auto: the form of this transcript is not known; name it, or leave --from out "
            "if it is messages, one per line");
    return transcript;
}

// Returns the message of an error in a transcript, with its place.
std::string describe_place(const Arguments &arguments, const accp_error &err) {
    return input_names(arguments)[0] + ": message " + std::to_string(err.record + 1) + " at byte " +
           std::to_string(err.offset) + ": " + message_of(err);
}

}  // namespace

int show_context(const Arguments &arguments, Streams &io) {
    CommandSession session(arguments, true);
    if (arguments.explain) return explain_context(arguments, session, io);
    if (arguments.blocks) return show_blocks(session, arguments.budget, io);
    return print_result(io, [&](accp_text *out, accp_error *err) {
        return arguments.as.empty()
                   ? accp_session_context(session.get(), arguments.budget, out, nullptr, err)
                   : accp_session_context_messages(session.get(),
                                                   interface_of(arguments.as, "--as"),
                                                   arguments.budget, out, nullptr, err);
    });
}

int show_tool(const Arguments &arguments, Streams &io) {
    if (arguments.as.empty()) throw Failure("tool needs --as openai, anthropic or mcp");
    const char *tool = accp_interface_tool(interface_of(arguments.as, "--as"));
    if (!tool) throw Failure("--as: this interface has no tools: " + arguments.as);
    io.out.text.append(tool).append("\n");
    return 0;
}

int answer_call(const Arguments &arguments, Streams &io) {
    const std::string &call = required_argument(arguments, 0, "the arguments of a call, as JSON");
    CommandSession session(arguments, true);
    accp_text text = {};
    accp_error err = {};
    const accp_status status =
        accp_session_answer(session.get(), call.data(), call.size(), session.now(), &text, &err);
    if (status == ACCP_OK) io.out.text.append(text.text, text.len);
    return report_status(io, status, err);
}

int append_transcript(const Arguments &arguments, Streams &io) {
    const Transcript transcript = read_transcript(arguments);
    CommandSession session(arguments);
    std::string why;  // lives until the error is printed
    return make_change(session, io, [&](accp_error *err) {
        uint64_t count = 0;
        const accp_status status = transcript.append(session, count, err);
        if (status == ACCP_OK) io.out.text.append(std::to_string(count)).append("\n");
        if (status == ACCP_E1001 || status == ACCP_E1004)
            *err = error_of(status, (why = describe_place(arguments, *err)).c_str());
        return status;
    });
}

// A temporary session in memory converts the transcript: each message is a record of its log.
std::vector<std::string> messages_of_transcript(const Arguments &arguments) {
    const Transcript transcript = read_transcript(arguments);
    Arguments temporary = arguments;
    temporary.store.clear();
    temporary.rules.clear();
    const CommandSession session(temporary);
    uint64_t count = 0;
    accp_error err = {};
    if (transcript.append(session, count, &err) != ACCP_OK)
        throw Failure("--from " + arguments.from + ": " + describe(err));
    std::vector<std::string> messages;
    for (uint64_t i = 1; i <= accp_session_record_count(session.get()); ++i) {
        accp_log_record record = {};
        if (accp_session_record(session.get(), i, &record, &err) != ACCP_OK)
            throw Failure(message_of(err));
        if (record.kind == ACCP_RECORD_MESSAGE) messages.emplace_back(to_view(record.text));
    }
    return messages;
}

}  // namespace cli
