// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/proxy/doctor.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "cli/config/config_file.h"
#include "cli/host.h"
#include "cli/http/exchange.h"
#include "cli/process/child.h"
#include "cli/proxy/known_agents.h"
#include "cli/proxy/setup.h"
#include "cli/proxy/token_file.h"
#include "cli/terminal/table_text.h"
#include "proxy/forward/upstreams.h"

namespace cli {
namespace {

enum class Verdict : uint8_t { kOk, kFail, kNote };

struct ProxyCheck {
    std::string of;  // what was checked: proxy, upstream, or an agent
    Verdict verdict = Verdict::kOk;
    std::string text;
    std::string fix;  // what to do; may be empty
};

const char *word_of(Verdict verdict) {
    return verdict == Verdict::kOk ? "ok" : verdict == Verdict::kFail ? "FAIL" : "note";
}

class ProxyDoctor {
public:
    ProxyDoctor(const Arguments &arguments)
        : arguments_(arguments), address_(proxy_address(arguments)) {
        if (!arguments.token_file.empty()) token_ = read_token(arguments.token_file);
    }

    std::vector<ProxyCheck> examine() {
        examine_server();
        for (const auto &[name, url] : upstreams_) examine_upstream(name, url);
        for (const KnownAgent &agent : known_agents()) {
            is_named_ = !arguments_.files.empty();
            if (is_named_ ? agent.name == arguments_.files.front() : is_here(agent))
                examine_agent(agent);
        }
        return std::move(checks_);
    }

private:
    void add(const std::string &of, Verdict verdict, const std::string &text,
             const std::string &fix = {}) {
        checks_.push_back({of, verdict, text, fix});
    }

    void examine_server() {
        constexpr int kNeedsToken = 401;
        HttpExchange request = {address_ + "/_accp/status"};
        if (!token_.empty()) request.headers = {"Authorization: Bearer " + token_};
        const HttpAnswer answer = exchange(request);
        if (!answer.status)
            add("proxy", Verdict::kFail, "nothing answers at " + address_ + ": " + answer.fault,
                "start it: accp proxy");
        else if (answer.status == kNeedsToken)
            add("proxy", Verdict::kFail,
                token_.empty() ? "the proxy at " + address_ + " needs its token"
                               : "the proxy at " + address_ + " has another token than " +
                                     arguments_.token_file,
                "give the file with its token: --token-file FILE");
        else if (!read_status(answer.body))
            add("proxy", Verdict::kNote,
                "something answers at " + address_ + " (status " + std::to_string(answer.status) +
                    "), but does not say that it is accp proxy");
        if (!upstreams_.empty()) return;
        const proxy::Upstreams known(arguments_.upstreams);
        for (const proxy::Upstream &one : known.all()) upstreams_.emplace_back(one.name, one.url());
    }

    // Returns false if the text is not the status of a proxy.
    bool read_status(const std::string &body) {
        try {
            const std::string status = compact_json(body);
            if (json_text(json_member(status, "name")) != "accp proxy") return false;
            add("proxy", Verdict::kOk,
                "accp proxy " + json_text(json_member(status, "version")) + " at " + address_ +
                    ", " + std::string(json_member(status, "calls")) + " calls so far");
            add_failures(status);
            for (const std::string_view one : json_items(json_member(status, "upstreams")))
                upstreams_.emplace_back(json_text(json_member(one, "name")),
                                        json_text(json_member(one, "url")));
            return true;
        } catch (const Failure &) {
            return false;
        }
    }

    // Notes calls that have failed. An older proxy does not count them.
    void add_failures(const std::string &status) {
        if (json_member(status, "store_fails") == "true")
            add("proxy", Verdict::kFail,
                "its store cannot be written, so it leaves out nothing more",
                "free space on its disk, or start it again");
        const std::string_view last = json_member(status, "last_failure");
        if (last.empty() || last == "null") return;
        uint64_t failed = 0;
        for (const char *group : {"rewritten", "held_out"})
            failed += std::strtoull(
                std::string(
                    json_member(json_member(json_member(status, "bill"), group), "failed_calls"))
                    .c_str(),
                nullptr, 10);
        add("proxy", Verdict::kNote,
            std::to_string(failed) + " calls of models failed; the last one, of " +
                json_text(json_member(last, "upstream")) + ": " +
                json_text(json_member(last, "reason")));
    }

    // A request without a key gets an error, which counts as a response.
    void examine_upstream(const std::string &name, const std::string &url) {
        constexpr int kServerError = 500;
        const HttpAnswer answer = exchange({url + "/v1/models", arguments_.authorities});
        if (!answer.status)
            add("upstream " + name, Verdict::kFail, url + " does not answer: " + answer.fault,
                "check the network; https_proxy and --ca say how it is reached");
        else
            add("upstream " + name, answer.status < kServerError ? Verdict::kOk : Verdict::kFail,
                url + " answers (status " + std::to_string(answer.status) + ", " +
                    std::to_string(answer.ms) + " ms)");
    }

    // Returns whether the agent is installed or set up on this machine.
    static bool is_here(const KnownAgent &agent) {
        return is_command(agent.program) || read_record(record_name(agent));
    }

