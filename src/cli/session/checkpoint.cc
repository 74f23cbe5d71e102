// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session checkpoint: a checkpoint; with --packet, a context packet of what the session then
// is; with --reset, a new session that begins with this packet, and the end of the old one.
#include <algorithm>
#include <charconv>

#include "cli/host.h"
#include "cli/packet/packet_file.h"
#include "cli/packet/panes_project.h"
#include "cli/session/actions.h"

namespace cli {
namespace {

// Of the whole session, for a task that ARG names; without one, for what it was begun for.
int make_packet(const Arguments &arguments, const SessionTools &tools, PacketFile &packet,
                Streams &io) {
    const std::string task = arguments.files.empty() ? "" : arguments.files[0];
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {task.data(), task.size()};
    request.creator = {arguments.agent.data(), arguments.agent.size()};
    request.depth = arguments.reset && arguments.depth.empty() ? int32_t{ACCP_PACKET_DEEP}
                                                               : depth_of(arguments.depth);
    request.budget_tokens = arguments.budget;
    request.now_ms = tools.now();
    accp_error err = {};
    return answer(io, accp_session_make_packet(tools.session(), &request, packet.get(), &err), err);
}

int append_id(const char *text, size_t len, void *user) {
    static_cast<std::vector<std::string> *>(user)->emplace_back(text, len);
    return 0;
}

// An id that no session has: work-2 after work, work-3 after work-2.
std::string next_id(const Arguments &arguments) {
    std::vector<std::string> ids;
    const SessionStore store(arguments, true);
    accp_error err = {};
    if (accp_store_each_session(store.get(), append_id, &ids, &err) != ACCP_OK)
        throw Failure(message_of(err));
    std::string base = arguments.session;
    uint64_t number = 1;
    const size_t dash = base.rfind('-');
    const char *end = base.data() + base.size();
    if (dash != std::string::npos && dash + 1 < base.size()) {
        const auto read = std::from_chars(base.data() + dash + 1, end, number);
        if (read.ec == std::errc() && read.ptr == end) base.resize(dash);
        else number = 1;
    }
    std::string id;
    do id = base + "-" + std::to_string(++number);
    while (std::find(ids.begin(), ids.end(), id) != ids.end());
    return id;
}

// The packet is the first that is said in the new session, where it stays in front of each context.
int begin_session(const Arguments &arguments, PacketFile &packet, Streams &io) {
    SessionTools tools(arguments);
    return change(tools, io, [&](accp_error *err) {
        accp_text members = {};
        accp_status status = accp_session_put_packet(tools.session(), packet.get(), &members, err);
        if (status != ACCP_OK) return status;
        std::string message = R"({"agent":)";
        append_json_string(arguments.agent, message);
        message.append(R"(,"intent":"sync","operation":"context","payload":)");
        message.append(to_view(members));
        message.back() = ',';
        message.append(R"("content":)");
        append_json_string(packet.print(accp_packet_print_prompt), message);
        message.append("}}");
        return accp_session_append(tools.session(), message.data(), message.size(), tools.now(),
                                   err);
    });
}

// First the new one: a run that is stopped between the two has lost nothing.
int reset(const Arguments &arguments, PacketFile &packet, Streams &io) {
    Arguments next = arguments;
    next.session = next_id(arguments);
    int status = begin_session(next, packet, io);
    if (status != 0) return status;
    SessionTools tools(arguments);
    status = change(tools, io, [&](accp_error *err) {
        accp_status granted = accp_session_add_grant(tools.session(), next.session.data(),
                                                     next.session.size(), "cold.", 5, 0, err);
        return granted == ACCP_OK ? accp_session_end(tools.session(), tools.now(), err) : granted;
    });
    if (status == 0) io.out.text.append(next.session).append("\n");
    return status;
}

int checkpoint(const Arguments &arguments, PacketFile &packet, Streams &io) {
    SessionTools tools(arguments);
    accp_session *session = tools.session();
    const int status = change(tools, io, [&](accp_error *err) {
        return accp_session_checkpoint(session, tools.now(), err);
    });
    if (status != 0) return status;
    if (arguments.packet || arguments.reset) return make_packet(arguments, tools, packet, io);
    if (accp_session_newest_checkpoint(session) != 0)
        io.out.text.append("$warm.ckpt_")
            .append(std::to_string(accp_session_newest_checkpoint(session)))
            .append("\n");
    return 0;
}

}  // namespace

int make_checkpoint(const Arguments &arguments, Streams &io) {
    const bool packs = arguments.packet || arguments.reset;
    if (arguments.files.size() > (packs ? 1 : 0))
        throw Failure("session checkpoint takes one task, in quotes, with --packet or --reset");
    if (arguments.reset && (arguments.store.empty() || arguments.store == "memory:"))
        throw Failure("session checkpoint --reset takes --store: the new session is kept there");
    PacketFile packet(arguments);
    int status = checkpoint(arguments, packet, io);
    if (status == 0 && arguments.packet) io.out.text.append(packet.print(accp_packet_print_yaml));
    if (status == 0 && arguments.reset) status = reset(arguments, packet, io);
    return status;
}

}  // namespace cli
