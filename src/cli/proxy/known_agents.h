// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The known agents, and how accp proxy points each one at a proxy: by its environment and command
// line (run) or by its configuration (setup, undo, doctor).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/config/config_text.h"

namespace cli {

// In values, {} is the address of the proxy, such as http://127.0.0.1:7118.
struct AgentVariable {
    std::string name, value;
    bool is_option = false;  // as in AgentSetting
};
struct AgentSetting {
    SettingPath path;
    std::string value;
    // It switches on what the agent itself switches off if its address is not the provider's own.
    // It is set only if the user has not chosen a value, and no gateway.
    bool is_option = false;
};

struct KnownAgent {
    std::string name;     // the word on the command line
    std::string title;    // its name in sentences
    std::string program;  // its command

    // Its configuration: the first of `files` that exists, or the last one, in the directory of
    // `home_variable` (with a path after it), or else in `home`, which is below the user's home.
    ConfigFormat format = ConfigFormat::kJson;
    std::string home_variable, home;
    std::vector<std::string> files;
    std::vector<AgentSetting> settings;
    bool sets_only_known = false;  // only settings whose object exists are set
    // Settings that setup does not set, but that also name an address.
    std::vector<AgentSetting> other_addresses;

    // Files of a project that have the same form, and override it.
    std::vector<std::string> project_files;
    // Variables that run sets, besides those of all agents.
    std::vector<AgentVariable> variables;
    // A variable with one of these names overrides the configuration.
    std::vector<std::string> stronger_variables;

    std::string upstream;  // NAME=URL that the proxy needs for it; empty: none
    std::string note;      // advice for its user, as a sentence; may be empty
    std::string no_run;    // why run cannot start it; empty: it can
    std::string no_setup;  // what to do by hand, because setup cannot; empty: it can
};

const std::vector<KnownAgent> &known_agents();
// Options of an agent (is_option) are for a proxy that forwards to this address.
inline constexpr std::string_view kAnthropicUrl = "https://api.anthropic.com";
// Finds an agent by its name; nullptr: none.
const KnownAgent *find_agent(std::string_view name);
// Finds an agent by the path of a program; nullptr: none.
const KnownAgent *find_program(std::string_view path);
// "aider, claude, …"
std::string agent_names();
// Returns what is wrong with a name that find_agent() does not find.
std::string unknown_agent_text(const std::string &name);

// Returns the name of the record of what setup has changed.
std::string record_name(const KnownAgent &agent);
// Returns the path of its configuration. Throws Failure if the user's home is unknown.
std::string config_path(const KnownAgent &agent);

// The address of an upstream, in the form that an agent expects.
struct AgentAddress {
    std::string upstream;  // its name
    bool has_v1 = false;   // most such addresses end with /v1
};
// Returns the address that a variable or setting has; nothing if its value is not one.
std::optional<AgentAddress> address_of(const std::string &name, const std::string &value);
// The variables with addresses that many agents read.
const std::vector<std::pair<std::string, AgentAddress>> &common_variables();
// Returns the address in LLM_BASE_URL, which depends on the model.
AgentAddress openhands_address();

bool is_http_url(std::string_view text);
std::string without_slash(std::string url);
// Removes /v1 too.
std::string base_of(std::string url);

// Returns a variable of the environment; empty if it is missing.
std::string environment_value(const std::string &name);

// Returns a path with dots between its keys.
std::string name_of(const SettingPath &path);

// Replaces {} by the address.
std::string with_address(std::string value, const std::string &address);

}  // namespace cli
