// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp run: runs the plan of a message with programs as its tools.
#include <poll.h>
#include <signal.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <list>
#include <map>

#include "cli/agents.h"
#include "cli/failure.h"
#include "cli/json_parts.h"
#include "cli/plan_view.h"
#include "cli/sacp_runs.h"
#include "cli/settings.h"
#include "cli/tool_process.h"

namespace cli {
namespace {

constexpr size_t kMaxOutput = 16 << 20;  // the library's default
constexpr int64_t kLingerMs = 20;

volatile sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

// What was asked for, in texts that outlive the run.
struct Request {
    std::string message, library, policy;
    std::map<std::string, std::string> tools;
    size_t max_output = kMaxOutput;
};

Request read_request(const Arguments &arguments) {
    Request request;
    if (arguments.files.size() > 1) throw Failure("sacp run takes one message");
    request.message = read_input(arguments.files.empty() ? "-" : arguments.files[0]);
    if (!arguments.library.empty()) request.library = read_file(arguments.library);
    if (!arguments.policy.empty()) {
        request.policy = compact_json(read_file(arguments.policy));
        const std::string_view max = json_member(request.policy, "max_output_bytes");
        if (!max.empty()) request.max_output = std::strtoull(max.data(), nullptr, 10);
    }
    for (const std::string &tool : arguments.tool_commands) {
        const size_t equals = tool.find('=');
        if (equals == 0 || equals == tool.npos)
            throw Failure("--tool is NAME=COMMAND, not " + tool);
        request.tools[tool.substr(0, equals)] = tool.substr(equals + 1);
    }
    return request;
}

class Driver {
public:
    Driver(PlanRun &run, const Request &request) : run_(run), request_(request) {}

    // To its end.
    void drive() {
        while (take_effects()) {
            view_.show(run_);
            wait();
            for (auto one = calls_.begin(); one != calls_.end();)
                one = one->process.go_on() ? answer(one) : std::next(one);
            if (run_.due() >= 0 && run_.due() <= clock_ms()) run_.tick(clock_ms());
            if (interrupted && !cancelled_) {
                cancelled_ = true;
                run_.cancel(clock_ms());
            }
        }
        view_.show(run_);
    }

private:
    struct Call {
        Call(const accp_run_effect &effect, const std::string &command, size_t max_output)
            : number(effect.call),
              process(command, std::string(to_view(effect.text)),
                      {{"ACCP_STEP", std::string(to_view(effect.path))},
                       {"ACCP_KEY", std::string(to_view(effect.key))}},
                      max_output) {}
        uint64_t number;
        ToolProcess process;
    };
    using Calls = std::list<Call>;

    // False: it has ended.
    bool take_effects() {
        for (;;) {
            const accp_run_effect effect = run_.next(clock_ms());
            if (effect.kind == ACCP_RUN_ENDED) return false;
            if (effect.kind == ACCP_RUN_NOTHING) return true;
            if (effect.kind == ACCP_RUN_CALL) call(effect);
            if (effect.kind == ACCP_RUN_STOP)
                calls_.remove_if([&](const Call &one) { return one.number == effect.call; });
        }
    }

    void call(const accp_run_effect &effect) {
        const auto tool = request_.tools.find(std::string(to_view(effect.tool)));
        if (tool == request_.tools.end())
            return run_.fail(effect.call, ACCP_RUN_NO_AGENT, "no --tool of this name", clock_ms());
        calls_.emplace_back(effect, tool->second, request_.max_output);
        const int error = calls_.back().process.error();
        if (!error) return;
        run_.fail(effect.call, ACCP_RUN_TOOL_FAILED, std::strerror(error), clock_ms());
        calls_.pop_back();
    }

    Calls::iterator answer(Calls::iterator call) {
        const ToolProcess &process = call->process;
        const std::string &output = process.output();
        if (process.status() == 0 || output.size() > request_.max_output)
            run_.complete(call->number, output, clock_ms());
        else
            run_.fail(call->number, ACCP_RUN_TOOL_FAILED,
                      process.status() < 0 ? "ended by a signal"
                                           : "exit status " + std::to_string(process.status()),
                      clock_ms());
        return calls_.erase(call);
    }

    // Until a tool says something, or a time is over.
    void wait() {
        std::vector<pollfd> all;
        int64_t max_ms = run_.due() < 0 ? 60'000 : std::max<int64_t>(0, run_.due() - clock_ms());
        for (const Call &one : calls_) {
            one.process.add_to(all);
            if (one.process.lingers()) max_ms = std::min(max_ms, kLingerMs);
        }
        max_ms = std::min<int64_t>(max_ms, 60'000);
        const timespec time = {max_ms / 1000, max_ms % 1000 * 1'000'000};
        sigset_t none;
        sigemptyset(&none);
        ppoll(all.data(), all.size(), &time, &none);
    }

    PlanRun &run_;
    const Request &request_;
    PlanView view_;
    Calls calls_;
    bool cancelled_ = false;
};

void write_file(const std::string &path, const std::string &text) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) throw Failure(path + ": cannot be written");
}

// They come while ppoll() waits, and at no other time.
void handle_signals() {
    struct sigaction action = {};
    action.sa_handler = interrupt;
    sigset_t both;
    sigemptyset(&both);
    for (int one : {SIGINT, SIGTERM}) {
        sigaddset(&both, one);
        sigaction(one, &action, nullptr);
    }
    sigprocmask(SIG_BLOCK, &both, nullptr);
}

}  // namespace

int sacp_run(const Arguments &arguments, Streams &io) {
    const Request request = read_request(arguments);
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_store> store = open_store(arguments.store);
    PlanSource source;
    source.message = request.message;
    source.library = request.library;
    source.policy = request.policy;
    source.lenient = arguments.lenient;
    source.store = store.get();
    if (store) source.session = arguments.session;
    source.now_ms = now_ms(arguments);
    source.config = config.get();
    PlanRun run(source);
    handle_signals();
    Driver(run, request).drive();
    if (!arguments.trace_file.empty()) write_file(arguments.trace_file, run.trace() + "\n");
    const std::string &graph = arguments.graph;
    if (!graph.empty()) write_file(graph, graph.ends_with(".svg") ? svg_of(run) : mermaid_of(run));
    io.out.text.append(run.final() + "\n");
    return run.state() == ACCP_RUN_DONE ? 0 : 1;
}

}  // namespace cli
