// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Applies records to a session in memory.
#include "session/core.h"

#include "base/text.h"
#include "session/checkpoint_form.h"
#include "session/frame_refs.h"
#include "session/frames.h"
#include "session/ref_name.h"

namespace accp::session {

namespace {

// A sync:state closes a gap before it.
bool is_state_sync(const message::Message &message) {
    return message.intent == "sync" && message.operation == "state";
}

}  // namespace

Core::Core(Memory &memory, const SessionRules &rules, const SessionHooks &hooks,
           delivery::Inbox &inbox, Scratch &scratch)
    : context(memory, scratch.context, rules.context,
              {hooks.summarise ? &Core::on_summarise : nullptr, &Core::on_checkpoint, this}),
      state(memory),
      pending(memory),
      causes(memory),
      own_agents(memory),
      rules_(rules),
      hooks_(hooks),
      inbox_(inbox) {}

Status Core::apply(const Record &record, uint64_t number, const message::Message *message,
                   Effects &effects) {
    struct Use {
        Effects *&used;
        ~Use() { used = nullptr; }
    } use = {effects_ = &effects};
    next_key = record.next_key;
    switch (record.kind) {
        case RecordKind::kReceived:
        case RecordKind::kSent:
        case RecordKind::kRequest: {
            Status status =
                record.json.empty() ? Status{} : apply_frame(record, number, effects.scratch);
            return status.ok() ? apply_message(record, number, *message, effects) : status;
        }
        case RecordKind::kPartReceived:
        case RecordKind::kPartSent: return apply_frame(record, number, effects.scratch);
        case RecordKind::kMessage: return apply_message(record, number, *message, effects);
        case RecordKind::kUsedUp: {
            inbox_.advance(record.agent, record.seq);
            return record.text.empty() || pending.parts.empty()
                       ? Status{}
                       : apply_frame(record, number, effects.scratch);
        }
        case RecordKind::kAbandoned: pending.abandon(record.text); return {};
        case RecordKind::kTimeout:
            expire_until(static_cast<int64_t>(record.time_ms), effects);
            return {};
        case RecordKind::kPhase: return context.checkpoint();
        case RecordKind::kClosed: ended = true; return {};
    }
    return fail(ACCP_ERR_CORRUPT, 0, "a record in the log is damaged: its kind is unknown");
}

Status Core::check(const message::Message &message, Scratch &scratch) {
    if (message.intent == "cancel") return message::check_cancel(message);
    return message.is_state()
               ? state.apply(message.tree, message.payload, rules_.inbox.jump, scratch.state)
               : Status{};
}

Status Core::apply_message(const Record &record, uint64_t number, const message::Message &message,
                           Effects &effects) {
    Status status = apply_pending(record, number, message);
    if (status.ok() && message.is_state()) status = apply_state(record, message, effects);
    if (status.failed()) return status;
    const bool sent = record.is_sent();
    if (record.kind == RecordKind::kReceived && is_state_sync(message))
        inbox_.jump(message.agent, message.seq());
    else if (record.kind != RecordKind::kMessage)
        inbox_.advance(message.agent, message.seq(), sent);
    if (sent && !own_agents.has(message.agent)) {
        own_agents.add(message.agent);
        own_agents_saved_ = false;
    }
    message::Message applied = message;
    applied.untrusted = record.untrusted || message.untrusted;
    return context.append(applied, number, record.time_ms);
}

// Skips a state that is already in the snapshot, or that a message of the host only describes.
Status Core::apply_state(const Record &record, const message::Message &message,
                         const Effects &effects) {
    Status status =
        state.apply(message.tree, message.payload, max_version_jump(record), effects.scratch.state);
    if (status.failed())
        return effects.restores || record.kind == RecordKind::kMessage ? Status{} : status;
    state.take(record.untrusted || message.untrusted);
    state_saved_ = false;
    return {};
}

bool Core::on_summarise(std::string_view hot, uint32_t summary_max, Buffer<char> &out, void *user) {
    const SessionHooks &hooks = static_cast<Core *>(user)->hooks_;
    accp_text made = {};
    if (!hooks.summarise(hot.data(), hot.size(), summary_max, &made, hooks.user) || !made.text)
        return false;
    out.append(to_view(made));
    return true;
}

void Core::on_checkpoint(const context::CheckpointView &checkpoint, void *user) {
    Effects &effects = *static_cast<Core *>(user)->effects_;
    effects.checkpointed = true;
    if (effects.restores) return;
    LogScratch &log = effects.scratch.log;
    char key[kRefBytes];
    log.out.clear();
    if (checkpoint.untrusted) log.out.push(kUntrustedBlank);
    keep_checkpoint(checkpoint, log.out);
    log.batch.put(store::Tier::kWarm, checkpoint_key(checkpoint.id, key), log.out.view(), 0,
                  checkpoint.id);
}

// How records change chains, requests and parts of messages. Each part is a frame with its own mid,
// seq and record. The record of the completing part also has the message, so applying it needs no
// other record.

namespace {

bool is_answer(std::string_view intent) {
    return intent == "done" || intent == "fail" || intent == "ack";
}

// Holds the part of a record. The part was checked on arrival, but the record may have been written
// by someone else, so it is checked again.
Status hold_part(delivery::PartialMessages &parts, const delivery::MessagePart &part,
                 uint64_t number, bool untrusted) {
    if (parts.check(part, UINT64_MAX).failed())
        return fail(ACCP_ERR_CORRUPT, 0,
                    "a record in the log is damaged: its part of a message is invalid");
    parts.hold(part, number | (untrusted ? kUntrustedTag : 0));
    return {};
}

}  // namespace

// Updates chains and requests for a message that was received or sent.
Status Core::apply_pending(const Record &record, uint64_t number, const message::Message &message) {
    const std::string_view cid = message.meta_text("cid");
    bool changed = false;
    Status status;
    if (message.intent == "cancel" && !message.chain().empty()) {
        const bool is_peers =
            record.kind == RecordKind::kReceived ||
            (record.kind == RecordKind::kMessage && (record.untrusted || message.untrusted));
        changed = pending.chains.add(message.chain(), message.agent, !is_peers);
        changed = pending.requests.answer(to_text(message.chain())) || changed;
        pending.abandon(message.chain());
    }
    if (message.intent == "ack") changed = pending.chains.set_done(cid);
    if (record.kind == RecordKind::kRequest) {
        const auto timeout_ms = static_cast<int64_t>(record.timeout_ms);
        const std::string_view chain = cid.empty() ? message.meta_text("mid") : cid;
        status = pending.requests.start(
            {to_text(chain), delivery::later(static_cast<int64_t>(record.time_ms), timeout_ms),
             timeout_ms, number});
        changed = true;
    }
    if (record.kind == RecordKind::kReceived && !cid.empty() && pending.requests.waiting()) {
        if (is_answer(message.intent)) changed = pending.requests.answer(to_text(cid)) || changed;
        else if (message.intent == "wait")
            changed = pending.requests.wait(to_text(cid), static_cast<int64_t>(record.time_ms));
    }
    if (changed) pending.is_saved = false;
    return status;
}

void Core::add_cause(const accp_envelope &envelope, uint64_t number) {
    if (causes.is_complete()) causes.add(pending.cause_of(envelope, number));
}

void Core::expire_until(int64_t now_ms, const Effects &effects) {
    Packer expired(effects.scratch.log.expired);
    for (delivery::Deadlines::Request request; pending.requests.expire(now_ms, request);) {
        pending.is_saved = false;
        if (effects.restores) continue;
        expired.number(request.record);
        expired.text(to_view(request.cid));
    }
}

// Updates the parts for a record whose frame may be a part. Its seq is used. The parts that it
// completes, or with which it was refused, are dropped.
Status Core::apply_frame(const Record &record, uint64_t number, Scratch &scratch) {
    PartFrame frame;
    Status status = read_part(record.text, scratch, frame);
    const bool refused = record.kind == RecordKind::kUsedUp;
    // The frame may have been refused for this error, or the session takes no parts and this is
    // ordinary metadata.
    if (status.code > 0 && !record.is_part()) return {};
    if (status.failed() || !frame.is_part) return status;
    const delivery::MessagePart &part = frame.part;
    const std::string_view agent = part.header.substr(1, part.header.find('>') - 1);
    const bool sent = record.kind == RecordKind::kPartSent || record.is_sent();
    if (!refused && !sent && part.header.substr(agent.size() + 1) == ">sync:state")
        inbox_.jump(agent, frame.envelope.seq);
    else if (!refused) inbox_.advance(agent, frame.envelope.seq, sent);
    if (sent) return {};
    pending.is_saved = false;
    if (record.kind == RecordKind::kPartReceived)
        return hold_part(pending.parts, part, number, record.untrusted);
    if (pending.parts.completes(part)) pending.parts.drop(part);
    return {};
}

Status Core::restore_part(const Record &record, uint64_t number, Scratch &scratch) {
    PartFrame frame;
    Status status = read_part(record.text, scratch, frame);
    if (status.code < 0) return status;
    if (status.failed() || !frame.is_part)
        return fail(ACCP_ERR_CORRUPT, 0,
                    "a record in the log is damaged: it should contain a part of a message");
    return hold_part(pending.parts, frame.part, number, record.untrusted);
}

// Saving and restoring a core.

namespace {

TokenRules token_rules(const Scratch &scratch, const SessionRules &rules) {
    return {scratch.counter.tokenizer().name, rules.context};
}

}  // namespace

size_t Core::save(uint64_t number, Scratch &scratch) {
    put_blobs(scratch);
    Snapshot snapshot;
    snapshot.record = number;
    snapshot.has_pending = has_pending_;
    snapshot.next_key = next_key;
    snapshot.state_version = state.version();
    snapshot.ended = ended;
    Buffer<char> &out = scratch.log.out;
    out.clear();
    snapshot.write(token_rules(scratch, rules_), context, inbox_, out);
    scratch.log.batch.set_state(out.view());
    return out.size();
}

void Core::put_blobs(Scratch &scratch) {
    LogScratch &log = scratch.log;
    if (!state_saved_)
        log.batch.put(store::Tier::kWarm, kStateKey,
                      state.untrusted ? mark_value(state.json(), log.out) : state.json());
    if (!own_agents_saved_) log.batch.put(store::Tier::kWarm, kAgentsKey, own_agents.text());
    state_saved_ = own_agents_saved_ = true;
    if (pending.is_saved) return;
    log.out.clear();
    pending.write(log.out);
    log.batch.put(store::Tier::kWarm, kPendingKey, log.out.view());
    pending.is_saved = has_pending_ = true;
}

Status Core::restore(std::string_view bytes, const Scratch &scratch, Snapshot &out) {
    Status status = out.read(bytes, token_rules(scratch, rules_), context, inbox_);
    if (status.failed()) return status;
    next_key = out.next_key;
    has_pending_ = out.has_pending;
    ended = out.ended;
    return {};
}

}  // namespace accp::session
