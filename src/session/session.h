// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A session: frames and messages in, each checked, kept and applied once and in order; and at any
// moment what a model should be given. Specification 3.7, 5.
//
// What a call does, it does in this order: look (nothing has changed), apply to memory, commit to
// the store. Where the commit fails, memory is ahead of the store: the session then is stale, and
// makes itself anew from the store before its next call does anything. So what memory says and what
// the store says never part, and a refused call has changed nothing.
//
// Time is an argument of every call, in milliseconds since the epoch. One thread at a time;
// sessions share nothing but the store and, while a call runs, a scratch of their engine.
#pragma once

#include "accp/session.h"
#include "base/permutation.h"
#include "context/context.h"
#include "delivery/inbox.h"
#include "message/message.h"
#include "session/agents.h"
#include "session/cold.h"
#include "session/deliveries.h"
#include "session/pending.h"
#include "session/record.h"
#include "session/scratch.h"
#include "session/snapshot.h"

namespace accp::session {

struct SessionRules {
    delivery::InboxRules inbox;
    context::ContextOptions context;
    uint64_t max_tokens = kMaxFrameTokens;  // of a frame that goes out; 0: any number
    // of mids, where several send in one session (accp_mid_format)
    uint32_t issuer = 0;
    bool shares_store = false;  // the peer resolves refs: long values go to the store
    bool parts = false;         // both sides take messages in parts
    // both sides named m1: rows of the shared state go as the cells that changed
    bool merges = false;
    bool names_session = false;  // frames carry the sid
    // in which a request of ours is answered; 0: it waits for ever
    uint64_t deadline_ms = 0;
    // a call that changes something returns when it is durable; else sync() says when
    bool durable = true;
    // who resolves refs of frames that the session has not
    codec::RefResolver *elsewhere = nullptr;
    // who keeps the values of the cold tier; NULL: the store
    ColdStore *cold = nullptr;
};

// The host's, of every session of an engine; include/accp/hooks.h has their rules.
struct SessionHooks {
    accp_summarise_function summarise = nullptr;
    accp_log_function log = nullptr;
    void *user = nullptr;
    const AgentRules *agents = nullptr;
};

class SessionRefs;
class ForeignRefs;
class PartEnvelopes;

class Session : private delivery::History {
public:
    Session(Memory &memory, const SessionRules &rules, const SessionHooks &hooks = {});
    ~Session();

    // Opens the session of this id, with all that was ever applied to it: to write, where it is
    // made if it is missing and an older writer is shut out, or to read it as it stands.
    // ACCP_ERR_CORRUPT for records that cannot be read, ACCP_ERR_ARG for other rules: nobody is
    // shut out then.
    Status open(store::Store &store, std::string_view id, bool writes, const PermutationKey &mids,
                Scratch &scratch);
    void close();
    // The end of the session itself: no frame is taken any more, whoever opens it
    // (ACCP_ERR_CLOSED).
    Status end(int64_t now_ms, Scratch &scratch);

    // A frame from outside, by a peer. E5001: not under this name, and nothing has changed.
    // ACCP_OK: applied; ACCP_HELD: it waits; ACCP_DROPPED: answer nothing; else refused. The offset
    // is a byte of the frame. What was applied comes out of next(). After it release_waiting():
    // frames that had waited for it. A call of its own, so that a failure of theirs is not taken
    // for one of this frame; what it could not do, the next receive() does first.
    Status receive(std::string_view frame, const Peer &peer, int64_t now_ms, Scratch &scratch);
    bool has_ready() const { return inbox_.ready() != nullptr; }
    Status release_waiting(int64_t now_ms, Scratch &scratch);
    // The next message that was applied, or a frame that had waited and was refused (`status`).
    // False: no more. Views until the next call.
    bool next(Delivery &out) { return deliveries_.next(out); }
    const Deliveries &deliveries() const { return deliveries_; }
    bool is_cancelled(std::string_view cid) const { return live_->pending.chains.has(cid); }

