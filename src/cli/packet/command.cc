// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context: context packets in files. validate says what each file is, seal writes one with its
// checksum, preview what a worker's model reads of it. What is in a project's files:
// context_panes.h.
#include "cli/commands.h"
#include "cli/host.h"
#include "cli/packet/generate.h"
#include "cli/packet/packet_file.h"
#include "cli/packet/panes.h"
#include "cli/packet/panes_project.h"
#include "cli/packet/query.h"
#include "cli/packet/view.h"
#include "cli/settings.h"
#include "cli/terminal/streams.h"

namespace cli {
namespace {

constexpr std::string_view kNoYaml = "not yaml: ";

// The parser's reason stands apart: programs know the errors by their names.
void write_fault(const accp_error &fault, std::string &out) {
    const std::string_view message = fault.message;
    const bool reasons = message.substr(0, kNoYaml.size()) == kNoYaml;
    out.append(",\"error\":");
    append_json_string(reasons ? message.substr(0, kNoYaml.find(':')) : message, out);
    if (reasons) {
        out.append(",\"reason\":");
        append_json_string(message.substr(kNoYaml.size()), out);
    }
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
        out.append(": ").append(file.why()).append("\n");
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
    if (!seal && arguments.json)
        throw Failure(
            "context preview has --json with --pane N and --shared: of a file it is the "
            "file");
    PacketFile file(arguments);
    const std::string name = input_names(arguments)[0];
    if (!file.read(read_input(name), !seal && !arguments.no_verify)) {
        tell(file, false, "accp: " + name, io.err.text);
        return 1;
    }
    if (seal) file.seal();
    if (!seal && has_colour()) {
        show_layers(file.get(), arguments.budget, io.out.text);
        return 0;
    }
    io.out.text.append(!seal            ? file.print(accp_packet_print_prompt)
                       : arguments.json ? file.print(accp_packet_print_json)
                                        : file.print(accp_packet_print_yaml));
    if (seal && arguments.json) io.out.text.push_back('\n');
    return 0;
}

}  // namespace

int run_context(const Arguments &arguments, Streams &io) {
    check_place(arguments);
    if (arguments.action == "generate") return generate_packet(arguments, io);
    if (arguments.action == "refresh") return refresh_packet(arguments, io);
    if (arguments.action == "spawn") return spawn_worker(arguments, io);
    if (is_of_panes(arguments)) return run_panes(arguments, io);
    if (const std::optional<int> status = run_context_query(arguments, io)) return *status;
    return arguments.action == "validate" ? validate(arguments, io) : print(arguments, io);
}

}  // namespace cli
