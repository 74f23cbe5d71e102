// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/run_upstreams.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "cli/config/config_file.h"
#include "cli/config/directories.h"
#include "cli/host.h"

namespace cli {
namespace {

// An address that the user has chosen for an upstream.
struct ChosenAddress {
    std::string source, value;
    std::string url;             // of the upstream
    std::optional<bool> has_v1;  // nothing if such an address never ends with /v1
};

std::string advice(const std::string &upstream) {
    return "; say where its calls go: --upstream " + upstream + "=URL";
}

class UpstreamChoice {
public:
    UpstreamChoice(const Arguments &arguments, RunUpstreams &out) : out_(out) {
        out_.options = arguments.upstreams;
        for (const std::string &option : out_.options)
            given_.insert(option.substr(0, option.find('=')));
    }

    void read_environment() {
        for (const auto &[name, address] : common_variables())
            add(name, environment_value(name), address);
    }

    void read_agent(const KnownAgent &agent) {
        for (const AgentVariable &one : agent.variables)
            if (const auto address = address_of(one.name, one.value))
                add(one.name, environment_value(one.name), *address);
        if (agent.name == "openhands") read_openhands();
        if (agent.name == "opencode") read_opencode(agent);
        if (agent.name == "qwen") read_dotenv_files();
        for (const std::string &file : agent.project_files) read_file(agent, file);
        if (home_directory().empty() || agent.files.empty()) return;
        const auto folder = std::filesystem::path(config_path(agent)).parent_path();
        for (const std::string &file : agent.files) read_file(agent, folder / file);
    }

    void finish(const KnownAgent *agent) {
        for (const auto &[name, chosen] : chosen_) {
            out_.options.push_back(name + "=" + chosen.url);
            if (chosen.has_v1 == false) out_.without_v1.insert(name);
        }
        if (!agent || agent->upstream.empty()) return;
        const std::string name = agent->upstream.substr(0, agent->upstream.find('='));
        if (!given_.contains(name) && !chosen_.contains(name))
            out_.options.push_back(agent->upstream);
    }

private:
    void add(const std::string &source, const std::string &value, const AgentAddress &address) {
        if (value.empty() || given_.contains(address.upstream)) return;
        ChosenAddress found = {source, value, without_slash(value), std::nullopt};
        if (!is_http_url(value))
            throw Failure("proxy run: " + source + " is " + value +
                          ", which is not a URL of http or https" + advice(address.upstream));
        if (address.has_v1) {
            found.has_v1 = found.url.ends_with("/v1");
            found.url = base_of(found.url);
        }
        const auto [at, is_new] = chosen_.emplace(address.upstream, found);
        if (is_new) return;
        ChosenAddress &first = at->second;
        const bool is_same_form = !first.has_v1 || !found.has_v1 || first.has_v1 == found.has_v1;
        if (first.url != found.url || !is_same_form)
            throw Failure("proxy run: " + first.source + " is " + first.value + ", but " + source +
                          " is " + value + advice(address.upstream));
        if (found.has_v1) first.has_v1 = found.has_v1;
    }

    // The address depends on the provider of the model.
    void read_openhands() {
        const std::string model = environment_value("LLM_MODEL"),
                          url = environment_value("LLM_BASE_URL");
        const std::string provider = model.substr(0, model.find('/') + 1);
        const AgentAddress address = openhands_address();
        if (url.empty() && !provider.empty() && provider != "openai/" && provider != "anthropic/" &&
            !given_.contains(address.upstream))
            throw Failure("proxy run: LLM_MODEL is " + model +
                          ", whose provider has an address that is not known" +
                          advice(address.upstream));
        add("LLM_BASE_URL", url, address);
    }

    void read_opencode(const KnownAgent &agent) {
        read_text(agent, "OPENCODE_CONFIG_CONTENT", environment_value("OPENCODE_CONFIG_CONTENT"),
                  {});
        const std::string file = environment_value("OPENCODE_CONFIG");
        if (!file.empty()) read_file(agent, file);
    }

