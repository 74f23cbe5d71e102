// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the actions on a session have in common, and those that have a file of their own.
#pragma once

#include "cli/host.h"
#include "cli/session/sessions.h"

namespace cli {

// session_context.cc: the context as text, blocks or a request; the tool of a model, and what it is
// answered; messages as others have them.
int show_context(const Arguments &arguments, Streams &io);
int show_tool(const Arguments &arguments, Streams &io);
int answer_call(const Arguments &arguments, Streams &io);
int append_transcript(const Arguments &arguments, Streams &io);
// session_checkpoint.cc: a checkpoint, and a packet of the session.
int make_checkpoint(const Arguments &arguments, Streams &io);
// session_packet.cc: the packet that a message carries.
int show_packet(const Arguments &arguments, Streams &io);
// session_receive.cc: frames in.
int receive_frames(const Arguments &arguments, Streams &io);
// session_dead.cc: frames that were not taken, and requests that nobody answered.
int dead_letters(const Arguments &arguments, Streams &io);
// session_negotiate.cc: frames of a negotiation in and out.
int negotiate(const Arguments &arguments, Streams &io);

inline const std::string &argument(const Arguments &arguments, size_t i, const char *what) {
    if (i >= arguments.files.size()) throw Failure(arguments.action + " takes " + what);
    return arguments.files[i];
}

// An action that is done, or refused as a whole.
inline int answer(Streams &io, accp_status status, const accp_error &err) {
    if (status == ACCP_OK) return 0;
    io.err.text.append("accp: ")
        .append(accp_status_code_name(status))
        .append(": ")
        .append(message_of(err))
        .append("\n");
    return 1;
}

// One that changes something: done once it is durable.
template <typename Call>
int change(SessionTools &tools, Streams &io, Call call) {
    accp_error err = {};
    accp_status status = call(&err);
    if (status == ACCP_OK) status = tools.keep(io, err);
    if (status == ACCP_OK) tools.finish(io);
    return answer(io, status, err);
}

// One whose answer is a text.
template <typename Call>
int answer_text(Streams &io, Call call) {
    accp_text text = {};
    accp_error err = {};
    const accp_status status = call(&text, &err);
    if (status == ACCP_OK) io.out.text.append(text.text, text.len).append("\n");
    return answer(io, status, err);
}

// One that changes something, and answers a text.
template <typename Call>
int change_text(SessionTools &tools, Streams &io, Call call) {
    std::string answered;
    const int status = change(tools, io, [&](accp_error *err) {
        accp_text text = {};
        const accp_status called = call(&text, err);
        if (called == ACCP_OK) answered.assign(text.text, text.len).append("\n");
        return called;
    });
    if (status == 0) io.out.text.append(answered);
    return status;
}

}  // namespace cli
