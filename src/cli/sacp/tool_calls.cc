// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/sacp/tool_calls.h"

#include <algorithm>
#include <cstring>

#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr int64_t kLingerMs = 20;  // between checks of a process that has closed its output

}  // namespace

ToolProcess::ToolProcess(const std::string &command, std::string input,
                         const std::vector<std::pair<std::string, std::string>> &environment,
                         size_t max_output)
    : process_(command, environment), input_(std::move(input)), max_output_(max_output) {}

bool ToolProcess::process_io() {
    written_ += process_.write(std::string_view(input_).substr(written_));
    if (written_ == input_.size()) process_.close_input();
    process_.read(output_, max_output_);
    if (output_.size() > max_output_) process_.kill();
    return !process_.writes() && process_.reap();
}

Commands read_commands(const std::vector<std::string> &given, const char *option) {
    Commands commands;
    for (const std::string &one : given) {
        const size_t equals = one.find('=');
        if (equals == 0 || equals == one.npos)
            throw Failure(std::string(option) + " takes NAME=COMMAND, not " + one);
        commands[one.substr(0, equals)] = one.substr(equals + 1);
    }
    return commands;
}

ToolCalls::Call::Call(PlanRun &by, const accp_run_effect &effect, const std::string &command,
                      std::string_view key, size_t max_output)
    : run(&by),
      number(effect.call),
      process(command, std::string(to_view(effect.text)),
              {{"ACCP_STEP", std::string(to_view(effect.path))}, {"ACCP_KEY", std::string(key)}},
              max_output) {}

void ToolCalls::call(PlanRun &run, const accp_run_effect &effect, std::string_view key) {
    const auto tool = tools_.find(std::string(to_view(effect.tool)));
    if (tool == tools_.end())
        return run.fail(effect.call, ACCP_RUN_NO_AGENT, "no --tool of this name", clock_ms());
    calls_.emplace_back(run, effect, tool->second, key, max_output_);
    const int error = calls_.back().process.error();
    if (!error) return;
    run.fail(effect.call, ACCP_RUN_TOOL_FAILED, std::strerror(error), clock_ms());
    calls_.pop_back();
}

void ToolCalls::stop(const PlanRun &run, uint64_t call) {
    calls_.remove_if([&](const Call &one) { return one.run == &run && one.number == call; });
}

void ToolCalls::add_poll_fds(std::vector<pollfd> &all, int64_t &max_ms) const {
    for (const Call &one : calls_) {
        one.process.add_poll_fds(all);
        if (one.process.lingers()) max_ms = std::min(max_ms, kLingerMs);
    }
}

void ToolCalls::process_io() {
    for (auto one = calls_.begin(); one != calls_.end();)
        one = one->process.process_io() ? finish(one) : std::next(one);
}

std::list<ToolCalls::Call>::iterator ToolCalls::finish(std::list<Call>::iterator call) {
    const ToolProcess &process = call->process;
    const std::string &output = process.output();
    if (process.status() == 0 || output.size() > max_output_)
        call->run->complete(call->number, output, clock_ms());
    else
        call->run->fail(call->number, ACCP_RUN_TOOL_FAILED,
                        process.status() < 0 ? "ended by a signal"
                                             : "exit status " + std::to_string(process.status()),
                        clock_ms());
    return calls_.erase(call);
}

}  // namespace cli
