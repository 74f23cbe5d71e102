// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/replay/report.h"

#include <cmath>

#include "cli/host.h"
#include "cli/replay/summary.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

std::string per_cent(double share) { return with_digits(100 * share, 1); }

std::string thousandths(uint64_t price) {
    return with_digits(static_cast<double>(price) / 1000, 3);
}

// Sums over all runs.
struct Totals {
    uint64_t messages = 0, history_tokens = 0, calls = 0, expired = 0, only_grew = 0;
    uint64_t checkpoints = 0, by_message = 0;
};

Totals totals_of(const ReplayFigures &figures) {
    Totals totals;
    for (const RunFigures &run : figures.runs) {
        totals.messages += run.messages;
        totals.history_tokens += run.history_tokens;
        totals.calls += run.calls.size();
        totals.expired += run.expired;
        totals.only_grew += run.only_grew();
        totals.checkpoints += run.checkpoints.size();
        for (const CheckpointFigures &one : run.checkpoints) totals.by_message += one.ends_task;
    }
    return totals;
}

void append_heading(const ReplayFigures &figures, const Totals &totals, std::string &out) {
    const Prices &prices = figures.prices;
    if (figures.runs.size() > 1) out.append(grouped(figures.runs.size())).append(" runs, ");
    out.append(grouped(totals.messages))
        .append(" messages, ")
        .append(grouped(totals.calls))
        .append(" calls of a model\ntokens ")
        .append(figures.is_approximate ? "estimated by " : "by ")
        .append(figures.tokenizer)
        .append("; the history, as plain text, has ")
        .append(grouped(totals.history_tokens))
        .append(" in the end\na token of plain input costs 1, one from the cache ")
        .append(thousandths(prices.cached))
        .append(", one written to it ")
        .append(thousandths(prices.write))
        .append(", one of output ")
        .append(thousandths(prices.output))
        .append("\ntokens of instructions and tools before each context: ")
        .append(grouped(prices.system_tokens))
        .append("; calls that found the cache expired: ")
        .append(grouped(totals.expired))
        .append("\n\n");
}

void append_table_row(const SummaryRow &row, std::string &out) {
    const RowShares &mean = row.mean;
    out.append("  ")
        .append(left(row.name, 18))
        .append(right(grouped(row.tokens), 13))
        .append(right(per_cent(mean.raw), 8))
        .append(right(with_digits(mean.price, 3), 8))
        .append(right(with_digits(mean.effective_price, 3), 11))
        .append(right(per_cent(mean.complete), 11))
        .append(right(per_cent(mean.newest), 10))
        .append(right(per_cent(mean.task), 8))
        .append(right(with_digits(row.worst, 3), 8))
        .append("\n");
}

constexpr const char *kHead =
    "                                                effective       lacks\n"
    "                           tokens   raw %   price      price   nothing %  newest %  task %"
    "   worst\n";

constexpr const char *kLegend =
    "\n"
    "tokens   sent with all calls; raw: compared with the history resent each time\n"
    "price    of these tokens, if the prefix of the previous call comes from the cache, until\n"
    "         the cache expires; 1 is the price of the history resent with that cache\n"
    "effective price\n"
    "         with one more call for each that lacks something: it reads the context from the\n"
    "         cache, writes 50 tokens, and gets up to 2,000 tokens of each message that has it\n"
    "lacks nothing\n"
    "         calls whose context has all identifiers, and nine tenths of the phrases (six\n"
    "         words), that the call uses and that occurred before it\n"
    "newest   lines of the newest message: how many a context has\n"
    "task     sentences of the first request, up to 1,000 tokens: how many a context has\n"
    "worst    the highest price of a run of eight calls or more\n"
    "last messages     as many of the newest as fit in the session's context at that call\n"
    "first and last    instructions and the first request, then the newest that fit\n"
    "first and two     instructions and the first request, then the newest two messages\n"
    "stubbed at once   all messages, but for each tool result except the newest three only a\n"
    "                  line that it was left out\n"
    "stubbed by N      the same, each time that the whole results exceed N tokens\n";

}  // namespace

void append_replay_table(const ReplayFigures &figures, std::string &out) {
    const Totals totals = totals_of(figures);
    append_heading(figures, totals, out);
    out.append(kHead);
    for (const SummaryRow &row : summarize(figures)) append_table_row(row, out);
    out.append("\ncheckpoints   ")
        .append(grouped(totals.checkpoints))
        .append(": by price or for room ")
        .append(grouped(totals.checkpoints - totals.by_message))
        .append(", because of what a message says (done, esc, comp) ")
        .append(grouped(totals.by_message))
        .append("\nonly grew     ")
        .append(grouped(totals.only_grew))
        .append(
            " contexts begin with all of the one before; the others were partly written again\n");
    if (figures.runs.size() > 1)
        out.append("means         over the runs of a folder, then over the folders\n");
    out.append(kLegend);
}

