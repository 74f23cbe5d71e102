// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp agent: does what messages ask for that come as frames, a line each, with programs as
// its tools, and replies so. Each message is a plan of its own; any number go on at once.
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include "cli/host.h"
#include "cli/process/shell_process.h"
#include "cli/sacp/agents.h"
#include "cli/sacp/runs.h"
#include "cli/sacp/tool_calls.h"
#include "cli/sacp/wire.h"
#include "cli/settings.h"

namespace cli {
namespace {

constexpr uint64_t kMaxStrayLines = 3;  // of lines that are passed over, one by one
constexpr std::string_view kDigits = "0123456789";

// Of an id KEY.STEP.TRY without its try: the same however often a step is tried.
std::string key_of(const std::string &id) {
    const size_t last = id.rfind('.');
    const size_t step = last == id.npos || last == 0 ? id.npos : id.rfind('.', last - 1);
    const auto is_number = [&](size_t begin, size_t end) {
        return begin < end && id.find_first_not_of(kDigits, begin) >= end;
    };
    if (step == id.npos || !is_number(step + 1, last) || !is_number(last + 1, id.size())) return id;
    return id.substr(0, last);
}

// What may stand in a file's name.
void append_safe(std::string_view text, std::string &out) {
    constexpr std::string_view kHex = "0123456789abcdef";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (isalnum(byte) || c == '_' || c == '-') out += c;
        else (out += '%').append({kHex[byte >> 4], kHex[byte & 15]});
    }
}

// One message, and its run.
struct Job {
    Job(const PlanSource &source, std::string message_id)
        : run(source), id(std::move(message_id)) {}

    // What a tool gets as its key: the same for each try of the step that is asked for.
    std::string key(const accp_run_effect &effect) const {
        if (id.empty()) return std::string(to_view(effect.key));
        std::string key = key_of(id) + ".";
        append_safe(to_view(effect.path), key);
        append_safe(to_view(effect.tool), key += '.');
        return key;
    }

    PlanRun run;
    std::string id;  // empty: it has none
};

class SacpAgent {
public:
    SacpAgent(const Arguments &arguments, Streams &io);
    // Until there is no more to read, and all is answered; or it is interrupted.
    void serve();
    // Says how many more lines were passed over.
    void finish();

private:
    bool wait();
    void read();
    void take(const std::string &line);
    void begin(const std::string &message);
    bool go_on(Job &job);
    bool answer(const std::string &sacp);  // false: it cannot be a frame

    void refuse(const std::string &id, const std::string &verdict);

    const Arguments &arguments_;
    Streams &io_;
    const Commands tools_;
    const std::string library_, policy_;
    SacpWire wire_;
    Handle<accp_config> config_;
    Handle<accp_store> store_;
    std::list<Job> jobs_;
    ToolCalls calls_;  // which goes before the runs that it tells
    std::string input_;
    bool at_end_ = false;
    uint64_t passed_over_ = 0;  // lines
    uint64_t replies_ = 0;      // to messages without an id
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
    PlanSource source;  // so that a library or a policy that is none is told at once
    source.message = "{}";
    source.library = library_;
    source.policy = policy_;
    source.config = config_.get();
    (void)PlanRun(source);
}

void SacpAgent::serve() {
    while ((!at_end_ || !jobs_.empty()) && !interrupted()) {
        for (auto job = jobs_.begin(); job != jobs_.end();)
            job = go_on(*job) ? std::next(job) : jobs_.erase(job);
        io_.flush();
        if (at_end_ && jobs_.empty()) return;
        if (wait()) read();
        calls_.go_on();
        for (Job &job : jobs_)
            if (job.run.due() >= 0 && job.run.due() <= clock_ms()) job.run.tick(clock_ms());
    }
}

void SacpAgent::finish() {
    if (passed_over_ > kMaxStrayLines)
        io_.err.text.append("accp: " + std::to_string(passed_over_ - kMaxStrayLines) +
                            " more lines passed over\n");
}

// True: there is something to read.
bool SacpAgent::wait() {
    std::vector<pollfd> all;
    int64_t max_ms = kMaxWaitMs;
    if (!at_end_) all.push_back({STDIN_FILENO, POLLIN, 0});
    calls_.add_to(all, max_ms);
    for (const Job &job : jobs_)
        if (job.run.due() >= 0) max_ms = std::min(max_ms, job.run.due() - clock_ms());
    wait_for(all, max_ms);
    return !at_end_ && all[0].revents;
}

void SacpAgent::read() {
    char block[64 << 10];
    const ssize_t got = ::read(STDIN_FILENO, block, sizeof block);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got < 0) throw Failure("standard input: " + std::string(std::strerror(errno)));
    at_end_ = got == 0;
    input_.append(block, static_cast<size_t>(got));
    if (at_end_ && !input_.empty()) input_ += '\n';
    for (std::string line; take_line(input_, line);) take(line);
    if (input_.size() > wire_.max_line()) throw Failure("a line is too long");
}

// What is no frame is answered too; what is no request is not, or two agents would never end.
void SacpAgent::take(const std::string &line) {
    if (line.empty()) return;
    SacpWire::Received received;
    std::string fault;
    if (!wire_.from_frame(line, received, fault)) {
        std::string verdict = R"({"status":"ERR","code":"MALFORMED_MESSAGE","details":)";
        append_json_string(fault, verdict);
        return refuse("", verdict + "}");
    }
    if (received.is_request) return begin(received.sacp);
    if (++passed_over_ <= kMaxStrayLines)
        io_.err.text.append("accp: passed over what is no request\n");
}

void SacpAgent::begin(const std::string &message) {
    const std::string id(json_word(json_member(message, "msg_id")));
    for (const Job &job : jobs_)
        if (!id.empty() && job.id == id) return;  // it was asked for, and goes on
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
        answer(working + "}");
        return;
    }
    refuse(id, job.run.final());
    jobs_.pop_back();
}

// A verdict, which says what it is about where that is known.
void SacpAgent::refuse(const std::string &id, const std::string &verdict) {
    const std::string about = id.empty() ? "" : ",\"reply_to\":\"" + id + "\"";
    answer(verdict.substr(0, verdict.size() - 1) + about + "}");
}

// False: it has ended, and is answered.
bool SacpAgent::go_on(Job &job) {
    for (;;) {
        const accp_run_effect effect = job.run.next(clock_ms());
        if (effect.kind == ACCP_RUN_NOTHING) return true;
        if (effect.kind == ACCP_RUN_CALL) calls_.call(job.run, effect, job.key(effect));
        if (effect.kind == ACCP_RUN_STOP) calls_.stop(job.run, effect.call);
        if (effect.kind != ACCP_RUN_ENDED) continue;
        // an id of its own, and the same where it replies again after a restart
        const std::string reply =
            job.id.empty() ? "r" + std::to_string(++replies_) : job.id.substr(0, 120) + ":reply";
        if (!answer(job.run.reply(reply)))
            refuse(job.id, R"({"status":"ERR","code":"LIMIT","details":"the reply is too long"})");
        return false;
    }
}

bool SacpAgent::answer(const std::string &sacp) {
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
