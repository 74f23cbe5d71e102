// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp validate, expand, compact, canon, compose, plan, adapt, frame, unframe, threads and
// states. All but threads print one line for each line. A message that is refused is replaced by
// its verdict.
#include <algorithm>
#include <map>

#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/sacp/wire.h"
#include "cli/settings.h"
#include "cli/terminal/streams.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

// True for a line that ends in the middle of a message, as the first line of indented JSON does.
bool is_part(const accp_verdict &verdict, std::string_view line) {
    const size_t last = line.find_last_not_of(" \t\r");
    return verdict.code == ACCP_SACP_MALFORMED_MESSAGE && last != line.npos &&
           std::string_view("{[,:").find(line[last]) != line.npos;
}

// Prints "record N: CODE at byte B: details; found …".
void report_fault(const accp_verdict &verdict, uint64_t record, std::string_view line,
                  Streams &io) {
    std::string &err = io.err.text;
    err.append("accp: record ").append(std::to_string(record)).append(": ");
    err.append(accp_sacp_code_name(verdict.code)).append(" at byte ");
    err.append(std::to_string(verdict.byte)).append(": ");
    append_printable(to_view(verdict.details), err);
    const std::string found = excerpt_at(line, verdict.byte);
    if (!found.empty()) err.append("; found ").append(found);
    err.append("\n");
}

// Prints the byte of the fault for each ERR, because verdicts have no place for it. Prints one hint
// in all if two records look like parts of one message over several lines.
class FaultReporter {
public:
    // Reports the verdict of the last call. `line`: its record.
    void report(const accp_sacp *sacp, std::string_view line, Streams &io);

private:
    bool was_part_ = false, has_hinted_ = false;
};

void FaultReporter::report(const accp_sacp *sacp, std::string_view line, Streams &io) {
    accp_verdict verdict = {};
    const bool is_fault =
        accp_sacp_verdict(sacp, &verdict, nullptr) == ACCP_OK && verdict.answer == ACCP_SACP_ERR;
    const bool follows_part = was_part_;
    was_part_ = is_fault && is_part(verdict, line);
    if (!is_fault) return;
    report_fault(verdict, io.records, line, io);
    if (!follows_part || has_hinted_ || verdict.code != ACCP_SACP_MALFORMED_MESSAGE) return;
    has_hinted_ = true;
    io.err.text.append(
        "accp: each line must be one whole message, but this one spans several lines\n");
}

// The message that a reply answers, from ROLE:OUT_FMT.
struct RepliedMessage {
    explicit RepliedMessage(const std::string &text) {
        const size_t colon = text.find(':');
        const std::string format = colon == text.npos ? "raw" : text.substr(colon + 1);
        role = text.substr(0, colon);
        if (format != "raw" && format != "human" && format != "summary")
            throw Failure("--reply takes ROLE:OUT_FMT; OUT_FMT is raw, human or summary");
        out_fmt = format == "human"     ? ACCP_SACP_HUMAN
                  : format == "summary" ? ACCP_SACP_SUMMARY
                                        : ACCP_SACP_RAW;
    }
    std::string role;
    int32_t out_fmt;
};

// Prints the verdict instead of the result if the call failed with one.
accp_status write_verdict(accp_sacp *sacp, accp_status status, Streams &to, accp_error &err) {
    accp_verdict verdict = {};
    accp_text text = {};
    if (status < 0 || accp_sacp_verdict(sacp, &verdict, nullptr) != ACCP_OK ||
        verdict.answer != ACCP_SACP_ERR)
        return status;
    status = accp_sacp_print_verdict(sacp, &text, &err);
    if (status == ACCP_OK) to.out.text.append(text.text, text.len);
    return status;
}

int respell(const Arguments &arguments, Streams &io, int32_t spelling) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_text text = {};
            const accp_status status =
                accp_sacp_spell(sacp.get(), line.data(), line.size(), spelling, &text, &err);
            if (status != ACCP_OK) return write_verdict(sacp.get(), status, to, err);
            to.out.text.append(arguments.pretty ? pretty_json(to_view(text)) : to_view(text));
            return status;
        });
}

