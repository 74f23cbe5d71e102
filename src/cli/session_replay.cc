// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session replay: the messages of a file one by one through a session, and at each step what a
// model would have been given instead of all that was said before: as text (--contexts), or
// measured against it (--report).
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/filter.h"
#include "cli/recall.h"
#include "cli/sessions.h"
#include "cli/settings.h"
#include "cli/tokenizers.h"

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

    accp_status step(std::string_view line, std::string &out, accp_error &err) {
        accp_text context = {};
        uint64_t tokens = 0, said = 0;
        accp_status status =
            accp_session_context(tools_.session(), arguments_.budget, &context, &tokens, &err);
        if (status != ACCP_OK) return status;
        if (arguments_.contexts) status = show({context.text, context.len}, tokens, out, err);
        const std::string given(context.text, context.len);
        if (status == ACCP_OK) status = reader_.read(line, message_, err);
        if (status == ACCP_OK)
            status = accp_counter_count(counter_.get(), message_.data(), message_.size(),
                                        UINT64_MAX, &said, &err);
        if (status == ACCP_OK)
            status = accp_session_append(tools_.session(), message_.data(), message_.size(),
                                         tools_.now(), &err);
        if (status == ACCP_OK) status = tools_.keep(io_, err);
        if (status != ACCP_OK) return status;
        context_tokens_ += tokens;
        history_tokens_ += history_;
        if (reader_.is_act()) recall_ += seen_.need(reader_.texts(), given);
        seen_.add(reader_.texts());
        history_ += said;
        ++steps_;
        return ACCP_OK;
    }

    void finish() { tools_.finish(io_); }

    void report(std::string &out) const {
        const auto line = [&](const char *what, const std::string &figure) {
            out.append(what).append(figure).append("\n");
        };
        const auto share = [](double part) {
            char text[16];
            std::snprintf(text, sizeof text, "%.1f %%", 100 * part);
            return std::string(text);
        };
        const auto of = [](uint64_t part, uint64_t all) {
            return std::to_string(part) + " of " + std::to_string(all);
        };
        line("messages            ", std::to_string(steps_));
        line("tokenizer           ", std::string(to_view(accp_tokenizer_name(tokenizer_.get()))));
        line("history resent      ",
             std::to_string(history_tokens_) + " tokens, as compact JSON, summed over the steps");
        line("contexts            ", std::to_string(context_tokens_) + " tokens");
        if (history_tokens_ != 0)
            line("share               ", share(static_cast<double>(context_tokens_) /
                                               static_cast<double>(history_tokens_)));
        line("identifiers found   ",
             share(recall_.names_share()) + ", " + of(recall_.names_present, recall_.names));
        line("phrases found       ",
             share(recall_.phrases_share()) + ", " + of(recall_.phrases_present, recall_.phrases));
        line("checkpoints         ",
             std::to_string(accp_session_newest_checkpoint(tools_.session())));
    }

private:
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
    Recall seen_;
    RecallCount recall_;
    uint64_t steps_ = 0, history_ = 0, history_tokens_ = 0, context_tokens_ = 0;
};

}  // namespace

int replay_session(const Arguments &arguments, Streams &io) {
    if (!arguments.report && !arguments.contexts)
        throw Failure("replay takes --report or --contexts");
    Replay replay(arguments, io);
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_JSON_BYTES);
    for_each_line(arguments, io, limit, Lines::kMessages, [&](std::string_view line) {
        accp_error err = {};
        ++io.records;
        if (replay.step(line, io.out.text, err) != ACCP_OK) io.refuse(err);
        if (arguments.contexts) io.out.text.push_back('\n');
        io.flush_if_full();
    });
    replay.finish();
    if (arguments.report) replay.report(io.out.text);
    return io.status();
}

}  // namespace cli
