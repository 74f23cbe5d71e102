// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp run: runs the plan of a message, with programs as its tools and agents.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>

#include "cli/host.h"
#include "cli/process/shell_process.h"
#include "cli/sacp/actions.h"
#include "cli/sacp/agents.h"
#include "cli/sacp/delegates.h"
#include "cli/sacp/plan_view.h"
#include "cli/settings.h"

namespace cli {
namespace {

// Each report reads the whole trace.
constexpr uint64_t kMaxReportedAttempts = 100;

// Returns the trace entry of a step's attempt, counted from 0, or an empty string.
std::string_view find_entry(std::string_view trace, std::string_view path, uint32_t attempt) {
    for (const std::string_view entry : json_items(trace))
        if (json_word(json_member(entry, "step")) == path && attempt-- == 0) return entry;
    return {};
}

std::string failure_reason(std::string_view entry) {
    const std::string reason = json_text(json_member(entry, "reason"));
    if (!reason.empty()) return reason;
    const std::string_view outcome = json_word(json_member(entry, "outcome"));
    return outcome == "TIMEOUT" ? "timed out" : "failed";
}

// Reports each attempt of a step that failed, and why, while the run goes on.
class FailedAttempts {
public:
    using Report = std::function<void(const std::string &)>;

    // Attempts that failed before, according to the log of a store, are not reported.
    FailedAttempts(PlanRun &run, Report report);

    // A tool or an agent was called for this step.
    void add_call(uint32_t step) { open_steps_.insert(step); }
    // Reports the new failures, up to kMaxReportedAttempts in all.
    void report_new(PlanRun &run);
    // Reports how many failures were left out.
    void finish();

private:
    void report_step(PlanRun &run, uint32_t number, const accp_run_step &step);

    Report report_;
    std::set<uint32_t> open_steps_;
    std::vector<uint32_t> seen_;  // attempts, by step
    uint64_t failed_ = 0;
};

FailedAttempts::FailedAttempts(PlanRun &run, Report report) : report_(std::move(report)) {
    for (uint32_t i = 0; i < run.step_count(); ++i) seen_.push_back(run.step(i).tries);
}

void FailedAttempts::report_new(PlanRun &run) {
    for (auto number = open_steps_.begin(); number != open_steps_.end();) {
        const accp_run_step step = run.step(*number);
        const bool is_open = step.state == ACCP_RUN_STEP_IN_PROGRESS;
        report_step(run, *number, step);
        number = is_open ? std::next(number) : open_steps_.erase(number);
    }
}

void FailedAttempts::report_step(PlanRun &run, uint32_t number, const accp_run_step &step) {
    const std::string path(to_view(step.path));
    // The last attempt of a step that is done did not fail.
    const uint32_t end = step.tries - (step.state == ACCP_RUN_STEP_DONE && step.tries);
    for (uint32_t &seen = seen_[number]; seen < end; ++seen) {
        if (++failed_ > kMaxReportedAttempts) continue;
        const std::string trace = run.trace();
        const std::string_view entry = find_entry(trace, path, seen);
        report_("accp: step " + path + ", tool " + json_text(json_member(entry, "tool")) + ": " +
                failure_reason(entry));
    }
}

void FailedAttempts::finish() {
    if (failed_ > kMaxReportedAttempts)
        report_("accp: " + std::to_string(failed_ - kMaxReportedAttempts) +
                " more attempts failed");
}

// The message was refused and may not be JSON.
bool is_version_1_0(const std::string &message) {
    try {
        return json_word(json_member(compact_json(message), "proto_ver")) == "1.0.0";
    } catch (const Failure &) {
        return false;
    }
}

// The inputs of the run, which must outlive it.
struct RunInputs {
    explicit RunInputs(const Arguments &arguments)
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

// Runs a plan. A call goes to the tool of this name, otherwise to an agent.
class PlanDriver {
public:
    PlanDriver(PlanRun &run, const RunInputs &inputs, const Arguments &arguments)
        : run_(run),
          tools_(inputs.tools, inputs.max_output),
          delegates_(arguments, inputs.max_output,
                     [this](const std::string &text) { view_.print_line(text); }),
          failed_(run, [this](const std::string &text) { view_.print_line(text); }) {}

