// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/agent.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/host.h"

namespace cli {

AgentLaunch launch_behind(const std::vector<std::string> &command, const std::string &base) {
    AgentLaunch launch;
    launch.words = command;
    launch.environment = {{"ANTHROPIC_BASE_URL", base},
                          {"OPENAI_BASE_URL", base + "/v1"},
                          // aider and other programs on litellm
                          {"ANTHROPIC_API_BASE", base},
                          {"OPENAI_API_BASE", base + "/v1"}};
    const std::string &path = command.front();
    const std::string name = path.substr(path.rfind('/') + 1);
    if (name == "codex") {
        // It has no variable for its base URL.
        const std::vector<std::string> options = {
            "-c", "model_provider=accp", "-c",
            R"(model_providers.accp={name="accp proxy",base_url=")" + base +
                R"(/v1",env_key="OPENAI_API_KEY",wire_api="responses"})"};
        launch.words.insert(launch.words.begin() + 1, options.begin(), options.end());
    } else if (name == "opencode") {
        const std::string options = R"({"options":{"baseURL":")" + base + R"(/v1"}})";
        launch.environment.emplace_back(
            "OPENCODE_CONFIG_CONTENT",
            R"({"provider":{"anthropic":)" + options + R"(,"openai":)" + options + "}}");
    }
    return launch;
}

AgentProcess::AgentProcess(const AgentLaunch &launch) {
    std::vector<std::string> variables;
    for (char **one = environ; *one; ++one) {
        const std::string_view variable = *one;
        const std::string_view name = variable.substr(0, variable.find('='));
        bool is_replaced = false;
        for (const auto &[set, value] : launch.environment) is_replaced |= name == set;
        if (!is_replaced) variables.emplace_back(variable);
    }
    for (const auto &[name, value] : launch.environment) variables.push_back(name + "=" + value);
    const auto pointers = [](const std::vector<std::string> &texts) {
        std::vector<char *> made;
        for (const std::string &text : texts) made.push_back(const_cast<char *>(text.c_str()));
        made.push_back(nullptr);
        return made;
    };
    // This process ignores SIGINT while the agent runs; the agent does not.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int error = posix_spawnp(&child_, launch.words.front().c_str(), nullptr, &attributes,
                                   pointers(launch.words).data(), pointers(variables).data());
    posix_spawnattr_destroy(&attributes);
    if (error) throw Failure(launch.words.front() + ": " + std::strerror(error));
}

int AgentProcess::wait() {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0)
        if (errno != EINTR) return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void AgentProcess::signal(int number) const { kill(child_, number); }

}  // namespace cli