    void examine_agent(const KnownAgent &agent) {
        if (!is_command(agent.program))
            add(agent.name, Verdict::kNote, agent.program + " is not on PATH");
        if (!agent.no_setup.empty())
            return add(agent.name, Verdict::kNote, "its configuration cannot be checked",
                       with_address(agent.no_setup, address_));
        const size_t before = checks_.size();
        examine_variables(agent);
        for (const std::string &file : agent.project_files) examine_project(agent, file);
        if (checks_.size() == before) examine_configuration(agent);
        if (!agent.note.empty()) add(agent.name, Verdict::kNote, agent.note);
    }

    void examine_variables(const KnownAgent &agent) {
        for (const std::string &name : agent.stronger_variables) {
            const char *value = std::getenv(name.c_str());
            if (!value || !*value) continue;
            const bool is_ours = std::string_view(value).find(address_) != std::string_view::npos;
            if (is_ours) add(agent.name, Verdict::kOk, "uses the proxy by the variable " + name);
            else
                add(agent.name, Verdict::kFail,
                    "the variable " + name + "=" + value + " is stronger than its configuration",
                    "unset " + name);
        }
    }

    void examine_project(const KnownAgent &agent, const std::string &path) {
        std::error_code none;
        if (std::filesystem::equivalent(path, config_path(agent), none)) return;
        try {
            const ConfigFile file(path);
            for (const auto &[keys, value, is_option] : agent.settings) {
                if (is_option) continue;
                const auto found = find_setting(agent.format, file.text(), keys);
                if (found && found->find(address_) == found->npos)
                    add(agent.name, Verdict::kFail,
                        path + " of this folder sends its calls to " + *found,
                        "remove " + keys.back() + " there");
            }
        } catch (const Failure &wrong) {
            add(agent.name, Verdict::kNote, path + " of this folder: " + wrong.what());
        }
    }

    // An earlier setup, or a person who has set the address by hand, has not set the options.
    void examine_options(const KnownAgent &agent, const ConfigFile &file, const std::string &fix) {
        for (const auto &[name, url] : upstreams_)
            if (name == "anthropic" && url != kAnthropicUrl) return;
        for (const auto &[keys, value, is_option] : agent.settings)
            if (is_option && !std::getenv(keys.back().c_str()) &&
                !find_setting(agent.format, file.text(), keys))
                add(agent.name, Verdict::kNote,
                    keys.back() + " is not set; without it, " + agent.title +
                        " sends more tokens if its calls go through a proxy",
                    fix);
    }

    void examine_configuration(const KnownAgent &agent) {
        const std::string path = config_path(agent),
                          fix = "accp proxy setup " + agent.name + address_options(arguments_);
        const Verdict missing = is_named_ ? Verdict::kFail : Verdict::kNote;
        try {
            const ConfigFile file(path);
            size_t ours = 0;
            for (const auto &[keys, pattern, is_option] : agent.settings) {
                if (is_option) continue;
                const std::string value = with_address(pattern, address_);
                const char *variable = std::getenv(keys.back().c_str());
                const auto found = find_setting(agent.format, file.text(), keys);
                const bool is_ours = found ? *found == value : variable && variable == value;
                ours += is_ours;
                if (is_ours || !found) continue;
                return add(agent.name, Verdict::kFail,
                           path + " has " + keys.back() + " = " + *found, fix);
            }
            if (!ours)
                return add(agent.name, missing, "does not use the proxy (" + path + ")", fix);
            add(agent.name, Verdict::kOk, "uses the proxy (" + path + ")");
            examine_options(agent, file, fix);
        } catch (const Failure &wrong) {
            add(agent.name, Verdict::kFail, path + ": " + wrong.what(), "repair the file");
        }
    }

    const Arguments &arguments_;
    const std::string address_;
    std::string token_;      // of the proxy; empty: none
    bool is_named_ = false;  // the agent is one that the user has named
    std::vector<std::pair<std::string, std::string>> upstreams_;  // names and URLs
    std::vector<ProxyCheck> checks_;
};

std::string checks_json(const std::vector<ProxyCheck> &checks, bool is_ok) {
    JsonList list;
    for (const ProxyCheck &check : checks) {
        JsonObject one;
        one.text("check", check.of)
            .text("verdict", word_of(check.verdict))
            .text("text", check.text);
        if (!check.fix.empty()) one.text("fix", check.fix);
        list.json(one.end());
    }
    return JsonObject().flag("ok", is_ok).json("checks", list.end()).end() + "\n";
}

}  // namespace

int examine_proxy(const Arguments &arguments, Streams &io) {
    if (arguments.files.size() > 1)
        throw Failure("proxy doctor: give one agent, or none for all: " + agent_names());
    if (!arguments.files.empty() && !find_agent(arguments.files.front()))
        throw Failure("proxy doctor: " + unknown_agent_text(arguments.files.front()));
    const std::vector<ProxyCheck> checks = ProxyDoctor(arguments).examine();
    bool is_ok = true;
    for (const ProxyCheck &check : checks) is_ok &= check.verdict != Verdict::kFail;
    if (arguments.json) {
        io.out.text += checks_json(checks, is_ok);
    } else {
        for (const ProxyCheck &check : checks) {
            std::string line = left(word_of(check.verdict), 6) + check.of + ": " + check.text;
            if (!check.fix.empty()) line += "; " + check.fix;
            append_printable(line, io.out.text);
            io.out.text += '\n';
        }
    }
    return is_ok ? 0 : 1;
}

}  // namespace cli
