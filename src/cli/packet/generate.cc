// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context generate and refresh.
#include <filesystem>
#include <optional>

#include "cli/host.h"
#include "cli/http/embedder.h"
#include "cli/packet/actions.h"
#include "cli/packet/agent_conversations.h"
#include "cli/packet/item_model.h"
#include "cli/packet/panes_project.h"
#include "cli/process/child.h"
#include "cli/session/sessions.h"
#include "cli/settings.h"
#include "cli/system/descriptors.h"
#include "cli/system/files.h"

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

// The command of --extract, which finds items in a conversation.
// It reads and writes the JSON of accp_extract_function.
class CommandExtractor {
public:
    // Throws Failure if --extract is blank.
    explicit CommandExtractor(const Arguments &arguments)
        : command_(split_command(arguments.extract)),
          max_ms_(static_cast<int64_t>(arguments.extract_seconds) * 1000) {
        if (!arguments.extract.empty() && command_.empty())
            throw Failure("--extract names no command");
    }
    CommandExtractor(const CommandExtractor &) = delete;

    explicit operator bool() const { return !command_.empty(); }
    // Throws Failure if the command failed.
    void check() const {
        if (!fault_.empty()) throw Failure("--extract " + command_[0] + ": " + fault_);
    }

    // The hook, with a CommandExtractor as `user`. No exception leaves it.
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

private:
    std::vector<std::string> command_;
    int64_t max_ms_;
    std::string output_, fault_;
};

// The extractor and the embedder as the hooks of a config.
class PacketHooks {
public:
    explicit PacketHooks(const Arguments &arguments)
        : extractor_(arguments), embedder_(arguments.embedder) {
        hooks_.size = sizeof hooks_;
        hooks_.user = this;
        if (extractor_)
            hooks_.extract = [](const char *request, size_t request_len, accp_text *out,
                                void *user) {
                return CommandExtractor::run(request, request_len, out,
                                             &static_cast<PacketHooks *>(user)->extractor_);
            };
        if (embedder_)
            hooks_.embed = [](const accp_text *texts, size_t count, accp_vectors *out, void *user) {
                return EndpointEmbedder::embed(texts, count, out,
                                               &static_cast<PacketHooks *>(user)->embedder_);
            };
    }
    PacketHooks(const PacketHooks &) = delete;

    // Valid as long as this object.
    const accp_hooks *hooks() const { return &hooks_; }
    // Throws Failure if one of them failed.
    void check() const {
        extractor_.check();
        embedder_.check();
    }

private:
    CommandExtractor extractor_;
    EndpointEmbedder embedder_;
    accp_hooks hooks_ = {};
};

