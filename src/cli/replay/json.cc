// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A replay's figures for machines: see replay_report.h.
#include <cstdio>

#include "cli/replay/report.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

void append_json_text(const std::string &text, std::string &out) {
    out.push_back('"');
    for (const char c : text) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
        if (static_cast<unsigned char>(c) < 0x20) out.append(escape);
        else out.append(c == '"' || c == '\\' ? "\\" : "").push_back(c);
    }
    out.push_back('"');
}

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
    append_json_text(row.name, out);
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

// `each` appends one of `count` things.
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

void write_replay_json(const ReplayFigures &figures, std::string &out) {
    out.append("{\"tokenizer\":");
    append_json_text(figures.tokenizer, out);
    append_member("approx", figures.approx ? "true" : "false", out);
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
