// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context setup: installs files for an agent in a project, and removes them.
//
// A file is new as a whole, or a text of its own has a block or settings of ours. A record of each
// (config_file.h) restores the bytes before, if nobody has changed the file since. Otherwise only
// our part is removed.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

#include "cli/config/config_file.h"
#include "cli/config/config_text.h"
#include "cli/host.h"
#include "cli/packet/actions.h"
#include "cli/packet/agent_texts.h"
#include "cli/process/shell_process.h"

namespace cli {
namespace {

enum class PartKind : uint8_t {
    kWhole,     // the whole file
    kBlock,     // a block of lines between kBegin and kEnd
    kSettings,  // elements of lists in JSON
};

constexpr std::string_view kBegin = "<!-- accp context setup: begin -->\n";
constexpr std::string_view kEnd = "<!-- accp context setup: end -->\n";

// Hooks with this text are ours. Agents may reformat their settings, and the path may change.
constexpr std::string_view kHookMark = " context hook\"";

struct ListElement {
    SettingPath path;
    std::string element;
};

struct AgentFile {
    std::string path;  // below the project's directory
    PartKind kind = PartKind::kWhole;
    std::string text;                   // of kWhole and kBlock
    std::vector<ListElement> elements;  // of kSettings
};

std::string element_with_hook(const std::string &matcher, const std::string &command) {
    JsonObject hook, group;
    hook.text("type", "command").text("command", command).json("timeout", "60");
    if (!matcher.empty()) group.text("matcher", matcher);
    return group.json("hooks", "[" + hook.end() + "]").end();
}

// Returns how others can start this program: accp, if a shell finds it by that name, or its path.
std::string name_of_program(const std::string &program) {
    const char *path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const size_t end = std::min(rest.find(':'), rest.size());
        const std::string file = std::string(rest.substr(0, end)) + "/accp";
        rest.remove_prefix(std::min(end + 1, rest.size()));
        std::error_code error;
        if (std::filesystem::exists(file, error))
            return std::filesystem::canonical(file, error) == program ? "accp" : program;
    }
    return program;
}

// Files that others may get with the project have the name of the program if that works.
std::vector<AgentFile> files_for(std::string_view agent, const std::string &program) {
    const std::string name = name_of_program(program), command = shell_word(name);
    if (agent == "claude-code") {
        const std::string hook = shell_word(program) + " context hook";
        return {
            {".claude/settings.local.json",
             PartKind::kSettings,
             {},
             {{{"hooks", "PreToolUse"}, element_with_hook("Agent|Task", hook)},
              {{"hooks", "SubagentStop"}, element_with_hook("", hook)}}},
            {".claude/commands/handoff.md", PartKind::kWhole, claude_handoff_command(command), {}},
            {".claude/skills/context-packets/SKILL.md",
             PartKind::kWhole,
             packet_skill(command),
             {}}};
    }
    if (agent == "opencode")
        return {{".opencode/plugins/accp.js", PartKind::kWhole, opencode_plugin(name), {}},
                {".opencode/commands/handoff.md",
                 PartKind::kWhole,
                 opencode_handoff_command(command),
                 {}},
                {".opencode/skills/context-packets/SKILL.md",
                 PartKind::kWhole,
                 packet_skill(command),
                 {}}};
    if (agent == "codex")
        return {{".agents/skills/context-packets/SKILL.md",
                 PartKind::kWhole,
                 packet_skill(command),
                 {}},
                {"AGENTS.md", PartKind::kBlock, agents_text(command), {}}};
    if (agent == "agents") return {{"AGENTS.md", PartKind::kBlock, agents_text(command), {}}};
    throw Failure(
        "context setup takes one of claude-code, codex, opencode and agents (an AGENTS.md "
        "for any other agent), and not \"" +
        std::string(agent) + "\"");
}

// Returns the text without our part.
std::string without_part(const AgentFile &part, std::string text) {
    if (part.kind == PartKind::kSettings) {
        const JsonSettings json;
        for (const auto &[path, element] : part.elements)
            text = json.remove_elements(text, path, kHookMark);
        return text;
    }
    if (part.kind == PartKind::kWhole) return text == part.text ? "" : text;
    const size_t begin = text.find(kBegin);
    const size_t end = begin == text.npos ? begin : text.find(kEnd, begin);
    if (end == text.npos) return text;
    const bool has_blank = begin >= 2 && text.compare(begin - 2, 2, "\n\n") == 0;
    return text.erase(begin - has_blank, end + kEnd.size() - begin + has_blank);
}

// Returns a text that has not our part with it. Throws Failure.
std::string with_part(const AgentFile &part, std::string text) {
    if (part.kind == PartKind::kSettings) {
        const JsonSettings json;
        for (const auto &[path, element] : part.elements)
            text = json.add_element(text, path, element);
        return text;
    }
    if (part.kind == PartKind::kWhole) {
        if (text.empty() || text == part.text) return part.text;
        throw Failure("exists, and was not written by accp context setup; remove it first");
    }
    const std::string block = std::string(kBegin) + part.text + std::string(kEnd);
    if (text.find(kBegin) != text.npos)
        throw Failure("has the first line of our block, but not the last; remove that line");
    if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
    return text + block;
}

// A file of the project, and the record of its setup.
class InstalledFile {
public:
    InstalledFile(const std::string &agent, const std::string &directory, AgentFile part)
        : part_(std::move(part)), file_(directory + "/" + part_.path) {
        // There is one record for each file of each project.
        std::string name = file_.path();
        std::replace(name.begin(), name.end(), '/', '%');
        name_ = "context/" + agent + "/" + name;
        old_ = read_record(name_);
    }

