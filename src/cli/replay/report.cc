// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See replay_report.h.
#include "cli/replay/report.h"

#include <algorithm>

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

void write_heading(const ReplayFigures &figures, std::string &out) {
    const Prices &prices = figures.prices;
    out.append(grouped(figures.messages))
        .append(" messages, ")
        .append(grouped(figures.calls.size()))
        .append(" calls of a model\ntokens ")
        .append(figures.approx ? "estimated by " : "by ")
        .append(figures.tokenizer)
        .append("; the history, as plain text, has ")
        .append(grouped(figures.history_tokens))
        .append(" in the end\na token of plain input costs 1, one from the cache ")
        .append(with_digits(static_cast<double>(prices.cached) / 1000, 3))
        .append(", one written to it ")
        .append(with_digits(static_cast<double>(prices.write) / 1000, 3))
        .append("\n\n");
}

void write_table_row(const RowFigures &row, const RowFigures &everything, std::string &out) {
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
    "tokens   of what was sent, summed over the calls; raw: against the history resent each time\n"
    "price    of what was sent, when the prefix that the call before had comes from the cache;\n"
    "         1 is the history resent with that cache\n"
    "identifiers, phrases (six words)\n"
    "         of those that a call uses and that were said before, how many its context has;\n"
    "         far: of those that are not in the last two messages\n"
    "task     sentences of the first request, up to 1,000 tokens of it, that a context has\n"
    "new      lines of the newest message, where it has 2,000 tokens or fewer\n"
    "last messages     as many of the newest as have room in the session's context at that call\n"
    "first and last    instructions and the first request, and then the same\n"
    "first and two     these, and the newest two messages: nothing of what is between\n"
    "stubbed at once   of tools' answers only the newest three are whole, of others a line says\n"
    "                  that they were left out\n"
    "stubbed by N      the same, each time that the answers which are whole pass N tokens\n";

}  // namespace

void write_replay_report(const ReplayFigures &figures, std::string &out) {
    write_heading(figures, out);
    out.append(kHead);
    for (const RowFigures &row : figures.rows) write_table_row(row, figures.everything(), out);
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

}  // namespace cli
