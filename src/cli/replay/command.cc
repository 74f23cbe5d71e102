// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session replay: appends the messages of a file to a session one by one. At each step prints
// the context that a model would have received (--contexts), or compares it with the whole history
// (--report, --plot).
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/replay/measure.h"
#include "cli/replay/report.h"
#include "cli/session/actions.h"
#include "cli/settings.h"

namespace cli {
namespace {

// Counts the tokens of the session's context by kind of block.
accp_status count_blocks(accp_session *session, uint64_t budget, BlockTokens &out,
                         accp_error &err) {
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    const accp_status status = accp_session_context_blocks(session, budget, &blocks, &count, &err);
    out = {};
    for (size_t i = 0; status == ACCP_OK && i < count; ++i)
        out.at(static_cast<size_t>(blocks[i].kind)) += blocks[i].tokens;
    return status;
}

class Replay {
public:
    Replay(const Arguments &arguments, const Streams &io)
        : arguments_(arguments),
          io_(io),
          session_(arguments),
          reader_(arguments),
          config_(make_config(arguments)),
          tokenizer_(open_tokenizer(arguments, config_.get())),
          counter_(new_counter(tokenizer_.get(), config_.get())),
          value_(new_value(config_.get())) {}

    // Measures the messages from now on. Borrows `first`.
    void measure(const Prices &prices, const FirstRequest &first) {
        measure_ = std::make_unique<ReplayMeasure>(arguments_, prices, first, tokenizer_.get(),
                                                   counter_.get());
    }

    accp_status step(std::string_view line, std::string &out, accp_error &err) {
        const uint64_t number = lines_++;
        accp_text context = {};
        uint64_t tokens = 0;
        accp_status status =
            accp_session_context(session_.get(), arguments_.budget, &context, &tokens, &err);
        if (status != ACCP_OK) return status;
        if (arguments_.contexts) status = append_context(to_view(context), tokens, out, err);
        const std::string before(to_view(context));
        BlockTokens blocks = {};
        if (status == ACCP_OK) status = reader_.read(line, message_, err);
        if (status == ACCP_OK && measure_ && reader_.is_call())
            status = count_blocks(session_.get(), arguments_.budget, blocks, err);
        if (status == ACCP_OK) status = append(err);
        if (status == ACCP_OK && measure_)
            status = measure_->add(
                {number, last_ms_, message_, accp_session_newest_checkpoint(session_.get())},
                {before, blocks}, err);
        steps_ += status == ACCP_OK;
        return status;
    }

    void finish() { session_.finish(io_); }
    const RunFigures &figures() { return measure_->figures(); }
    const accp_tokenizer *tokenizer() const { return tokenizer_.get(); }

private:
    // Appends message_ to the session.
    accp_status append(accp_error &err) {
        uint64_t tokens = 0;
        accp_status status = ACCP_OK;
        if (arguments_.contexts)
            status = accp_counter_count(counter_.get(), message_.data(), message_.size(),
                                        UINT64_MAX, &tokens, &err);
        if (status == ACCP_OK)
            status =
                accp_session_append(session_.get(), message_.data(), message_.size(), now(), &err);
        if (status == ACCP_OK) status = session_.make_durable(io_, err);
        if (status == ACCP_OK) history_ += tokens;
        return status;
    }

    // When the message came: a cache that has expired since the last call costs less to change.
    // A message without a time came with the one before it.
    int64_t now() {
        if (reader_.time_ms()) last_ms_ = reader_.time_ms();
        return last_ms_ ? last_ms_ : session_.now();
    }

    accp_status append_context(std::string_view context, uint64_t tokens, std::string &out,
                               accp_error &err) {
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
    CommandSession session_;
    MessageReader reader_;
    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_counter> counter_;
    Handle<accp_value> value_;
    std::string message_;
    std::unique_ptr<ReplayMeasure> measure_;
    uint64_t lines_ = 0, steps_ = 0, history_ = 0;  // history_: tokens
    int64_t last_ms_ = 0;                           // the time of the last message that has one
};

void write_plot(const ReplayFigures &figures, const std::string &path) {
    std::ofstream file(path, std::ios::binary);
    file << plot_replay(figures, figures.runs[0]);
    file.close();
    if (!file) throw Failure(path + ": " + std::strerror(errno));
}

// Calls `use` with each message of the files, or of the transcript if --from names one.
void each_message(const Arguments &arguments, Streams &io,
                  const std::function<void(std::string_view)> &use) {
    if (arguments.from == "*")
        return for_each_line(arguments, io, record_limit(arguments, ACCP_LIMIT_JSON_BYTES),
                             Lines::kMessages, use);
    for (const std::string &message : messages_of_transcript(arguments)) use(message);
}

// Reads all lines of the only file before it replays the first, to find the first request.
void measure_run(const Arguments &arguments, Streams &io, ReplayFigures &out) {
    std::vector<std::string> lines;
    FirstRequest first(arguments);
    each_message(arguments, io, [&](std::string_view line) {
        first.read_line(line);
        lines.emplace_back(line);
    });
    Replay replay(arguments, io);
    replay.measure(out.prices, first);
    for (const std::string &line : lines) {
        accp_error err = {};
        ++io.records;
        if (replay.step(line, io.out.text, err) != ACCP_OK) io.refuse(err, line);
    }
    replay.finish();
    out.tokenizer = to_view(accp_tokenizer_name(replay.tokenizer()));
    out.is_approximate = accp_tokenizer_is_approximate(replay.tokenizer()) != 0;
    out.runs.push_back(replay.figures());
    out.runs.back().file = arguments.files[0];
}

int measure_replay(const Arguments &arguments, Streams &io) {
    const std::vector<std::string> files = input_names(arguments);
    if (files.size() > 1 && !arguments.store.empty())
        throw Failure("replay --report: several files are a run each: leave --store out");
    if (files.size() > 1 && !arguments.plot.empty())
        throw Failure("replay --plot draws one run, and not " + std::to_string(files.size()));
    ReplayFigures figures;
    figures.prices = prices_of(arguments);
    for (const std::string &file : files) {
        Arguments one = arguments;
        one.files = {file};
        measure_run(one, io, figures);
    }
    if (!arguments.plot.empty()) write_plot(figures, arguments.plot);
    if (arguments.report && arguments.json) append_replay_json(figures, io.out.text);
    else if (arguments.report) append_replay_table(figures, io.out.text);
    return io.status();
}

int print_contexts(const Arguments &arguments, Streams &io) {
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
    const bool is_of_log = !arguments.compare.empty() || !arguments.chain.empty() || arguments.to;
    if (is_of_log && !arguments.files.empty())
        throw Failure(
            "replay --to, --compare and --chain replay the log of --session in --store, and not "
            "the "
            "file " +
            arguments.files[0]);
    if (is_of_log && (arguments.contexts || arguments.report || !arguments.plot.empty()))
        throw Failure(
            "--contexts, --report and --plot replay a FILE: do not combine them with --to, "
            "--compare "
            "or --chain");
    if (!arguments.chain.empty() && arguments.to)
        throw Failure("--chain prints a whole chain: do not combine it with --to");
    if (!arguments.compare.empty()) return compare_replays(arguments, io);
    if (!arguments.chain.empty()) return replay_chain(arguments, io);
    if (arguments.to) return replay_to(arguments, io);
    if (arguments.contexts) return print_contexts(arguments, io);
    if (arguments.report || !arguments.plot.empty()) return measure_replay(arguments, io);
    throw Failure(
        "replay needs a FILE with --report, --plot or --contexts; or --to, --compare or --chain to "
        "replay the log of a session");
}

}  // namespace cli
