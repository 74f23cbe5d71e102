// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See delegates.h.
#include "cli/sacp/delegates.h"

#include <cstring>

#include "cli/sacp/agents.h"
#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr int64_t kGraceMs = 500;   // as an agent may have tools of its own to end
constexpr uint64_t kMaxBabble = 3;  // of an agent's lines, one by one

}  // namespace

Delegates::Delegates(const Arguments &arguments, size_t max_output, Say say)
    : speaker_(arguments.agent), wire_(arguments, max_output), say_(std::move(say)) {
    for (const std::string &given : arguments.agent_commands) {
        const auto [name, command] = *read_commands({given}, "--agent").begin();
        wire_.check_name(name, "--agent");
        if (find_named(name)) throw Failure("--agent " + name + " is given twice");
        agents_.emplace_back();
        agents_.back().name = name;
        agents_.back().command = command;
    }
    if (!arguments.registry.empty()) read_registry(arguments);
}

Delegates::~Delegates() {
    for (Agent &agent : agents_)
        if (agent.process) agent.process->end(kGraceMs);
}

void Delegates::read_registry(const Arguments &arguments) {
    const std::string &named = arguments.registry;
    const bool is_store = host::is_store_name(named);
    accp_error err = {};
    accp_store *store = nullptr;
    if (is_store &&
        accp_store_open(named.data(), named.size(), 0, nullptr, &store, &err) != ACCP_OK)
        throw Failure(named + ": " + message_of(err));
    store_.reset(store);
    accp_capabilities *made = nullptr;
    if (accp_capabilities_open(store, nullptr, &made, &err) != ACCP_OK)
        throw Failure(named + ": " + message_of(err));
    registry_.reset(made);
    if (is_store) return;
    load_agents(made, named, read_file(named));
}

Delegates::Agent *Delegates::find_named(std::string_view name) {
    for (Agent &agent : agents_)
        if (agent.name == name) return &agent;
    return nullptr;
}

Delegates::Agent *Delegates::find(std::string_view verb, std::string_view tool) {
    if (!registry_) {
        Agent *named = find_named(tool);
        return named || agents_.empty() ? named : &agents_.front();
    }
    std::string query = "{\"query\":{\"verb\":";
    append_json_string(verb, query);
    query += ",\"tool\":";
    append_json_string(tool, query);
    query += "}}";
    accp_text answer = {};
    accp_error err = {};
    if (accp_capabilities_query(registry_.get(), query.data(), query.size(), ACCP_RANK_BY_OUTCOMES,
                                clock_ms(), &answer, &err) != ACCP_OK)
        throw Failure("registry: " + message_of(err));
    accp_found_agent found = {};
    for (size_t i = 0; accp_capabilities_found(registry_.get(), i, &found); ++i)
        if (Agent *agent = find_named(to_view(found.name))) return agent;
    return nullptr;
}

// Its errno; 0: it runs.
int Delegates::start(Agent &agent) {
    if (agent.process) return 0;
    agent.input.clear();
    agent.output.clear();
    agent.process = std::make_unique<ShellProcess>(
        agent.command,
        std::vector<std::pair<std::string, std::string>>{{"ACCP_AGENT", agent.name}});
    const int error = agent.process->error();
    if (error) agent.process.reset();
    return error;
}

bool Delegates::call(PlanRun &run, const accp_run_effect &effect) {
    const uint64_t number = effect.call;
    const uint32_t step = effect.step;
    Agent *agent = find(to_view(effect.verb), to_view(effect.tool));
    if (!agent) return false;
    const uint32_t tries = run.step(step).tries;
    std::string fault, frame;
    const std::string message = run.request(number, agent->name, fault);
    if (message.empty()) return run.fail(number, ACCP_RUN_NO_AGENT, fault, clock_ms()), true;
    if (!wire_.to_frame(message, speaker_, frame, fault))
        return run.fail(number, ACCP_RUN_TOOL_FAILED, fault, clock_ms()), true;
    if (const int error = start(*agent)) {
        note(*agent, false);
        return run.fail(number, ACCP_RUN_TOOL_FAILED, std::strerror(error), clock_ms()), true;
    }
    agent->input += frame + "\n";
    calls_.push_back({number, step, tries, agent});
    ++agent->calls;
    return true;
}

