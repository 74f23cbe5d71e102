// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session: one action on one session. What reads records is a filter like the others.
#include <memory>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/packet/packet_file.h"
#include "cli/session/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

int append(const Arguments &arguments, Streams &io) {
    if (arguments.from != "*") return append_transcript(arguments, io);
    SessionTools tools(arguments);
    MessageReader reader(arguments);
    std::string message;
    const int answered = run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_session *session = tools.session();
            accp_status status = reader.read(line, message, err);
            if (status == ACCP_OK)
                status =
                    accp_session_append(session, message.data(), message.size(), tools.now(), &err);
            if (status == ACCP_OK) status = tools.keep(to, err);
            if (status == ACCP_OK)
                to.out.text.append(std::to_string(accp_session_record_count(session)));
            return status;
        });
    tools.finish(io);
    return answered;
}

// The packet of --carry; NULL: there is none.
std::unique_ptr<PacketFile> carried_packet(const Arguments &arguments) {
    if (arguments.carry.empty()) return nullptr;
    auto packet = std::make_unique<PacketFile>(arguments);
    if (!packet->read(read_file(arguments.carry), true))
        throw Failure(arguments.carry + ": " + describe(packet->fault()));
    return packet;
}

int send(const Arguments &arguments, Streams &io) {
    const std::unique_ptr<PacketFile> packet = carried_packet(arguments);
    SessionTools tools(arguments);
    MessageReader reader(arguments);
    std::string message, frame;
    const int answered = run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_session *session = tools.session();
            accp_text text = {};
            accp_status status = reader.read(line, message, err);
            if (status == ACCP_OK)
                status = packet ? accp_session_send_packet(session, message.data(), message.size(),
                                                           tools.now(), packet->get(), &text, &err)
                                : accp_session_send(session, message.data(), message.size(),
                                                    tools.now(), &text, &err);
            if (status != ACCP_OK) return status;
            frame.assign(text.text, text.len);
            accp_outcome outcome = {};
            accp_session_outcome(session, &outcome, nullptr);
            print_warnings(outcome.warnings, to);
            status = tools.keep(to, err);
            if (status == ACCP_OK) to.out.text.append(frame);
            return status;
        });
    tools.finish(io);
    return answered;
}

// The requests that have waited too long, each on a line with the record of its frame.
int expire(const Arguments &arguments, Streams &io) {
    SessionTools tools(arguments);
    accp_session *session = tools.session();
    const int status = change(
        tools, io, [&](accp_error *err) { return accp_session_expire(session, tools.now(), err); });
    for (accp_delivery one; status == 0 && accp_session_next_delivery(session, &one) != 0;)
        io.out.text.append(std::to_string(one.seq))
            .append("\t")
            .append(to_view(one.cid))
            .append("\n");
    return status;
}

int retry(const Arguments &arguments, Streams &io) {
    const std::string &number = argument(arguments, 0, "the number of a record");
    if (number.empty() || number.size() > 18 ||
        number.find_first_not_of("0123456789") != std::string::npos)
        throw Failure("no number of a record: " + number);
    SessionTools tools(arguments);
    return change_text(tools, io, [&](accp_text *out, accp_error *err) {
        return accp_session_retry(tools.session(), std::stoull(number), tools.now(), out, err);
    });
}

int abandon(const Arguments &arguments, Streams &io) {
    const std::string &cid = argument(arguments, 0, "a cid");
    SessionTools tools(arguments);
    return change(tools, io, [&](accp_error *err) {
        return accp_session_remove_parts(tools.session(), cid.data(), cid.size(), tools.now(), err);
    });
}

int budget(const Arguments &arguments, Streams &io) {
    SessionTools tools(arguments, true);
    accp_budget use = {};
    accp_error err = {};
    const accp_status status = accp_session_budget(tools.session(), &use, &err);
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
    return answer(io, status, err);
}

// Without an argument: the state that both sides share. With one: it becomes the state, and the
// answer is the frame that says so.
int state(const Arguments &arguments, Streams &io) {
    SessionTools tools(arguments, arguments.files.empty());
    if (arguments.files.empty()) {
        const accp_text text = accp_session_state(tools.session(), nullptr);
        io.out.text.append(text.text, text.len).append("\n");
        return 0;
    }
    const std::string &json = arguments.files[0];
    return change_text(tools, io, [&](accp_text *out, accp_error *err) {
        return accp_session_send_state(tools.session(), arguments.agent.data(),
                                       arguments.agent.size(), json.data(), json.size(),
                                       tools.now(), out, err);
    });
}