    void run_to_end() {
        while (handle_effects()) {
            view_.show(run_);
            wait();
            tools_.process_io();
            delegates_.process_io(run_);
            if (run_.due() >= 0 && run_.due() <= clock_ms()) run_.tick(clock_ms());
            failed_.report_new(run_);
            if (interrupted() && !is_cancelled_) {
                is_cancelled_ = true;
                run_.cancel(clock_ms());
            }
        }
        failed_.report_new(run_);
        failed_.finish();
        delegates_.finish();
        view_.show(run_);
    }

private:
    // Returns false if the run has ended.
    bool handle_effects() {
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
        failed_.add_call(effect.step);
        if (tools_.has(to_view(effect.tool))) return tools_.call(run_, effect, to_view(effect.key));
        if (!delegates_.call(run_, effect))
            run_.fail(effect.call, ACCP_RUN_NO_AGENT,
                      "no --tool has this name, and no agent can do it", clock_ms());
    }

    // Waits for a tool, an agent or a deadline.
    void wait() {
        std::vector<pollfd> all;
        int64_t max_ms = run_.due() < 0 ? kMaxWaitMs : run_.due() - clock_ms();
        tools_.add_poll_fds(all, max_ms);
        delegates_.add_poll_fds(all);
        wait_for(all, max_ms);
    }

    PlanRun &run_;
    PlanView view_;
    ToolCalls tools_;
    Delegates delegates_;
    FailedAttempts failed_;
    bool is_cancelled_ = false;
};

// Explains why no tool is called, if that is not clear from the verdict or the result.
void explain_no_calls(const PlanRun &run, const Arguments &arguments, const std::string &message,
                      Streams &io) {
    std::string note;
    if (run.state() == ACCP_RUN_DONE || run.state() == ACCP_RUN_FAILED)
        note = "this run has already ended, so no tool is called: the result is that of session " +
               arguments.session + " in " + arguments.store +
               "; give another --session to run the message again";
    else if (run.state() == ACCP_RUN_REFUSED && is_version_1_0(message))
        note = "accp sacp adapt --to 0.1 converts the message to version 0.1, which can be run";
    else return;
    io.err.text.append("accp: ");
    append_printable(note, io.err.text);
    io.err.text.append("\n");
    io.flush();
}

// A file that is opened before the plan runs, so that a bad name is reported before any tool is
// called.
class ResultFile {
public:
    // `path`: empty for no file.
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

// Prints the result even if a file cannot be written.
void print_result_and_files(PlanRun &run, ResultFile &trace, ResultFile &graph, bool is_svg,
                            Streams &io) {
    const auto print_result = [&] { io.out.text.append(run.final() + "\n"); };
    try {
        if (trace.is_wanted()) trace.write(run.trace() + "\n");
        if (graph.is_wanted()) graph.write(is_svg ? svg_of(run) : mermaid_of(run));
    } catch (const Failure &) {
        print_result();
        io.flush();
        throw;
    }
    print_result();
}

}  // namespace

int sacp_run(const Arguments &arguments, Streams &io) {
    const RunInputs inputs(arguments);
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_store> store = open_store(arguments.store);
    PlanSource source;
    source.message = inputs.message;
    source.library = inputs.library;
    source.policy = inputs.policy;
    source.lenient = arguments.lenient;
    source.reasons = true;
    source.store = store.get();
    source.store_name = arguments.store;
    if (store) source.session = arguments.session;
    source.now_ms = now_ms(arguments);
    source.config = config.get();
    PlanRun run(source);
    ResultFile trace(arguments.trace_file), graph(arguments.graph);
    explain_no_calls(run, arguments, inputs.message, io);
    handle_signals();
    PlanDriver(run, inputs, arguments).run_to_end();
    print_result_and_files(run, trace, graph, arguments.graph.ends_with(".svg"), io);
    return run.state() == ACCP_RUN_DONE ? 0 : 1;
}

}  // namespace cli