    // qwen-code reads variables from these too, if the environment does not have them.
    void read_dotenv_files() {
        for (const std::string &folder : {std::string("."), home_directory()})
            for (const char *name : {"/.qwen/.env", "/.env"}) {
                if (folder.empty()) continue;
                const ConfigFile file(folder + name);
                for (const auto &[setting, address] : common_variables())
                    if (const auto found =
                            find_setting(ConfigFormat::kDotenv, file.text(), {setting});
                        found && environment_value(setting).empty())
                        add(setting + " in " + file.path(), *found, address);
            }
    }

    void read_file(const KnownAgent &agent, const std::string &path) {
        const ConfigFile file(path);
        if (!file.exists()) return;
        std::optional<SetupRecord> record = read_record(record_name(agent));
        std::error_code none;
        if (record && !std::filesystem::equivalent(record->file, path, none)) record.reset();
        read_text(agent, path, file.text(), record);
    }

    // `record`: what setup has changed in this text.
    void read_text(const KnownAgent &agent, const std::string &source, const std::string &text,
                   const std::optional<SetupRecord> &record) {
        const auto find = [&](const SettingPath &path,
                              const std::string &ours) -> std::optional<std::string> {
            try {
                auto found = find_setting(agent.format, text, path);
                if (found && record && *found == with_address(ours, record->address))
                    found = find_setting(agent.format, record->before, path);
                return found;
            } catch (const Failure &wrong) {
                throw Failure(
                    "proxy run: " + source + ": " + wrong.what() +
                    advice(
                        address_of(name_of(path), ours).value_or(AgentAddress{"openai"}).upstream));
            }
        };
        std::string provider;  // that Codex uses
        if (agent.name == "codex" && !given_.contains("openai"))
            provider = find({"model_provider"}, "accp").value_or("openai");
        for (const std::vector<AgentSetting> &settings : {agent.settings, agent.other_addresses})
            for (const auto &[path, value, is_option] : settings) {
                const auto address = address_of(name_of(path), value);
                if (!address || given_.contains(address->upstream)) continue;
                if (path.front() == "model_providers" && provider != path[1]) continue;
                if (const auto found = find(path, value))
                    add(name_of(path) + " in " + source, *found, *address);
            }
        if (!provider.empty() && provider != "openai" && provider != "accp")
            throw other_provider(source, text, provider);
    }

    // The provider that run adds has neither the key nor the headers of another provider.
    static Failure other_provider(const std::string &source, const std::string &text,
                                  const std::string &provider) {
        std::string url;
        try {
            url = find_setting(ConfigFormat::kToml, text, {"model_providers", provider, "base_url"})
                      .value_or("");
        } catch (const Failure &) {
        }
        return Failure("proxy run: " + source + " has model_provider = " + provider +
                       (url.empty() ? "" : " (" + url + ")") +
                       ", whose key and headers the proxy's provider does not have; to send "
                       "OPENAI_API_KEY, or the key of codex login, to an address: --upstream "
                       "openai=URL, without /v1 at its end");
    }

    RunUpstreams &out_;
    std::set<std::string> given_;  // by --upstream
    std::map<std::string, ChosenAddress> chosen_;
};

}  // namespace

std::string RunUpstreams::address(const AgentAddress &of, const std::string &base) const {
    return base + "/" + of.upstream + (of.has_v1 && !without_v1.contains(of.upstream) ? "/v1" : "");
}

RunUpstreams choose_upstreams(const Arguments &arguments) {
    RunUpstreams made;
    UpstreamChoice choice(arguments, made);
    const KnownAgent *agent = find_program(arguments.worker_command.front());
    choice.read_environment();
    if (agent && agent->no_run.empty()) choice.read_agent(*agent);
    choice.finish(agent);
    return made;
}

}  // namespace cli
