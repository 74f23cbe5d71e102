// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_panes.h.
#include "cli/packet/panes.h"

#include "cli/packet/view.h"
#include "cli/terminal/streams.h"

#include "cli/frames/frame_codec.h"
#include "cli/host.h"
#include "cli/packet/edit.h"
#include "cli/packet/learning.h"
#include "cli/packet/packet_file.h"
#include "cli/packet/panes_project.h"
#include "cli/settings.h"

namespace cli {
namespace {

// "pane":1,"path":…,"checksum":…,"tokens":N
void tell_packet(int64_t pane, const accp_packet *packet, std::string &out) {
    if (pane != ACCP_PANES_SHARED) out.append("\"pane\":" + std::to_string(pane) + ",");
    out.append("\"path\":");
    append_json_string(pane_path(pane), out);
    out.append(",\"checksum\":");
    append_json_string(to_view(accp_packet_checksum(packet)), out);
    out.append(",\"tokens\":").append(std::to_string(accp_packet_tokens(packet)));
}

// The frame that tells a worker that its packet is another one.
std::string frame_of(const Arguments &arguments, int64_t pane, const accp_packet *packet,
                     Streams &io) {
    std::string message = R"({"agent":)";
    append_json_string(arguments.agent == "harness" ? "orchestrator" : arguments.agent, message);
    message.append(R"(,"intent":"sync","operation":"context","payload":{)");
    tell_packet(pane, packet, message);
    message.append("}}");
    FrameCodec codec(arguments, io);
    std::string_view frame;
    accp_error err = {};
    if (codec.encode(message, frame, err) != ACCP_OK) throw Failure("--agent: " + message_of(err));
    return std::string(frame);
}

// Of generate the line for the worker's task; of push and refresh the frame.
void tell_put(const Arguments &arguments, int64_t pane, PacketFile &packet, Streams &io) {
    if (arguments.action == "spawn") return;  // the worker is told
    const bool tells = arguments.action != "generate";
    const std::string line =
        tells ? frame_of(arguments, pane, packet.get(), io) : reading_line(pane);
    std::string &out = io.out.text;
    if (!arguments.json) {
        out.append(line).append("\n");
        return;
    }
    out.push_back('{');
    tell_packet(pane, packet.get(), out);
    out.append(tells ? ",\"frame\":" : ",\"instruction\":");
    append_json_string(line, out);
    out.append(",\"packet\":").append(packet.print(accp_packet_print_json)).append("}\n");
}

int put(const Arguments &arguments, const PanesProject &project, const std::string &revision,
        uint32_t writing, PacketFile &packet, Streams &io) {
    const int64_t pane = said_pane(arguments);
    accp_error err = {};
    if (accp_panes_write(project.get(), pane, revision.data(), revision.size(), writing,
                         now_ms(arguments), packet.get(), &err) != ACCP_OK)
        return refuse_pane(pane, err, io);
    tell_put(arguments, pane, packet, io);
    return 0;
}

// Whose seal it is that is broken, and how it is made again; empty: that is not what is wrong.
std::string seal_advice(const PanesProject &project, int64_t pane, PacketFile &packet) {
    for (const int64_t of : {pane, ACCP_PANES_SHARED}) {
        if (project.read_as_it_stands(of, packet.get()) != ACCP_OK) return {};
        if (accp_packet_warnings(packet.get()) & ACCP_PACKET_OTHER_CHECKSUM)
            return "; look at it, and seal it again: accp context edit " + place_option(of);
    }
    return {};
}

// What a worker reads; of read with a receipt.
int show(const Arguments &arguments, Streams &io) {
    const bool reads = arguments.action == "read";
    if (!arguments.files.empty() || arguments.no_verify)
        throw Failure(
            "context preview takes a FILE, or --pane N or --shared; --no-verify is of a "
            "file");
    const PanesProject project(arguments, reads ? JournalUse::kWrite : JournalUse::kNone);
    const int64_t pane = reads ? own_pane(arguments, project) : said_pane(arguments);
    PacketFile packet(arguments);
    accp_error err = {};
    const uint32_t how = reads && pane != ACCP_PANES_SHARED ? ACCP_PANES_RECEIPT : 0;
    if (accp_panes_read(project.get(), pane, how, now_ms(arguments), packet.get(), &err) != ACCP_OK)
        return refuse_pane(pane, err, io, seal_advice(project, pane, packet));
    const std::string prompt(packet.print(accp_packet_print_prompt));
    std::string &out = io.out.text;
    if (!arguments.json) {
        // a worker reads its packet as it is
        if (!reads && has_colour()) show_layers(packet.get(), arguments.budget, out);
        else out.append(prompt);
        return 0;
    }
    out.push_back('{');
    tell_packet(pane, packet.get(), out);
    out.append(",\"prompt\":");
    append_json_string(prompt, out);
    out.append(",\"packet\":").append(packet.print(accp_packet_print_json)).append("}\n");
    return 0;
}

// The checksum of the packet that is there now; empty: there is none.
std::string standing_revision(const Arguments &arguments, const PanesProject &project) {
    const PacketFile there(arguments);
    if (project.read_as_it_stands(said_pane(arguments), there.get()) != ACCP_OK) return {};
    return std::string(there.checksum());
}

// The packet of a file, whatever its seal; what is wrong with it is told.
bool take(const std::string &name, PacketFile &packet, Streams &io) {
    if (packet.read(read_input(name), false)) return true;
    io.err.text.append("accp: " + name + ": " + packet.why() + "\n");
    return false;
}

// A packet of a file or of standard input takes the place of the one that is there.
int push(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() > 1) throw Failure("context push takes one packet");
    const PanesProject project(arguments, JournalUse::kNone);
    PacketFile packet(arguments);
    if (!take(input_names(arguments)[0], packet, io)) return 1;
    std::string revision = arguments.revision;
    if (revision.empty() && arguments.shared) revision = standing_revision(arguments, project);
    return put(arguments, project, revision, 0, packet, io);
}

// A packet that the project has, and its seal as it stands.
struct Standing {
    std::string revision;
    bool is_sealed;
};

// The edited text takes the place of the packet; one that is as it was is not written, unless its
// seal was broken.
int put_edited(const Arguments &arguments, const PanesProject &project, const Standing &standing,
               const std::string &name, PacketFile &packet, Streams &io) {
    if (!take(name, packet, io)) return 1;
    if (arguments.files.empty() && standing.is_sealed && !arguments.json &&
        packet.checksum() == standing.revision) {
        io.out.text.append("not changed\n");
        return 0;
    }
    return put(arguments, project,
               arguments.revision.empty() ? standing.revision : arguments.revision,
               ACCP_PANES_EDITED, packet, io);
}

// What was written is never lost: a text that is refused stays where it is, and that is told.
int edit_by_hand(const Arguments &arguments, const PanesProject &project, const Standing &standing,
                 PacketFile &packet, Streams &io) {
    EditedFile file(std::string(packet.print(accp_packet_print_yaml)));
    const std::string kept = "what you wrote is kept: accp context edit " +
                             place_option(said_pane(arguments)) + " " + file.path();
    try {
        file.run_editor();
        const int status = put_edited(arguments, project, standing, file.path(), packet, io);
        if (status != 0 && file.keep_changes()) io.err.text.append("accp: " + kept + "\n");
        return status;
    } catch (const Failure &failure) {
        if (!file.keep_changes()) throw;
        throw Failure(std::string(failure.what()) + "; " + kept);
    }
}

// By an editor, or by a file that has been edited.
int edit(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() > 1) throw Failure("context edit takes one packet");
    const PanesProject project(arguments, JournalUse::kWrite);
    PacketFile packet(arguments);
    const int64_t pane = said_pane(arguments);
    accp_error err = {};
    if (project.read_as_it_stands(pane, packet.get(), &err) != ACCP_OK)
        return refuse_pane(pane, err, io);
    const Standing standing = {std::string(packet.checksum()), (accp_packet_warnings(packet.get()) &
                                                                ACCP_PACKET_OTHER_CHECKSUM) == 0};
    return arguments.files.empty()
               ? edit_by_hand(arguments, project, standing, packet, io)
               : put_edited(arguments, project, standing, arguments.files[0], packet, io);
}

