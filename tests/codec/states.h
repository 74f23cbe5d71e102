// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A state for codecs under test: a map from refs to JSON, used as resolver and keeper, and a source
// of envelopes.
#pragma once

#include <map>

#include "codec/codecs.h"

namespace accp_codecs {

struct State {
    std::map<std::string, std::string> values;
    std::map<std::string, std::string> refs;  // the stored values, by text
    accp_status refused = ACCP_OK;            // the status of the keeper, if it should fail
    bool keeps = true;
    int asked = 0;

    static accp_status resolve(const char *ref, size_t ref_len, accp_text *json, void *user) {
        auto &state = *static_cast<State *>(user);
        ++state.asked;
        const std::string name(ref, ref_len);
        if (name == "warm.old") return ACCP_E2002;
        if (name == "cold.theirs") return ACCP_E5002;
        if (name == "hot.busy") return ACCP_ERR_BUSY;
        if (name == "hot.odd") return ACCP_E3001;
        const auto found = state.values.find(name);
        if (found == state.values.end()) return ACCP_E2001;
        *json = {found->second.data(), found->second.size()};
        return ACCP_OK;
    }

    static accp_status keep(const char *json, size_t json_len, accp_text *ref, void *user) {
        auto &state = *static_cast<State *>(user);
        if (state.refused != ACCP_OK) return state.refused;
        if (!state.keeps) return ACCP_OK;
        const std::string text(json, json_len);
        auto [entry, made] =
            state.refs.emplace(text, "warm.t" + std::to_string(state.refs.size() + 1));
        state.values[entry->second] = text;
        *ref = {entry->second.data(), entry->second.size()};
        return ACCP_OK;
    }

    accp_hooks hooks() {
        accp_hooks hooks = hooks_for(this);
        hooks.resolve = resolve;
        hooks.keep = keep;
        return hooks;
    }
};

// Increasing mids and seqs.
struct Envelopes {
    uint64_t seq = 1;
    char mid[12] = {};

    static accp_status next(accp_envelope *envelope, void *user) {
        auto &self = *static_cast<Envelopes *>(user);
        ++self.seq;
        if (accp_mid_format(0, 0, self.seq, self.mid, nullptr) != ACCP_OK) return ACCP_ERR_ARG;
        envelope->fields |= ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
        envelope->mid = {self.mid, sizeof self.mid};
        envelope->seq = static_cast<int64_t>(self.seq);
        return ACCP_OK;
    }

    accp_hooks hooks() {
        accp_hooks hooks = hooks_for(this);
        hooks.next_envelope = next;
        return hooks;
    }
};

inline std::string message_of(const std::string &payload, const std::string &meta = {}) {
    return R"({"agent":"a","intent":"req","operation":"go","payload":)" + payload +
           (meta.empty() ? "" : ",\"meta\":" + meta) + "}";
}

}  // namespace accp_codecs
