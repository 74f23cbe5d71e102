// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session: one action on one session.
#include <memory>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/packet/packet_file.h"
#include "cli/session/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

int append_messages(const Arguments &arguments, Streams &io) {
    if (arguments.from != "*") return append_transcript(arguments, io);
    CommandSession session(arguments);
    MessageReader reader(arguments);
    std::string message;
    const int exit_status = run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_session *handle = session.get();
            accp_status status = reader.read(line, message, err);
            if (status == ACCP_OK)
                status = accp_session_append(handle, message.data(), message.size(), session.now(),
                                             &err);
            if (status == ACCP_OK) status = session.make_durable(to, err);
            if (status == ACCP_OK)
                to.out.text.append(std::to_string(accp_session_record_count(handle)));
            return status;
        });
    session.finish(io);
    return exit_status;
}

// Reads the packet of --carry; NULL without --carry.
std::unique_ptr<PacketFile> carried_packet(const Arguments &arguments) {
    if (arguments.carry.empty()) return nullptr;
    auto packet = std::make_unique<PacketFile>(arguments);
    if (!packet->read(read_file(arguments.carry), true))
        throw Failure(arguments.carry + ": " + describe(packet->error()));
    return packet;
}

int send_messages(const Arguments &arguments, Streams &io) {
    const std::unique_ptr<PacketFile> packet = carried_packet(arguments);
    CommandSession session(arguments);
    MessageReader reader(arguments);
    std::string message, frame;
    const int exit_status = run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_session *handle = session.get();
            accp_text text = {};
            accp_status status = reader.read(line, message, err);
            if (status == ACCP_OK)
                status = packet
                             ? accp_session_send_packet(handle, message.data(), message.size(),
                                                        packet->get(), session.now(), &text, &err)
                             : accp_session_send(handle, message.data(), message.size(),
                                                 session.now(), &text, &err);
            if (status != ACCP_OK) return status;
            frame.assign(text.text, text.len);
            accp_outcome outcome = {};
            accp_session_outcome(handle, &outcome, nullptr);
            print_warnings(outcome.warnings, to);
            status = session.make_durable(to, err);
            if (status == ACCP_OK) to.out.text.append(frame);
            return status;
        });
    session.finish(io);
    return exit_status;
}

// Prints each request that timed out: the record of its frame, a tab, its cid.
int expire_requests(const Arguments &arguments, Streams &io) {
    CommandSession session(arguments);
    accp_session *handle = session.get();
    const int status = make_change(session, io, [&](accp_error *err) {
        return accp_session_expire(handle, session.now(), err);
    });
    for (accp_delivery one; status == 0 && accp_session_next_delivery(handle, &one) != 0;)
        io.out.text.append(std::to_string(one.seq))
            .append("\t")
            .append(to_view(one.cid))
            .append("\n");
    return status;
}

int retry_request(const Arguments &arguments, Streams &io) {
    const std::string &number = required_argument(arguments, 0, "the number of a record");
    if (number.empty() || number.size() > 18 ||
        number.find_first_not_of("0123456789") != std::string::npos)
        throw Failure("retry takes the number of a record, not " + number);
    CommandSession session(arguments);
    return make_change_and_print(session, io, [&](accp_text *out, accp_error *err) {
        return accp_session_retry(session.get(), std::stoull(number), session.now(), out, err);
    });
}

int abandon_parts(const Arguments &arguments, Streams &io) {
    const std::string &cid = required_argument(arguments, 0, "a cid");
    CommandSession session(arguments);
    return make_change(session, io, [&](accp_error *err) {
        return accp_session_remove_parts(session.get(), cid.data(), cid.size(), session.now(), err);
    });
}

int print_budget(const Arguments &arguments, Streams &io) {
    CommandSession session(arguments, true);
    accp_budget use = {};
    accp_error err = {};
    const accp_status status = accp_session_budget(session.get(), &use, &err);
    const auto row = [&](const char *name, uint64_t used, uint64_t max) {
        io.out.text.append(name)
            .append(std::to_string(used))
            .append(" of ")
            .append(std::to_string(max))
            .append(" tokens\n");
    };
    row("hot   ", use.hot_used, use.hot_max);
    row("warm  ", use.warm_used, use.warm_max);
    row("total ", use.total_used, use.total_max);
    return report_status(io, status, err);
}

// Prints the state that both sides share. With an argument, sets the state and prints the frame
// that sends it to the peer.
int print_or_send_state(const Arguments &arguments, Streams &io) {
    CommandSession session(arguments, arguments.files.empty());
    if (arguments.files.empty()) {
        const accp_text text = accp_session_state(session.get(), nullptr);
        io.out.text.append(text.text, text.len).append("\n");
        return 0;
    }
    const std::string &json = arguments.files[0];
    return make_change_and_print(session, io, [&](accp_text *out, accp_error *err) {
        return accp_session_send_state(session.get(), arguments.agent.data(),
                                       arguments.agent.size(), json.data(), json.size(),
                                       session.now(), out, err);
    });
}