// Opens a codec with the schemas of messages and lookups, or with the registry of --registry.
Handle<accp_codec> open_codec(const Arguments &arguments, accp_config *config) {
    const Handle<accp_registry> registry = arguments.registry.empty()
                                               ? new_sacp_registry(profiles(arguments), config)
                                               : open_registry(arguments, config);
    if (arguments.ext.empty())
        accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_P1,
                             nullptr);
    accp_config_set_registry(config, registry.get(), nullptr);
    return new_codec(config);
}

// Threads need all messages, so one refused message ends the command.
int report_refused_message(const accp_sacp *sacp, std::string_view all, const accp_error &err,
                           Streams &io) {
    accp_verdict verdict = {};
    if (err.code < 0 || accp_sacp_verdict(sacp, &verdict, nullptr) != ACCP_OK ||
        verdict.answer != ACCP_SACP_ERR)
        throw Failure("threads: " + message_of(err));
    const std::string_view before = all.substr(0, verdict.byte);
    const size_t begin = before.rfind('\n') + 1;
    verdict.byte -= begin;
    report_fault(verdict, 1 + static_cast<uint64_t>(std::count(before.begin(), before.end(), '\n')),
                 all.substr(begin, all.find('\n', begin) - begin), io);
    return 1;
}

// Makes the change if it is allowed. Returns the verdict.
std::string change_state(int32_t version, uint8_t kind, std::string_view state, int32_t &now) {
    const int32_t next = accp_sacp_state_find(version, state.data(), state.size());
    const char *code = kind != ACCP_STRING ? "INVALID_TYPE"
                       : next < 0          ? "UNKNOWN_STATE"
                       : accp_sacp_state_is_next(version, now, next) == 0
                           ? "INVALID_STATE_TRANSITION"
                           : nullptr;
    if (code == nullptr) now = next;
    std::string out = code == nullptr ? "{\"ok\":true" : "{\"ok\":false,\"code\":\"";
    if (code != nullptr) out.append(code).append("\"");
    return out.append(",\"state\":\"").append(accp_sacp_state_name(version, now)).append("\"}");
}

}  // namespace

int sacp_validate(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    const RepliedMessage replied(arguments.reply_rules);
    FaultReporter faults;
    const int32_t reading = arguments.lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT;
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_status status =
                arguments.reply_rules.empty()
                    ? accp_sacp_check(sacp.get(), line.data(), line.size(), reading, nullptr, &err)
                    : accp_sacp_check_reply(sacp.get(), line.data(), line.size(),
                                            replied.role.data(), replied.role.size(),
                                            replied.out_fmt, reading, nullptr, &err);
            accp_text text = {};
            if (status == ACCP_OK) faults.report(sacp.get(), line, to);
            if (status == ACCP_OK) status = accp_sacp_print_verdict(sacp.get(), &text, &err);
            if (status == ACCP_OK) to.out.text.append(text.text, text.len);
            return status;
        });
}

int sacp_expand(const Arguments &arguments, Streams &io) {
    return respell(arguments, io, ACCP_SACP_FULL);
}
int sacp_compact(const Arguments &arguments, Streams &io) {
    return respell(arguments, io, ACCP_SACP_BRIEF);
}
int sacp_canon(const Arguments &arguments, Streams &io) {
    return respell(arguments, io, ACCP_SACP_AS_IS);
}

// Messages without an id get one from --msg-id and the number of their line.
int sacp_compose(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    const std::string formatters = names_per_line(arguments.formatters);
    accp_sacp_receiver receiver = {};
    receiver.role = {arguments.role.data(), arguments.role.size()};
    receiver.formatters = {formatters.data(), formatters.size()};
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            const std::string id =
                arguments.msg_id.empty() ? "" : arguments.msg_id + "." + std::to_string(to.records);
            receiver.msg_id = {id.data(), id.size()};
            accp_text text = {};
            const accp_status status =
                accp_sacp_compose(sacp.get(), line.data(), line.size(), &receiver, &text, &err);
            if (status != ACCP_OK) return write_verdict(sacp.get(), status, to, err);
            to.out.text.append(text.text, text.len);
            return status;
        });
}

// Prints a request for clarification instead of a plan that cannot be run.
int sacp_plan(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_text text = {};
            accp_verdict verdict = {};
            accp_status status = accp_sacp_plan(sacp.get(), line.data(), line.size(),
                                                arguments.beside ? 1 : 0, &text, &err);
            if (status != ACCP_OK) return write_verdict(sacp.get(), status, to, err);
            accp_sacp_verdict(sacp.get(), &verdict, nullptr);
            if (verdict.answer != ACCP_SACP_VALID)
                status = accp_sacp_print_verdict(sacp.get(), &text, &err);
            if (status == ACCP_OK) to.out.text.append(text.text, text.len);
            return status;
        });
}

