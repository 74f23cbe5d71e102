// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: what is asked of the whole session.
#include "session/session.h"

namespace accp::session {

Status Session::open(store::Store &store, std::string_view id, bool writes,
                     const PermutationKey &mids, Scratch &scratch) {
    outflow.set_key(mids);
    return driver.open(store, id, writes, scratch);
}

Status Session::end(int64_t now_ms, Scratch &scratch) {
    Status status = driver.begin(scratch);
    if (status.ok())
        status =
            driver.keep(driver.core().new_record(RecordKind::kClosed, now_ms), nullptr, scratch);
    return driver.finish(status);
}

Status Session::append(std::string_view json, int64_t now_ms, Scratch &scratch) {
    Status status = driver.begin(scratch);
    return driver.finish(status.ok() ? keep_message(json, now_ms, false, scratch) : status);
}

Status Session::append_lines(std::string_view lines, int64_t now_ms, Scratch &scratch,
                             uint64_t &count) {
    Status status = driver.begin(scratch);
    for (count = 0; status.ok() && !lines.empty(); ++count) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(line.size() + 1);
        status = keep_message(line, now_ms, false, scratch);
    }
    return driver.finish(status);
}

Status Session::keep_message(std::string_view json, int64_t now_ms, bool is_untrusted,
                             Scratch &scratch) {
    message::Message message;
    Status status = read_message(json, scratch, message);
    if (status.ok() && message.intent == "cancel") status = message::check_chain(message);
    if (status.failed()) return status;
    Record record = driver.core().new_record(RecordKind::kMessage, now_ms);
    record.text = json;
    record.untrusted =
        !message.untrusted && (is_untrusted || driver.hooks.is_untrusted(message.agent));
    return driver.keep(record, nullptr, scratch, &message);
}

Status Session::checkpoint(int64_t now_ms, Scratch &scratch) {
    Status status = driver.begin(scratch);
    if (status.failed()) return status;
    if (!driver.core().context.has_open()) return {};
    status = driver.keep(driver.core().new_record(RecordKind::kPhase, now_ms), nullptr, scratch);
    return driver.finish(status);
}

// What stands in each context, and what it leaves of a budget.
Status Session::write_values(Scratch &scratch, Buffer<char> &out, uint64_t &tokens,
                             uint64_t &budget) {
    StandingTokens used;
    Status status = driver.begin_read(scratch);
    if (status.ok()) status = standing.write(scratch, out, used);
    tokens = used.sum();
    if (status.failed() || !budget) return status;
    if (tokens >= budget)
        return fail_limit(tokens, budget,
                          "too many tokens in the values under hot and warm: raise the budget, or "
                          "put them under cold");
    budget -= tokens;
    return {};
}

Status Session::context(uint64_t budget, Scratch &scratch, Buffer<char> &out, uint64_t &tokens) {
    Buffer<char> values(scratch.memory);
    uint64_t more = 0;
    Status status = write_values(scratch, values, more, budget);
    const size_t start = out.size();
    if (status.ok()) status = driver.core().context.render(budget, out, tokens);
    if (status.failed() || values.empty()) return status;
    out.append(values.view());
    tokens += more;
    return scratch.counter.adds_up()
               ? status
               : scratch.counter.count(out.view().substr(start), UINT64_MAX, tokens);
}

Status Session::blocks(uint64_t budget, Scratch &scratch, Buffer<context::Block> &blocks,
                       Buffer<char> &out) {
    Buffer<char> values(scratch.memory);
    context::Block block;
    block.kind = context::BlockKind::kValues;
    Status status = write_values(scratch, values, block.tokens, budget);
    if (status.ok()) status = driver.core().context.blocks(budget, blocks, out);
    if (status.failed() || values.empty()) return status;
    block.begin = out.size();
    out.append(values.view());
    block.end = out.size();
    blocks.push(block);
    return {};
}

Status Session::budget(Scratch &scratch, context::TokenUse &out) {
    StandingTokens values;
    Buffer<char> lines(scratch.memory);
    Status status = driver.begin_read(scratch);
    if (status.ok()) status = standing.write(scratch, lines, values);
    if (status.failed()) return status;
    out = driver.core().context.use();
    out.hot_used += values.hot;
    out.warm_used += values.warm;
    out.total_used += values.sum();
    return {};
}

Status Session::record(uint64_t seq, Scratch &scratch, Buffer<char> &bytes, Record &out) {
    std::optional<std::string_view> found;
    if (driver.is_open()) found = ahead_.find(seq);
    if (!found) {
        Status status = driver.begin_read(scratch);
        if (status.failed()) return status;
        if (!ahead_.is_next(seq) || seq >= driver.store().row().last) {
            ahead_.note(seq);
            return read_record(driver.store(), seq, scratch.log.records, bytes, out);
        }
        status = ahead_.read(driver.store(), seq);
        if (status.failed()) return status;
        found = ahead_.find(seq);
    }
    if (!found) return fail(ACCP_ERR_CORRUPT, 0, "a record is missing");
    bytes.clear();
    bytes.append(*found);
    ahead_.taken();
    return read_record(bytes.view(), out)
               ? Status{}
               : fail(ACCP_ERR_CORRUPT, 0, "a record that cannot be read");
}

}  // namespace accp::session
