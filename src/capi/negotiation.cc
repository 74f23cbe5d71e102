// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/negotiation.h
#include "accp/negotiation.h"

#include "base/bytes.h"
#include "base/text.h"
#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/token_handles.h"
#include "registry/negotiation.h"

using namespace accp;
using namespace accp::capi;

struct accp_negotiation {
    explicit accp_negotiation(const Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          machine(memory, settings),
          out(memory) {}

    Settings settings;
    Memory memory;
    registry::Negotiation machine;
    Buffer<char> out;
};

namespace {

bool is_agent_name(std::string_view text) {
    for (char c : text)
        if (!accp::is_agent(static_cast<unsigned char>(c))) return false;
    return !text.empty();
}

constexpr uint32_t kKnownExtensions =
    ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8 | ACCP_EXT_P1 | ACCP_EXT_W1;

// The features of a session with this config, as bits of accp_feature. Unless the host sets another
// value, each side numbers its own frames and accepts messages in parts.
uint32_t features_of(const accp_config &config) {
    const session::SessionRules &rules = config.rules;
    const bool by_sender = !config.by_sender_set || rules.inbox.by_sender;
    const bool parts = !config.parts_set || rules.parts;
    return (rules.merges ? ACCP_FEATURE_MERGES : 0) | (parts ? ACCP_FEATURE_PARTS : 0) |
           (rules.shares_store ? ACCP_FEATURE_STORE : 0) | (by_sender ? ACCP_FEATURE_SENDERS : 0);
}

Status begin(accp_negotiation &negotiation, std::string_view agent, const accp_config &config) {
    registry::Negotiation &machine = negotiation.machine;
    if (!is_agent_name(agent) || agent.size() > negotiation.settings.limit(ACCP_LIMIT_KEY_BYTES))
        return fail(ACCP_E1001, 0, "an agent is letters, digits, _ and -");
    machine.start(config.registry, agent, config.settings.extensions);
    machine.set_features(features_of(config));
    machine.set_chunk_bytes(config.chunk_bytes);
    Settings settings;  // a peer cannot increase this memory, so no limit applies
    settings.allocator = negotiation.settings.allocator;
    registry::RegistryRef built_in;
    Status status = registry::make_registry(settings, ACCP_PROFILE_ALL, {}, built_in);
    if (status.failed()) return status;
    machine.set_built_in(built_in);
    if (!config.tokenizer.get()) return {};
    const std::string_view name = config.tokenizer.get()->tokenizer.name;
    if (!is_agent_name(name) || name.size() > kMaxCodeBytes)
        return fail(ACCP_ERR_ARG, 0, "the name of a tokenizer has letters, digits, _ and -");
    machine.set_tokenizer(name);
    return {};
}

}  // namespace

extern "C" {

accp_status accp_negotiation_new(const char *agent, size_t agent_len, const accp_config *config,
                                 accp_negotiation **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(agent, agent_len)) return capi::refuse(err, capi::kNoText);
    if (!config || !config->registry) return capi::refuse(err, "a negotiation needs a registry");
    return capi::guard(err, [&] {
        Held<accp_negotiation> made(make_handle<accp_negotiation>(settings_of(config)));
        Status status = begin(*made.handle, to_view(agent, agent_len), *config);
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_negotiation_free(accp_negotiation *negotiation) noexcept { destroy_handle(negotiation); }

accp_status accp_negotiation_add_known(accp_negotiation *negotiation, const accp_registry *known,
                                       accp_error *err) noexcept {
    if (!negotiation || !known) return capi::refuse(err, capi::kNoHandle);
    negotiation->machine.add_known(registry::RegistryRef(registry::RegistryRef::share(known)));
    return ACCP_OK;
}

accp_status accp_negotiation_receive(accp_negotiation *negotiation, const accp_frame *frame,
                                     accp_error *err) noexcept {
    if (!negotiation || !frame) return capi::refuse(err, capi::kNoHandle);
    if (!frame->count()) return capi::refuse(err, "no frame was parsed");
    return capi::guard(err, [&] { return negotiation->machine.receive(frame->tree()); });
}

accp_status accp_negotiation_next_frame(accp_negotiation *negotiation, accp_text *out,
                                        accp_error *err) noexcept {
    if (!negotiation || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        negotiation->out.recycle(kKeptBytes);
        negotiation->machine.next(negotiation->out);
        hand_out(negotiation->out, out);
        return Status{};
    });
}

accp_status accp_negotiation_timeout(accp_negotiation *negotiation, accp_error *err) noexcept {
    if (!negotiation) return capi::refuse(err, capi::kNoHandle);
    negotiation->machine.timeout();
    return ACCP_OK;
}

accp_status accp_config_set_agreement(accp_config *config, const accp_agreement *agreement,
                                      accp_error *err) noexcept {
    if (!config || !agreement) return capi::refuse(err, capi::kNoHandle);
    const bool agreed = agreement->state == ACCP_NEGOTIATION_AGREED;
    if ((!agreed && agreement->state != ACCP_NEGOTIATION_BARE) || agreed != !!agreement->registry)
        return capi::refuse(err,
                            "the agreement must be agreed or bare, with a registry only if agreed");
    if (agreement->extensions & ~kKnownExtensions) return capi::refuse(err, "unknown extension");
    return capi::guard(err, [&] {
        registry::RegistryRef registry;
        Status status;
        if (agreed)
            registry = registry::RegistryRef(registry::RegistryRef::share(agreement->registry));
        else status = registry::make_registry(config->settings, 0, {}, registry);
        if (status.failed()) return status;
        config->registry = registry;
        config->settings.extensions = agreement->extensions;
        session::SessionRules &rules = config->rules;
        rules.merges = agreement->features & ACCP_FEATURE_MERGES;
        rules.parts = agreement->features & ACCP_FEATURE_PARTS;
        rules.shares_store = agreement->features & ACCP_FEATURE_STORE;
        rules.inbox.by_sender = agreement->features & ACCP_FEATURE_SENDERS;
        config->by_sender_set = config->parts_set = true;
        config->agreed = agreement->state;
        return Status{};
    });
}

accp_status accp_negotiation_agreement(const accp_negotiation *negotiation, accp_agreement *out,
                                       accp_error *err) noexcept {
    if (!negotiation || !out) return capi::refuse(err, capi::kNoHandle);
    const registry::Negotiation &machine = negotiation->machine;
    const bool agreed = machine.state() == registry::Negotiation::State::kAgreed;
    *out = {static_cast<int32_t>(machine.state()),
            machine.extensions(),
            machine.features(),
            0,
            agreed ? machine.agreed().get() : nullptr,
            machine.peers().get(),
            to_text(machine.peer_tokenizer())};
    return ACCP_OK;
}

}  // extern "C"
