// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/replay/report.h"

#include <algorithm>

#include "cli/host.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

std::string per_cent(uint64_t part, uint64_t whole) {
    return with_digits(100 * ratio(part, whole), 1);
}

std::string per_cent(const Share &share) { return per_cent(share.present, share.needed); }

uint64_t made_by_task(const ReplayFigures &figures) {
    return static_cast<uint64_t>(
        std::count_if(figures.checkpoints.begin(), figures.checkpoints.end(),
                      [](const CheckpointFigures &one) { return one.ends_task; }));
}

void append_heading(const ReplayFigures &figures, std::string &out) {
    const Prices &prices = figures.prices;
    out.append(grouped(figures.messages))
        .append(" messages, ")
        .append(grouped(figures.calls.size()))
        .append(" calls of a model\ntokens ")
        .append(figures.is_approximate ? "estimated by " : "by ")
        .append(figures.tokenizer)
        .append("; the history, as plain text, has ")
        .append(grouped(figures.history_tokens))
        .append(" in the end\na token of plain input costs 1, one from the cache ")
        .append(with_digits(static_cast<double>(prices.cached) / 1000, 3))
        .append(", one written to it ")
        .append(with_digits(static_cast<double>(prices.write) / 1000, 3))
        .append("\n\n");
}

void append_table_row(const RowFigures &row, const RowFigures &everything, std::string &out) {
    const RecallFigures &recall = row.recall;
    out.append("  ")
        .append(left(row.name, 18))
        .append(right(grouped(row.bill.tokens()), 13))
        .append(right(per_cent(row.bill.tokens(), everything.bill.tokens()), 8))
        .append(right(with_digits(ratio(row.bill.total(), everything.bill.total()), 3), 8))
        .append(right(per_cent(recall.names), 10))
        .append(right(per_cent(recall.far_names), 7))
        .append(right(per_cent(recall.phrases), 10))
        .append(right(per_cent(recall.far_phrases), 7))
        .append(right(per_cent(recall.task), 8))
        .append(right(per_cent(recall.newest), 8))
        .append("\n");
}

constexpr const char *kHead =
    "                                                   identifiers          phrases\n"
    "                           tokens   raw %   price     all %  far %     all %  far %  task %"
    "   new %\n";

constexpr const char *kLegend =
    "\n"
    "tokens   sent with all calls; raw: compared with the history resent each time\n"
    "price    of these tokens, if the prefix of the previous call comes from the cache;\n"
    "         1 is the price of the history resent with that cache\n"
    "identifiers, phrases (six words)\n"
    "         that a call uses and that occurred before it: how many its context has;\n"
    "         far: those that are not in the last two messages\n"
    "task     sentences of the first request, up to 1,000 tokens: how many a context has\n"
    "new      lines of the newest message, if it has up to 2,000 tokens: how many a context has\n"
    "last messages     as many of the newest as fit in the session's context at that call\n"
    "first and last    instructions and the first request, then the newest that fit\n"
    "first and two     instructions and the first request, then the newest two messages\n"
    "stubbed at once   all messages, but for each tool result except the newest three only a\n"
    "                  line that it was left out\n"
    "stubbed by N      the same, each time that the whole results exceed N tokens\n";

}  // namespace

void append_replay_table(const ReplayFigures &figures, std::string &out) {
    append_heading(figures, out);
    out.append(kHead);
    for (const RowFigures &row : figures.rows) append_table_row(row, figures.everything(), out);
    const uint64_t all = figures.checkpoints.size(), task = made_by_task(figures);
    out.append("\ncheckpoints   ")
        .append(grouped(all))
        .append(": by price or for room ")
        .append(grouped(all - task))
        .append(", because of what a message says (done, esc, comp) ")
        .append(grouped(task))
        .append("\nonly grew     ")
        .append(grouped(figures.only_grew()))
        .append(
            " contexts begin with all of the one before; the others were partly written again\n")
        .append(kLegend);
}

namespace {

void append_member(const char *name, const std::string &value, std::string &out) {
    if (out.back() != '{') out.push_back(',');
    out.append("\"").append(name).append("\":").append(value);
}

void append_member(const char *name, uint64_t value, std::string &out) {
    append_member(name, std::to_string(value), out);
}

void append_ratio(const char *name, uint64_t a, uint64_t b, std::string &out) {
    append_member(name, b != 0 ? with_digits(ratio(a, b), 6) : "null", out);
}

void append_share(const char *name, const Share &share, std::string &out) {
    append_member(name, "{", out);
    append_member("present", share.present, out);
    append_member("needed", share.needed, out);
    append_ratio("share", share.present, share.needed, out);
    out.push_back('}');
}

void append_recall(const RecallFigures &recall, std::string &out) {
    append_share("identifiers", recall.names, out);
    append_share("far_identifiers", recall.far_names, out);
    append_share("phrases", recall.phrases, out);
    append_share("far_phrases", recall.far_phrases, out);
    append_share("task", recall.task, out);
    append_share("newest", recall.newest, out);
}

void append_row(const RowFigures &row, const RowFigures &everything, std::string &out) {
    out.append("{\"name\":");
    append_json_string(row.name, out);
    append_member("tokens", row.bill.tokens(), out);
    append_ratio("raw", row.bill.tokens(), everything.bill.tokens(), out);
    append_ratio("price", row.bill.total(), everything.bill.total(), out);
    append_recall(row.recall, out);
    out.push_back('}');
}

void append_call(const ReplayFigures &figures, size_t index, std::string &out) {
    const CallFigures &call = figures.calls[index];
    out.push_back('{');
    append_member("step", call.step, out);
    append_member("history_tokens", call.history_tokens, out);
    append_member("tokens", call.tokens, out);
    append_member("cached", call.shared, out);
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

// `each` appends the element i, from 0.
template <typename Each>
void append_list(const char *name, size_t count, std::string &out, Each each) {
    append_member(name, "[", out);
    for (size_t i = 0; i < count; ++i) {
        if (i != 0) out.push_back(',');
        each(i);
    }
    out.push_back(']');
}

}  // namespace

void append_replay_json(const ReplayFigures &figures, std::string &out) {
    out.append("{\"tokenizer\":");
    append_json_string(figures.tokenizer, out);
    append_member("approx", figures.is_approximate ? "true" : "false", out);
    append_member("history_form", "\"plain text\"", out);
    append_member("messages", figures.messages, out);
    append_member("history_tokens", figures.history_tokens, out);
    append_member("price_cached", figures.prices.cached, out);
    append_member("price_write", figures.prices.write, out);
    append_member("only_grew", figures.only_grew(), out);
    append_list("rows", figures.rows.size(), out,
                [&](size_t i) { append_row(figures.rows[i], figures.everything(), out); });
    append_list("checkpoints", figures.checkpoints.size(), out,
                [&](size_t i) { append_checkpoint(figures.checkpoints[i], out); });
    append_list("calls", figures.calls.size(), out,
                [&](size_t i) { append_call(figures, i, out); });
    out.append("}\n");
}

}  // namespace cli
