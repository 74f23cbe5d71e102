// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context hook: reads the JSON that agents give to hooks, in the form of Claude Code.
//
//     before a sub-agent starts
//         {"hook_event_name":"PreToolUse","tool_name":"Agent","tool_input":{"prompt":…},
//          "transcript_path":…,"cwd":…}
//         The output replaces the prompt by one with a packet:
//         {"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"prompt":…}}}
//     after it has ended
//         {"hook_event_name":"SubagentStop","agent_type":…,"last_assistant_message":…,
//          "agent_transcript_path":…,"cwd":…}
//         The task is recorded with the feedback of the last message, if it had a packet.
//
// Hooks of other agents are calls of this command by a plugin (agent_setup.cc). They have `agent`
// and `session_id` instead of `transcript_path`, and `agent_prompt` instead of
// `agent_transcript_path`. All other events and tools are ignored.
#include <charconv>
#include <filesystem>

#include "cli/host.h"
#include "cli/packet/actions.h"
#include "cli/packet/agent_conversations.h"
#include "cli/packet/panes_project.h"
#include "cli/settings.h"
#include "cli/system/files.h"

namespace cli {
namespace {

// The first line of a prompt with a packet, up to its number of tokens.
constexpr std::string_view kPacketLine = "Context packet, tokens: ";
constexpr std::string_view kReportRequest = R"(
End your report with these three lines:
Context gaps: what you needed and had to find out, separated by semicolons, or none
Context unused: sections of the packet that you did not need, or none
Task: done, or failed
)";

// An event as compact JSON.
class HookEvent {
public:
    // Throws Failure.
    explicit HookEvent(const std::string &text) : json_(compact_json(text)) {
        if (json_.empty() || json_[0] != '{') throw Failure("a hook gives one JSON object");
    }
    std::string_view member(std::string_view name) const { return json_member(json_, name); }
    std::string text(std::string_view name) const { return json_text(member(name)); }

private:
    std::string json_;
};

// The arguments with the project of the event.
Arguments in_project(const Arguments &arguments, const HookEvent &event) {
    Arguments own = arguments;
    const std::string directory = event.text("cwd");
    if (!directory.empty() && own.directory == ".") own.directory = directory;
    own.files.clear();
    return own;
}

bool starts_agent(std::string_view tool) {
    return tool == "Agent" || tool == "Task" || tool == "task";
}

// Returns the prompt of a packet from its first section on: its heading repeats the task, and lines
// within texts are indented.
std::string_view without_heading(std::string_view prompt) {
    const size_t section = prompt.find("\n## ");
    return section == prompt.npos ? std::string_view() : prompt.substr(section + 1);
}

// Returns whether something follows from the conversation, besides what was left out.
bool has_items(std::string_view sections) {
    return !sections.empty() && !sections.starts_with("## Not included");
}

std::string with_packet(const std::string &task, std::string_view sections, uint64_t tokens,
                        const std::string &missed) {
    std::string prompt(kPacketLine);
    prompt.append(std::to_string(tokens)).append(". It is from the conversation that led to your ");
    prompt.append("task. Its decisions are made; follow its constraints.\n\n").append(sections);
    if (!missed.empty()) prompt.append("\n").append(frequent_gaps_text(missed));
    return prompt.append("\n## Your task\n").append(task).append("\n").append(kReportRequest);
}

// Replaces the member `prompt` of the tool's input.
std::string updated_input(std::string_view input, const std::string &prompt) {
    std::string json = "{";
    for (const auto &[key, value] : json_members(input)) {
        if (json.size() > 1) json.push_back(',');
        json.append("\"").append(key).append("\":");
        if (key == "prompt") append_json_string(prompt, json);
        else json.append(value);
    }
    return json + "}";
}

int give_packet(const Arguments &arguments, const HookEvent &event, Streams &io) {
    const std::string_view input = event.member("tool_input");
    const std::string task = json_text(json_member(input, "prompt"));
    if (!starts_agent(event.text("tool_name")) || task.empty() || task.starts_with(kPacketLine))
        return 0;
    Arguments made = in_project(arguments, event);
    const PanesProject project(made, JournalUse::kRead);
    if (!project.setting(ACCP_PANES_AUTO_GENERATE)) return 0;
    made.files = {task};
    made.conversation = event.text("transcript_path");
    if (made.conversation.empty()) {
        made.talk_session = event.text("agent");
        made.agent_session = event.text("session_id");
        if (!is_agent_word(made.talk_session))
            throw Failure("the hook's JSON has neither transcript_path nor an agent that is known");
    }
    GeneratedPrompt prompt;
    if (const int status = generate_prompt(made, prompt, io); status != 0) return status;
    const std::string_view sections = without_heading(prompt.text);
    if (!has_items(sections)) return 0;
    io.out.text.append(R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":)");
    io.out.text.append(
        updated_input(input, with_packet(task, sections, prompt.tokens, project.frequent_gaps())));
    io.out.text.append("}}\n");
    return 0;
}

// Returns the tokens of the packet in a prompt; 0: it has none.
uint64_t packet_tokens(std::string_view text) {
    const size_t at = text.find(kPacketLine);
    if (at == text.npos) return 0;
    text.remove_prefix(at + kPacketLine.size());
    uint64_t tokens = 0;
    std::from_chars(text.data(), text.data() + text.size(), tokens);
    return tokens;
}

// The prompt is in the first message of the sub-agent's transcript.
uint64_t tokens_of(const HookEvent &event) {
    if (const std::string prompt = event.text("agent_prompt"); !prompt.empty())
        return packet_tokens(prompt);
    const std::string path = event.text("agent_transcript_path");
    return path.empty() || !std::filesystem::exists(path_of(path)) ? 0
                                                                   : packet_tokens(read_file(path));
}

// The lines that kReportRequest asks for.
struct WorkerReport {
    std::string gaps, unused;  // one item a line
    bool has_failed = false;
};

std::string_view trimmed(std::string_view text, std::string_view marks) {
    const size_t begin = text.find_first_not_of(marks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(marks) + 1 - begin);
}

// Returns what follows a label, in letters of either case, or nothing.
std::optional<std::string_view> after_label(std::string_view line, std::string_view label) {
    if (line.size() < label.size()) return std::nullopt;
    for (size_t i = 0; i < label.size(); ++i)
        if ((line[i] | 0x20) != (label[i] | 0x20)) return std::nullopt;
    return trimmed(line.substr(label.size()), " \t*_:");
}

void add_items(std::string_view items, std::string &out) {
    while (!items.empty()) {
        const size_t end = std::min(items.find(';'), items.size());
        if (const auto item = trimmed(items.substr(0, end), " \t.*_`"); !item.empty())
            out.append(item).append("\n");
        items.remove_prefix(std::min(end + 1, items.size()));
    }
}

// The labels may be bold, items of a list, or have a list below them.
WorkerReport read_report(std::string_view text) {
    WorkerReport report;
    std::string *list = nullptr;  // of the label above
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view whole = trimmed(text.substr(0, end), " \t\r");
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string_view line = trimmed(whole, " \t*_`#->");
        if (const auto gaps = after_label(line, "context gaps:")) {
            list = &report.gaps;
            add_items(*gaps, report.gaps);
        } else if (const auto unused = after_label(line, "context unused:")) {
            list = &report.unused;
            add_items(*unused, report.unused);
        } else if (const auto task = after_label(line, "task:")) {
            list = nullptr;
            report.has_failed = after_label(*task, "fail").has_value();
        } else if (list && (whole.starts_with("- ") || whole.starts_with("* "))) {
            add_items(line, *list);
        } else if (!whole.empty()) {
            list = nullptr;
        }
    }
    return report;
}