namespace {

void append_member(const char *name, const std::string &value, std::string &out) {
    if (out.back() != '{') out.push_back(',');
    out.append("\"").append(name).append("\":").append(value);
}

void append_member(const char *name, uint64_t value, std::string &out) {
    append_member(name, std::to_string(value), out);
}

void append_number(const char *name, double value, std::string &out) {
    append_member(name, std::isnan(value) ? "null" : with_digits(value, 6), out);
}

void append_share(const char *name, const Share &share, std::string &out) {
    append_member(name, "{", out);
    append_member("present", share.present, out);
    append_member("needed", share.needed, out);
    append_number("share", ratio(share.present, share.needed), out);
    out.push_back('}');
}

void append_recall(const RecallFigures &recall, std::string &out) {
    append_share("lacks_nothing", recall.complete, out);
    append_share("identifiers", recall.names, out);
    append_share("phrases", recall.phrases, out);
    append_share("task", recall.task, out);
    append_share("newest", recall.newest, out);
}

void append_mean(const SummaryRow &row, std::string &out) {
    out.append("{\"name\":");
    append_json_string(row.name, out);
    append_member("tokens", row.tokens, out);
    append_number("raw", row.mean.raw, out);
    append_number("price", row.mean.price, out);
    append_number("effective_price", row.mean.effective_price, out);
    append_number("lacks_nothing", row.mean.complete, out);
    append_number("identifiers", row.mean.names, out);
    append_number("phrases", row.mean.phrases, out);
    append_number("task", row.mean.task, out);
    append_number("newest", row.mean.newest, out);
    append_number("worst", row.worst, out);
    out.push_back('}');
}

void append_row(const RowFigures &row, const RowFigures &everything, std::string &out) {
    const RowShares shares = shares_of(row, everything);
    out.append("{\"name\":");
    append_json_string(row.name, out);
    append_member("tokens", row.bill.tokens(), out);
    append_number("raw", shares.raw, out);
    append_number("price", shares.price, out);
    append_number("effective_price", shares.effective_price, out);
    append_recall(row.recall, out);
    out.push_back('}');
}

void append_call(const CallFigures &call, std::string &out) {
    out.push_back('{');
    append_member("step", call.step, out);
    append_member("history_tokens", call.history_tokens, out);
    append_member("tokens", call.tokens, out);
    append_member("cached", call.is_cached ? call.shared : 0, out);
    append_member("blocks", "{", out);
    for (size_t kind = 0; kind < kContextBlocks; ++kind)
        append_member(kBlockKinds[kind].name, call.blocks[kind], out);
    out.push_back('}');
    append_recall(call.recall, out);
    out.push_back('}');
}

void append_checkpoint(const CheckpointFigures &one, std::string &out) {
    out.push_back('{');
    append_member("number", one.number, out);
    append_member("step", one.step, out);
    append_member("cause", one.ends_task ? "\"message\"" : "\"price or room\"", out);
    out.push_back('}');
}

// Appends the list with `append` for each element.
template <typename Elements, typename Append>
void append_list(const char *name, const Elements &elements, std::string &out, Append append) {
    append_member(name, "[", out);
    for (const auto &element : elements) {
        if (out.back() != '[') out.push_back(',');
        append(element, out);
    }
    out.push_back(']');
}

void append_run(const RunFigures &run, std::string &out) {
    out.append("{\"file\":");
    append_json_string(run.file, out);
    append_member("messages", run.messages, out);
    append_member("history_tokens", run.history_tokens, out);
    append_member("expired", run.expired, out);
    append_member("only_grew", run.only_grew(), out);
    append_list("rows", run.rows, out, [&run](const RowFigures &row, std::string &to) {
        append_row(row, run.everything(), to);
    });
    append_list("checkpoints", run.checkpoints, out, append_checkpoint);
    append_list("calls", run.calls, out, append_call);
    out.push_back('}');
}

}  // namespace

void append_replay_json(const ReplayFigures &figures, std::string &out) {
    const Prices &prices = figures.prices;
    out.append("{\"tokenizer\":");
    append_json_string(figures.tokenizer, out);
    append_member("approx", figures.is_approximate ? "true" : "false", out);
    append_member("history_form", "\"plain text\"", out);
    append_member("price_cached", prices.cached, out);
    append_member("price_write", prices.write, out);
    append_member("price_output", prices.output, out);
    append_member("cache_ttl_ms", static_cast<uint64_t>(prices.cache_ttl_ms), out);
    append_member("system_tokens", prices.system_tokens, out);
    append_list("rows", summarize(figures), out, append_mean);
    append_list("runs", figures.runs, out, append_run);
    out.append("}\n");
}

}  // namespace cli
