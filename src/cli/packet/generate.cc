// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context generate and refresh.
#include "cli/host.h"
#include "cli/packet/actions.h"
#include "cli/packet/panes_project.h"
#include "cli/process/child.h"
#include "cli/settings.h"

namespace cli {
namespace {

std::string creator_of(const Arguments &arguments) {
    return arguments.agent == "harness" ? "accp" : arguments.agent;
}

// Returns the interface of the conversation; 0 for our own messages.
int32_t conversation_interface(const std::string &name, const std::string &text) {
    if (name == "messages") return 0;
    const bool detects = name == "auto" || name == "*";
    const int32_t found = detects ? accp_interface_detect(text.data(), text.size())
                                  : accp_interface_find(name.data(), name.size());
    if (found >= 0) return found;
    if (detects) return 0;
    std::string names;
    for (int32_t i = 1; accp_interface_name(i); ++i)
        names.append(names.empty() ? "" : ", ").append(accp_interface_name(i));
    throw Failure("unknown interface: " + name + "; known are auto, messages, " + names);
}

// The command of --extract, which finds items in a conversation, as the hook `extract` of a config.
// It reads and writes the JSON of accp_extract_function.
class CommandExtractor {
public:
    // Throws Failure if --extract is blank.
    explicit CommandExtractor(const Arguments &arguments)
        : command_(split_command(arguments.extract)),
          max_ms_(static_cast<int64_t>(arguments.extract_seconds) * 1000) {
        if (!arguments.extract.empty() && command_.empty())
            throw Failure("--extract names no command");
        hooks_.size = sizeof hooks_;
        hooks_.user = this;
        hooks_.extract = run;
    }
    CommandExtractor(const CommandExtractor &) = delete;

    // NULL without --extract. Valid as long as this object.
    const accp_hooks *hooks() const { return command_.empty() ? nullptr : &hooks_; }
    // Throws Failure if the command failed.
    void check() const {
        if (!fault_.empty()) throw Failure("--extract " + command_[0] + ": " + fault_);
    }

private:
    // No exception may reach the library, which calls this.
    static accp_status run(const char *request, size_t request_len, accp_text *out, void *user) {
        CommandExtractor &self = *static_cast<CommandExtractor *>(user);
        try {
            ChildResult ran = run_child_on(self.command_, {request, request_len}, self.max_ms_);
            self.fault_ = ran.fault();
            self.output_ = std::move(ran.out);
        } catch (const Failure &failure) {
            self.fault_ = failure.what();
        } catch (const std::bad_alloc &) {
            return ACCP_ERR_NOMEM;
        }
        if (!self.fault_.empty()) return ACCP_ERR_IO;
        *out = {self.output_.data(), self.output_.size()};
        return ACCP_OK;
    }

