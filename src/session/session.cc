// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls on a whole session.
#include "session/session.h"

namespace accp::session {

namespace {

// Why a sender may not send a message: E5001 and the node, or OK.
struct Refusal {
    Status status;
    uint32_t node = 0;
};

// `untrusted`: the peer or the agent is untrusted.
Refusal check_sender(const message::Message &message, const Peer *peer, const Core &core,
                     bool untrusted) {
    const value::TreeView tree = message.tree;
    const uint32_t agent = tree.find(0, "agent");
    if (peer && core.is_own_agent(message.agent))
        return {fail(ACCP_E5001, 0, "its agent belongs to the host: a peer must use another agent"),
                agent};
    if (peer) {
        const Status status = peer->check(message.agent);
        if (status.failed()) return {status, agent};
    }
    const bool is_marked = message.mark && tree[message.mark].kind == ACCP_BOOL;
    if (untrusted && message.mark && !(is_marked && message.untrusted))
        return {fail(ACCP_E5001, 0,
                     "its origin is untrusted: its member untrusted must be true or missing"),
                message.mark};
    if (!peer || !peer->untrusted || !message.has_meta) return {};
    for (const std::string_view key : {"mid", "seq", "ts", "sid"})
        if (const uint32_t node = message.meta_tree.find(message.meta, key))
            return {
                fail(ACCP_E5001, 0,
                     "an untrusted peer must not set mid, seq, ts or sid: remove them from meta"),
                node};
    return {};
}

}  // namespace

Status Session::open(store::Store &store, std::string_view id, bool writes,
                     const PermutationKey &mids, Scratch &scratch) {
    outflow.set_key(mids);
    return driver.open(store, id, writes, scratch);
}

Status Session::end(int64_t now_ms, Scratch &scratch) {
    Status status = driver.prepare_write(scratch);
    if (status.ok())
        status = driver.append_record(driver.core().new_record(RecordKind::kClosed, now_ms),
                                      nullptr, scratch);
    return driver.finish(status);
}

Status Session::append(std::string_view json, const Peer *peer, int64_t now_ms, Scratch &scratch) {
    Status status = driver.prepare_write(scratch);
    return driver.finish(status.ok() ? keep_message(json, peer, now_ms, scratch) : status);
}

Status Session::append_lines(std::string_view lines, const Peer *peer, int64_t now_ms,
                             Scratch &scratch, uint64_t &count) {
    Status status = driver.prepare_write(scratch);
    const auto each = [&](auto work) {
        std::string_view left = lines;
        for (count = 0; status.ok() && !left.empty(); ++count) {
            const std::string_view line = left.substr(0, left.find('\n'));
            left.remove_prefix(line.size() + 1);
            status = work(line);
        }
    };
    message::Message message;
    if (peer)
        each([&](std::string_view line) { return read_message(line, peer, scratch, message); });
    if (status.ok())
        each([&](std::string_view line) { return keep_message(line, peer, now_ms, scratch); });
    return driver.finish(status);
}

Status Session::read_message(std::string_view json, const Peer *peer, Scratch &scratch,
                             message::Message &out) const {
    Status status = session::read_message(json, scratch, out);
    if (status.ok() && out.intent == "cancel") status = message::check_chain(out);
    if (status.failed()) return status;
    const bool untrusted = (peer && peer->untrusted) || driver.hooks.is_untrusted(out.agent);
    const Refusal refusal = check_sender(out, peer, driver.core(), untrusted);
    return refusal.status.ok()
               ? Status{}
               : move_to(refusal.status, scratch.json.reader.origin(refusal.node).value);
}

Status Session::keep_message(std::string_view json, const Peer *peer, int64_t now_ms,
                             Scratch &scratch) {
    message::Message message;
    Status status = read_message(json, peer, scratch, message);
    if (status.failed()) return status;
    const bool untrusted = (peer && peer->untrusted) || driver.hooks.is_untrusted(message.agent);
    Record record = driver.core().new_record(RecordKind::kMessage, now_ms);
    record.text = json;
    record.untrusted = untrusted && !message.untrusted;
    return driver.append_record(record, nullptr, scratch, &message);
}

Status Session::copy_message(const Record &from, Scratch &scratch) {
    message::Message message;
    Status status = session::read_message(from.text, scratch, message);
    if (status.failed()) return status;
    Record record =
        driver.core().new_record(RecordKind::kMessage, static_cast<int64_t>(from.time_ms));
    record.text = from.text;
    record.untrusted = from.untrusted;
    return driver.append_record(record, nullptr, scratch, &message);
}

Status Session::checkpoint(int64_t now_ms, Scratch &scratch) {
    Status status = driver.prepare_write(scratch);
    if (status.failed()) return status;
    if (!driver.core().context.has_open()) return {};
    status = driver.append_record(driver.core().new_record(RecordKind::kPhase, now_ms), nullptr,
                                  scratch);
    return driver.finish(status);
}

// Writes the values of the context, and subtracts their tokens from a budget.
Status Session::write_values(Scratch &scratch, Buffer<char> &out, uint64_t &tokens,
                             uint64_t &budget) {
    ContextValueTokens used;
    Status status = driver.prepare_read(scratch);
    if (status.ok()) status = context_values.write(scratch, out, used);
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
    ContextValueTokens values;
    Buffer<char> lines(scratch.memory);
    Status status = driver.prepare_read(scratch);
    if (status.ok()) status = context_values.write(scratch, lines, values);
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
        Status status = driver.prepare_read(scratch);
        if (status.failed()) return status;
        if (!ahead_.is_next(seq) || seq >= driver.store().row().last) {
            ahead_.note(seq);
            return read_record(driver.store(), seq, scratch.log.records, bytes, out);
        }
        status = ahead_.read(driver.store(), seq);
        if (status.failed()) return status;
        found = ahead_.find(seq);
    }
    if (!found) return fail(ACCP_ERR_CORRUPT, 0, "a record of the session is missing in the store");
    bytes.clear();
    bytes.append(*found);
    ahead_.taken();
    return read_record(bytes.view(), out)
               ? Status{}
               : fail(ACCP_ERR_CORRUPT, 0, "a record in the log is damaged");
}

}  // namespace accp::session