    // A message of ours, in JSON, as a frame with mid, seq and ts: appended to `out`. The offset of
    // a failure is a byte of the JSON.
    Status send(std::string_view json, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // A message that takes no frame: part of the history, and no more.
    Status append(std::string_view json, int64_t now_ms, Scratch &scratch);
    // The frame that makes the other side's shared state this JSON object; empty where nothing
    // changed. It is ours from now on.
    Status send_state(std::string_view agent, std::string_view json, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out);

    // Requests of ours whose deadline has passed: they wait no more, and next() hands out an E3001
    // for each.
    Status expire(int64_t now_ms, Scratch &scratch);
    // Forgets the parts that are held of a chain's messages, of all where cid is empty.
    Status abandon(std::string_view cid, int64_t now_ms, Scratch &scratch);
    int64_t next_deadline() const { return live_->pending.requests.next(); }
    // The frame of that record, one of ours, to be sent again: appended to `out`.
    Status retry(uint64_t place, int64_t now_ms, Scratch &scratch, Buffer<char> &out);

    Status checkpoint(int64_t now_ms, Scratch &scratch);
    // Appends what a model should be given.
    Status context(uint64_t budget, Scratch &scratch, Buffer<char> &out, uint64_t &tokens);
    Status budget(Scratch &scratch, context::TokenUse &out);
    uint32_t checkpoints() const { return live_->context.checkpoints(); }
    const SharedState &state() const { return live_->state; }

    // What a ref ("warm.k") stands for, as JSON, appended. E2001, E2002.
    Status resolve(std::string_view ref, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // The same of another session, by its grant. E5002 without one, whether it is there or not.
    Status resolve_of(std::string_view owner, std::string_view ref, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out);
    // Puts JSON under a ref of ours; expires_ms 0: never. E1001: no JSON; E1004: no such tier.
    Status put(std::string_view ref, std::string_view json, int64_t expires_ms, Scratch &scratch);
    Status erase(std::string_view ref, Scratch &scratch);
    Status grant(std::string_view grantee, std::string_view prefix, int64_t expires_ms,
                 Scratch &scratch);
    Status revoke(std::string_view grantee, std::string_view prefix, Scratch &scratch);

    // Record `seq` of the log: what was said, byte for byte. E2001: there is none.
    Status record(uint64_t seq, Scratch &scratch, Buffer<char> &bytes, Record &out);
    uint64_t last_record() const { return store_->row().last; }
    // Everything so far is durable when this returns.
    Status sync();

    // How many commits the store has taken of this handle: durable or not.
    uint64_t taken() const { return taken_; }

    // What a call, or opening, is to answer: damage only where the session is this handle's still.
    Status judged(const Status &status);

    // Is memory ahead of the store, because a call failed halfway? refresh() makes it what the
    // store says.
    bool is_stale() const { return stale_ && store_; }
    Status refresh(Scratch &scratch) { return stale_ ? reload(scratch) : Status{}; }

    std::string_view id() const { return {id_.data(), id_.size()}; }
    // Of the texts that it keeps in memory, in bytes: what an open session needs beside them is to
    // be small.
    size_t text_bytes() const {
        return live_->context.text_bytes() + live_->state.json().size() + id_.size();
    }

private:
    friend class SessionRefs;
    friend class ForeignRefs;

    // Whose frame is read: a ref in it is its sender's.
    enum class Owner : uint8_t { kOurs, kPeer };
    // What follows from the log.
    struct Live {
        Live(Memory &memory, context::ContextScratch &scratch,
             const context::ContextOptions &options, const context::ContextHooks &hooks)
            : context(memory, scratch, options, hooks),
              state(memory),
              pending(memory),
              causes(memory),
              own_agents(memory) {}
        context::Context context;
        SharedState state;
        Pending pending;
        delivery::Causes causes;
        NameSet own_agents;           // that frames went out as
        bool own_agents_kept = true;  // the store has them as they are
        uint64_t next_key = 1;
        // the first record whose message is not in what the context saves
        uint64_t context_from = 1;
        bool has_pending = false;  // the store has a blob of it
        uint64_t unsaved = 0;      // bytes of the records after that snapshot
        bool state_kept = true;    // the store has the shared state as it is
        bool ended = false;
    };
    struct Frame {
        delivery::Arrival arrival;
        std::string_view text;
        uint32_t payload, metadata;  // where they begin in the text
        bool is_part;                // or looks like one
    };
    // Where refs are looked up: this session, or another one of the store, whose shared state is
    // what its log says.
    struct Reading {
        store::StoreSession &store;
        const SharedState *state;
        ColdStore *cold;
    };
    struct Blob {
        std::string_view json;
        int64_t expires_ms;
        bool erase;
    };

    // History
    Status has(const delivery::Arrival &frame, bool &seen) override;

    Status is_cancelled(const accp_envelope &envelope, Scratch &scratch, bool &out);
    Status find_causes(Scratch &scratch);
    static bool read_envelope_of(std::string_view frame, Scratch &scratch, accp_envelope &out);
    void note_cause(const accp_envelope &envelope, uint64_t place);

    Status look(store::Store &store, Scratch &scratch);
    Status current(Scratch &scratch, bool asks = true);
    Status read_whole(Scratch &scratch, Status (Session::*read)(Scratch &));
    Status ready(Scratch &scratch);
    Status reload(Scratch &scratch);
    Status restore(Scratch &scratch);
    Status restore_snapshot(Scratch &scratch);
    Status replay(const store::StoreRecords::Record &stored, Scratch &scratch);
    TokenRules token_rules(const Scratch &scratch) const {
        return {scratch.counter.tokenizer().name, rules_.context};
    }
    void make_live(Scratch &scratch);
    void end_live();

    Status keep(const Record &record, const delivery::Arrival *frame, Scratch &scratch,
                const message::Message *message = nullptr);
    Status add(const Record &record, const delivery::Arrival *frame, uint64_t place,
               Scratch &scratch, const message::Message *message = nullptr);
    Status write(uint64_t place, Scratch &scratch);
    Status apply(const Record &record, uint64_t place, Scratch &scratch,
                 const message::Message *message = nullptr);
    Status apply_frame(const Record &record, uint64_t place, Scratch &scratch);
    Status restore_parts(Scratch &scratch);
    static Status part_of(std::string_view frame, Scratch &scratch, accp_envelope &envelope,
                          delivery::MessagePart &part, bool &is_part);
    Status take_part(const Frame &frame, Scratch &scratch);
    Status join(Frame &frame, Scratch &scratch, bool &held, bool &whole) const;
    Status join_sent(std::string_view frames, Scratch &scratch) const;
    Status apply_pending(const Record &record, uint64_t place, const message::Message &message);
    void expire_until(int64_t now_ms, Scratch &scratch);
    Status apply_message(const Record &record, uint64_t place, const message::Message &message,
                         Scratch &scratch);
    // The first checkpoint brings one, which says by what rules the session is kept. Not each:
    // opening a session applies some more records, and keeping one writes far less. But what a
    // host's summariser wrote is not asked for again.
    bool snapshot_is_due() const {
        return checkpointed_ &&
               (hooks_.summarise || !store_->row().version || live_->unsaved >= kSnapshotBytes);
    }
    Status keep_state(uint64_t place, Scratch &scratch);
    Status note(Record record, Scratch &scratch);
    Status commit(Scratch &scratch);
    Status settle();
    static bool on_summarise(std::string_view hot, uint32_t summary_max, Buffer<char> &out,
                             void *user);
    static void on_checkpoint(const context::CheckpointView &checkpoint, void *user);

    static Status read_frame(std::string_view text, int64_t now_ms, bool untrusted,
                             Scratch &scratch, Frame &out);
    static Status read_part_frame(std::string_view text, int64_t now_ms, bool untrusted,
                                  Scratch &scratch, Frame &out);
    static Status describe(value::TreeView tree, uint32_t meta, std::string_view text,
                           int64_t now_ms, bool untrusted, Frame &out);
    Status admit(const delivery::Arrival &frame, const Peer &peer);
    bool is_own_agent(std::string_view agent) const;
    bool is_untrusted(std::string_view agent) const {
        return hooks_.agents && hooks_.agents->untrusted.has(agent);
    }
    Status restore_agents(Scratch &scratch);
    Status speak_as(std::string_view agent) const;
    Status hold(const Frame &frame, bool new_gap);
    Status take(Frame &frame, Scratch &scratch);
    Status check(const message::Message &message, const Frame &frame, Scratch &scratch);
    static bool is_refused(const Status &status) { return status.code > ACCP_HELD; }
    Status refuse(const Frame &frame, const Status &why, Scratch &scratch);
    Status use_up(const Frame &frame, bool seen, Scratch &scratch);
    Status release(int64_t now_ms, Scratch &scratch);
    Status let_pass(int64_t now_ms, Scratch &scratch,
                    std::initializer_list<std::string_view *> texts, Buffer<char> &copies);
    Status pass_by(const delivery::Inbox::Held &held);
    Status take_waiting(const delivery::Inbox::Held &held, int64_t now_ms, Scratch &scratch);
    Status give_up_gap(Frame &frame, int64_t now_ms, Scratch &scratch);
    Status decode(Owner owner, bool untrusted, int64_t now_ms, Scratch &scratch,
                  message::Message &out);
    static uint64_t mid_word_of(const delivery::Arrival &frame) {
        const accp_text &mid = frame.envelope.mid;
        return store::mid_word(frame.agent, {mid.text, mid.len});
    }
    static Status write_json(const message::Message &message, Scratch &scratch);
    std::string_view kept_message(bool in_parts, const Scratch &scratch) const;
    static Status read_message(std::string_view json, Scratch &scratch, message::Message &out);

    friend class PartEnvelopes;
    Status again(uint64_t place, int64_t ahead, int64_t now_ms, Scratch &scratch,
                 Buffer<char> &out);
    Status new_mid(std::string_view agent, char *mid, uint64_t &word);
    Status address(std::string_view agent, int64_t now_ms, char *mid, uint64_t &mid_word,
                   accp_envelope &out);
    Status send_now(std::string_view json, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    Status encode(const message::Message &message, std::string_view json,
                  const accp_envelope &envelope, SessionRefs &refs, Scratch &scratch,
                  Buffer<char> &out);
    Status keep_sent(std::string_view frames, uint64_t next_key, uint64_t mid_word, bool untrusted,
                     int64_t now_ms, Scratch &scratch);

    Status resolve_now(std::string_view ref, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    static Status lookup(const Reading &from, std::string_view tier, std::string_view key,
                         int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    static Status lookup_key(const Reading &from, std::string_view tier, std::string_view key,
                             int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    static Status cut_out(std::string_view labels, size_t start, Scratch &scratch,
                          Buffer<char> &out);
    static bool is_end_of_parts(const Record &record, Scratch &scratch);
    static void mark_untrusted(Buffer<char> &out);
    static Status message_of(store::StoreSession &store, uint64_t place, Scratch &scratch,
                             Buffer<char> &out);
    static Status read_record(store::StoreSession &store, uint64_t seq, Scratch &scratch,
                              Buffer<char> &bytes, Record &out);
    static Status logged_state(const Reading &of, Scratch &scratch, Buffer<char> &out);
    static Status follow(const Reading &from, const Record &record, Scratch &scratch,
                         SharedState &state);
    Status put_value(store::Tier where, std::string_view name, std::string_view json,
                     uint64_t expires_ms, Scratch &scratch);
    Status change_blob(std::string_view ref, const Blob &blob, Scratch &scratch);

    Memory &memory_;
    const SessionRules rules_;
    const SessionHooks hooks_;
    Buffer<char> id_;
    store::StoreSession *store_ = nullptr;
    store::Store *all_ = nullptr;  // the store of it
    delivery::Inbox inbox_;
    Live *live_ = nullptr;
    Deliveries deliveries_;
    uint64_t mid_counter_ = 0;  // of this handle's mids, before they are permuted
    uint32_t mid_letter_ = 0;
    PermutationKey mid_key_ = {};
    uint64_t taken_ = 0;
    uint64_t place_ = 0;  // of the record whose message was applied last
    bool writes_ = true;
    bool stale_ = false;  // memory is ahead of the store
    bool unsynced_ = false;
    bool checkpointed_ = false;
    // the message decoded last holds what a ref stood for, and may not stand for later
    bool fleeting_ = false;

    // While a call runs: for those whom the context, the inbox and the chains ask.
    friend class ScratchUse;
    Scratch *scratch_ = nullptr;
    bool scratch_restores_ = false;
};

}  // namespace accp::session