    // Finds what the file becomes. Throws Failure, which names the file.
    void plan(bool removes) {
        try {
            is_exact_ = old_ && file_.exists() && file_.text() == old_->after;
            record_.before = is_exact_ ? old_->before : without_part(old_part(), file_.text());
            // A file that had only our part was new.
            const bool is_others = record_.before == file_.text() || !record_.before.empty();
            record_.existed = is_exact_ ? old_->existed : file_.exists() && is_others;
            if (old_) record_.made = old_->made;
            // A change by others since the setup is not ours to remove.
            record_.after = removes ? record_.before : with_part(part_, record_.before);
        } catch (const Failure &failure) {
            throw Failure(file_.path() + ": " + failure.what() + "; nothing was changed");
        }
    }
    bool changes() const {
        return record_.after != file_.text() || (file_.exists() && is_removed());
    }
    std::string difference() const {
        return file_.path() + "\n" + describe_difference(file_.text(), record_.after);
    }
    void install() { apply_setup(name_, file_, record_, old_); }
    void remove() {
        if (!file_.exists()) return remove_record(name_);
        if (is_removed()) file_.remove(record_.made);
        else if (record_.after != file_.text()) file_.replace(record_.after);
        remove_record(name_);
    }
    bool is_removed() const { return record_.after.empty() && !record_.existed; }
    bool has_foreign_text() const {
        return part_.kind == PartKind::kWhole && file_.exists() && !record_.before.empty();
    }
    const std::string &path() const { return file_.path(); }

private:
    // The part as an earlier setup has written it, perhaps with another path of this program.
    AgentFile old_part() const {
        AgentFile part = part_;
        if (old_ && part.kind == PartKind::kWhole) part.text = old_->after;
        return part;
    }

    AgentFile part_;
    ConfigFile file_;
    std::string name_;
    std::optional<SetupRecord> old_;
    SetupRecord record_;
    bool is_exact_ = false;
};

std::vector<InstalledFile> files_of(const Arguments &arguments) {
    if (arguments.files.size() != 1)
        throw Failure("context setup takes one agent: claude-code, codex, opencode or agents");
    const std::string &agent = arguments.files[0];
    std::error_code error;
    const std::string directory = std::filesystem::canonical(arguments.directory, error);
    if (error) throw Failure(arguments.directory + ": " + error.message());
    const std::string program = std::filesystem::canonical("/proc/self/exe", error);
    if (error) throw Failure("/proc/self/exe: " + error.message());
    std::vector<InstalledFile> files;
    for (AgentFile &part : files_for(agent, program))
        files.emplace_back(agent, directory, std::move(part));
    return files;
}

int install_files(std::vector<InstalledFile> &files, const Arguments &arguments, Streams &io) {
    bool has_changes = false;
    for (InstalledFile &file : files) {
        file.plan(false);
        has_changes = has_changes || file.changes();
    }
    for (InstalledFile &file : files) {
        if (!file.changes()) continue;
        if (arguments.dry_run) {
            io.out.text += file.difference();
            continue;
        }
        file.install();
        io.out.text += "Wrote " + file.path() + "\n";
    }
    const std::string &agent = arguments.files[0];
    if (!has_changes) io.out.text += agent + " is set up already.\n";
    else if (!arguments.dry_run)
        io.out.text += "Restart the agent. Undo: accp context setup " + agent + " --remove\n";
    return 0;
}

int remove_files(std::vector<InstalledFile> &files, const Arguments &arguments, Streams &io) {
    bool has_changes = false;
    for (InstalledFile &file : files) file.plan(true);
    std::reverse(files.begin(), files.end());  // the directories that the first one made go last
    for (InstalledFile &file : files) {
        if (file.has_foreign_text()) {
            io.err.text += "accp: " + file.path() + ": was changed since, and stays\n";
            continue;
        }
        if (!file.changes()) {
            if (!arguments.dry_run) file.remove();
            continue;
        }
        has_changes = true;
        if (arguments.dry_run) {
            io.out.text += file.difference();
            continue;
        }
        file.remove();
        io.out.text += (file.is_removed() ? "Removed " : "Restored ") + file.path() + "\n";
    }
    if (!has_changes) io.out.text += arguments.files[0] + " is not set up here.\n";
    return 0;
}

}  // namespace

int set_up_context(const Arguments &arguments, Streams &io) {
    std::vector<InstalledFile> files = files_of(arguments);
    return arguments.removes ? remove_files(files, arguments, io)
                             : install_files(files, arguments, io);
}

}  // namespace cli