std::list<Delegates::Call>::iterator Delegates::erase(std::list<Call>::iterator call) {
    --call->agent->calls;
    return calls_.erase(call);
}

void Delegates::stop(const PlanRun &run, uint64_t number) {
    for (auto call = calls_.begin(); call != calls_.end(); ++call) {
        if (call->number != number) continue;
        Agent &agent = *call->agent;
        if (run.state() == ACCP_RUN_GOING_ON) note(agent, false);
        erase(call);
        if (agent.calls || !agent.process) return;
        agent.process->end(kGraceMs);
        agent.process.reset();
        return;
    }
}

void Delegates::add_to(std::vector<pollfd> &all) const {
    for (const Agent &agent : agents_)
        if (agent.process) agent.process->add_to(all, !agent.input.empty());
}

void Delegates::go_on(PlanRun &run) {
    for (Agent &agent : agents_) {
        if (!agent.process) continue;
        agent.input.erase(0, agent.process->write(agent.input));
        agent.process->read(agent.output, wire_.max_line());
        take_lines(run, agent);
        if (agent.output.size() > wire_.max_line()) {
            say_("agent " + agent.name + ": a line is too long");
            agent.process->kill();
        }
        if (!agent.process->writes()) lose(run, agent);
    }
}

void Delegates::take_lines(PlanRun &run, Agent &agent) {
    for (std::string line; take_line(agent.output, line);)
        if (!line.empty()) receive(run, agent, line);
}

void Delegates::receive(PlanRun &run, Agent &agent, const std::string &line) {
    SacpWire::Received received;
    std::string fault;
    if (!wire_.from_frame(line, received, fault)) return pass_over(agent, fault);
    if (received.agent != agent.name) return pass_over(agent, "it speaks as " + received.agent);
    if (!run.receive(agent.name, received.sacp, clock_ms(), fault)) return pass_over(agent, fault);
    settle(run, agent);
}

void Delegates::pass_over(Agent &agent, const std::string &why) {
    if (++agent.passed_over <= kMaxBabble) say_("agent " + agent.name + ": passed over: " + why);
}

void Delegates::finish() {
    for (const Agent &agent : agents_)
        if (agent.passed_over > kMaxBabble)
            say_("agent " + agent.name + ": " + std::to_string(agent.passed_over - kMaxBabble) +
                 " more lines passed over");
}

// Notes which of its calls was answered, if one was.
void Delegates::settle(PlanRun &run, Agent &agent) {
    for (auto call = calls_.begin(); call != calls_.end(); ++call) {
        if (call->agent != &agent) continue;
        const accp_run_step step = run.step(call->step);
        if (step.tries == call->tries) continue;
        note(agent, step.state == ACCP_RUN_STEP_DONE);
        erase(call);
        return;
    }
}

// It has ended, or says nothing any more.
void Delegates::lose(PlanRun &run, Agent &agent) {
    agent.process->kill();
    const int status = agent.process->status();
    agent.process.reset();
    const std::string reason =
        "the agent " + agent.name + " ended" +
        (status < 0 ? std::string() : " with status " + std::to_string(status));
    for (auto call = calls_.begin(); call != calls_.end();) {
        if (call->agent != &agent) {
            ++call;
            continue;
        }
        note(agent, false);
        const uint64_t number = call->number;
        call = erase(call);
        run.fail(number, ACCP_RUN_TOOL_FAILED, reason, clock_ms());
    }
}

// For whoever asks the registry next, this run too. An agent that was taken out meanwhile has none.
void Delegates::note(const Agent &agent, bool success) {
    if (registry_)
        accp_capabilities_note_outcome(registry_.get(), agent.name.data(), agent.name.size(),
                                       success, nullptr);
}

}  // namespace cli
