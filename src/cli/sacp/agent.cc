// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp agent: reads messages as frames, one per line, runs their plans with programs as tools,
// and replies the same way. Each message is a plan of its own; any number can run at once.
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include "cli/host.h"
#include "cli/process/shell_process.h"
#include "cli/sacp/actions.h"
#include "cli/sacp/agents.h"
#include "cli/sacp/tool_calls.h"
#include "cli/sacp/wire.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr uint64_t kMaxReportedRequests = 3;  // lines that are not requests
constexpr std::string_view kDigits = "0123456789";

// Removes the try from an id KEY.STEP.TRY, so that the key is the same for each try of a step.
std::string key_of(const std::string &id) {
    const size_t last = id.rfind('.');
    const size_t step = last == id.npos || last == 0 ? id.npos : id.rfind('.', last - 1);
    const auto is_number = [&](size_t begin, size_t end) {
        return begin < end && id.find_first_not_of(kDigits, begin) >= end;
    };
    if (step == id.npos || !is_number(step + 1, last) || !is_number(last + 1, id.size())) return id;
    return id.substr(0, last);
}

// Escapes characters that are not allowed in a file name.
void append_escaped(std::string_view text, std::string &out) {
    constexpr std::string_view kHex = "0123456789abcdef";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (isalnum(byte) || c == '_' || c == '-') out += c;
        else (out += '%').append({kHex[byte >> 4], kHex[byte & 15]});
    }
}

// One message and its run.
struct Job {
    Job(const PlanSource &source, std::string message_id)
        : run(source), id(std::move(message_id)) {}

    // The tool's ACCP_KEY, which is the same for each try of the step.
    std::string key(const accp_run_effect &effect) const {
        if (id.empty()) return std::string(to_view(effect.key));
        std::string key = key_of(id) + ".";
        append_escaped(to_view(effect.path), key);
        append_escaped(to_view(effect.tool), key += '.');
        return key;
    }

    PlanRun run;
    std::string id;  // empty if the message has none
};

class SacpAgent {
public:
    SacpAgent(const Arguments &arguments, Streams &io);
    // Runs until the input has ended and all messages are answered, or until a signal.
    void serve();
    // Reports how many more lines were ignored.
    void finish();

private:
    bool wait();
    void read();
    void receive(const std::string &line);
    void start_job(const std::string &message);
    bool advance(Job &job);
    bool send(const std::string &sacp);
    void refuse(const std::string &id, const std::string &verdict);

    const Arguments &arguments_;
    Streams &io_;
    const Commands tools_;
    const std::string library_, policy_;
    SacpWire wire_;
    Handle<accp_config> config_;
    Handle<accp_store> store_;
    std::list<Job> jobs_;
    ToolCalls calls_;  // destroyed before the runs that it borrows
    std::string input_;
    bool is_at_end_ = false;
    uint64_t ignored_lines_ = 0;
    uint64_t replies_ = 0;  // to messages without an id
};

SacpAgent::SacpAgent(const Arguments &arguments, Streams &io)
    : arguments_(arguments),
      io_(io),
      tools_(read_commands(arguments.tool_commands, "--tool")),
      library_(arguments.library.empty() ? std::string() : read_file(arguments.library)),
      policy_(policy_of(arguments, R"({"retries":0,"fallback":false})")),
      wire_(arguments, max_output_of(policy_)),
      config_(make_config(arguments)),
      store_(open_store(arguments.store)),
      calls_(tools_, max_output_of(policy_)) {
    wire_.check_name(arguments.agent, "--name");
    PlanSource source;  // reports a bad library or policy at once
    source.message = "{}";
    source.library = library_;
    source.policy = policy_;
    source.config = config_.get();
    (void)PlanRun(source);
}

void SacpAgent::serve() {
    while ((!is_at_end_ || !jobs_.empty()) && !interrupted()) {
        for (auto job = jobs_.begin(); job != jobs_.end();)
            job = advance(*job) ? std::next(job) : jobs_.erase(job);
        io_.flush();
        if (is_at_end_ && jobs_.empty()) return;
        if (wait()) read();
        calls_.process_io();
        for (Job &job : jobs_)
            if (job.run.due() >= 0 && job.run.due() <= clock_ms()) job.run.tick(clock_ms());
    }
}

void SacpAgent::finish() {
    if (ignored_lines_ > kMaxReportedRequests)
        io_.err.text.append("accp: " + std::to_string(ignored_lines_ - kMaxReportedRequests) +
                            " more lines ignored\n");
}

