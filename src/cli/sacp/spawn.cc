// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp spawn: both sides of the making of agents. A line that asks for an agent (the goal
// SPAWN_AGENT) goes to the service, which makes it where --allow is given. Any other message is the
// orchestrator's: with --request what it would ask for, else it asks the service, and tries again.
#include <algorithm>

#include "cli/sacp/agents.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

class Spawning {
public:
    Spawning(const Arguments &arguments, const accp_config *config)
        : arguments_(arguments),
          sacp_(open_sacp(arguments, config)),
          value_(new_value(config)),
          agents_(arguments, config) {}

    // `record`: the number of the line, which ids are made of.
    accp_status answer(std::string_view line, uint64_t record, std::string &out, accp_error &err) {
        if (asks_for_agent(line)) return serve(line, "a" + std::to_string(record), out, err);
        accp_status status = ACCP_OK;
        int32_t said = ACCP_SPAWN_REQUESTED;
        const uint32_t max = std::max(arguments_.retries, 1u);
        for (uint32_t round = 0; status == ACCP_OK && said == ACCP_SPAWN_REQUESTED; ++round) {
            std::string text;
            status = ask(line, {round, max, {}}, "r" + std::to_string(record), said, text, err);
            if (said != ACCP_SPAWN_REQUESTED || arguments_.request) {
                out += text;
                break;
            }
            if (status == ACCP_OK) status = serve_all(text, err);
        }
        return status;
    }

private:
    bool asks_for_agent(std::string_view line) {
        accp_text text = {};
        accp_error err = {};
        return accp_value_parse_json(value_.get(), line.data(), line.size(), &err) == ACCP_OK &&
               accp_value_print_json(value_.get(), &text, &err) == ACCP_OK &&
               json_word(json_member(to_view(text), "g")) == "SPAWN_AGENT";
    }
    accp_status ask(std::string_view line, accp_spawn_round round, std::string id, int32_t &said,
                    std::string &out, accp_error &err) {
        id += "." + std::to_string(round.asked + 1);
        round.msg_id = {id.data(), id.size()};
        accp_text text = {};
        const accp_status status = accp_capabilities_request_agents(
            agents_.get(), sacp_.get(), line.data(), line.size(),
            arguments_.lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT, agents_now_ms(arguments_),
            &round, &said, &text, &err);
        if (status == ACCP_OK) out.append(to_view(text));
        return status;
    }
    accp_status serve(std::string_view request, const std::string &id, std::string &out,
                      accp_error &err) {
        accp_spawn_rules rules = {};
        rules.allow = arguments_.allow ? 1 : 0;
        rules.msg_id = {id.data(), id.size()};
        accp_text text = {};
        const accp_status status = accp_capabilities_spawn(
            agents_.get(), sacp_.get(), request.data(), request.size(), &rules, &text, &err);
        if (status == ACCP_OK) out.append(to_view(text));
        return status;
    }
    // Requests, a line each. What the service refuses shows when the plan is looked at again.
    accp_status serve_all(std::string_view requests, accp_error &err) {
        accp_status status = ACCP_OK;
        while (!requests.empty() && status == ACCP_OK) {
            const std::string_view request = requests.substr(0, requests.find('\n'));
            requests.remove_prefix(std::min(request.size() + 1, requests.size()));
            std::string ignored;
            status = serve(request, {}, ignored, err);
        }
        return status;
    }

    const Arguments &arguments_;
    Handle<accp_sacp> sacp_;
    Handle<accp_value> value_;
    Agents agents_;
};

}  // namespace

int sacp_spawn(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    Spawning spawning(arguments, config.get());
    return run_filter(arguments, io, Lines::kMessages,
                      [&](std::string_view line, Streams &to, accp_error &err) {
                          return spawning.answer(line, to.records, to.out.text, err);
                      });
}

}  // namespace cli
