// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/packet/agent_conversations.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "cli/config/directories.h"
#include "cli/host.h"
#include "cli/packet/opencode_sessions.h"
#include "cli/settings.h"
#include "cli/system/files.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

// The project's directory, then those above it.
using Directories = std::vector<std::string>;

Directories directories_of(const std::string &directory) {
    std::error_code error;
    fs::path path = fs::canonical(path_of(directory), error);
    if (error) throw Failure(directory + ": " + error.message());
    Directories all = {path.string()};
    for (; path.has_relative_path(); path = path.parent_path())
        all.push_back(path.parent_path().string());
    return all;
}

bool has(const Directories &directories, std::string_view directory) {
    return std::find(directories.begin(), directories.end(), directory) != directories.end();
}

struct SessionFile {
    std::string path;
    fs::file_time_type time;
};

// Adds the files of a directory, and with `depth` of those in it. Skips what cannot be read.
void add_files(const std::string &directory, int depth, std::vector<SessionFile> &out) {
    std::error_code error;
    for (fs::directory_iterator at(path_of(directory), error), end; !error && at != end;
         at.increment(error)) {
        std::error_code ignored;
        if (depth && at->is_directory(ignored)) {
            add_files(utf8_of(at->path()), depth - 1, out);
        } else if (at->path().extension() == ".jsonl" && at->is_regular_file(ignored)) {
            const auto time = at->last_write_time(ignored);
            if (!ignored) out.push_back({utf8_of(at->path()), time});
        }
    }
}

std::string read_head(const std::string &path) {
    constexpr size_t kHeadBytes = 256 << 10;
    std::ifstream in(path, std::ios::binary);
    std::string head(kHeadBytes, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<size_t>(in.gcount()));
    return head;
}

// Returns the first line as compact JSON; empty for other text.
std::string first_line(std::string_view head) {
    try {
        return compact_json(head.substr(0, head.find('\n')));
    } catch (const Failure &) {
        return {};
    }
}

struct Candidate {
    std::string where;
    int64_t time_ms;
};

int64_t to_ms(fs::file_time_type time) {
    // The clocks of C++20 cannot be converted with all compilers that the project supports.
    const auto age = fs::file_time_type::clock::now() - time;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now - age).count();
}

// Returns the newest file that `is_wanted` accepts by its first lines.
template <class IsWanted>
std::optional<Candidate> newest_of(std::vector<SessionFile> files, const std::string &id,
                                   IsWanted is_wanted) {
    std::sort(files.begin(), files.end(), [](const SessionFile &a, const SessionFile &b) {
        return a.time != b.time ? a.time > b.time : a.path > b.path;
    });
    for (const SessionFile &file : files) {
        const std::string name = utf8_of(path_of(file.path).stem());
        if ((id.empty() || name.ends_with(id)) && is_wanted(name, read_head(file.path)))
            return Candidate{file.path, to_ms(file.time)};
    }
    return std::nullopt;
}

// The name of a directory in which Claude Code keeps the sessions of a project.
std::string claude_name(std::string directory) {
    for (char &c : directory)
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')) c = '-';
    return directory;
}

// Directories with names such as a-b and a/b share one name, so the lines are checked too.
std::optional<Candidate> find_claude(const std::string &place, const Directories &directories,
                                     const std::string &id) {
    std::vector<SessionFile> files;
    if (!id.empty()) add_files(place, 1, files);
    else
        for (const std::string &directory : directories)
            add_files(place + "/" + claude_name(directory), 0, files);
    return newest_of(std::move(files), id, [&](const std::string &name, const std::string &head) {
        if (name.starts_with("agent-") || head.find("\"type\":\"user\"") == head.npos) return false;
        bool has_any = head.find("\"cwd\":") == head.npos || !id.empty();
        for (const std::string &directory : directories)
            has_any = has_any || head.find("\"cwd\":" + json_string(directory)) != head.npos;
        return has_any;
    });
}

// The first line names the directory. A sub-agent has a rollout of its own.
std::optional<Candidate> find_codex(const std::string &place, const Directories &directories,
                                    const std::string &id) {
    std::vector<SessionFile> files;
    constexpr int kDepth = 3;  // year, month, day
    add_files(place, kDepth, files);
    return newest_of(std::move(files), id, [&](const std::string &, const std::string &head) {
        const std::string json = first_line(head);
        const std::string_view about = json_member(json, "payload");
        return json_word(json_member(about, "thread_source")) != "subagent" &&
               json_member(json_member(about, "source"), "subagent").empty() &&
               (!id.empty() || has(directories, json_text(json_member(about, "cwd"))));
    });
}

std::optional<Candidate> find_pi(const std::string &place, const Directories &directories,
                                 const std::string &id) {
    std::vector<SessionFile> files;
    add_files(place, 1, files);
    return newest_of(std::move(files), id, [&](const std::string &, const std::string &head) {
        return has(directories, json_text(json_member(first_line(head), "cwd")));
    });
}

