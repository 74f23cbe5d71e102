// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See core.h: applying a record.
#include "session/core.h"

#include "base/text.h"
#include "session/checkpoint_json.h"
#include "session/kept_checkpoint.h"
#include "session/refs.h"

namespace accp::session {

namespace {

// Of the state: where it was ahead of a gap it has closed it.
bool is_sync(const message::Message &message) {
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

Status Core::apply(const Record &record, uint64_t place, const message::Message *message,
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
                record.json.empty() ? Status{} : apply_frame(record, place, effects.scratch);
            return status.ok() ? apply_message(record, place, *message, effects) : status;
        }
        case RecordKind::kPartReceived:
        case RecordKind::kPartSent: return apply_frame(record, place, effects.scratch);
        case RecordKind::kMessage: return apply_message(record, place, *message, effects);
        case RecordKind::kUsedUp: {
            inbox_.advance(record.agent, record.seq);
            return record.text.empty() || pending.parts.empty()
                       ? Status{}
                       : apply_frame(record, place, effects.scratch);
        }
        case RecordKind::kAbandoned: pending.abandon(record.text); return {};
        case RecordKind::kTimeout:
            expire_until(static_cast<int64_t>(record.time_ms), effects);
            return {};
        case RecordKind::kPhase: return context.checkpoint();
        case RecordKind::kClosed: ended = true; return {};
    }
    return fail(ACCP_ERR_CORRUPT, 0, "a record of a kind that is not known");
}

Status Core::check(const message::Message &message, Scratch &scratch) {
    if (message.intent == "cancel") return message::check_cancel(message);
    return message.is_state()
               ? state.apply(message.tree, message.payload, rules_.inbox.jump, scratch.state)
               : Status{};
}

Status Core::apply_message(const Record &record, uint64_t place, const message::Message &message,
                           Effects &effects) {
    Status status = apply_pending(record, place, message);
    if (status.ok() && message.is_state()) status = apply_state(record, message, effects);
    if (status.failed()) return status;
    const bool sent = record.is_sent();
    if (record.kind == RecordKind::kReceived && is_sync(message))
        inbox_.jump(message.agent, message.seq());
    else if (record.kind != RecordKind::kMessage)
        inbox_.advance(message.agent, message.seq(), sent);
    if (sent && !own_agents.has(message.agent)) {
        own_agents.add(message.agent);
        own_agents_kept_ = false;
    }
    message::Message said = message;
    said.untrusted = record.untrusted || message.untrusted;
    return context.append(said, place);
}

// A state that a snapshot has already, or that a host's message only tells of, is passed over.
Status Core::apply_state(const Record &record, const message::Message &message,
                         const Effects &effects) {
    Status status =
        state.apply(message.tree, message.payload, jump_of(record), effects.scratch.state);
    if (status.failed())
        return effects.restores || record.kind == RecordKind::kMessage ? Status{} : status;
    state.take(record.untrusted || message.untrusted);
    state_kept_ = false;
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

}  // namespace accp::session