// Number, kind, time and text of every record, with tabs between.
int log(const Arguments &arguments, Streams &io) {
    SessionTools tools(arguments, true);
    for (uint64_t i = 1; i <= accp_session_record_count(tools.session()); ++i) {
        accp_log_record record = {};
        accp_error err = {};
        const accp_status status = accp_session_record(tools.session(), i, &record, &err);
        if (status != ACCP_OK) return answer(io, status, err);
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

int resolve(const Arguments &arguments, Streams &io) {
    const std::string &ref = argument(arguments, 0, "a ref, such as warm.ckpt_1");
    SessionTools tools(arguments, true);
    return answer_text(io, [&](accp_text *out, accp_error *err) {
        return accp_session_resolve(tools.session(), ref.data(), ref.size(), nullptr, 0,
                                    tools.now(), out, err);
    });
}

int put(const Arguments &arguments, Streams &io) {
    const std::string &ref = argument(arguments, 0, "a ref and a JSON value"),
                      &json = argument(arguments, 1, "a ref and a JSON value");
    SessionTools tools(arguments);
    return change(tools, io, [&](accp_error *err) {
        return accp_session_put(tools.session(), ref.data(), ref.size(), json.data(), json.size(),
                                0, err);
    });
}

int erase(const Arguments &arguments, Streams &io) {
    const std::string &ref = argument(arguments, 0, "a ref");
    SessionTools tools(arguments);
    return change(tools, io, [&](accp_error *err) {
        return accp_session_remove(tools.session(), ref.data(), ref.size(), err);
    });
}

int grant(const Arguments &arguments, Streams &io) {
    const std::string &to = argument(arguments, 0, "a session and a prefix, such as cold."),
                      &prefix = argument(arguments, 1, "a prefix");
    SessionTools tools(arguments);
    return change(tools, io, [&](accp_error *err) {
        return accp_session_add_grant(tools.session(), to.data(), to.size(), prefix.data(),
                                      prefix.size(), 0, err);
    });
}

int revoke(const Arguments &arguments, Streams &io) {
    const std::string &to = argument(arguments, 0, "a session and a prefix, such as cold."),
                      &prefix = argument(arguments, 1, "a prefix");
    SessionTools tools(arguments);
    return change(tools, io, [&](accp_error *err) {
        return accp_session_remove_grant(tools.session(), to.data(), to.size(), prefix.data(),
                                         prefix.size(), err);
    });
}

int end(const Arguments &arguments, Streams &io) {
    SessionTools tools(arguments);
    return change(tools, io, [&](accp_error *err) {
        return accp_session_end(tools.session(), tools.now(), err);
    });
}

int list(const Arguments &arguments, Streams &io) {
    SessionStore store(arguments, true);
    accp_error err = {};
    const auto each = [](const char *text, size_t len, void *user) {
        append_printable({text, len}, *static_cast<std::string *>(user));
        static_cast<std::string *>(user)->append("\n");
        return 0;
    };
    return answer(io, accp_store_each_session(store.get(), each, &io.out.text, &err), err);
}

}  // namespace

int run_session(const Arguments &arguments, Streams &io) {
    struct Action {
        const char *name;
        int (*run)(const Arguments &, Streams &);
    };
    static constexpr Action kActions[] = {
        {"append", append},
        {"receive", receive_frames},
        {"send", send},
        {"negotiate", negotiate},
        {"context", show_context},
        {"tool", show_tool},
        {"answer", answer_call},
        {"budget", budget},
        {"checkpoint", make_checkpoint},
        {"state", state},
        {"log", log},
        {"resolve", resolve},
        {"put", put},
        {"erase", erase},
        {"grant", grant},
        {"revoke", revoke},
        {"packet", show_packet},
        {"end", end},
        {"list", list},
        {"expire", expire},
        {"retry", retry},
        {"abandon", abandon},
        {"replay", replay_session},
        {"dead", dead_letters},
    };
    for (const Action &action : kActions) {
        if (arguments.action != action.name) continue;
        try {
            const int status = action.run(arguments, io);
            io.flush();
            return status;
        } catch (const OutputFailure &failure) {
            throw Failure(std::string(failure.what()) +
                          "; what was taken is kept: see accp session log");
        }
    }
    throw Failure("no such action: " + arguments.action);
}

}  // namespace cli
