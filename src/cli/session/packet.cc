// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session packet: the packet that a message of the session carries; or with --reply the frame
// that answers a message that asks for one.
#include "cli/packet/packet_file.h"
#include "cli/session/actions.h"

namespace cli {
namespace {

// The message that a ref stands for.
std::string message_under(const std::string &ref, const SessionTools &tools) {
    accp_text text = {};
    accp_error err = {};
    if (accp_session_resolve(tools.session(), ref.data(), ref.size(), nullptr, 0, tools.now(),
                             &text, &err) != ACCP_OK)
        throw Failure(ref + ": " + message_of(err));
    return std::string(to_view(text));
}

int reply(const Arguments &arguments, const std::string &ref, Streams &io) {
    SessionTools tools(arguments);
    const std::string request = message_under(ref, tools);
    return change_text(tools, io, [&](accp_text *out, accp_error *err) {
        return accp_session_answer_packet(tools.session(), request.data(), request.size(),
                                          arguments.agent.data(), arguments.agent.size(),
                                          tools.now(), out, err);
    });
}

}  // namespace

int show_packet(const Arguments &arguments, Streams &io) {
    const std::string &ref = argument(arguments, 0, "the ref of a message, such as $cold.m17");
    if (arguments.reply) return reply(arguments, ref, io);
    const SessionTools tools(arguments, true);
    const std::string message = message_under(ref, tools);
    PacketFile packet(arguments);
    accp_error err = {};
    const accp_status status = accp_session_read_packet(
        tools.session(), message.data(), message.size(), tools.now(), packet.get(), &err);
    if (status == ACCP_OK)
        io.out.text.append(
            packet.print(arguments.json ? accp_packet_print_json : accp_packet_print_yaml));
    if (status == ACCP_OK && arguments.json) io.out.text.push_back('\n');
    return answer(io, status, err);
}

}  // namespace cli
