// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context read, preview --pane, push, edit and clear: packets in the files of a project.
#include "cli/frames/frame_codec.h"
#include "cli/host.h"
#include "cli/packet/actions.h"
#include "cli/packet/edited_file.h"
#include "cli/packet/packet_file.h"
#include "cli/packet/panes_project.h"
#include "cli/settings.h"
#include "cli/terminal/streams.h"

namespace cli {
namespace {

// "pane":1,"path":…,"checksum":…,"tokens":N
void append_packet_members(int64_t pane, const accp_packet *packet, std::string &out) {
    if (pane != ACCP_PANES_SHARED) out.append("\"pane\":" + std::to_string(pane) + ",");
    out.append("\"path\":");
    append_json_string(pane_path(pane), out);
    out.append(",\"checksum\":");
    append_json_string(to_view(accp_packet_checksum(packet)), out);
    out.append(",\"tokens\":").append(std::to_string(accp_packet_tokens(packet)));
}

// Returns the frame that announces the new packet to a worker.
std::string announcement(const Arguments &arguments, int64_t pane, const accp_packet *packet,
                         Streams &io) {
    std::string message = R"({"agent":)";
    append_json_string(arguments.agent == "harness" ? "orchestrator" : arguments.agent, message);
    message.append(R"(,"intent":"sync","operation":"context","payload":{)");
    append_packet_members(pane, packet, message);
    message.append("}}");
    FrameCodec codec(arguments, io);
    std::string_view frame;
    accp_error err = {};
    if (codec.encode(message, frame, err) != ACCP_OK) throw Failure("--agent: " + message_of(err));
    return std::string(frame);
}

// Prints the line for the worker's task after generate, and the frame after push, edit and refresh.
void print_written(const Arguments &arguments, int64_t pane, PacketFile &packet, Streams &io) {
    if (arguments.action == "spawn") return;  // the worker gets the line with its task
    const bool is_announced = arguments.action != "generate";
    const std::string line =
        is_announced ? announcement(arguments, pane, packet.get(), io) : reading_line(pane);
    std::string &out = io.out.text;
    if (!arguments.json) {
        out.append(line).append("\n");
        return;
    }
    out.push_back('{');
    append_packet_members(pane, packet.get(), out);
    out.append(is_announced ? ",\"frame\":" : ",\"instruction\":");
    append_json_string(line, out);
    out.append(",\"packet\":").append(packet.print(accp_packet_print_json)).append("}\n");
}

int write_packet(const Arguments &arguments, const PanesProject &project,
                 const std::string &revision, uint32_t flags, PacketFile &packet, Streams &io) {
    const int64_t pane = selected_pane(arguments);
    accp_error err = {};
    if (accp_panes_write(project.get(), pane, packet.get(), revision.data(), revision.size(),
                         now_ms(arguments), flags, &err) != ACCP_OK)
        return report_pane_error(pane, err, io);
    print_written(arguments, pane, packet, io);
    return 0;
}

// Returns advice if the seal of the pane's or the shared packet is broken, otherwise an empty
// string.
std::string seal_advice(const PanesProject &project, int64_t pane, PacketFile &packet) {
    for (const int64_t sealed : {pane, ACCP_PANES_SHARED}) {
        if (project.read_unverified(sealed, packet.get()) != ACCP_OK) return {};
        if (accp_packet_warnings(packet.get()) & ACCP_PACKET_OTHER_CHECKSUM)
            return "; check the packet and seal it again: accp context edit " + pane_option(sealed);
    }
    return {};
}

// Returns the checksum of the current packet, or an empty string.
std::string current_revision(const Arguments &arguments, const PanesProject &project) {
    const PacketFile current(arguments);
    if (project.read_unverified(selected_pane(arguments), current.get()) != ACCP_OK) return {};
    return std::string(current.checksum());
}

// Reads a packet without a check of its seal. Returns false and prints the error on failure.
bool read_unsealed(const std::string &name, PacketFile &packet, Streams &io) {
    if (packet.read(read_input(name), false)) return true;
    io.err.text.append("accp: " + name + ": " + packet.error_text() + "\n");
    return false;
}

// The packet before an edit.
struct CurrentPacket {
    std::string revision;
    bool is_sealed;
};

// Writes the edited packet. Skips a packet that has not changed, unless its seal was broken.
int write_edited(const Arguments &arguments, const PanesProject &project,
                 const CurrentPacket &current, const std::string &name, PacketFile &packet,
                 Streams &io) {
    if (!read_unsealed(name, packet, io)) return 1;
    if (arguments.files.empty() && current.is_sealed && !arguments.json &&
        packet.checksum() == current.revision) {
        io.out.text.append("not changed\n");
        return 0;
    }
    return write_packet(arguments, project,
                        arguments.revision.empty() ? current.revision : arguments.revision,
                        ACCP_PANES_EDITED, packet, io);
}

// If the edited text is refused, its file is kept and its path is printed.
int edit_in_editor(const Arguments &arguments, const PanesProject &project,
                   const CurrentPacket &current, PacketFile &packet, Streams &io) {
    EditedFile file(std::string(packet.print(accp_packet_print_yaml)));
    const std::string kept = "what you wrote is kept: accp context edit " +
                             pane_option(selected_pane(arguments)) + " " + file.path();
    try {
        file.run_editor();
        const int status = write_edited(arguments, project, current, file.path(), packet, io);
        if (status != 0 && file.keep_changes()) io.err.text.append("accp: " + kept + "\n");
        return status;
    } catch (const Failure &failure) {
        if (!file.keep_changes()) throw;
        throw Failure(std::string(failure.what()) + "; " + kept);
    }
}

}  // namespace

// Prints what the worker reads. `read` also writes a receipt.
int show_pane(const Arguments &arguments, Streams &io) {
    const bool is_read = arguments.action == "read";
    if (!arguments.files.empty() || arguments.no_verify)
        throw Failure(
            "context preview takes a FILE, or --pane N or --shared; --no-verify needs a FILE");
    const PanesProject project(arguments, is_read ? JournalUse::kWrite : JournalUse::kRead);
    const int64_t pane = is_read ? own_pane(arguments, project) : selected_pane(arguments);
    PacketFile packet(arguments);
    accp_error err = {};
    const uint32_t flags = is_read && pane != ACCP_PANES_SHARED ? ACCP_PANES_RECEIPT : 0;
    if (accp_panes_read(project.get(), pane, now_ms(arguments), flags, packet.get(), &err) !=
        ACCP_OK)
        return report_pane_error(pane, err, io, seal_advice(project, pane, packet));
    const std::string prompt(packet.print(accp_packet_print_prompt));
    std::string &out = io.out.text;
    if (!arguments.json) {
        // A worker gets the plain text.
        if (!is_read && has_colour()) show_layers(packet.get(), arguments.budget, out);
        else out.append(prompt);
        out.append(host::about_packet(packet.print(accp_packet_print_json), now_ms(arguments), {},
                                      project.frequent_gaps()));
        return 0;
    }
    out.push_back('{');
    append_packet_members(pane, packet.get(), out);
    out.append(",\"prompt\":");
    append_json_string(prompt, out);
    out.append(",\"packet\":").append(packet.print(accp_packet_print_json)).append("}\n");
    return 0;
}

// Replaces the current packet by a file or standard input.
int push_packet(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() > 1) throw Failure("context push takes one packet");
    const PanesProject project(arguments, JournalUse::kNone);
    PacketFile packet(arguments);
    if (!read_unsealed(input_names(arguments)[0], packet, io)) return 1;
    std::string revision = arguments.revision;
    if (revision.empty() && arguments.shared) revision = current_revision(arguments, project);
    return write_packet(arguments, project, revision, 0, packet, io);
}