// Returns true if there is input to read.
bool SacpAgent::wait() {
    std::vector<pollfd> all;
    int64_t max_ms = kMaxWaitMs;
    if (!is_at_end_) all.push_back({STDIN_FILENO, POLLIN, 0});
    calls_.add_poll_fds(all, max_ms);
    for (const Job &job : jobs_)
        if (job.run.due() >= 0) max_ms = std::min(max_ms, job.run.due() - clock_ms());
    wait_for(all, max_ms);
    return !is_at_end_ && all[0].revents;
}

void SacpAgent::read() {
    char block[64 << 10];
    const ssize_t got = ::read(STDIN_FILENO, block, sizeof block);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got < 0) throw Failure("standard input: " + std::string(std::strerror(errno)));
    is_at_end_ = got == 0;
    input_.append(block, static_cast<size_t>(got));
    if (is_at_end_ && !input_.empty()) input_ += '\n';
    for (std::string line; take_line(input_, line);) receive(line);
    if (input_.size() > wire_.max_line()) throw Failure("standard input: a line is too long");
}

// Replies to a line that is not a frame. Does not reply to a message that is not a request,
// otherwise two agents could reply to each other forever.
void SacpAgent::receive(const std::string &line) {
    if (line.empty()) return;
    SacpWire::Received received;
    std::string fault;
    if (!wire_.from_frame(line, received, fault)) {
        std::string verdict = R"({"status":"ERR","code":"MALFORMED_MESSAGE","details":)";
        append_json_string(fault, verdict);
        return refuse("", verdict + "}");
    }
    if (received.is_request) return start_job(received.sacp);
    if (++ignored_lines_ <= kMaxReportedRequests)
        io_.err.text.append("accp: ignored a message that is not a request\n");
}

void SacpAgent::start_job(const std::string &message) {
    const std::string id(json_word(json_member(message, "msg_id")));
    for (const Job &job : jobs_)
        if (!id.empty() && job.id == id) return;  // it already runs
    PlanSource source;
    source.message = message;
    source.library = library_;
    source.policy = policy_;
    source.lenient = arguments_.lenient;
    source.config = config_.get();
    source.now_ms = clock_ms();
    const std::string session = arguments_.agent + ":" + id;
    if (!id.empty()) source.store = store_.get();
    if (source.store) source.session = session;
    jobs_.emplace_back(source, id);
    Job &job = jobs_.back();
    if (job.run.state() != ACCP_RUN_REFUSED) {
        const std::string_view goal = json_member(message, "g"),
                               plan = json_member(message, "plan");
        std::string working = "{\"g\":" + std::string(goal) + ",\"plan\":" + std::string(plan) +
                              ",\"state\":\"IN_PROGRESS\"";
        if (!id.empty()) working += ",\"reply_to\":\"" + id + "\"";
        send(working + "}");
        return;
    }
    refuse(id, job.run.final());
    jobs_.pop_back();
}

// Sends a verdict with the id of the message, if it is known.
void SacpAgent::refuse(const std::string &id, const std::string &verdict) {
    const std::string about = id.empty() ? "" : ",\"reply_to\":\"" + id + "\"";
    send(verdict.substr(0, verdict.size() - 1) + about + "}");
}

// Returns false if the job has ended and its reply is sent.
bool SacpAgent::advance(Job &job) {
    for (;;) {
        const accp_run_effect effect = job.run.next(clock_ms());
        if (effect.kind == ACCP_RUN_NOTHING) return true;
        if (effect.kind == ACCP_RUN_CALL) calls_.call(job.run, effect, job.key(effect));
        if (effect.kind == ACCP_RUN_STOP) calls_.stop(job.run, effect.call);
        if (effect.kind != ACCP_RUN_ENDED) continue;
        // A reply that is repeated after a restart has the same id.
        const std::string reply =
            job.id.empty() ? "r" + std::to_string(++replies_) : job.id.substr(0, 120) + ":reply";
        if (!send(job.run.reply(reply)))
            refuse(job.id, R"({"status":"ERR","code":"LIMIT","details":"the reply is too long"})");
        return false;
    }
}

// Returns false and reports the fault if the reply cannot be a frame.
bool SacpAgent::send(const std::string &sacp) {
    std::string frame, fault;
    if (!wire_.to_frame(sacp, arguments_.agent, frame, fault)) {
        io_.err.text.append("accp: a reply cannot be a frame: ");
        append_printable(fault, io_.err.text);
        io_.err.text.append("\n");
        return false;
    }
    io_.out.text.append(frame + "\n");
    return true;
}

}  // namespace

int sacp_agent(const Arguments &arguments, Streams &io) {
    SacpAgent agent(arguments, io);
    handle_signals();
    agent.serve();
    agent.finish();
    io.flush();
    return 0;
}

}  // namespace cli
