// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session checkpoint: a checkpoint; with --packet, a context packet of what the session then
// is.
#include "cli/packet_file.h"
#include "cli/panes_project.h"
#include "cli/session_actions.h"

namespace cli {
namespace {

// Of the whole session, for a task that ARG names; without one, for what it was begun for.
int make_packet(const Arguments &arguments, const SessionTools &tools, PacketFile &packet,
                Streams &io) {
    if (arguments.files.size() > 1)
        throw Failure("session checkpoint takes one task: put it in quotes");
    const std::string task = arguments.files.empty() ? "" : arguments.files[0];
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {task.data(), task.size()};
    request.creator = {arguments.agent.data(), arguments.agent.size()};
    request.depth = depth_of(arguments.depth);
    request.budget_tokens = arguments.budget;
    request.now_ms = tools.now();
    accp_error err = {};
    return answer(io, accp_session_make_packet(tools.session(), &request, packet.get(), &err), err);
}

}  // namespace

int make_checkpoint(const Arguments &arguments, Streams &io) {
    if (!arguments.packet && !arguments.files.empty())
        throw Failure("session checkpoint takes a task with --packet only");
    SessionTools tools(arguments);
    accp_session *session = tools.session();
    int status = change(tools, io, [&](accp_error *err) {
        return accp_session_checkpoint(session, tools.now(), err);
    });
    if (status != 0) return status;
    if (arguments.packet) {
        PacketFile packet(arguments);
        status = make_packet(arguments, tools, packet, io);
        if (status == 0) io.out.text.append(packet.print(accp_packet_print_yaml));
    } else if (accp_session_newest_checkpoint(session) != 0) {
        io.out.text.append("$warm.ckpt_")
            .append(std::to_string(accp_session_newest_checkpoint(session)))
            .append("\n");
    }
    return status;
}

}  // namespace cli
