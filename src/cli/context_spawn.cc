// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_spawn.h.
#include "cli/context_spawn.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cli/host.h"
#include "cli/packet_file.h"
#include "cli/panes_project.h"

namespace cli {
namespace {

constexpr const char *kTaskMark = "{task}";

std::string with_task(std::string word, const std::string &task) {
    for (size_t at = 0; (at = word.find(kTaskMark, at)) != std::string::npos; at += task.size())
        word.replace(at, std::strlen(kTaskMark), task);
    return word;
}

}  // namespace

Worker::Worker(const Arguments &arguments) : arguments_(arguments) {
    if (arguments.files.size() != 1 || arguments.worker_command.empty())
        throw Failure(
            "context spawn takes a task in quotes, and after -- the command that starts "
            "the worker");
    const PanesProject project(arguments, JournalUse::kNone);
    said_pane(arguments);
    wants_packet_ = project.setting(ACCP_PANES_AUTO_GENERATE) != 0;
    if (wants_packet_ && arguments.code.empty() &&
        (arguments.conversation.empty() || arguments.conversation == "-"))
        throw Failure(
            "context spawn takes --conversation FILE or --code DIR: standard input is "
            "the worker's");
}

bool Worker::has_packet() const {
    const PanesProject project(arguments_, JournalUse::kNone);
    const PacketFile packet(arguments_);
    return project.read_as_it_stands(*arguments_.pane, packet.get()) == ACCP_OK;
}

void Worker::start() const {
    std::string task = arguments_.files[0];
    if (has_packet()) task.insert(0, reading_line(*arguments_.pane) + "\n\n");
    std::vector<std::string> texts;
    for (const std::string &word : arguments_.worker_command)
        texts.push_back(with_task(word, task));
    std::vector<char *> words;
    for (std::string &text : texts) words.push_back(text.data());
    words.push_back(nullptr);
    if (chdir(arguments_.directory.c_str()) != 0)
        throw Failure(arguments_.directory + ": " + std::strerror(errno));
    setenv("AGENTWIRE_PANE", std::to_string(*arguments_.pane).c_str(), 1);
    std::signal(SIGPIPE, SIG_DFL);  // which this program ignores, and the worker may not
    execvp(words[0], words.data());
    throw Failure(texts[0] + ": " + std::strerror(errno));
}

}  // namespace cli