int record_worker(const Arguments &arguments, const HookEvent &event) {
    const uint64_t tokens = tokens_of(event);
    if (!tokens) return 0;
    const WorkerReport report = read_report(event.text("last_assistant_message"));
    const std::string kind = event.text("agent_type");
    const PanesProject project(in_project(arguments, event), JournalUse::kWrite);
    accp_pane_task task = {};
    task.size = sizeof task;
    task.kind = {kind.data(), std::min(kind.size(), size_t{64})};
    task.pane = -1;
    task.success = report.has_failed ? 0 : 1;
    task.depth = -1;
    task.context_tokens = tokens;
    task.explored = -1;
    task.gaps = {report.gaps.data(), report.gaps.size()};
    task.unused = {report.unused.data(), report.unused.size()};
    task.now_ms = now_ms(arguments);
    accp_error err = {};
    if (accp_panes_record_task(project.get(), &task, &err) != ACCP_OK)
        throw Failure("the task: " + message_of(err));
    return 0;
}

}  // namespace

// A hook must not stop the agent, and to Claude Code the status 2 means that it should: every
// failure has the status 1.
int run_hook(const Arguments &arguments, Streams &io) {
    try {
        const HookEvent event(read_input("-"));
        const std::string name = event.text("hook_event_name");
        if (name == "PreToolUse") return give_packet(arguments, event, io);
        return name == "SubagentStop" ? record_worker(arguments, event) : 0;
    } catch (const Failure &failure) {
        io.out.text.clear();
        append_printable(std::string("accp: context hook: ") + failure.what(), io.err.text);
        io.err.text.push_back('\n');
        return 1;
    }
}

}  // namespace cli
