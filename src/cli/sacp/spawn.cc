// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp spawn: both sides of the creation of agents. A request for an agent (goal SPAWN_AGENT)
// goes to the spawn service, which creates the agent if --allow is given. Any other message goes to
// the orchestrator. With --request it prints its requests; without, it sends them to the service
// and checks the plan again.
#include <algorithm>

#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/sacp/actions.h"
#include "cli/sacp/agents.h"
#include "cli/settings.h"

namespace cli {
namespace {

class AgentSpawner {
public:
    AgentSpawner(const Arguments &arguments, const accp_config *config)
        : arguments_(arguments),
          sacp_(open_sacp(arguments, config)),
          value_(new_value(config)),
          agents_(arguments, config) {}

    // `record`: the number of the line, for message ids.
    accp_status answer(std::string_view line, uint64_t record, std::string &out, accp_error &err) {
        if (is_agent_request(line)) return serve(line, "a" + std::to_string(record), out, err);
        accp_status status = ACCP_OK;
        int32_t outcome = ACCP_SPAWN_REQUESTED;
        const uint32_t max = std::max(arguments_.retries, 1u);
        for (uint32_t round = 0; status == ACCP_OK && outcome == ACCP_SPAWN_REQUESTED; ++round) {
            std::string text;
            status = request_agents(line, {round, max, {}}, "r" + std::to_string(record), outcome,
                                    text, err);
            if (outcome != ACCP_SPAWN_REQUESTED || arguments_.request) {
                out += text;
                break;
            }
            if (status == ACCP_OK) status = serve_all(text, err);
        }
        return status;
    }

private:
    bool is_agent_request(std::string_view line) {
        accp_text text = {};
        accp_error err = {};
        return accp_value_parse_json(value_.get(), line.data(), line.size(), &err) == ACCP_OK &&
               accp_value_print_json(value_.get(), &text, &err) == ACCP_OK &&
               json_word(json_member(to_view(text), "g")) == "SPAWN_AGENT";
    }
    accp_status request_agents(std::string_view line, accp_spawn_round round, std::string id,
                               int32_t &outcome, std::string &out, accp_error &err) {
        id += "." + std::to_string(round.asked + 1);
        round.msg_id = {id.data(), id.size()};
        accp_text text = {};
        const accp_status status = accp_capabilities_request_agents(
            agents_.get(), sacp_.get(), line.data(), line.size(), agents_now_ms(arguments_),
            arguments_.lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT, &round, &text, &outcome,
            &err);
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
    // `requests`: one per line. The next check of the plan shows what the service refused.
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
    AgentRegistry agents_;
};

}  // namespace

int sacp_spawn(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    AgentSpawner spawner(arguments, config.get());
    return run_filter(arguments, io, Lines::kMessages,
                      [&](std::string_view line, Streams &to, accp_error &err) {
                          return spawner.answer(line, to.records, to.out.text, err);
                      });
}

}  // namespace cli
