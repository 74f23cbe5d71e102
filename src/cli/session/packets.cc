// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session checkpoint and packet: checkpoints, and context packets of a session or of a message
// in it.
#include <algorithm>
#include <charconv>

#include "cli/host.h"
#include "cli/packet/packet_file.h"
#include "cli/packet/panes_project.h"
#include "cli/session/actions.h"

namespace cli {
namespace {

// Makes a packet of the whole session. Without an argument its task is the session's first request.
int make_packet(const Arguments &arguments, const CommandSession &session, PacketFile &packet,
                Streams &io) {
    const std::string task = arguments.files.empty() ? "" : arguments.files[0];
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {task.data(), task.size()};
    request.creator = {arguments.agent.data(), arguments.agent.size()};
    request.depth = arguments.reset && arguments.depth.empty() ? int32_t{ACCP_PACKET_DEEP}
                                                               : depth_of(arguments.depth);
    request.budget_tokens = arguments.budget;
    request.now_ms = session.now();
    // A new session has nothing but the packet.
    if (arguments.reset) request.options = ACCP_PACKET_STRICT_BUDGET;
    accp_error err = {};
    return report_status(
        io, accp_session_generate_packet(session.get(), &request, packet.get(), &err), err);
}

// Returns an unused session id: work-2 after work, work-3 after work-2.
std::string next_id(const Arguments &arguments) {
    std::vector<std::string> ids;
    const SessionStore store(arguments, true);
    accp_error err = {};
    if (store.append_ids(ids, err) != ACCP_OK) throw Failure(message_of(err));
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

// Creates the session with the packet as its first message, so that it is at the start of every
// context.
int begin_session(const Arguments &arguments, PacketFile &packet, Streams &io) {
    CommandSession session(arguments);
    return make_change(session, io, [&](accp_error *err) {
        accp_text members = {};
        accp_status status = accp_session_put_packet(session.get(), packet.get(), &members, err);
        if (status != ACCP_OK) return status;
        std::string message = R"({"agent":)";
        append_json_string(arguments.agent, message);
        message.append(R"(,"intent":"sync","operation":"context","payload":)");
        message.append(to_view(members));
        message.back() = ',';
        message.append(R"("content":)");
        append_json_string(packet.print(accp_packet_print_prompt), message);
        message.append("}}");
        return accp_session_append(session.get(), message.data(), message.size(), session.now(),
                                   err);
    });
}

// Creates the new session before it ends the old one, so that a run that is stopped in between
// loses nothing.
int reset_session(const Arguments &arguments, PacketFile &packet, Streams &io) {
    Arguments next = arguments;
    next.session = next_id(arguments);
    int status = begin_session(next, packet, io);
    if (status != 0) return status;
    CommandSession session(arguments);
    status = make_change(session, io, [&](accp_error *err) {
        accp_status granted = accp_session_add_grant(session.get(), next.session.data(),
                                                     next.session.size(), "cold.", 5, 0, err);
        return granted == ACCP_OK ? accp_session_end(session.get(), session.now(), err) : granted;
    });
    if (status == 0) io.out.text.append(next.session).append("\n");
    return status;
}

int checkpoint(const Arguments &arguments, PacketFile &packet, Streams &io) {
    CommandSession session(arguments);
    accp_session *handle = session.get();
    const int status = make_change(session, io, [&](accp_error *err) {
        return accp_session_checkpoint(handle, session.now(), err);
    });
    if (status != 0) return status;
    if (arguments.packet || arguments.reset) return make_packet(arguments, session, packet, io);
    if (const uint32_t newest = accp_session_newest_checkpoint(handle); newest != 0)
        io.out.text.append("$warm.ckpt_").append(std::to_string(newest)).append("\n");
    return 0;
}

}  // namespace

int make_checkpoint(const Arguments &arguments, Streams &io) {
    const bool makes_packet = arguments.packet || arguments.reset;
    if (arguments.files.size() > (makes_packet ? 1 : 0))
        throw Failure(
            "session checkpoint takes one task, in quotes, and only with --packet or --reset");
    if (arguments.reset && (arguments.store.empty() || arguments.store == "memory:"))
        throw Failure("session checkpoint --reset needs --store: the new session is stored there");
    PacketFile packet(arguments);
    int status = checkpoint(arguments, packet, io);
    if (status == 0 && arguments.packet) io.out.text.append(packet.print(accp_packet_print_yaml));
    if (status == 0 && arguments.reset) status = reset_session(arguments, packet, io);
    return status;
}

namespace {

std::string resolve_message(const std::string &ref, const CommandSession &session) {
    accp_text text = {};
    accp_error err = {};
    if (accp_session_resolve(session.get(), ref.data(), ref.size(), nullptr, 0, session.now(),
                             &text, &err) != ACCP_OK)
        throw Failure(ref + ": " + message_of(err));
    return std::string(to_view(text));
}

int answer_packet_request(const Arguments &arguments, const std::string &ref, Streams &io) {
    CommandSession session(arguments);
    const std::string request = resolve_message(ref, session);
    return make_change_and_print(session, io, [&](accp_text *out, accp_error *err) {
        return accp_session_reply_packet(session.get(), request.data(), request.size(),
                                         arguments.agent.data(), arguments.agent.size(),
                                         session.now(), out, err);
    });
}

}  // namespace

int show_packet(const Arguments &arguments, Streams &io) {
    const std::string &ref =
        required_argument(arguments, 0, "the ref of a message, such as $cold.m17");
    if (arguments.reply) return answer_packet_request(arguments, ref, io);
    const CommandSession session(arguments, true);
    const std::string message = resolve_message(ref, session);
    PacketFile packet(arguments);
    accp_error err = {};
    const accp_status status = accp_session_read_packet(
        session.get(), message.data(), message.size(), session.now(), packet.get(), &err);
    if (status == ACCP_OK)
        io.out.text.append(
            packet.print(arguments.json ? accp_packet_print_json : accp_packet_print_yaml));
    if (status == ACCP_OK && arguments.json) io.out.text.push_back('\n');
    return report_status(io, status, err);
}

}  // namespace cli
