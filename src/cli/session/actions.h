// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The actions of `accp session`, each returning the exit status, and the helpers that they share.
#pragma once

#include "cli/host.h"
#include "cli/session/sessions.h"

namespace cli {

// context.cc
int show_context(const Arguments &arguments, Streams &io);
// pages.cc: context --explain
int explain_context(const Arguments &arguments, CommandSession &session, Streams &io);
int show_tool(const Arguments &arguments, Streams &io);
int answer_call(const Arguments &arguments, Streams &io);
int append_transcript(const Arguments &arguments, Streams &io);
// packets.cc
int make_checkpoint(const Arguments &arguments, Streams &io);
int show_packet(const Arguments &arguments, Streams &io);
// receiver.cc
int receive_frames(const Arguments &arguments, Streams &io);
// dead_letters.cc
int run_dead_letters(const Arguments &arguments, Streams &io);
// negotiate.cc
int negotiate(const Arguments &arguments, Streams &io);
// replay/command.cc
int replay_session(const Arguments &arguments, Streams &io);
// replay/log.cc: replay --to N prints the session as it was after record N, as one line of JSON.
int replay_to(const Arguments &arguments, Streams &io);
// replay/log.cc: replay --chain CID prints the records of a chain, each with its outcome.
int replay_chain(const Arguments &arguments, Streams &io);
// replay/compare.cc: replay --compare NAME=VALUE… prints the first difference between two replays.
// Returns 0 if they are equal, and 1 if they differ.
int compare_replays(const Arguments &arguments, Streams &io);

inline const std::string &required_argument(const Arguments &arguments, size_t i,
                                            const char *what) {
    if (i >= arguments.files.size()) throw Failure(arguments.action + " takes " + what);
    return arguments.files[i];
}

// Prints the error, if there is one. Returns the exit status.
inline int report_status(Streams &io, accp_status status, const accp_error &err) {
    if (status == ACCP_OK) return 0;
    io.err.text.append("accp: ")
        .append(accp_status_code_name(status))
        .append(": ")
        .append(message_of(err))
        .append("\n");
    return 1;
}

// Makes one change and waits until it is durable.
template <typename Call>
int make_change(CommandSession &session, Streams &io, Call call) {
    accp_error err = {};
    accp_status status = call(&err);
    if (status == ACCP_OK) status = session.make_durable(io, err);
    if (status == ACCP_OK) session.finish(io);
    return report_status(io, status, err);
}

// Prints the text that the call returns.
template <typename Call>
int print_result(Streams &io, Call call) {
    accp_text text = {};
    accp_error err = {};
    const accp_status status = call(&text, &err);
    if (status == ACCP_OK) io.out.text.append(text.text, text.len).append("\n");
    return report_status(io, status, err);
}

// Makes one change, and prints the text that the call returns once the change is durable.
template <typename Call>
int make_change_and_print(CommandSession &session, Streams &io, Call call) {
    std::string result;
    const int status = make_change(session, io, [&](accp_error *err) {
        accp_text text = {};
        const accp_status called = call(&text, err);
        if (called == ACCP_OK) result.assign(text.text, text.len).append("\n");
        return called;
    });
    if (status == 0) io.out.text.append(result);
    return status;
}

}  // namespace cli