int clear(const Arguments &arguments, Streams &io) {
    const PanesProject project(arguments, JournalUse::kWrite);
    const int64_t pane = said_pane(arguments);
    accp_error err = {};
    if (accp_panes_remove(project.get(), pane, now_ms(arguments), &err) != ACCP_OK)
        return refuse_pane(pane, err, io);
    if (arguments.json)
        io.out.text.append("{\"pane\":" + std::to_string(pane) + ",\"removed\":true}\n");
    return 0;
}

struct Action {
    const char *name;
    int (*run)(const Arguments &, Streams &);
};
constexpr Action kActions[] = {
    {"read", show},
    {"push", push},
    {"edit", edit},
    {"clear", clear},
    {"feedback", tell_feedback},
    {"record", record_task},
    {"stats", print_stats},
    {"advise", advise_depth},
    {"roles", print_role},
};

}  // namespace

bool is_of_panes(const Arguments &arguments) {
    if (arguments.action == "preview") return arguments.pane || arguments.shared;
    for (const Action &each : kActions)
        if (arguments.action == each.name) return true;
    return false;
}

int run_panes(const Arguments &arguments, Streams &io) {
    for (const Action &each : kActions)
        if (arguments.action == each.name) return each.run(arguments, io);
    return show(arguments, io);
}

int put_in_pane(const Arguments &arguments, PacketFile &packet, Streams &io) {
    const PanesProject project(arguments, JournalUse::kNone);
    return put(arguments, project, arguments.revision, 0, packet, io);
}

}  // namespace cli
