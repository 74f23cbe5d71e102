// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs the steps of bindings.jsonl through the C face: README.md here describes each step. A step
// returns a JSON object, `gives`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "accp/accp.h"
#include "accp/parts.h"
#include "reference/ref_json.h"

namespace accp_steps {

using accp_ref::Json;
using accp_ref::JsonKind;

// The members of one step, with defaults for those that are missing.
struct Step {
    const Json &json;

    const Json *find(const char *key) const { return json.find(key); }
    std::string text(const char *key) const;
    int64_t number(const char *key, int64_t otherwise = 0) const;
    bool flag(const char *key) const;
    std::vector<std::string> list(const char *key) const;
};

inline accp_text view(const std::string &text) { return {text.data(), text.size()}; }
inline std::string copy(accp_text text) {
    return std::string(text.text ? text.text : "", text.len);
}

Json integer(int64_t number);
Json string(const std::string &text);
Json object(accp_ref::Members members = {});

// Returns {} with what `fill` adds if the status is ACCP_OK; otherwise the status, and for an error
// its offset and message.
Json gives(accp_status status, const accp_error &err,
           const std::function<void(accp_ref::Members &)> &fill = {});

// Returns the result of a call that returns a text: {"out":…}.
template <class Call>
Json gives_text(Call call) {
    accp_text out = {};
    accp_error err = {};
    accp_status status = call(&out, &err);
    return gives(status, err, [&](accp_ref::Members &members) {
        members.emplace_back("out", string(std::string(out.text, out.len)));
    });
}

uint32_t extensions_of(const Step &step);

template <class T, auto kFree>
struct Deleter {
    void operator()(T *handle) const { kFree(handle); }
};
template <class T, auto kFree>
using Named = std::map<std::string, std::unique_ptr<T, Deleter<T, kFree>>>;
inline void close_store(accp_store *store) { accp_store_close(store, nullptr); }

using Config = std::unique_ptr<accp_config, Deleter<accp_config, accp_config_free>>;
Config config_of(const Step &step);

// The data that the callbacks of a codec or an engine use.
struct Host {
    std::map<std::string, std::string> refs;   // for resolve
    std::map<std::string, accp_status> tools;  // E4001 for a tool that is not in it
    std::vector<std::string> denied;           // denied operations
    std::map<std::string, std::string> kept;   // for keep: JSON to ref
    std::vector<std::string> log;
    std::string scratch;
};

// Returns the hooks that a step names, and puts the data that they use into the host.
accp_hooks hooks_of(const Step &step, Host &host);

class Runner {
public:
    // Returns the result of one step. Fails the test if the step is unknown.
    Json run(const Json &step);

private:
    using Verb = Json (Runner::*)(const Step &);
    static const std::map<std::string, Verb> &verbs();

#define ACCP_STEP(name) Json name(const Step &step);
#include "steps.def"
#undef ACCP_STEP

    Json batch(const Step &step,
               accp_status (*call)(accp_batch *, const char *, size_t, accp_error *), bool results);
    Json part(accp_status status, const accp_error &err, const accp_stream_part &part);

    // Freed in reverse order, so that borrowed handles are freed last.
    Named<accp_frame, accp_frame_free> frames_;
    Named<accp_tokenizer, accp_tokenizer_free> tokenizers_;
    Named<accp_counter, accp_counter_free> counters_;
    Named<accp_packet, accp_packet_free> packets_;
    Named<accp_packet_index, accp_packet_index_free> packet_indexes_;
    Named<accp_registry, accp_registry_free> registries_;
    Named<accp_negotiation, accp_negotiation_free> sides_;  // of negotiations, by name
    std::map<std::string, Host> hosts_;
    Named<accp_codec, accp_codec_free> codecs_;
    Named<accp_stream, accp_stream_free> streams_;
    Named<accp_deadline, accp_deadline_free> deadlines_;
    Named<accp_store, close_store> stores_;
    Named<accp_engine, accp_engine_free> engines_;
    Named<accp_session, accp_session_close> sessions_;

    const accp_tokenizer *tokenizer(const std::string &name);
    accp_counter *counter(const std::string &name);
};

}  // namespace accp_steps
