// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/agent.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "cli/host.h"
#include "cli/proxy/known_agents.h"

namespace cli {

namespace {

// Claude Code prefers the variables of its settings to those of its environment.
std::vector<std::string> claude_words(const std::string &base) {
    return {"--settings", R"({"env":{"ANTHROPIC_BASE_URL":")" + base + "\"}}"};
}

// Codex has no variable for its base URL. With a key in the environment it needs no login.
std::vector<std::string> codex_words(const std::string &url) {
    const std::string credentials = environment_value("OPENAI_API_KEY").empty()
                                        ? "requires_openai_auth=true"
                                        : R"(env_key="OPENAI_API_KEY")";
    return {"-c", "model_provider=accp", "-c",
            R"(model_providers.accp={name="accp proxy",base_url=")" + url + R"(",)" + credentials +
                R"(,wire_api="responses"})"};
}

// pi has no variable either, but extensions can change the address of its providers.
std::string write_pi_extension(const std::string &anthropic, const std::string &openai) {
    constexpr int kSuffix = 3;
    std::string path = std::filesystem::temp_directory_path() / "accp-pi-XXXXXX.js";
    const int descriptor = mkstemps(path.data(), kSuffix);
    const std::string text =
        "export default (pi) => {\n  pi.registerProvider(\"anthropic\", { baseUrl: \"" + anthropic +
        "\" });\n  pi.registerProvider(\"openai\", { baseUrl: \"" + openai + "\" });\n};\n";
    const ssize_t wrote = descriptor < 0 ? -1 : write(descriptor, text.data(), text.size());
    if (descriptor >= 0) close(descriptor);
    if (wrote != static_cast<ssize_t>(text.size()))
        throw Failure(path + ": the extension for pi cannot be written");
    return path;
}

// Adds the addresses to a configuration that the user has in the variable already.
void add_opencode(const KnownAgent &agent, const std::string &base, const RunUpstreams &upstreams,
                  AgentLaunch &launch) {
    const std::string name = "OPENCODE_CONFIG_CONTENT";
    std::string content = environment_value(name);
    if (content.empty()) content = "{}";
    try {
        for (const AgentSetting &setting : agent.settings)
            if (const auto address = address_of(name_of(setting.path), setting.value))
                content = set_setting(agent.format, content, setting.path,
                                      upstreams.address(*address, base));
    } catch (const Failure &wrong) {
        throw Failure("proxy run: the variable " + name + ": " + wrong.what());
    }
    launch.environment.emplace_back(name, content);
}

// A forward proxy of the environment cannot reach this machine, and must not see the calls to it.
// Programs read one of two variables.
void add_no_proxy(const std::string &base, AgentLaunch &launch) {
    const size_t begin = base.find("://") + 3;
    const std::string host = base.substr(begin, base.rfind(':') - begin);
    for (const auto &[name, other] :
         {std::pair{"no_proxy", "NO_PROXY"}, std::pair{"NO_PROXY", "no_proxy"}}) {
        std::string hosts = environment_value(name);
        if (hosts.empty()) hosts = environment_value(other);
        const auto append = [&](const std::string &one) {
            const bool has =
                hosts == "*" || ("," + hosts + ",").find("," + one + ",") != hosts.npos;
            if (!has) hosts += (hosts.empty() ? "" : ",") + one;
        };
        append(host);
        if (host.starts_with('[')) append(host.substr(1, host.size() - 2));
        launch.environment.emplace_back(name, hosts);
    }
}

}  // namespace

AgentLaunch launch_behind(const std::vector<std::string> &command, const std::string &base,
                          const RunUpstreams &upstreams, bool has_gateway) {
    AgentLaunch launch;
    launch.words = command;
    for (const auto &[name, address] : common_variables())
        launch.environment.emplace_back(name, upstreams.address(address, base));
    add_no_proxy(base, launch);
    const KnownAgent *agent = find_program(command.front());
    if (!agent) return launch;
    if (!agent->no_run.empty()) throw Failure("proxy run: " + agent->title + ": " + agent->no_run);
    for (const auto &[name, value, is_option] : agent->variables) {
        const auto address = address_of(name, value);
        if (address || (!has_gateway && !std::getenv(name.c_str())))
            launch.environment.emplace_back(name,
                                            address ? upstreams.address(*address, base) : value);
    }
    const std::string anthropic = upstreams.address({"anthropic", false}, base),
                      openai = upstreams.address({"openai", true}, base);
    std::vector<std::string> words;
    if (agent->name == "claude") {
        words = claude_words(anthropic);
    } else if (agent->name == "codex") {
        words = codex_words(openai);
    } else if (agent->name == "opencode") {
        add_opencode(*agent, base, upstreams, launch);
    } else if (agent->name == "openhands") {
        launch.environment.emplace_back("LLM_BASE_URL",
                                        upstreams.address(openhands_address(), base));
        words = {"--override-with-envs"};
    } else if (agent->name == "pi") {
        words = {"-e", launch.temporary_file = write_pi_extension(anthropic, openai)};
    }
    launch.words.insert(launch.words.begin() + 1, words.begin(), words.end());
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
