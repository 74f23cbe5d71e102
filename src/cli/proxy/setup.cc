// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/setup.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/config/config_file.h"
#include "cli/config/directories.h"
#include "cli/host.h"
#include "cli/proxy/known_agents.h"
#include "proxy/forward/upstreams.h"

namespace cli {
namespace {

constexpr const char *kService = "proxy/service";  // the name of its record

// A file, and the settings in it that setup makes or has made.
struct SettingsFile {
    ConfigFormat format;
    std::vector<AgentSetting> settings;  // with the address in their values
};

SettingsFile settings_of(const KnownAgent &agent, const std::string &address) {
    SettingsFile file = {agent.format, agent.settings};
    for (AgentSetting &setting : file.settings)
        setting.value = with_address(setting.value, address);
    return file;
}

std::string text_with(const KnownAgent &agent, const SettingsFile &file, std::string text,
                      bool has_gateway) {
    size_t count = 0;
    for (const auto &[path, value, is_option] : file.settings) {
        if (is_option && (has_gateway || find_setting(file.format, text, path))) continue;
        if (agent.sets_only_known && count_present(file.format, text, path) + 1 < path.size())
            continue;
        text = set_setting(file.format, text, path, value);
        ++count;
    }
    if (count) return text;
    throw Failure("has none of the providers whose address can be set; log in with " +
                  agent.program + " first");
}

// Returns the current text without the settings that setup has made. Settings that others have
// changed since stay, and are named in `changed`.
std::string text_without(const SettingsFile &file, const SetupRecord &record, std::string text,
                         std::string &changed) {
    for (const auto &[path, value, is_option] : file.settings) {
        const auto before = find_setting(file.format, record.before, path),
                   now = find_setting(file.format, text, path);
        if (before == value || now == before) continue;
        if (now != value) {
            changed += (changed.empty() ? "" : ", ") + name_of(path);
            continue;
        }
        text = before ? set_setting(file.format, text, path, *before)
                      : remove_setting(file.format, text, path,
                                       count_present(file.format, record.before, path));
    }
    return text;
}

const KnownAgent &named_agent(const Arguments &arguments, const char *action) {
    const std::string usage = std::string("proxy ") + action;
    if (arguments.files.size() != 1)
        throw Failure(usage + ": give one agent: " + agent_names() +
                      "; or --service for the proxy itself");
    const KnownAgent *agent = find_agent(arguments.files.front());
    if (!agent)
        throw Failure(usage + ": " + unknown_agent_text(arguments.files.front()) +
                      "; give any other agent the address of the proxy as its base URL");
    return *agent;
}

// There is one record of each name, so setup changes no second file.
void check_same_file(const ConfigFile &file, const std::optional<SetupRecord> &old,
                     const std::string &name) {
    if (!old || old->file == file.path()) return;
    throw Failure("proxy setup: it has changed " + old->file + ", and would now change " +
                  file.path() + "; first restore that file: accp proxy undo " + name);
}

// An address that setup replaces by that of the proxy.
struct ReplacedSetting {
    std::string name, value;
    AgentAddress address;
};

// Returns the addresses that `settings` have in the text instead of the proxy's.
std::vector<ReplacedSetting> replaced_settings(const KnownAgent &agent,
                                               const std::vector<AgentSetting> &settings,
                                               const std::string &proxy, const std::string &text) {
    std::vector<ReplacedSetting> all;
    for (const auto &[path, value, is_option] : settings) {
        const auto address = address_of(name_of(path), value);
        if (!address) continue;
        const auto found = find_setting(agent.format, text, path);
        if (found && !found->empty() && base_of(*found) != base_of(with_address(value, proxy)))
            all.push_back({name_of(path), *found, *address});
    }
    return all;
}

// Throws Failure if the proxy could not forward calls to where the configuration sends them.
void check_replaceable(const KnownAgent &agent, const std::vector<ReplacedSetting> &all,
                       const std::string &proxy, const ConfigFile &file, const std::string &text) {
    const auto fail = [&](const std::string &what) {
        return Failure(file.path() + ": " + what + "; nothing was changed");
    };
    const std::string provider =
        agent.name == "codex"
            ? find_setting(agent.format, text, {"model_provider"}).value_or("openai")
            : "openai";
    if (provider != "openai" && provider != "accp")
        throw fail("has model_provider = " + provider +
                   ", whose key and headers the provider of setup would not have; to use the proxy "
                   "with it, set its base_url to " +
                   proxy +
                   "/gateway by hand, and start accp proxy --upstream gateway=URL, where "
                   "URL is its base_url of now");
    for (const auto &[name, value, address] : all) {
        if (!is_http_url(value))
            throw fail(name + " is " + value + ", which is not a URL of http or https");
        if (address.has_v1 && !without_slash(value).ends_with("/v1"))
            throw fail(
                name + " is " + value +
                ", which does not end with /v1, as the proxy's address does" +
                (agent.no_run.empty() ? "; use it by: accp proxy run -- " + agent.program : ""));
    }
}

std::string describe_replaced(const std::vector<ReplacedSetting> &all, const std::string &name) {
    std::string text;
    for (const ReplacedSetting &one : all)
        text += "This replaces " + one.name + " = " + one.value + "; accp proxy undo " + name +
                " restores it.\n";
    return text;
}

// Returns the options with which the proxy forwards to the replaced addresses. Without them, the
// agent's calls would go to the provider itself instead of a gateway that the user has chosen.
std::string upstream_options(const std::vector<ReplacedSetting> &all, const KnownAgent &agent) {
    std::string options;
    for (const auto &[name, value, address] : all) {
        const std::string begin = " --upstream " + address.upstream + "=";
        if (options.find(begin) != options.npos) continue;  // the first one is the strongest
        options += begin + (address.has_v1 ? base_of(value) : without_slash(value));
    }
    return options.empty() && !agent.upstream.empty() ? " --upstream " + agent.upstream : options;
}

std::string start_hint(const std::string &address, const std::string &upstream) {
    const size_t colon = address.rfind(':');
    const std::string port =
        address == "http://127.0.0.1:7118" ? "" : " --port " + address.substr(colon + 1);
    return "Start the proxy: accp proxy" + port + upstream +
           "\nOr let systemd start it: accp proxy setup --service" + port + upstream + "\n";
}

// Prints what a person has to add, because setup cannot.
void print_settings(const KnownAgent &agent, const SettingsFile &file, Streams &io) {
    std::string text;
    for (const auto &[path, value, is_option] : file.settings)
        text = set_setting(file.format, text, path, value);
    io.out.text += "Add to " + config_path(agent) + ":\n" + text;
}

std::string unit_word(std::string word) {
    for (size_t at = word.find('%'); at != word.npos; at = word.find('%', at + 2))
        word.insert(at, "%");
    if (word.find_first_of(" \"'\\$\t\n") == word.npos) return word;
    throw Failure("--service: \"" + word +
                  "\" has a character that the unit cannot hold; write the unit by hand");
}

std::string unit_text(const Arguments &arguments) {
    const std::string address = proxy_address(arguments);
    const size_t colon = address.rfind(':');
    std::string command = unit_word(std::filesystem::canonical("/proc/self/exe")) +
                          " proxy --port " + address.substr(colon + 1) +
                          " --store sqlite:%S/accp/proxy.db --calls %S/accp/calls.jsonl";
    proxy::Upstreams check(arguments.upstreams);
    for (const std::string &upstream : arguments.upstreams)
        command += " --upstream " + unit_word(upstream);
    return "[Unit]\nDescription=accp proxy between agents and their models\n\n[Service]\n"
           "ExecStart=" +
           command +
           "\nStateDirectory=accp\nStateDirectoryMode=0700\nRestart=on-failure\n\n"
           "[Install]\nWantedBy=default.target\n";
}

std::string unit_path() {
    return directory_of("XDG_CONFIG_HOME", ".config") + "/systemd/user/accp-proxy.service";
}

int set_up_service(const Arguments &arguments, Streams &io) {
    if (!arguments.files.empty())
        throw Failure("proxy setup: give --service or an agent, not both");
    ConfigFile file(unit_path());
    const std::optional<SetupRecord> old = read_record(kService);
    check_same_file(file, old, "--service");
    const std::string text = unit_text(arguments);
    if (file.exists() && !old)
        throw Failure(file.path() +
                      ": exists, and was not written by accp proxy setup; remove it first");
    if (file.exists() && file.text() != old->after)
        throw Failure(file.path() + ": was changed since setup wrote it; remove it first");
    if (arguments.dry_run) {
        io.out.text += file.path() + "\n" + describe_difference(file.text(), text);
        return 0;
    }
    SetupRecord record;
    record.after = text;
    if (old) record.made = old->made;
    apply_setup(kService, file, record, old);
    io.out.text += "Wrote " + file.path() +
                   "\nStart it: systemctl --user daemon-reload && systemctl --user enable --now "
                   "accp-proxy\nUndo: systemctl --user disable --now accp-proxy && accp proxy undo "
                   "--service\n";
    return 0;
}

int undo_service(const Arguments &arguments, Streams &io) {
    const std::optional<SetupRecord> record = read_record(kService);
    if (!record) throw Failure("proxy undo: setup --service was not used here");
    ConfigFile file(record->file);
    if (!file.exists()) {
        remove_record(kService);
        io.out.text += file.path() + " is removed already.\n";
        return 0;
    }
    if (file.text() != record->after)
        throw Failure(file.path() + ": was changed since setup wrote it; remove it by hand");
    if (arguments.dry_run) io.out.text += file.path() + "\n" + describe_difference(file.text(), "");
    else io.out.text += restore_setup(kService, file, *record, "", true);
    return 0;
}

}  // namespace

std::string proxy_address(const Arguments &arguments) {
    const std::string &given = arguments.address;
    const std::string port = ":" + std::to_string(arguments.port);
    const auto colons = std::count(given.begin(), given.end(), ':');
    std::string url = given;
    if (given.find("://") == given.npos) {
        const bool is_ipv6 = colons > 1;
        if (is_ipv6 && given.front() != '[') url = "[" + given + "]";
        if (colons == 0 || (is_ipv6 && url.back() == ']')) url += port;
        url.insert(0, "http://");
    }
    try {
        if (url != given && given.find('/') != given.npos) throw Failure("a path");
        return proxy::Upstreams({"proxy=" + base_of(url)}).all().front().url();
    } catch (const Failure &) {
        throw Failure("--address " + given +
                      ": must be http://HOST:PORT, HOST:PORT or HOST of a proxy, such as "
                      "127.0.0.1:7118");
    }
}

std::string address_options(const Arguments &arguments) {
    const Arguments defaults;
    std::string options;
    if (arguments.address != defaults.address) options += " --address " + arguments.address;
    if (arguments.port != defaults.port) options += " --port " + std::to_string(arguments.port);
    return options;
}

int set_up_agent(const Arguments &arguments, Streams &io) {
    if (arguments.service) return set_up_service(arguments, io);
    const KnownAgent &agent = named_agent(arguments, "setup");
    const std::string address = proxy_address(arguments);
    if (!agent.no_setup.empty())
        throw Failure("proxy setup: " + agent.title + " has no file that can be edited safely; " +
                      with_address(agent.no_setup, address));
    const SettingsFile settings = settings_of(agent, address);
    ConfigFile file(config_path(agent));
    const std::optional<SetupRecord> old = read_record(record_name(agent));
    check_same_file(file, old, agent.name);
    std::vector<ReplacedSetting> replaced;
    SetupRecord record;
    record.address = address;
    record.existed = file.exists();
    record.before = file.text();
    try {
        if (old) {
            const bool is_ours = file.text() == old->after;
            std::string changed;
            record.before = is_ours ? old->before
                                    : text_without(settings_of(agent, old->address), *old,
                                                   file.text(), changed);
            record.existed = is_ours ? old->existed : file.exists();
            record.made = old->made;
        }
        for (const std::vector<AgentSetting> &some : {agent.settings, agent.other_addresses})
            for (ReplacedSetting &one : replaced_settings(agent, some, address, record.before))
                replaced.push_back(std::move(one));
        record.after = text_with(agent, settings, record.before, !replaced.empty());
    } catch (const Failure &wrong) {
        if (!agent.sets_only_known) print_settings(agent, settings, io);
        throw Failure(file.path() + ": " + wrong.what() + "; nothing was changed");
    }
    check_replaceable(agent, replaced, address, file, record.before);
    const std::string note = agent.note.empty() ? "" : agent.note + ".\n";
    const std::string was = describe_replaced(replaced, agent.name);
    if (record.after == file.text()) {
        io.out.text += agent.title + " uses the proxy at " + address + " already (" + file.path() +
                       ").\n" + note;
    } else if (arguments.dry_run) {
        io.out.text += file.path() + "\n" + describe_difference(file.text(), record.after) + was;
    } else {
        apply_setup(record_name(agent), file, record, old);
        io.out.text += agent.title + " uses the proxy at " + address + " from now on (" +
                       file.path() + ").\n" + was + note +
                       start_hint(address, upstream_options(replaced, agent)) +
                       "Check it: accp proxy doctor " + agent.name + address_options(arguments) +
                       "\nUndo: accp proxy undo " + agent.name + "\n";
    }
    return 0;
}

int undo_setup(const Arguments &arguments, Streams &io) {
    if (arguments.service) return undo_service(arguments, io);
    const KnownAgent &agent = named_agent(arguments, "undo");
    const std::optional<SetupRecord> record = read_record(record_name(agent));
    if (!record)
        throw Failure("proxy undo: accp proxy setup " + agent.name +
                      " was not used here, so there is nothing to undo");
    ConfigFile file(record->file);
    if (!file.exists()) {
        remove_record(record_name(agent));
        io.out.text += file.path() + " does not exist any more, so nothing is left to undo.\n";
        return 0;
    }
    const SettingsFile settings = settings_of(agent, record->address);
    const bool is_exact = file.text() == record->after;
    std::string text = record->before, changed;
    try {
        if (!is_exact) text = text_without(settings, *record, file.text(), changed);
    } catch (const Failure &wrong) {
        throw Failure(file.path() + ": " + wrong.what() +
                      "; nothing was changed. Remove the address " + record->address +
                      " from it by hand");
    }
    if (arguments.dry_run) {
        io.out.text += file.path() + "\n" + describe_difference(file.text(), text);
        return 0;
    }
    const std::vector<ReplacedSetting> replaced =
        replaced_settings(agent, agent.settings, record->address, text);
    io.out.text += restore_setup(record_name(agent), file, *record, text, is_exact);
    for (const ReplacedSetting &one : replaced)
        if (changed.find(one.name) == changed.npos)
            io.out.text += one.name + " is " + one.value + " again.\n";
    if (!changed.empty())
        io.out.text += "These were changed since, and stay as they are: " + changed + "\n";
    return 0;
}

}  // namespace cli
