// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp validate, expand, compact, canon, frame, unframe: a line in, a line out. A message that
// is refused is answered by its verdict.
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/sacp/verdicts.h"
#include "cli/sacp/wire.h"
#include "cli/settings.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

// Of ROLE:OUT_FMT, the message that a reply answers.
struct Reply {
    explicit Reply(const std::string &text) {
        const size_t colon = text.find(':');
        const std::string format = colon == text.npos ? "raw" : text.substr(colon + 1);
        role = text.substr(0, colon);
        if (format != "raw" && format != "human" && format != "summary")
            throw Failure("--reply takes ROLE:OUT_FMT, which is raw, human or summary");
        out_fmt = format == "human"     ? ACCP_SACP_HUMAN
                  : format == "summary" ? ACCP_SACP_SUMMARY
                                        : ACCP_SACP_RAW;
    }
    std::string role;
    int32_t out_fmt;
};

// Writes the verdict in place of what the call would have made, where it is one that has a verdict.
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

// A codec under the schemas of messages and lookups, or a registry of the user's own.
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

}  // namespace

int sacp_validate(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    const Reply reply(arguments.reply_rules);
    VerdictPlaces places;
    const int32_t reading = arguments.lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT;
    return run_filter(
        arguments, io, Lines::kMessages, [&](std::string_view line, Streams &to, accp_error &err) {
            accp_status status =
                arguments.reply_rules.empty()
                    ? accp_sacp_check(sacp.get(), line.data(), line.size(), reading, nullptr, &err)
                    : accp_sacp_check_reply(sacp.get(), line.data(), line.size(), reply.role.data(),
                                            reply.role.size(), reply.out_fmt, reading, nullptr,
                                            &err);
            accp_text text = {};
            if (status == ACCP_OK) places.tell(sacp.get(), line, to);
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

// Messages without an id get one of their line.
int sacp_compose(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_sacp> sacp = open_sacp(arguments, config.get());
    const std::string formatters = lines_of_lists(arguments.formatters);
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

// What is still missing is asked for, in place of a plan that cannot be run.
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
            // where a message has no id, its record is one
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

}  // namespace cli