// Edits the packet in an editor, or replaces it by an edited file.
int edit_packet(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() > 1) throw Failure("context edit takes one packet");
    const PanesProject project(arguments, JournalUse::kWrite);
    PacketFile packet(arguments);
    const int64_t pane = selected_pane(arguments);
    accp_error err = {};
    if (project.read_unverified(pane, packet.get(), &err) != ACCP_OK)
        return report_pane_error(pane, err, io);
    const CurrentPacket current = {
        std::string(packet.checksum()),
        (accp_packet_warnings(packet.get()) & ACCP_PACKET_OTHER_CHECKSUM) == 0};
    return arguments.files.empty()
               ? edit_in_editor(arguments, project, current, packet, io)
               : write_edited(arguments, project, current, arguments.files[0], packet, io);
}

int clear_pane(const Arguments &arguments, Streams &io) {
    const PanesProject project(arguments, JournalUse::kWrite);
    const int64_t pane = selected_pane(arguments);
    accp_error err = {};
    if (accp_panes_remove(project.get(), pane, now_ms(arguments), &err) != ACCP_OK)
        return report_pane_error(pane, err, io);
    if (arguments.json)
        io.out.text.append("{\"pane\":" + std::to_string(pane) + ",\"removed\":true}\n");
    return 0;
}

// Writes back the packet that clear, or record, archived last.
int restore_pane(const Arguments &arguments, Streams &io) {
    const PanesProject project(arguments, JournalUse::kRead);
    const int64_t pane = selected_pane(arguments);
    accp_error err = {};
    if (accp_panes_restore(project.get(), pane, &err) != ACCP_OK)
        return report_pane_error(pane, err, io);
    if (arguments.json)
        io.out.text.append("{\"pane\":" + std::to_string(pane) + ",\"restored\":true}\n");
    return 0;
}

int put_in_pane(const Arguments &arguments, PacketFile &packet, Streams &io) {
    const PanesProject project(arguments, JournalUse::kNone);
    if (arguments.action != "refresh")
        return write_packet(arguments, project, arguments.revision, ACCP_PANES_MADE, packet, io);
    const int64_t pane = selected_pane(arguments);
    accp_error err = {};
    if (accp_panes_refresh(project.get(), pane, packet.get(), arguments.revision.data(),
                           arguments.revision.size(), arguments.note.data(), arguments.note.size(),
                           &err) != ACCP_OK)
        return report_pane_error(pane, err, io);
    print_written(arguments, pane, packet, io);
    return 0;
}

}  // namespace cli