// Prints the number, kind, time and text of every record, separated by tabs.
int print_log(const Arguments &arguments, Streams &io) {
    CommandSession session(arguments, true);
    for (uint64_t i = 1; i <= accp_session_record_count(session.get()); ++i) {
        accp_log_record record = {};
        accp_error err = {};
        const accp_status status = accp_session_record(session.get(), i, &record, &err);
        if (status != ACCP_OK) return report_status(io, status, err);
        io.out.text.append(std::to_string(i))
            .append("\t")
            .append(1, static_cast<char>(record.kind))
            .append("\t");
        io.out.text.append(std::to_string(record.time_ms))
            .append("\t")
            .append(to_view(record.text))
            .append("\n");
        io.flush_if_full();
    }
    return 0;
}

int resolve_ref(const Arguments &arguments, Streams &io) {
    const std::string &ref = required_argument(arguments, 0, "a ref, such as warm.ckpt_1");
    CommandSession session(arguments, true);
    return print_result(io, [&](accp_text *out, accp_error *err) {
        return accp_session_resolve(session.get(), ref.data(), ref.size(), nullptr, 0,
                                    session.now(), out, err);
    });
}

int put_value(const Arguments &arguments, Streams &io) {
    const std::string &ref = required_argument(arguments, 0, "a ref and a JSON value"),
                      &json = required_argument(arguments, 1, "a ref and a JSON value");
    CommandSession session(arguments);
    return make_change(session, io, [&](accp_error *err) {
        return accp_session_put(session.get(), ref.data(), ref.size(), json.data(), json.size(), 0,
                                err);
    });
}

int erase_value(const Arguments &arguments, Streams &io) {
    const std::string &ref = required_argument(arguments, 0, "a ref");
    CommandSession session(arguments);
    return make_change(session, io, [&](accp_error *err) {
        return accp_session_remove(session.get(), ref.data(), ref.size(), err);
    });
}

int grant_access(const Arguments &arguments, Streams &io) {
    const std::string &to =
                          required_argument(arguments, 0, "a session and a prefix, such as cold."),
                      &prefix = required_argument(arguments, 1, "a prefix");
    CommandSession session(arguments);
    return make_change(session, io, [&](accp_error *err) {
        return accp_session_add_grant(session.get(), to.data(), to.size(), prefix.data(),
                                      prefix.size(), 0, err);
    });
}

int revoke_access(const Arguments &arguments, Streams &io) {
    const std::string &to =
                          required_argument(arguments, 0, "a session and a prefix, such as cold."),
                      &prefix = required_argument(arguments, 1, "a prefix");
    CommandSession session(arguments);
    return make_change(session, io, [&](accp_error *err) {
        return accp_session_remove_grant(session.get(), to.data(), to.size(), prefix.data(),
                                         prefix.size(), err);
    });
}

int end_session(const Arguments &arguments, Streams &io) {
    CommandSession session(arguments);
    return make_change(session, io, [&](accp_error *err) {
        return accp_session_end(session.get(), session.now(), err);
    });
}

int list_sessions(const Arguments &arguments, Streams &io) {
    SessionStore store(arguments, true);
    accp_error err = {};
    const auto each = [](const char *text, size_t len, void *user) {
        append_printable({text, len}, *static_cast<std::string *>(user));
        static_cast<std::string *>(user)->append("\n");
        return 0;
    };
    return report_status(io, accp_store_each_session(store.get(), each, &io.out.text, &err), err);
}

}  // namespace

int run_session(const Arguments &arguments, Streams &io) {
    struct Action {
        const char *name;
        int (*run)(const Arguments &, Streams &);
    };
    static constexpr Action kActions[] = {
        {"append", append_messages},
        {"receive", receive_frames},
        {"send", send_messages},
        {"negotiate", negotiate},
        {"context", show_context},
        {"tool", show_tool},
        {"answer", answer_call},
        {"budget", print_budget},
        {"checkpoint", make_checkpoint},
        {"state", print_or_send_state},
        {"log", print_log},
        {"resolve", resolve_ref},
        {"put", put_value},
        {"erase", erase_value},
        {"grant", grant_access},
        {"revoke", revoke_access},
        {"packet", show_packet},
        {"end", end_session},
        {"list", list_sessions},
        {"expire", expire_requests},
        {"retry", retry_request},
        {"abandon", abandon_parts},
        {"replay", replay_session},
        {"dead", run_dead_letters},
    };
    if (arguments.json && !arguments.report && !arguments.explain)
        throw Failure("--json is for context --explain and replay --report");
    for (const Action &action : kActions) {
        if (arguments.action != action.name) continue;
        try {
            const int status = action.run(arguments, io);
            io.flush();
            return status;
        } catch (const OutputFailure &failure) {
            throw Failure(std::string(failure.what()) +
                          "; what was accepted is stored: see accp session log");
        }
    }
    throw Failure("unknown action: " + arguments.action);
}

}  // namespace cli