// A file names the project of each folder.
std::optional<Candidate> find_gemini(const std::string &place, const Directories &directories,
                                     const std::string &id) {
    std::vector<SessionFile> files;
    std::error_code error;
    for (fs::directory_iterator at(path_of(place), error), end; !error && at != end;
         at.increment(error)) {
        const fs::path root = at->path() / ".project_root";
        if (fs::is_regular_file(root) && has(directories, read_head(root.string())))
            add_files((at->path() / "chats").string(), 0, files);
    }
    return newest_of(std::move(files), id, [&](const std::string &, const std::string &head) {
        return json_word(json_member(first_line(head), "kind")) != "subagent";
    });
}

std::optional<Candidate> find_opencode(const std::string &place, const Directories &directories,
                                       const std::string &id) {
    const std::optional<OpenCodeSession> found = OpenCodeSessions(place).newest(
        [&](std::string_view directory) { return !id.empty() || has(directories, directory); }, id);
    if (!found) return std::nullopt;
    return Candidate{found->id, found->time_ms};
}

struct Agent {
    const char *name, *home_variable, *home, *below;  // the place: HOME_VARIABLE or ~/home, below
    // Agents set these for their commands; the second has the id of the session.
    const char *running_variable, *id_variable;
    std::optional<Candidate> (*find)(const std::string &place, const Directories &directories,
                                     const std::string &id);
};
constexpr Agent kAgents[] = {
    {"claude-code", "CLAUDE_CONFIG_DIR", ".claude", "/projects", "CLAUDECODE",
     "CLAUDE_CODE_SESSION_ID", find_claude},
    {"codex", "CODEX_HOME", ".codex", "/sessions", "CODEX_THREAD_ID", "CODEX_THREAD_ID",
     find_codex},
    {"opencode", "XDG_DATA_HOME", ".local/share", "/opencode/opencode.db", "OPENCODE", nullptr,
     find_opencode},
    {"pi", "PI_CODING_AGENT_DIR", ".pi/agent", "/sessions", "PI_CODING_AGENT", nullptr, find_pi},
    {"gemini", nullptr, ".gemini", "/tmp", "GEMINI_CLI", nullptr, find_gemini},
};
constexpr std::string_view kAuto = "auto";

std::string variable(const char *name) {
    const char *value = name ? std::getenv(name) : nullptr;
    return value ? value : "";
}

std::string place_of(const Agent &agent) {
    return directory_of(agent.home_variable, agent.home) + agent.below;
}

// Returns the agent that runs this command, by its variable; nullptr for none or several.
const Agent *running_agent() {
    const Agent *found = nullptr;
    for (const Agent &agent : kAgents) {
        if (variable(agent.running_variable).empty()) continue;
        if (found) return nullptr;
        found = &agent;
    }
    return found;
}

AgentConversation read_conversation(const Agent &agent, const Candidate &candidate) {
    const std::string place = place_of(agent);
    if (agent.find != find_opencode)
        return {agent.name, candidate.where, whole_lines(read_file(candidate.where))};
    return {agent.name, place + " session " + candidate.where,
            OpenCodeSessions(place).messages(candidate.where)};
}

// Returns the conversation of the agent that runs this command, if it names it.
std::optional<AgentConversation> own_conversation(std::string_view word,
                                                  const Directories &directories) {
    const Agent *agent = running_agent();
    if (!agent || (word != kAuto && word != agent->name)) return std::nullopt;
    std::optional<Candidate> found;
    const std::string id = variable(agent->id_variable);
    if (!id.empty()) found = agent->find(place_of(*agent), directories, id);
    if (!found) found = agent->find(place_of(*agent), directories, {});
    if (!found) return std::nullopt;
    return read_conversation(*agent, *found);
}

}  // namespace

std::string whole_lines(std::string text) {
    text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
    return text;
}

bool is_agent_word(std::string_view word) {
    return word == kAuto || std::any_of(std::begin(kAgents), std::end(kAgents),
                                        [&](const Agent &agent) { return word == agent.name; });
}

std::string agent_words() {
    std::string words(kAuto);
    for (const Agent &agent : kAgents) words.append(", ").append(agent.name);
    return words;
}

AgentConversation find_agent_conversation(std::string_view word, const std::string &directory,
                                          const std::string &id) {
    const Directories directories = directories_of(directory);
    if (id.empty())
        if (auto own = own_conversation(word, directories)) return std::move(*own);
    const Agent *agent = nullptr;
    std::optional<Candidate> newest;
    std::string places;
    for (const Agent &each : kAgents) {
        if (word != kAuto && word != each.name) continue;
        const std::string place = place_of(each);
        places += (places.empty() ? "" : ", ") + place + " (" + each.name + ")";
        const std::optional<Candidate> found = each.find(place, directories, id);
        if (!found || (newest && newest->time_ms >= found->time_ms)) continue;
        newest = found;
        agent = &each;
    }
    if (newest) return read_conversation(*agent, *newest);
    throw Failure(
        "no conversation " +
        (id.empty() ? "in " + directories[0] + ", or a directory above it," : "with the id " + id) +
        " was found; searched " + places + "; give --conversation FILE");
}

}  // namespace cli
