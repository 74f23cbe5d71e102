// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_generate.h.
#include "cli/packet/generate.h"

#include "cli/packet/extractor.h"
#include "cli/packet/panes.h"
#include "cli/packet/refresh.h"
#include "cli/packet/spawn.h"
#include "cli/host.h"
#include "cli/packet/packet_file.h"
#include "cli/packet/panes_project.h"
#include "cli/settings.h"

namespace cli {
namespace {

std::string creator_of(const Arguments &arguments) {
    return arguments.agent == "harness" ? "accp" : arguments.agent;
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
    if (fault.code == ACCP_ERR_CORRUPT) {
        out.append("--extract: at byte " + std::to_string(fault.offset) + " of its answer: ");
        out.append(message_of(fault)).append("\n");
        return;
    }
    if (of_a_message) out.append("message " + std::to_string(fault.record + 1) + ": ");
    out.append(describe(fault));
    if (of_a_message && fault.record == 0 && (arguments.from == "auto" || arguments.from == "*"))
        out.append(
            "; no form of conversation was found in it: begin turns with \"User:\" and "
            "\"Assistant:\", or name the form by --from");
    out.append("\n");
}

// accp: the extractor: 7 of 9 items are in the conversation, the others are dropped
void tell_dropped(PacketFile &file, std::string &out) {
    const JsonTree tree(file.print(accp_packet_print_json), file.config());
    const uint32_t counts = tree.find(tree.find(0, "sources"), "extractor");
    out.append("accp: the extractor: ").append(tree.text(counts));
    out.append(" are in the conversation, the others are dropped\n");
}

int generate(const Arguments &arguments, const std::string &creator, Streams &io) {
    if (arguments.files.size() != 1)
        throw Failure("context generate takes one task: put it in quotes");
    if (!arguments.pane && !arguments.revision.empty())
        throw Failure("--revision is of a packet in its place: it takes --pane N");
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
    CommandExtractor extractor(arguments);
    PacketFile file(arguments, &extractor);
    request.code = file.take_code(arguments);
    bool made = file.generate(request);
    if (!made && request.code && file.fault().code == ACCP_ERR_CORRUPT) {
        request.code = file.take_code(arguments);  // its index was damaged, and is gone
        made = file.generate(request);
    }
    if (!made) {
        extractor.check();
        tell_refused(arguments, file.fault(), io.err.text);
        return 1;
    }
    if (accp_packet_warnings(file.get()) & ACCP_PACKET_DROPPED_ITEMS)
        tell_dropped(file, io.err.text);
    if (arguments.pane) return put_in_pane(arguments, file, io);
    io.out.text.append(
        file.print(arguments.json ? accp_packet_print_json : accp_packet_print_yaml));
    if (arguments.json) io.out.text.push_back('\n');
    return 0;
}

}  // namespace

int generate_packet(const Arguments &arguments, Streams &io) {
    return generate(arguments, creator_of(arguments), io);
}

// The same task again, of a newer conversation.
int refresh_packet(const Arguments &arguments, Streams &io) {
    Arguments again = arguments;
    std::string creator;
    const int status = take_standing(again, creator, io);
    return status == 0 ? generate(again, creator, io) : status;
}

// A worker with its packet; where that cannot be made none is started.
int spawn_worker(const Arguments &arguments, Streams &io) {
    const Worker worker(arguments);
    if (worker.wants_packet()) {
        const int status = generate(arguments, creator_of(arguments), io);
        if (status != 0) return status;
    }
    io.flush();
    io.err.flush();
    worker.start();
}

}  // namespace cli
