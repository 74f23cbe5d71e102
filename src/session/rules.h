// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a session goes by: the rules of an engine's config, and the host's hooks.
#pragma once

#include <algorithm>
#include <iterator>

#include "accp/hooks.h"
#include "base/memory.h"
#include "base/name_list.h"
#include "base/status.h"
#include "codec/hooks.h"
#include "context/context.h"
#include "delivery/inbox.h"

namespace accp::session {

// The agents that the host speaks as, the agents whose messages are untrusted, and the peer that a
// frame or a message came from.
//
// When the session sends a frame under an agent's name, that agent becomes the host's own. The blob
// `agents!` has these names as of the snapshot, each with a NUL after it; the records after the
// snapshot add the others.

// Few names; a look-up compares each.
class NameSet {
public:
    explicit NameSet(Memory &memory) : text_(memory) {}

    bool has(std::string_view name) const { return has_name(text(), name); }
    std::string_view text() const { return text_.view(); }
    void add(std::string_view name) {
        if (has(name)) return;
        text_.reserve_exact(text_.size() + name.size() + 1);
        text_.append(name);
        text_.push('\0');
    }
    void remove(std::string_view name) {
        for (size_t at = 0; at < text_.size();) {
            const std::string_view entry(text_.data() + at);
            if (entry != name) {
                at += entry.size() + 1;
                continue;
            }
            std::copy(text_.begin() + at + entry.size() + 1, text_.end(), text_.begin() + at);
            return text_.resize_down(text_.size() - entry.size() - 1);
        }
    }
    void clear() { text_.clear(); }
    // Replaces the names by what text() was. ACCP_ERR_CORRUPT: the last byte is no NUL.
    Status restore(std::string_view text) {
        if (!text.empty() && text.back() != '\0')
            return fail(ACCP_ERR_CORRUPT, 0, "the session's list of own agents is damaged");
        text_.clear();
        text_.reserve_exact(text.size());
        text_.append(text);
        return {};
    }

private:
    Buffer<char> text_;
};

// What the host says of agents, for all sessions of an engine.
struct AgentRules {
    explicit AgentRules(Memory &memory) : own(memory), untrusted(memory) {}
    NameSet own;        // the host's: a frame from outside under such a name is refused
    NameSet untrusted;  // their messages are untrusted, whoever delivers them
};

// Names of the roles in a conversation (src/transcript/read.h).
constexpr std::string_view kRoleNames[] = {"system",    "developer", "user",
                                           "assistant", "tool",      "function"};

// The peer that a frame or a message came from, as the host identified it.
struct Peer {
    static constexpr std::string_view kAnybody = "*";

    std::string_view agents =
        kAnybody;            // the agents it may speak as, separated by commas; "*": any
    bool untrusted = false;  // its messages are untrusted

    // Returns E5001 with the reason if the peer may not speak as this agent. An untrusted peer may
    // use the name of a role only if the host lists it.
    Status check(std::string_view agent) const {
        if (lists(agent)) return {};
        if (!lists(kAnybody))
            return fail(ACCP_E5001, 0, "its agent is none that the host lets this peer speak as");
        if (untrusted &&
            std::find(std::begin(kRoleNames), std::end(kRoleNames), agent) != std::end(kRoleNames))
            return fail(ACCP_E5001, 0,
                        "its agent has the name of a role, which an untrusted peer has only if the "
                        "host lists it among the peer's agents: use a name of your own");
        return {};
    }

private:
    bool lists(std::string_view agent) const {
        for (std::string_view left = agents; !left.empty();) {
            const std::string_view name = left.substr(0, left.find(','));
            if (name == agent) return true;
            left.remove_prefix(name.size() < left.size() ? name.size() + 1 : left.size());
        }
        return false;
    }
};

// Values of the cold tier in a store of the host's (specification 5.1, 7.1: IExternalStore). They
// go there under the SHA-256 of their text before anything names them; the session's own store then
// holds a stub with that hash. So what is granted, expires and is there at all is decided in one
// place, a put that came to nothing leaves a text that nobody names, and what comes back is known
// to be what went in.
class ColdStore {
public:
    // Keeps `text`, durably on ACCP_OK. The same text comes with the same key, perhaps often.
    virtual Status put(std::string_view key, std::string_view text) = 0;
    // What was put: a view until the store is asked again. ACCP_E2001: it is not there.
    virtual Status get(std::string_view key, std::string_view &text) = 0;

protected:
    ~ColdStore() = default;
};

struct SessionRules {
    delivery::InboxRules inbox;
    context::ContextOptions context;
    uint64_t max_tokens = kMaxFrameTokens;  // of a frame that goes out; 0: any number
    // of mids, where several send in one session (accp_mid_format)
    uint32_t issuer = 0;
    bool shares_store = false;   // the peer resolves refs: long values go to the store
    bool parts = false;          // both sides take messages in parts
    bool refuses_parts = false;  // the host, or an agreement, has said that they do not
    // both sides named m1: rows of the shared state go as the cells that changed
    bool merges = false;
    bool names_session = false;  // frames carry the sid
    // a session goes on under the registry that it was written under last
    bool pins_registry = false;
    bool waits_for_agreement = false;  // no frame is taken or sent: no registry is agreed
    // in which a request of ours is answered; 0: it waits for ever
    uint64_t deadline_ms = 0;
    // a call that changes something returns when it is durable; else sync() says when
    bool durable = true;
    // who resolves refs of frames that the session has not
    codec::RefResolver *peer_resolver = nullptr;
    // who keeps the values of the cold tier; NULL: the store
    ColdStore *cold_store = nullptr;
    // what a message is held against when it comes in or goes out, and not when it is read again
    codec::CodecHooks codec_hooks;

    Status check_agreed() const {
        return waits_for_agreement
                   ? fail(ACCP_E1003, 0,
                          "no registry is agreed with the other side yet, as rule "
                          "require_registry asks: negotiate, and give the config the agreement")
                   : Status{};
    }
};

// The host's, of every session of an engine; include/accp/hooks.h has their rules.
struct SessionHooks {
    accp_summarise_function summarise = nullptr;
    accp_log_function log = nullptr;
    void *user = nullptr;
    const AgentRules *agents = nullptr;

    bool is_untrusted(std::string_view agent) const {
        return agents && agents->untrusted.has(agent);
    }
};

}  // namespace accp::session
