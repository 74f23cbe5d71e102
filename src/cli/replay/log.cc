// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session replay --to and --chain.
#include <set>

#include "cli/frames/frame_checker.h"
#include "cli/host.h"
#include "cli/session/actions.h"
#include "cli/session/log.h"

namespace cli {
namespace {

// Prints the records of one chain, each with its outcome.
class ChainPrinter {
public:
    ChainPrinter(const Arguments &arguments, const SessionLog &log)
        : cid_(arguments.chain), log_(log), checker_(arguments) {}

    void print(Streams &io) {
        for (const LogLine &line : log_.records()) {
            if (!belongs(line)) continue;
            mids_.insert(line.mid);
            io.out.text.append(line.text.substr(0, line.text.size() - 1)).append(",\"outcome\":");
            append_json_string(outcome(line), io.out.text);
            io.out.text.append("}\n");
            io.flush_if_full();
            is_found_ = true;
        }
    }
    bool is_found() const { return is_found_; }

private:
    // True if the record is of the chain, or its frame was caused by a frame of the chain.
    bool belongs(const LogLine &line) const {
        return line.is_in_chain() && (line.cid == cid_ || line.mid == cid_ ||
                                      (!line.aid.empty() && mids_.count(line.aid) != 0));
    }
    std::string outcome(const LogLine &line) {
        if (line.kind == "used_up") return refusal(line);
        if (line.kind == "request") return request_outcome(log_, line, checker_).text();
        if (checker_.intent_of(line) == "cancel") is_cancelled_ = true;
        if (line.kind == "received") return "applied";
        if (line.kind == "part_received") return "held for its message";
        return line.kind == "message" ? "appended" : "sent";
    }
    // The log does not have the reason, so the frame is checked again.
    std::string refusal(const LogLine &line) {
        if (is_cancelled_) return "dropped: its chain was cancelled";
        const std::string why = checker_.check(line.frame);
        return "refused: " +
               (why.empty() ? "its references or the session's state did not match" : why);
    }

    const std::string &cid_;
    const SessionLog &log_;
    FrameChecker checker_;
    std::set<std::string> mids_;
    bool is_cancelled_ = false, is_found_ = false;
};

void write_state(const CommandSession &current, const LogLine &line, std::string &out,
                 std::string_view context, uint64_t tokens) {
    accp_session *session = current.get();
    int64_t version = 0;
    const accp_text state = accp_session_state(session, &version);
    const int64_t deadline = accp_session_next_deadline(session);
    out.append("{\"record\":").append(std::to_string(line.number)).append(",\"kind\":");
    append_json_string(line.kind, out);
    out.append(",\"time_ms\":").append(std::to_string(line.time_ms));
    out.append(",\"checkpoint\":").append(std::to_string(accp_session_newest_checkpoint(session)));
    out.append(",\"next_deadline_ms\":")
        .append(deadline == INT64_MAX ? "null" : std::to_string(deadline));
    out.append(",\"version\":").append(std::to_string(version)).append(",\"state\":");
    out.append(state.len != 0 ? to_view(state) : "null");
    out.append(",\"tokens\":").append(std::to_string(tokens)).append(",\"context\":");
    append_json_string(context, out);
    out.append("}\n");
}

}  // namespace

int replay_to(const Arguments &arguments, Streams &io) {
    const SessionLog log(arguments);
    const uint64_t count = log.records().size();
    if (*arguments.to > count)
        throw Failure("--to " + std::to_string(*arguments.to) + ": the session has " +
                      std::to_string(count) + " records");
    const CommandSession session(arguments, true, log.export_until(*arguments.to));
    accp_text context = {};
    uint64_t tokens = 0;
    accp_error err = {};
    const accp_status status =
        accp_session_context(session.get(), arguments.budget, &context, &tokens, &err);
    if (status == ACCP_OK)
        write_state(session, log.records()[*arguments.to - 1], io.out.text, to_view(context),
                    tokens);
    return report_status(io, status, err);
}

int replay_chain(const Arguments &arguments, Streams &io) {
    const SessionLog log(arguments);
    ChainPrinter chain(arguments, log);
    chain.print(io);
    if (chain.is_found()) return 0;
    throw Failure("no record belongs to the chain " + arguments.chain +
                  ": name a cid, or the mid of a request without a cid");
}

}  // namespace cli
