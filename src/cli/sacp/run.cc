// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp run: runs the plan of a message with programs as its tools.
#include <cerrno>
#include <cstring>
#include <fstream>

#include "cli/host.h"
#include "cli/process/shell_process.h"
#include "cli/sacp/agents.h"
#include "cli/sacp/delegates.h"
#include "cli/sacp/failed_attempts.h"
#include "cli/sacp/plan_view.h"
#include "cli/sacp/runs.h"
#include "cli/settings.h"

namespace cli {
namespace {

// Of what was refused, which may be no JSON.
bool is_version_1_0(const std::string &message) {
    try {
        return json_word(json_member(compact_json(message), "proto_ver")) == "1.0.0";
    } catch (const Failure &) {
        return false;
    }
}

// What was asked for, in texts that outlive the run.
struct Request {
    explicit Request(const Arguments &arguments)
        : policy(policy_of(arguments, "")),
          tools(read_commands(arguments.tool_commands, "--tool")),
          max_output(max_output_of(policy)) {
        if (arguments.files.size() > 1) throw Failure("sacp run takes one message");
        message = read_input(arguments.files.empty() ? "-" : arguments.files[0]);
        if (!arguments.library.empty()) library = read_file(arguments.library);
    }
    std::string message, library, policy;
    Commands tools;
    size_t max_output;
};

// A call is a program's, or else an agent's.
class Driver {
public:
    Driver(PlanRun &run, const Request &request, const Arguments &arguments)
        : run_(run),
          tools_(request.tools, request.max_output),
          delegates_(arguments, request.max_output,
                     [this](const std::string &text) { view_.say(text); }),
          failed_(run, [this](const std::string &text) { view_.say(text); }) {}

    // To its end.
    void drive() {
        while (take_effects()) {
            view_.show(run_);
            wait();
            tools_.go_on();
            delegates_.go_on(run_);
            if (run_.due() >= 0 && run_.due() <= clock_ms()) run_.tick(clock_ms());
            failed_.tell(run_);
            if (interrupted() && !cancelled_) {
                cancelled_ = true;
                run_.cancel(clock_ms());
            }
        }
        failed_.tell(run_);
        failed_.finish();
        delegates_.finish();
        view_.show(run_);
    }

private:
    // False: it has ended.
    bool take_effects() {
        for (;;) {
            const accp_run_effect effect = run_.next(clock_ms());
            if (effect.kind == ACCP_RUN_ENDED) return false;
            if (effect.kind == ACCP_RUN_NOTHING) return true;
            if (effect.kind == ACCP_RUN_CALL) call(effect);
            if (effect.kind != ACCP_RUN_STOP) continue;
            tools_.stop(run_, effect.call);
            delegates_.stop(run_, effect.call);
        }
    }

    void call(const accp_run_effect &effect) {
        failed_.called(effect.step);
        if (tools_.has(to_view(effect.tool))) return tools_.call(run_, effect, to_view(effect.key));
        if (!delegates_.call(run_, effect))
            run_.fail(effect.call, ACCP_RUN_NO_AGENT, "no --tool of this name, and no agent",
                      clock_ms());
    }

    // Until a tool or an agent says something, or a time is over.
    void wait() {
        std::vector<pollfd> all;
        int64_t max_ms = run_.due() < 0 ? kMaxWaitMs : run_.due() - clock_ms();
        tools_.add_to(all, max_ms);
        delegates_.add_to(all);
        wait_for(all, max_ms);
    }

    PlanRun &run_;
    PlanView view_;
    ToolCalls tools_;
    Delegates delegates_;
    FailedAttempts failed_;
    bool cancelled_ = false;
};

// What its verdict or result alone does not tell.
void tell_why_nothing_runs(const PlanRun &run, const Arguments &arguments,
                           const std::string &message, Streams &io) {
    std::string note;
    if (run.state() == ACCP_RUN_DONE || run.state() == ACCP_RUN_FAILED)
        note = "this run had ended before, and no tool is called: the result is that of session " +
               arguments.session + " in " + arguments.store +
               "; with another --session the message is run anew";
    else if (run.state() == ACCP_RUN_REFUSED && is_version_1_0(message))
        note = "accp sacp adapt --to 0.1 makes a message of version 0.1 of it, which can be run";
    else return;
    io.err.text.append("accp: ");
    append_printable(note, io.err.text);
    io.err.text.append("\n");
    io.flush();
}

// A file that is opened before the plan runs, so that a bad name is told before any tool is called.
class ResultFile {
public:
    // Empty: there is none.
    explicit ResultFile(const std::string &path) : path_(path) {
        if (path.empty()) return;
        out_.open(path, std::ios::binary | std::ios::trunc);
        check();
    }
    bool is_wanted() const { return !path_.empty(); }
    void write(const std::string &text) {
        out_ << text;
        out_.close();
        check();
    }

private:
    void check() const {
        if (!out_) throw Failure(path_ + ": cannot be written: " + std::strerror(errno));
    }

    std::string path_;
    std::ofstream out_;
};

// The result is told even where a file of it cannot be written.
void tell_result(PlanRun &run, ResultFile &trace, ResultFile &graph, bool is_svg, Streams &io) {
    const auto tell = [&] { io.out.text.append(run.final() + "\n"); };
    try {
        if (trace.is_wanted()) trace.write(run.trace() + "\n");
        if (graph.is_wanted()) graph.write(is_svg ? svg_of(run) : mermaid_of(run));
    } catch (const Failure &) {
        tell();
        io.flush();
        throw;
    }
    tell();
}

}  // namespace

int sacp_run(const Arguments &arguments, Streams &io) {
    const Request request(arguments);
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_store> store = open_store(arguments.store);
    PlanSource source;
    source.message = request.message;
    source.library = request.library;
    source.policy = request.policy;
    source.lenient = arguments.lenient;
    source.reasons = true;
    source.store = store.get();
    source.store_name = arguments.store;
    if (store) source.session = arguments.session;
    source.now_ms = now_ms(arguments);
    source.config = config.get();
    PlanRun run(source);
    ResultFile trace(arguments.trace_file), graph(arguments.graph);
    tell_why_nothing_runs(run, arguments, request.message, io);
    handle_signals();
    Driver(run, request, arguments).drive();
    tell_result(run, trace, graph, arguments.graph.ends_with(".svg"), io);
    return run.state() == ACCP_RUN_DONE ? 0 : 1;
}

}  // namespace cli
