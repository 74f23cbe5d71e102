// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context: context packets in files. validate says what each file is, seal writes one with its
// checksum, preview what a worker's model reads of it. What is in a project's files:
// context_panes.h.
#include "cli/commands.h"
#include "cli/context_panes.h"
#include "cli/context_query.h"
#include "cli/context_refresh.h"
#include "cli/context_view.h"
#include "cli/failure.h"
#include "cli/node_view.h"
#include "cli/packet_file.h"
#include "cli/panes_project.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "cli/typed_json.h"

namespace cli {
namespace {

void write_fault(const accp_error &fault, std::string &out) {
    out.append(",\"error\":");
    append_json_string(fault.message, out);
    out.append(",\"code\":\"").append(accp_status_code_name(fault.code));
    out.append("\",\"offset\":").append(std::to_string(fault.offset));
    if (fault.limit == 0) return;
    out.append(",\"had\":").append(std::to_string(fault.had));
    out.append(",\"limit\":").append(std::to_string(fault.limit));
}

// {"ok":true,"warnings":[],"checksum":"sha256:…","tokens":N,"packet":{…}}
void tell_json(PacketFile &file, bool good, const std::string &text, std::string &out) {
    out.append(good ? R"({"ok":true)" : R"({"ok":false)");
    if (!good) write_fault(file.fault(), out);
    // what is wrong may be the checksum alone: then the rest is told too
    const bool there = good || file.read(text, false);
    out.append(",\"warnings\":[");
    const char *comma = "";
    for (const std::string &name : there ? file.warnings() : std::vector<std::string>()) {
        out.append(comma);
        append_json_string(name, out);
        comma = ",";
    }
    out.push_back(']');
    if (there) {
        out.append(",\"checksum\":");
        append_json_string(file.checksum(), out);
        out.append(",\"tokens\":").append(std::to_string(file.tokens()));
        out.append(",\"packet\":").append(file.print(accp_packet_print_json));
    }
    out.append("}\n");
}

void tell(PacketFile &file, bool good, const std::string &name, std::string &out) {
    append_printable(name, out);
    if (!good) {
        out.append(": ").append(describe(file.fault())).append("\n");
        return;
    }
    out.append(": ok, " + std::to_string(file.tokens()) + " tokens, ");
    out.append(file.checksum());
    for (const std::string &warning : file.warnings()) append_printable("; " + warning, out);
    out.push_back('\n');
}

int validate(const Arguments &arguments, Streams &io) {
    PacketFile file(arguments);
    file.take_code(arguments);
    for (const std::string &name : input_names(arguments)) {
        const std::string text = read_input(name);
        const bool good = file.read(text, !arguments.no_verify);
        ++io.records;
        if (!good) ++io.refused;
        arguments.json ? tell_json(file, good, text, io.out.text)
                       : tell(file, good, name, io.out.text);
        io.flush_if_full();
    }
    return io.status();
}

// One packet, read and printed anew.
int print(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() > 1)
        throw Failure("context " + arguments.action + " takes one packet");
    const bool seal = arguments.action == "seal";
    PacketFile file(arguments);
    const std::string name = input_names(arguments)[0];
    if (!file.read(read_input(name), !seal && !arguments.no_verify)) {
        tell(file, false, "accp: " + name, io.err.text);
        return 1;
    }
    if (seal) file.seal();
    if (!seal && colour_wanted()) {
        show_layers(file.get(), arguments.budget, io.out.text);
        return 0;
    }
    io.out.text.append(!seal            ? file.print(accp_packet_print_prompt)
                       : arguments.json ? file.print(accp_packet_print_json)
                                        : file.print(accp_packet_print_yaml));
    if (seal && arguments.json) io.out.text.push_back('\n');
    return 0;
}

// What the messages are; 0: ours.
int32_t interface_of(const std::string &name, const std::string &text) {
    if (name == "messages") return 0;
    const bool detects = name == "auto" || name == "*";
    const int32_t found = detects ? accp_interface_detect(text.data(), text.size())
                                  : accp_interface_find(name.data(), name.size());
    if (found >= 0) return found;
    if (detects) return 0;
    std::string names;
    for (int32_t i = 1; accp_interface_name(i); ++i)
        names.append(names.empty() ? "" : ", ").append(accp_interface_name(i));
    throw Failure("no interface of this name: " + name + "; there are auto, messages, " + names);
}

// Why no packet was made: of the whole, or of a message with its number.
void tell_refused(const Arguments &arguments, const accp_error &fault, std::string &out) {
    out.append("accp: ");
    const bool of_a_message = fault.code == ACCP_E1001 || fault.code == ACCP_E1004;
    if (of_a_message) out.append("message " + std::to_string(fault.record + 1) + ": ");
    out.append(describe(fault));
    if (of_a_message && fault.record == 0 && (arguments.from == "auto" || arguments.from == "*"))
        out.append(
            "; no form of conversation was found in it: begin turns with \"User:\" and "
            "\"Assistant:\", or name the form by --from");
    out.append("\n");
}

int generate(const Arguments &arguments, const std::string &creator, Streams &io) {
    if (arguments.files.size() != 1)
        throw Failure("context generate takes one task: put it in quotes");
    const bool has_talk = arguments.code.empty() || !arguments.conversation.empty();
    const std::string text =
        has_talk ? read_input(arguments.conversation.empty() ? "-" : arguments.conversation) : "";
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {arguments.files[0].data(), arguments.files[0].size()};
    request.conversation = {text.data(), text.size()};
    request.an_interface = interface_of(arguments.from, text);
    request.depth = depth_of(arguments.depth);
    request.budget_tokens = arguments.budget;
    request.creator = {creator.data(), creator.size()};
    request.now_ms = now_ms(arguments);
    apply_settings(arguments, request);
    PacketFile file(arguments);
    request.code = file.take_code(arguments);
    bool made = file.generate(request);
    if (!made && request.code && file.fault().code == ACCP_ERR_CORRUPT) {
        request.code = file.take_code(arguments);  // its index was damaged, and is gone
        made = file.generate(request);
    }
    if (!made) {
        tell_refused(arguments, file.fault(), io.err.text);
        return 1;
    }
    if (arguments.pane) return put_in_pane(arguments, file, io);
    io.out.text.append(
        file.print(arguments.json ? accp_packet_print_json : accp_packet_print_yaml));
    if (arguments.json) io.out.text.push_back('\n');
    return 0;
}

// The same task again, of a newer conversation.
int refresh(const Arguments &arguments, Streams &io) {
    Arguments again = arguments;
    std::string creator;
    const int status = take_standing(again, creator, io);
    return status == 0 ? generate(again, creator, io) : status;
}

}  // namespace

int run_context(const Arguments &arguments, Streams &io) {
    check_place(arguments);
    const std::string agent = arguments.agent == "harness" ? "accp" : arguments.agent;
    if (arguments.action == "generate") return generate(arguments, agent, io);
    if (arguments.action == "refresh") return refresh(arguments, io);
    if (is_of_panes(arguments)) return run_panes(arguments, io);
    if (const std::optional<int> status = run_context_query(arguments, io)) return *status;
    return arguments.action == "validate" ? validate(arguments, io) : print(arguments, io);
}

}  // namespace cli