// Prints why no packet was generated.
void report_refusal(const Arguments &arguments, const accp_error &error, std::string &out) {
    out.append("accp: ");
    if (error.code == ACCP_ERR_CORRUPT) {
        out.append("--extract: at byte " + std::to_string(error.offset) + " of its output: ");
        out.append(message_of(error)).append("\n");
        return;
    }
    const bool is_about_items = message_of(error).starts_with("items: ");
    if (is_about_items) {
        out.append(describe(error)).append("\n");
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

// accp: items: decisions 2: no room in the budget
void report_items(PacketFile &file, std::string &out) {
    const std::string_view report = file.print(accp_packet_print_report);
    if (report.empty()) return;
    const JsonTree tree(report, file.config());
    struct Kind {
        std::string_view member, detail;
    };
    for (const Kind kind :
         {Kind{"dropped", "why"}, Kind{"unverified", "quote"}, Kind{"contradicted", "text"}}) {
        const uint32_t list = tree.find(0, kind.member);
        for (uint32_t i = list + 1; i < tree.next(list); i = tree.next(i)) {
            out.append("accp: items: ").append(tree.text(tree.find(i, "list"))).append(" ");
            out.append(tree.text(tree.find(i, "number"))).append(": ");
            if (kind.member == "unverified") out.append("the conversation has no \"");
            if (kind.member == "contradicted") out.append("a user said later: ");
            out.append(tree.text(tree.find(i, kind.detail)));
            out.append(kind.member == "unverified" ? "\"\n" : "\n");
        }
    }
}

// Names what the packet should have, because workers of the project often lacked it.
void report_frequent_gaps(const Arguments &arguments, std::string &out) {
    Arguments of_journal = arguments;
    of_journal.store.clear();  // that of --session
    std::string missed;
    try {
        missed = PanesProject(of_journal, JournalUse::kRead).frequent_gaps();
    } catch (const Failure &failure) {  // the packet needs no journal
        append_printable(std::string("accp: ") + failure.what() + "\n", out);
    }
    if (missed.empty()) return;
    missed.pop_back();
    for (size_t at = missed.find('\n'); at != missed.npos; at = missed.find('\n', at))
        missed.replace(at, 1, ", ");
    out.append("accp: earlier workers often lacked: ").append(missed);
    out.append("; say it in the task, or give it with --items\n");
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

constexpr const char *kNoConversation =
    "the store has no session with messages: give --session ID, or --conversation FILE";

// Returns whether it is a session of the library itself.
bool is_own_session(const std::string &id) { return id == "agentwire" || id.starts_with("accp."); }

// Returns the arguments with the session to use: --session, or the only one of the store. Returns
// nothing if the project's journal is the store, and has no such session. Throws Failure.
std::optional<Arguments> with_session(const Arguments &arguments) {
    Arguments of_session = arguments;
    const bool is_journal = of_session.store.empty();
    if (is_journal) {
        const std::string path = project_folder(arguments) + "/journal.sqlite";
        refuse_link(project_folder(arguments));
        refuse_link(path);
        if (!std::filesystem::exists(path_of(path))) return std::nullopt;
        of_session.store = "sqlite:" + path;
    }
    of_session.session = arguments.talk_session;
    if (!of_session.session.empty()) return of_session;
    const SessionStore store(of_session, true);
    std::vector<std::string> ids;
    accp_error err = {};
    if (store.append_ids(ids, err) != ACCP_OK)
        throw Failure(of_session.store + ": " + message_of(err));
    std::erase_if(ids, is_own_session);
    if (ids.empty() && is_journal) return std::nullopt;
    if (ids.empty()) throw Failure(kNoConversation);
    if (ids.size() == 1) {
        of_session.session = ids[0];
        return of_session;
    }
    std::string names;
    for (const std::string &id : ids) names.append(names.empty() ? "" : ", ").append(id);
    throw Failure(of_session.store + " has several sessions: give --session ID, one of " + names);
}

// What a packet is made from.
struct Conversation {
    std::string text;                  // empty: there is none, or it is that of a session
    std::string from = "auto";         // the name of its format
    std::optional<Arguments> session;  // selects a session in a store
};

Conversation conversation_of_agent(const Arguments &arguments, std::string_view agent,
                                   Streams &io) {
    AgentConversation found =
        find_agent_conversation(agent, arguments.directory, arguments.agent_session);
    append_printable("accp: the conversation is " + found.where + " (" + found.agent + ")",
                     io.err.text);
    io.err.text.push_back('\n');
    return {std::move(found.text), std::move(found.agent), {}};
}

// Words of --session name an agent, unless there is a store to look in.
bool is_of_agent(const Arguments &arguments) {
    return arguments.store.empty() && is_agent_word(arguments.talk_session);
}

std::string piped_text(const Arguments &arguments) {
    if (!arguments.talk_session.empty() || arguments.action == "spawn" || is_terminal(STDIN_FILENO))
        return {};
    std::string text = read_input("-");
    return text.find_first_not_of(" \t\r\n") == std::string::npos ? std::string() : text;
}

// Finds the conversation: --conversation, --session, standard input, the only session of the
// project's journal, or what an agent keeps. Throws Failure if it finds none.
Conversation find_conversation(const Arguments &arguments, Streams &io) {
    if (!arguments.conversation.empty()) {
        std::string text = read_input(arguments.conversation);
        if (arguments.action == "hook") text = whole_lines(std::move(text));
        return {std::move(text), arguments.from, {}};
    }
    if (is_of_agent(arguments)) return conversation_of_agent(arguments, arguments.talk_session, io);
    if (std::string text = piped_text(arguments); !text.empty())
        return {std::move(text), arguments.from, {}};
    if (std::optional<Arguments> session = with_session(arguments))
        return {{}, {}, std::move(session)};
    if (!arguments.talk_session.empty())
        throw Failure("--session " + arguments.talk_session +
                      ": the project has no journal: give --store STORE; or one of " +
                      agent_words());
    return conversation_of_agent(arguments, "auto", io);
}

bool generate_from_session(const Arguments &of_session, const accp_packet_request &request,
                           PacketFile &file) {
    const CommandSession session(of_session, true);
    return file.generate(session.get(), request);
}

// A request with the texts that it points to.
struct GenerateInput {
    GenerateInput(const Arguments &arguments, const std::string &of_creator, Streams &io);
    GenerateInput(const GenerateInput &) = delete;
    bool generate(const Arguments &arguments, PacketFile &file) {
        return from.session ? generate_from_session(*from.session, request, file)
                            : generate_from(arguments, request, file);
    }

    const std::string creator;
    std::string items;
    Conversation from;
    accp_packet_request request = {};
};

GenerateInput::GenerateInput(const Arguments &arguments, const std::string &of_creator, Streams &io)
    : creator(of_creator) {
    const bool has_conversation = (arguments.code.empty() && arguments.items.empty()) ||
                                  !arguments.conversation.empty() ||
                                  !arguments.talk_session.empty();
    if (!arguments.items.empty()) items = read_input(arguments.items);
    if (has_conversation) from = find_conversation(arguments, io);
    request.size = sizeof request;
    request.task = {arguments.files[0].data(), arguments.files[0].size()};
    request.conversation = {from.text.data(), from.text.size()};
    if (!from.session) request.an_interface = conversation_interface(from.from, from.text);
    request.depth = depth_of(arguments.depth);
    request.budget_tokens = arguments.budget;
    request.creator = {creator.data(), creator.size()};
    request.now_ms = now_ms(arguments);
    request.items = {items.data(), items.size()};
    if (arguments.strict_budget) request.options = ACCP_PACKET_STRICT_BUDGET;
    apply_settings(arguments, request);
}

// Lets the model of --model find the items.
void ask_model(const Arguments &arguments, GenerateInput &input, Streams &io) {
    const server::FindItems find = item_finder(arguments);
    if (!find) return;
    server::ConversationCapture capture;
    const accp_hooks hooks = capture.hooks();
    PacketFile unmade(arguments, &hooks);
    Arguments of_conversation = arguments;
    of_conversation.code.clear();
    input.generate(of_conversation, unmade);
    const std::string asked = capture.take();
    if (asked.empty()) return;  // the packet is made without, or its call reports why not
    const server::FoundItems found = find(asked);
    input.items = found.items;
    input.request.items = {input.items.data(), input.items.size()};
    for (const std::string &note : found.notes)
        io.err.text.append("accp: --model: ").append(note).append("\n");
}

// `prompt`: set to the prompt in place of printing the packet, unless it is NULL.
int generate(const Arguments &arguments, const std::string &creator, Streams &io,
             GeneratedPrompt *prompt = nullptr) {
    if (arguments.files.size() != 1)
        throw Failure("context generate takes one task: put it in quotes");
    if (!arguments.pane && !arguments.revision.empty())
        throw Failure("--revision is the revision of a pane's packet: it needs --pane N");
    GenerateInput input(arguments, creator, io);
    ask_model(arguments, input, io);
    const PacketHooks hooks(arguments);
    PacketFile file(arguments, hooks.hooks());
    if (!input.generate(arguments, file)) {
        hooks.check();
        report_refusal(arguments, file.error(), io.err.text);
        return 1;
    }
    if (accp_packet_warnings(file.get()) & ACCP_PACKET_DROPPED_ITEMS)
        report_dropped_items(file, io.err.text);
    if (accp_packet_warnings(file.get()) & ACCP_PACKET_OTHER_LANGUAGE)
        io.err.text +=
            "accp: the conversation is in a language that the rules do not know (they read "
            "English, German, Spanish and Chinese), so most demands and decisions are missing: "
            "give them with --items FILE, or ask a model with --model URL\n";
    report_items(file, io.err.text);
    report_frequent_gaps(arguments, io.err.text);
    if (prompt) {
        *prompt = {std::string(file.print(accp_packet_print_prompt)), file.tokens()};
        return 0;
    }
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

int generate_prompt(const Arguments &arguments, GeneratedPrompt &prompt, Streams &io) {
    return generate(arguments, creator_of(arguments), io, &prompt);
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