int sacp_adapt(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    accp_sacp_sender sender = {};
    sender.sender = {arguments.agent.data(), arguments.agent.size()};
    sender.now_ms = now_ms(arguments);
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            // A message without an id gets the number of its record.
            const std::string id = "r" + std::to_string(to.records);
            sender.msg_id = {id.data(), id.size()};
            accp_text text = {};
            const accp_status status =
                arguments.proto_ver == "1.0.0"
                    ? accp_sacp_to_1_0(sacp.get(), line.data(), line.size(), &sender, &text, &err)
                    : accp_sacp_to_0_1(sacp.get(), line.data(), line.size(), &text, &err);
            if (status != ACCP_OK) return write_verdict(sacp.get(), status, to, err);
            to.out.text.append(text.text, text.len);
            return status;
        });
}

int sacp_frame(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = new_sacp(nullptr, config.get());
    const Handle<accp_codec> codec = open_codec(arguments, config.get());
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_text text = {};
            accp_status status =
                accp_sacp_to_message(sacp.get(), line.data(), line.size(), arguments.agent.data(),
                                     arguments.agent.size(), &text, &err);
            if (status != ACCP_OK) return write_verdict(sacp.get(), status, to, err);
            status = accp_codec_encode(codec.get(), text.text, text.len, &text, &err);
            if (status == ACCP_OK) to.out.text.append(text.text, text.len);
            return status;
        });
}

int sacp_unframe(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = new_sacp(nullptr, config.get());
    const Handle<accp_codec> codec = open_codec(arguments, config.get());
    return run_filter(
        arguments, io, Lines::kFrames, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_text text = {};
            accp_status status =
                accp_codec_decode(codec.get(), line.data(), line.size(), &text, &err);
            if (status != ACCP_OK) return status;
            status = accp_sacp_from_message(sacp.get(), text.text, text.len, &text, &err);
            if (status != ACCP_OK) return write_verdict(sacp.get(), status, to, err);
            to.out.text.append(text.text, text.len);
            return status;
        });
}

// Groups messages into threads by the message that each replies to.
int sacp_threads(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = new_sacp(nullptr, config.get());
    std::string all;
    for_each_block(arguments, io, [&](std::string_view block) { all.append(block); });
    accp_text text = {};
    accp_error err = {};
    const int32_t indented = arguments.indent ? 1 : 0;
    if (accp_sacp_thread(sacp.get(), all.data(), all.size(), indented, &text, &err) != ACCP_OK)
        return report_refused_message(sacp.get(), all, err, io);
    io.out.text.append(text.text, text.len);
    if (!arguments.indent) io.out.text.append("\n");
    return 0;
}

// Each line is {"version":"0.1","changes":[[TASK,STATE],…]}. Prints a verdict on each change.
int sacp_states(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &) {
            const JsonTree json(line, config.get());
            const uint32_t named = json.find(0, "version"), changes = json.find(0, "changes");
            const std::string_view text = named != 0 ? json.text(named) : "0.1";
            if (text != "0.1" && text != "0.1.0" && text != "1.0.0")
                throw Failure("version must be 0.1 or 1.0.0");
            if (changes == 0 || json.kind(changes) != ACCP_ARRAY)
                throw Failure("a line must be {\"version\":…,\"changes\":[[TASK,STATE],…]}");
            std::map<std::string, int32_t, std::less<>> tasks;
            std::string &out = to.out.text;
            out.append("{\"verdicts\":[");
            for (uint32_t i = changes + 1; i < json.next(changes); i = json.next(i)) {
                if (json.kind(i) != ACCP_ARRAY || json.count(i) != 2)
                    throw Failure("a change must be [TASK,STATE]");
                const uint32_t task = i + 1, state = json.next(task);
                if (i != changes + 1) out.push_back(',');
                out.append(change_state(text == "1.0.0" ? ACCP_SACP_1_0 : ACCP_SACP_0_1,
                                        json.kind(state), json.text(state),
                                        tasks[std::string(json.text(task))]));
            }
            out.append("]}");
            return accp_status{ACCP_OK};
        });
}

}  // namespace cli
