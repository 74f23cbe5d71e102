// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context: context packets in files and in the panes of a project.
#include "cli/commands.h"
#include "cli/host.h"
#include "cli/packet/actions.h"
#include "cli/packet/panes_project.h"
#include "cli/settings.h"
#include "cli/terminal/streams.h"

namespace cli {
namespace {

constexpr std::string_view kNotYaml = "not yaml: ";

// Programs compare the name of the error, so the reason of the YAML parser is a member of its own.
void append_packet_error(const accp_error &error, std::string &out) {
    const std::string_view message = error.message;
    const bool has_reason = message.substr(0, kNotYaml.size()) == kNotYaml;
    out.append(",\"error\":");
    append_json_string(has_reason ? message.substr(0, kNotYaml.find(':')) : message, out);
    if (has_reason) {
        out.append(",\"reason\":");
        append_json_string(message.substr(kNotYaml.size()), out);
    }
    out.append(",\"code\":\"").append(accp_status_code_name(error.code));
    out.append("\",\"offset\":").append(std::to_string(error.offset));
    if (error.limit == 0) return;
    out.append(",\"had\":").append(std::to_string(error.had));
    out.append(",\"limit\":").append(std::to_string(error.limit));
}

// {"ok":true,"warnings":[],"checksum":"sha256:…","tokens":N,"packet":{…}}
void append_validation_json(PacketFile &file, bool is_valid, const std::string &text,
                            std::string &out) {
    out.append(is_valid ? R"({"ok":true)" : R"({"ok":false)");
    if (!is_valid) append_packet_error(file.error(), out);
    // If only the checksum is wrong, the other members are still printed.
    const bool is_readable = is_valid || file.read(text, false);
    out.append(",\"warnings\":[");
    const char *comma = "";
    for (const std::string &name : is_readable ? file.warnings() : std::vector<std::string>()) {
        out.append(comma);
        append_json_string(name, out);
        comma = ",";
    }
    out.push_back(']');
    if (is_readable) {
        out.append(",\"checksum\":");
        append_json_string(file.checksum(), out);
        out.append(",\"tokens\":").append(std::to_string(file.tokens()));
        out.append(",\"packet\":").append(file.print(accp_packet_print_json));
    }
    out.append("}\n");
}

void append_validation(PacketFile &file, bool is_valid, const std::string &name, std::string &out) {
    append_printable(name, out);
    if (!is_valid) {
        out.append(": ").append(file.error_text()).append("\n");
        return;
    }
    out.append(": ok, " + std::to_string(file.tokens()) + " tokens, ");
    out.append(file.checksum());
    for (const std::string &warning : file.warnings()) append_printable("; " + warning, out);
    out.push_back('\n');
}

int validate_packets(const Arguments &arguments, Streams &io) {
    PacketFile file(arguments);
    file.read_code_files(arguments);
    for (const std::string &name : input_names(arguments)) {
        const std::string text = read_input(name);
        const bool is_valid = file.read(text, !arguments.no_verify);
        ++io.records;
        if (!is_valid) ++io.refused;
        arguments.json ? append_validation_json(file, is_valid, text, io.out.text)
                       : append_validation(file, is_valid, name, io.out.text);
        io.flush_if_full();
    }
    return io.status();
}

// Reads the only file or standard input. Returns false and prints the error if it is not a packet.
bool read_one_packet(PacketFile &file, bool verify, const Arguments &arguments, Streams &io) {
    const std::string name = input_names(arguments)[0];
    if (file.read(read_input(name), verify)) return true;
    io.err.text.append("accp: ").append(file.refusal(name)).append("\n");
    return false;
}

void check_one_file(const Arguments &arguments) {
    if (arguments.files.size() > 1)
        throw Failure("context " + arguments.action + " takes one packet");
}

int seal_packet(const Arguments &arguments, Streams &io) {
    check_one_file(arguments);
    PacketFile file(arguments);
    if (!read_one_packet(file, false, arguments, io)) return 1;
    file.seal();
    file.append_to(io.out.text, arguments);
    return 0;
}

int preview(const Arguments &arguments, Streams &io) {
    if (arguments.pane || arguments.shared) return show_pane(arguments, io);
    check_one_file(arguments);
    if (arguments.json)
        throw Failure(
            "context preview takes --json only with --pane N or --shared: a file is printed as "
            "text");
    PacketFile file(arguments);
    if (!read_one_packet(file, !arguments.no_verify, arguments, io)) return 1;
    if (has_colour()) show_layers(file.get(), arguments.budget, io.out.text);
    else io.out.text.append(file.print(accp_packet_print_prompt));
    return 0;
}

// Prints instructions to add to those of an orchestrator or a worker.
int show_role(const Arguments &arguments, Streams &io) {
    if (arguments.orchestrator == arguments.worker)
        throw Failure("context roles takes --orchestrator or --worker");
    const std::string text =
        role_text(arguments.worker ? Role::kWorker : Role::kOrchestrator, PaneInterface::kCommands);
    if (!arguments.json) {
        io.out.text.append(text);
        return 0;
    }
    io.out.text.append(arguments.worker ? R"({"role":"worker","text":)"
                                        : R"({"role":"orchestrator","text":)");
    append_json_string(text, io.out.text);
    io.out.text.append("}\n");
    return 0;
}

struct ContextAction {
    const char *name;
    int (*run)(const Arguments &arguments, Streams &io);
};
constexpr ContextAction kContextActions[] = {
    {"validate", validate_packets},
    {"seal", seal_packet},
    {"preview", preview},
    {"generate", generate_packet},
    {"refresh", refresh_packet},
    {"spawn", spawn_worker},
    {"read", show_pane},
    {"push", push_packet},
    {"edit", edit_packet},
    {"clear", clear_pane},
    {"restore", restore_pane},
    {"feedback", show_feedback},
    {"record", record_task},
    {"hook", run_hook},
    {"setup", set_up_context},
    {"stats", show_stats},
    {"advise", advise_depth},
    {"roles", show_role},
    {"query", query_packets},
    {"log", show_changelog},
    {"diff", show_diff},
    {"revise", revise_packet},
    {"compress", compress_packet},
};

}  // namespace

int run_context(const Arguments &arguments, Streams &io) {
    check_pane_options(arguments);
    for (const ContextAction &action : kContextActions) {
        if (arguments.action != action.name) continue;
        try {
            return action.run(arguments, io);
        } catch (const RefusedPacket &refused) {
            append_printable("accp: " + refused.reason, io.err.text);
            io.err.text.push_back('\n');
            return 1;
        }
    }
    throw Failure("unknown action: " + arguments.action);
}

}  // namespace cli