    std::vector<std::string> command_;
    int64_t max_ms_;
    accp_hooks hooks_ = {};
    std::string output_, fault_;
};

// Prints why no packet was generated.
void report_refusal(const Arguments &arguments, const accp_error &error, std::string &out) {
    out.append("accp: ");
    if (error.code == ACCP_ERR_CORRUPT) {
        out.append("--extract: at byte " + std::to_string(error.offset) + " of its output: ");
        out.append(message_of(error)).append("\n");
        return;
    }
    const bool is_about_message = error.code == ACCP_E1001 || error.code == ACCP_E1004;
    if (is_about_message) out.append("message " + std::to_string(error.record + 1) + ": ");
    out.append(describe(error));
    if (is_about_message && error.record == 0 &&
        (arguments.from == "auto" || arguments.from == "*"))
        out.append(
            "; the form of the conversation was not recognised: begin turns with \"User:\" and "
            "\"Assistant:\", or name the form with --from");
    out.append("\n");
}

// accp: the extractor: 7 of 9 items are in the conversation, the others are dropped
void report_dropped_items(PacketFile &file, std::string &out) {
    const JsonTree tree(file.print(accp_packet_print_json), file.config());
    const uint32_t counts = tree.find(tree.find(0, "sources"), "extractor");
    out.append("accp: the extractor: ").append(tree.text(counts));
    out.append(" are in the conversation, the others are dropped\n");
}

// `request`: its texts must outlive the call.
bool generate_from(const Arguments &arguments, accp_packet_request &request, PacketFile &file) {
    request.code = file.read_code_files(arguments);
    if (file.generate(request)) return true;
    if (!request.code || file.error().code != ACCP_ERR_CORRUPT) return false;
    // The index of the code was damaged and is deleted: try again without it.
    request.code = file.read_code_files(arguments);
    return file.generate(request);
}

int generate(const Arguments &arguments, const std::string &creator, Streams &io) {
    if (arguments.files.size() != 1)
        throw Failure("context generate takes one task: put it in quotes");
    if (!arguments.pane && !arguments.revision.empty())
        throw Failure("--revision is the revision of a pane's packet: it needs --pane N");
    const bool has_conversation = arguments.code.empty() || !arguments.conversation.empty();
    const std::string text =
        has_conversation ? read_input(arguments.conversation.empty() ? "-" : arguments.conversation)
                         : "";
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {arguments.files[0].data(), arguments.files[0].size()};
    request.conversation = {text.data(), text.size()};
    request.an_interface = conversation_interface(arguments.from, text);
    request.depth = depth_of(arguments.depth);
    request.budget_tokens = arguments.budget;
    request.creator = {creator.data(), creator.size()};
    request.now_ms = now_ms(arguments);
    apply_settings(arguments, request);
    const CommandExtractor extractor(arguments);
    PacketFile file(arguments, extractor.hooks());
    if (!generate_from(arguments, request, file)) {
        extractor.check();
        report_refusal(arguments, file.error(), io.err.text);
        return 1;
    }
    if (accp_packet_warnings(file.get()) & ACCP_PACKET_DROPPED_ITEMS)
        report_dropped_items(file, io.err.text);
    if (arguments.pane) return put_in_pane(arguments, file, io);
    file.append_to(io.out.text, arguments);
    return 0;
}

bool has_items(const JsonTree &tree, uint32_t parent, std::string_view name) {
    const uint32_t found = tree.find(parent, name);
    return found != 0 && tree.has_any(found);
}

// Returns the smallest depth that includes everything in the packet.
std::string smallest_depth(const JsonTree &packet) {
    const uint32_t context = packet.find(0, "context");
    if (has_items(packet, context, "failed_attempts") ||
        has_items(packet, context, "open_questions"))
        return "deep";
    if (has_items(packet, context, "decisions")) return "standard";
    const uint32_t code = packet.find(context, "codebase");
    const bool has_code = code != 0 && (has_items(packet, code, "relevant_files") ||
                                        has_items(packet, code, "patterns"));
    return has_code ? "standard" : "minimal";
}

}  // namespace

int generate_packet(const Arguments &arguments, Streams &io) {
    return generate(arguments, creator_of(arguments), io);
}

// Generates the pane's packet again, for the same task and creator, from a newer conversation.
int refresh_packet(const Arguments &arguments, Streams &io) {
    const PanesProject project(arguments, JournalUse::kNone);
    PacketFile current(arguments);
    const int64_t pane = selected_pane(arguments);
    accp_error err = {};
    if (project.read_unverified(pane, current.get(), &err) != ACCP_OK)
        return report_pane_error(pane, err, io);
    const JsonTree packet(current.print(accp_packet_print_json), current.config());
    Arguments again = arguments;
    again.files = {std::string(packet.text(packet.find(0, "target_task")))};
    if (again.depth.empty()) again.depth = smallest_depth(packet);
    return generate(again, std::string(packet.text(packet.find(0, "creator"))), io);
}

}  // namespace cli
