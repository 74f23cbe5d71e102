// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context spawn: starts a worker with its packet in place.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cli/host.h"
#include "cli/packet/actions.h"
#include "cli/packet/panes_project.h"
#include "cli/process/child.h"

namespace cli {
namespace {

constexpr std::string_view kTaskMark = "{task}";
// The environment variable that holds the task, for workers that run in a shell.
constexpr const char *kTaskVariable = "AGENTWIRE_TASK";

bool is_shell(std::string_view word) {
    constexpr std::string_view kShells[] = {"sh",  "bash", "dash", "zsh",
                                            "ksh", "fish", "csh",  "tcsh"};
    word.remove_prefix(word.find_last_of('/') + 1);  // npos + 1 is 0
    return std::find(std::begin(kShells), std::end(kShells), word) != std::end(kShells);
}

// True for an option that makes a shell run a later word as commands, such as -c, -lc or -ec.
bool is_script_option(std::string_view word) {
    return word.size() > 1 && word[0] == '-' && word[1] != '-' &&
           word.find('c') != std::string_view::npos;
}

// Returns true if a shell runs the word at `index` as commands. A shell runs the first word after
// an option with c that is not an option.
bool is_script(const std::vector<std::string> &words, size_t index) {
    bool follows_shell = false;
    for (size_t i = 0; i < index; ++i) {
        if (is_shell(words[i])) follows_shell = true;
        else if (follows_shell && is_script_option(words[i])) {
            size_t script = i + 1;
            while (script < index && words[script].starts_with('-')) ++script;
            return script == index;
        }
    }
    return false;
}

// True if {task} is the whole argument, or the whole value of an option: --prompt={task}.
bool is_whole_argument(std::string_view word) {
    const size_t at = word.find(kTaskMark);
    if (at + kTaskMark.size() != word.size()) return false;
    const std::string_view before = word.substr(0, at);
    return before.empty() || (before.starts_with("-") && before.ends_with('=') &&
                              before.find_first_of(" \t\n'\"$;&|`(") == before.npos);
}

// The text of a task is not trusted. Throws Failure unless {task} is a whole argument or option
// value that no shell runs.
void check_command(const std::vector<std::string> &words) {
    for (size_t i = 0; i < words.size(); ++i) {
        if (words[i].find(kTaskMark) == std::string::npos) continue;
        if (is_whole_argument(words[i]) && !is_script(words, i)) continue;
        throw Failure(
            "context spawn: {task} in the word '" + words[i] +
            "' would become part of a command: a shell would run the text of the task. Write "
            "{task} "
            "as an argument of its own (worker {task}, or --prompt={task}); or let the shell read "
            "it from its environment: sh -c 'worker \"$AGENTWIRE_TASK\"'");
    }
}

std::string with_task(std::string word, const std::string &task) {
    const size_t at = word.find(kTaskMark);
    return at == std::string::npos ? word : word.replace(at, kTaskMark.size(), task);
}

// The command after --, which receives the task in place of {task} and in AGENTWIRE_TASK. {task}
// must be an argument of its own, or the value of an option.
class Worker {
public:
    // Throws Failure if the task or the command is missing, if there is no input for a packet, or
    // if a shell would run {task}.
    explicit Worker(const Arguments &arguments);
    // The configuration's auto_generate.
    bool wants_packet() const { return wants_packet_; }
    // Without a pane the packet is part of the task.
    bool has_pane() const { return arguments_.pane.has_value(); }
    void set_prompt(std::string prompt) { prompt_ = std::move(prompt); }
    // Replaces this program, in the project's directory and with AGENTWIRE_PANE set. Throws Failure
    // if the command cannot be started.
    [[noreturn]] void start() const;

private:
    bool has_packet() const;

    const Arguments &arguments_;
    bool wants_packet_;
    std::string prompt_;
};

Worker::Worker(const Arguments &arguments) : arguments_(arguments) {
    if (arguments.files.size() != 1 || arguments.worker_command.empty())
        throw Failure(
            "context spawn takes a task in quotes, and after -- the command that starts the "
            "worker");
    check_command(arguments.worker_command);
    const PanesProject project(arguments, JournalUse::kNone);
    wants_packet_ = project.setting(ACCP_PANES_AUTO_GENERATE) != 0;
    if (wants_packet_ && arguments.conversation == "-")
        throw Failure(
            "context spawn cannot read the conversation from standard input, which is the "
            "worker's: give --conversation FILE");
}

bool Worker::has_packet() const {
    if (!has_pane()) return false;
    const PanesProject project(arguments_, JournalUse::kNone);
    const PacketFile packet(arguments_);
    return project.read_unverified(*arguments_.pane, packet.get()) == ACCP_OK;
}

void Worker::start() const {
    std::string task = arguments_.files[0];
    if (!prompt_.empty()) task = prompt_ + "\n## Your task\n" + task;
    else if (has_packet()) task.insert(0, reading_line(*arguments_.pane) + "\n\n");
    std::vector<std::string> texts;
    for (const std::string &word : arguments_.worker_command)
        texts.push_back(with_task(word, task));
    if (chdir(arguments_.directory.c_str()) != 0)
        throw Failure(arguments_.directory + ": " + std::strerror(errno));
    if (has_pane()) setenv("AGENTWIRE_PANE", std::to_string(*arguments_.pane).c_str(), 1);
    else unsetenv("AGENTWIRE_PANE");  // that of this program is not the worker's
    setenv(kTaskVariable, task.c_str(), 1);
    become(texts);
}

}  // namespace

// Does not start the worker if its packet cannot be generated.
int spawn_worker(const Arguments &arguments, Streams &io) {
    Worker worker(arguments);
    if (worker.wants_packet()) {
        GeneratedPrompt prompt;
        const int status = worker.has_pane() ? generate_packet(arguments, io)
                                             : generate_prompt(arguments, prompt, io);
        if (status != 0) return status;
        worker.set_prompt(std::move(prompt.text));
    }
    io.flush();
    io.err.flush();
    worker.start();
}

}  // namespace cli
