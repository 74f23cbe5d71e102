// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session replay: the messages of a file one by one through a session, and at each step what a
// model would have been given instead of all that was said before: as text (--contexts), or
// measured against it (--report, --plot).
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/replay/log.h"
#include "cli/replay/measure.h"
#include "cli/replay/plot.h"
#include "cli/replay/report.h"
#include "cli/session/sessions.h"
#include "cli/settings.h"

namespace cli {
namespace {

class Replay {
public:
    Replay(const Arguments &arguments, const Streams &io)
        : arguments_(arguments),
          io_(io),
          tools_(arguments),
          reader_(arguments),
          config_(make_config(arguments)),
          tokenizer_(open_tokenizer(arguments, config_.get())),
          counter_(new_counter(tokenizer_.get(), config_.get())),
          value_(new_value(config_.get())) {}

    // Measures the messages that come. Borrowed.
    void measure(const FirstRequest &first) {
        measure_ =
            std::make_unique<ReplayMeasure>(arguments_, first, tokenizer_.get(), counter_.get());
    }

    accp_status step(std::string_view line, std::string &out, accp_error &err) {
        const uint64_t number = lines_++;
        accp_text context = {};
        uint64_t tokens = 0;
        accp_status status =
            accp_session_context(tools_.session(), arguments_.budget, &context, &tokens, &err);
        if (status != ACCP_OK) return status;
        if (arguments_.contexts) status = show(to_view(context), tokens, out, err);
        const std::string given(to_view(context));
        BlockTokens blocks = {};
        if (status == ACCP_OK) status = reader_.read(line, message_, err);
        if (status == ACCP_OK && measure_ && reader_.is_act())
            status = split_context(tools_.session(), arguments_.budget, blocks, err);
        if (status == ACCP_OK) status = append(err);
        if (status == ACCP_OK && measure_)
            status = measure_->add(number, message_, {given, blocks},
                                   accp_session_newest_checkpoint(tools_.session()), err);
        steps_ += status == ACCP_OK;
        return status;
    }

    void finish() { tools_.finish(io_); }
    const ReplayFigures &figures() { return measure_->figures(); }

private:
    // The message that was read.
    accp_status append(accp_error &err) {
        uint64_t said = 0;
        accp_status status = ACCP_OK;
        if (arguments_.contexts)
            status = accp_counter_count(counter_.get(), message_.data(), message_.size(),
                                        UINT64_MAX, &said, &err);
        if (status == ACCP_OK)
            status = accp_session_append(tools_.session(), message_.data(), message_.size(),
                                         tools_.now(), &err);
        if (status == ACCP_OK) status = tools_.keep(io_, err);
        if (status == ACCP_OK) history_ += said;
        return status;
    }

    accp_status show(std::string_view context, uint64_t tokens, std::string &out, accp_error &err) {
        accp_text json = {};
        accp_value_reset(value_.get());
        accp_status status = accp_value_add(value_.get(), ACCP_STRING, nullptr, 0, context.data(),
                                            context.size(), &err);
        if (status == ACCP_OK) status = accp_value_print_json(value_.get(), &json, &err);
        if (status != ACCP_OK) return status;
        out.append("{\"step\":")
            .append(std::to_string(steps_))
            .append(",\"tokens\":")
            .append(std::to_string(tokens));
        out.append(",\"history_tokens\":")
            .append(std::to_string(history_))
            .append(",\"context\":")
            .append(json.text, json.len)
            .append("}");
        return ACCP_OK;
    }

    const Arguments &arguments_;
    const Streams &io_;
    SessionTools tools_;
    MessageReader reader_;
    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_counter> counter_;
    Handle<accp_value> value_;
    std::string message_;
    std::unique_ptr<ReplayMeasure> measure_;
    uint64_t lines_ = 0, steps_ = 0, history_ = 0;
};

void write_plot(const ReplayFigures &figures, const std::string &path) {
    std::ofstream file(path, std::ios::binary);
    file << replay_plot(figures);
    file.close();
    if (!file) throw Failure(path + ": " + std::strerror(errno));
}

// Each message of the files, or of what --from says they are.
void each_message(const Arguments &arguments, Streams &io,
                  const std::function<void(std::string_view)> &use) {
    if (arguments.from == "*")
        return for_each_line(arguments, io, record_limit(arguments, ACCP_LIMIT_JSON_BYTES),
                             Lines::kMessages, use);
    for (const std::string &message : messages_of_transcript(arguments)) use(message);
}

// All lines are read before the first is replayed: which message is the first request, none knows
// earlier.
int measure_replay(const Arguments &arguments, Streams &io) {
    std::vector<std::string> lines;
    FirstRequest first(arguments);
    each_message(arguments, io, [&](std::string_view line) {
        first.look(line);
        lines.emplace_back(line);
    });
    Replay replay(arguments, io);
    replay.measure(first);
    for (const std::string &line : lines) {
        accp_error err = {};
        ++io.records;
        if (replay.step(line, io.out.text, err) != ACCP_OK) io.refuse(err, line);
    }
    replay.finish();
    const ReplayFigures &figures = replay.figures();
    if (!arguments.plot.empty()) write_plot(figures, arguments.plot);
    if (arguments.report && arguments.json) write_replay_json(figures, io.out.text);
    else if (arguments.report) write_replay_report(figures, io.out.text);
    return io.status();
}

int show_contexts(const Arguments &arguments, Streams &io) {
    Replay replay(arguments, io);
    each_message(arguments, io, [&](std::string_view line) {
        accp_error err = {};
        ++io.records;
        if (replay.step(line, io.out.text, err) != ACCP_OK) io.refuse(err, line);
        io.out.text.push_back('\n');
        io.flush_if_full();
    });
    replay.finish();
    return io.status();
}

}  // namespace

int replay_session(const Arguments &arguments, Streams &io) {
    const bool of_log = !arguments.compare.empty() || !arguments.chain.empty() || arguments.to;
    if (of_log && !arguments.files.empty())
        throw Failure(
            "replay --to, --compare and --chain go through the log of --session in --store, "
            "and not through " +
            arguments.files[0]);
    if (of_log && (arguments.contexts || arguments.report || !arguments.plot.empty()))
        throw Failure(
            "--contexts, --report and --plot measure a FILE: they do not go with --to, "
            "--compare and --chain");
    if (!arguments.chain.empty() && arguments.to)
        throw Failure("--chain shows all of a chain: it does not go with --to");
    if (!arguments.compare.empty()) return compare_replays(arguments, io);
    if (!arguments.chain.empty()) return replay_chain(arguments, io);
    if (arguments.to) return replay_to(arguments, io);
    if (arguments.contexts) return show_contexts(arguments, io);
    if (arguments.report || !arguments.plot.empty()) return measure_replay(arguments, io);
    throw Failure(
        "replay takes FILE with --report, --plot or --contexts, or --to, --compare or --chain for "
        "the log of a session");
}

}  // namespace cli
