// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/known_agents.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/config/directories.h"

namespace cli {
namespace {

// Each was tried with the version of November 2026, except aider and OpenHands, which follow their
// documentation.
std::vector<KnownAgent> make_agents() {
    std::vector<KnownAgent> agents;
    const auto add = [&](const char *name, const char *title) -> KnownAgent & {
        KnownAgent &agent = agents.emplace_back();
        agent.name = agent.program = name;
        agent.title = title;
        return agent;
    };

    KnownAgent &aider = add("aider", "aider");
    aider.format = ConfigFormat::kYaml;
    aider.files = {".aider.conf.yml"};
    aider.settings = {{{"openai-api-base"}, "{}/v1"},
                      {{"set-env"}, R"(["ANTHROPIC_API_BASE={}"])"}};
    aider.project_files = {".aider.conf.yml"};
    aider.stronger_variables = {"AIDER_OPENAI_API_BASE", "AIDER_SET_ENV"};

    KnownAgent &claude = add("claude", "Claude Code");
    claude.home_variable = "CLAUDE_CONFIG_DIR";
    claude.home = ".claude";
    claude.files = {"settings.json"};
    // Without it, all tools are in each request in full, because the address is not Anthropic's.
    claude.settings = {{{"env", "ANTHROPIC_BASE_URL"}, "{}"},
                       {{"env", "ENABLE_TOOL_SEARCH"}, "1", true}};
    claude.variables = {{"ENABLE_TOOL_SEARCH", "1", true}};
    claude.project_files = {".claude/settings.local.json", ".claude/settings.json"};

    KnownAgent &cline = add("cline", "Cline");
    cline.home = ".cline/data/settings";
    cline.files = {"providers.json"};
    cline.settings = {{{"providers", "anthropic", "settings", "baseUrl"}, "{}/v1"},
                      {{"providers", "openai-native", "settings", "baseUrl"}, "{}/v1"}};
    cline.sets_only_known = true;
    cline.note =
        "In an editor, Cline keeps its settings elsewhere: choose \"Use custom base URL\" there";
    cline.no_run = "it reads the address only from its configuration: accp proxy setup cline";

    KnownAgent &codex = add("codex", "Codex");
    codex.format = ConfigFormat::kToml;
    codex.home_variable = "CODEX_HOME";
    codex.home = ".codex";
    codex.files = {"config.toml"};
    // The built-in provider with another address would try a WebSocket for six seconds first.
    codex.settings = {{{"model_provider"}, "accp"},
                      {{"model_providers", "accp", "name"}, "accp proxy"},
                      {{"model_providers", "accp", "base_url"}, "{}/v1"},
                      {{"model_providers", "accp", "wire_api"}, "responses"},
                      {{"model_providers", "accp", "requires_openai_auth"}, "true"}};
    codex.other_addresses = {{{"openai_base_url"}, "{}/v1"}};
    codex.note =
        "It uses the key of codex login --with-api-key, or CODEX_API_KEY. A login with ChatGPT "
        "does not work, because its calls have another upstream";

    KnownAgent &gemini = add("gemini", "gemini-cli");
    gemini.format = ConfigFormat::kDotenv;
    gemini.home = ".gemini";
    gemini.files = {".env"};
    gemini.settings = {{{"GOOGLE_GEMINI_BASE_URL"}, "{}/gemini"}};
    gemini.project_files = {".gemini/.env", ".env"};
    gemini.variables = {{"GOOGLE_GEMINI_BASE_URL", "{}/gemini"}};
    gemini.stronger_variables = {"GOOGLE_GEMINI_BASE_URL"};
    gemini.upstream = "gemini=https://generativelanguage.googleapis.com";
    gemini.note =
        "The proxy passes calls of Gemini's interface through unchanged: it saves nothing of them";

    KnownAgent &opencode = add("opencode", "opencode");
    opencode.format = ConfigFormat::kJsonWithComments;
    opencode.home_variable = "XDG_CONFIG_HOME/opencode";
    opencode.home = ".config/opencode";
    opencode.files = {"opencode.jsonc", "opencode.json"};
    opencode.settings = {{{"provider", "anthropic", "options", "baseURL"}, "{}/v1"},
                         {{"provider", "openai", "options", "baseURL"}, "{}/v1"}};
    opencode.project_files = {"opencode.jsonc", "opencode.json"};
    opencode.stronger_variables = {"OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT"};

    KnownAgent &openhands = add("openhands", "OpenHands");
    openhands.no_setup =
        "choose in its settings (Advanced) as base URL {} for a model anthropic/…, {}/v1 for a "
        "model openai/…; or run it by: accp proxy run -- openhands";
    openhands.note = "run needs LLM_MODEL and LLM_API_KEY in the environment";

    KnownAgent &pi = add("pi", "pi");
    pi.format = ConfigFormat::kJsonWithComments;
    pi.home_variable = "PI_CODING_AGENT_DIR";
    pi.home = ".pi/agent";
    pi.files = {"models.json"};
    pi.settings = {{{"providers", "anthropic", "baseUrl"}, "{}"},
                   {{"providers", "openai", "baseUrl"}, "{}/v1"}};

    KnownAgent &qwen = add("qwen", "qwen-code");
    qwen.format = ConfigFormat::kJsonWithComments;
    qwen.home_variable = "QWEN_HOME";
    qwen.home = ".qwen";
    qwen.files = {"settings.json"};
    qwen.settings = {{{"env", "OPENAI_BASE_URL"}, "{}/v1"}, {{"env", "ANTHROPIC_BASE_URL"}, "{}"}};
    qwen.other_addresses = {{{"security", "auth", "baseUrl"}, "{}/v1"}};
    qwen.project_files = {".qwen/settings.json"};
    qwen.stronger_variables = {"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"};
    qwen.note = "A provider of its own list (modelProviders) keeps its address";
    return agents;
}

}  // namespace

const std::vector<KnownAgent> &known_agents() {
    static const std::vector<KnownAgent> kAgents = make_agents();
    return kAgents;
}

const KnownAgent *find_agent(std::string_view name) {
    for (const KnownAgent &agent : known_agents())
        if (agent.name == name) return &agent;
    return nullptr;
}

const KnownAgent *find_program(std::string_view path) {
    const std::string_view program = path.substr(path.rfind('/') + 1);
    for (const KnownAgent &agent : known_agents())
        if (agent.program == program) return &agent;
    return nullptr;
}

std::string agent_names() {
    std::string names;
    for (const KnownAgent &agent : known_agents())
        names += (names.empty() ? "" : ", ") + agent.name;
    return names;
}

std::string unknown_agent_text(const std::string &name) {
    return "\"" + name + "\" is not an agent that this command knows: " + agent_names();
}

std::string config_path(const KnownAgent &agent) {
    const size_t slash = std::min(agent.home_variable.find('/'), agent.home_variable.size());
    const std::string variable = agent.home_variable.substr(0, slash);
    std::string directory = directory_of(variable.c_str(), "");
    const bool has_variable = directory != directory_of(nullptr, "");
    if (has_variable) directory += agent.home_variable.substr(slash);
    else if (!agent.home.empty()) directory += "/" + agent.home;
    for (const std::string &file : agent.files)
        if (std::filesystem::exists(directory + "/" + file)) return directory + "/" + file;
    return directory + "/" + agent.files.back();
}

std::string record_name(const KnownAgent &agent) { return "proxy/" + agent.name; }

std::optional<AgentAddress> address_of(const std::string &name, const std::string &value) {
    if (value == "{}/gemini") return AgentAddress{"gemini", false};
    if (!value.starts_with("{}")) return std::nullopt;
    std::string small = name;
    for (char &c : small)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return AgentAddress{small.find("anthropic") == small.npos ? "openai" : "anthropic",
                        value.ends_with("/v1")};
}

const std::vector<std::pair<std::string, AgentAddress>> &common_variables() {
    // Those with API_BASE are for aider and other programs on litellm.
    static const std::vector<std::pair<std::string, AgentAddress>> kVariables = {
        {"ANTHROPIC_BASE_URL", {"anthropic", false}},
        {"OPENAI_BASE_URL", {"openai", true}},
        {"ANTHROPIC_API_BASE", {"anthropic", false}},
        {"OPENAI_API_BASE", {"openai", true}}};
    return kVariables;
}

AgentAddress openhands_address() {
    if (environment_value("LLM_MODEL").starts_with("anthropic/")) return {"anthropic", false};
    return {"openai", true};
}

bool is_http_url(std::string_view text) {
    return text.starts_with("http://") || text.starts_with("https://");
}

std::string without_slash(std::string url) {
    while (url.ends_with('/')) url.pop_back();
    return url;
}

std::string base_of(std::string url) {
    url = without_slash(std::move(url));
    if (url.ends_with("/v1")) url.resize(url.size() - 3);
    return url;
}

std::string environment_value(const std::string &name) {
    const char *value = std::getenv(name.c_str());
    return value ? value : "";
}

std::string name_of(const SettingPath &path) {
    std::string name;
    for (const std::string &key : path) name += (name.empty() ? "" : ".") + key;
    return name;
}

std::string with_address(std::string value, const std::string &address) {
    for (size_t at = value.find("{}"); at != value.npos; at = value.find("{}", at + address.size()))
        value.replace(at, 2, address);
    return value;
}

}  // namespace cli
