// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/sacp/delegates.h"

#include <cstring>

#include "cli/host.h"
#include "cli/sacp/agents.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr int64_t kGraceMs = 500;          // an agent may have to end tools of its own
constexpr uint64_t kMaxReportedLines = 3;  // of one agent

}  // namespace

Delegates::Delegates(const Arguments &arguments, size_t max_output, Report report)
    : sender_(arguments.agent), wire_(arguments, max_output), report_(std::move(report)) {
    for (const std::string &given : arguments.agent_commands) {
        const auto [name, command] = *read_commands({given}, "--agent").begin();
        wire_.check_name(name, "--agent");
        if (find_named(name)) throw Failure("--agent " + name + " is given twice");
        agents_.emplace_back();
        agents_.back().name = name;
        agents_.back().command = command;
    }
    if (!arguments.registry.empty()) open_registry(arguments);
}

Delegates::~Delegates() {
    for (Agent &agent : agents_)
        if (agent.process) agent.process->end(kGraceMs);
}

void Delegates::open_registry(const Arguments &arguments) {
    const std::string &name = arguments.registry;
    const bool is_store = host::is_store_name(name);
    accp_error err = {};
    accp_store *store = nullptr;
    if (is_store && accp_store_open(name.data(), name.size(), 0, nullptr, &store, &err) != ACCP_OK)
        throw Failure(name + ": " + message_of(err));
    store_.reset(store);
    accp_capabilities *made = nullptr;
    if (accp_capabilities_open(store, nullptr, &made, &err) != ACCP_OK)
        throw Failure(name + ": " + message_of(err));
    registry_.reset(made);
    if (is_store) return;
    load_agents(made, name, read_file(name));
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
    if (accp_capabilities_query(registry_.get(), query.data(), query.size(), clock_ms(),
                                ACCP_RANK_BY_OUTCOMES, &answer, &err) != ACCP_OK)
        throw Failure("registry: " + message_of(err));
    accp_found_agent found = {};
    for (size_t i = 0; accp_capabilities_found(registry_.get(), i, &found, nullptr) == ACCP_OK; ++i)
        if (Agent *agent = find_named(to_view(found.name))) return agent;
    return nullptr;
}

// Returns an errno, or 0 if the agent runs.
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
    if (!wire_.to_frame(message, sender_, frame, fault))
        return run.fail(number, ACCP_RUN_TOOL_FAILED, fault, clock_ms()), true;
    if (const int error = start(*agent)) {
        note_outcome(*agent, false);
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
        if (run.state() == ACCP_RUN_GOING_ON) note_outcome(agent, false);
        erase(call);
        if (agent.calls || !agent.process) return;
        agent.process->end(kGraceMs);
        agent.process.reset();
        return;
    }
}

void Delegates::add_poll_fds(std::vector<pollfd> &all) const {
    for (const Agent &agent : agents_)
        if (agent.process) agent.process->add_to(all, !agent.input.empty());
}

void Delegates::process_io(PlanRun &run) {
    for (Agent &agent : agents_) {
        if (!agent.process) continue;
        agent.input.erase(0, agent.process->write(agent.input));
        agent.process->read(agent.output, wire_.max_line());
        receive_lines(run, agent);
        if (agent.output.size() > wire_.max_line()) {
            report_("agent " + agent.name + ": a line is too long");
            agent.process->kill();
        }
        if (!agent.process->writes()) fail_calls(run, agent);
    }
}

void Delegates::receive_lines(PlanRun &run, Agent &agent) {
    for (std::string line; take_line(agent.output, line);)
        if (!line.empty()) receive(run, agent, line);
}

void Delegates::receive(PlanRun &run, Agent &agent, const std::string &line) {
    SacpWire::Received received;
    std::string fault;
    if (!wire_.from_frame(line, received, fault)) return ignore_line(agent, fault);
    if (received.agent != agent.name) return ignore_line(agent, "its sender is " + received.agent);
    if (!run.receive(agent.name, received.sacp, clock_ms(), fault))
        return ignore_line(agent, fault);
    finish_answered_call(run, agent);
}

void Delegates::ignore_line(Agent &agent, const std::string &reason) {
    if (++agent.ignored_lines <= kMaxReportedLines)
        report_("agent " + agent.name + ": ignored a line: " + reason);
}

void Delegates::finish() {
    for (const Agent &agent : agents_)
        if (agent.ignored_lines > kMaxReportedLines)
            report_("agent " + agent.name + ": " +
                    std::to_string(agent.ignored_lines - kMaxReportedLines) +
                    " more lines ignored");
}

// Finds the agent's call that has got a reply, if any.
void Delegates::finish_answered_call(PlanRun &run, Agent &agent) {
    for (auto call = calls_.begin(); call != calls_.end(); ++call) {
        if (call->agent != &agent) continue;
        const accp_run_step step = run.step(call->step);
        if (step.tries == call->tries) continue;
        note_outcome(agent, step.state == ACCP_RUN_STEP_DONE);
        erase(call);
        return;
    }
}

// The agent has ended or closed its output.
void Delegates::fail_calls(PlanRun &run, Agent &agent) {
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
        note_outcome(agent, false);
        const uint64_t number = call->number;
        call = erase(call);
        run.fail(number, ACCP_RUN_TOOL_FAILED, reason, clock_ms());
    }
}

// Records the outcome in the registry. Later queries, also those of this run, rank agents by their
// outcomes. Does nothing if the agent was removed from the registry.
void Delegates::note_outcome(const Agent &agent, bool success) {
    if (registry_)
        accp_capabilities_record_outcome(registry_.get(), agent.name.data(), agent.name.size(),
                                         success, nullptr);
}

}  // namespace cli
