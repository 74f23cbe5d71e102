// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/registry.h: the negotiation.
#include "accp/registry.h"
#include "base/bytes.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "registry/negotiate.h"

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

constexpr uint32_t kExtensions = ACCP_EXT_Q1 | ACCP_EXT_T1 | ACCP_EXT_U8 | ACCP_EXT_P1;

bool is_agent_name(std::string_view text) {
    for (char c : text)
        if (!accp::is_agent(static_cast<unsigned char>(c))) return false;
    return !text.empty();
}

registry::RegistryRef shared(const accp_registry *registry) {
    return registry::RegistryRef(
        registry::RegistryRef::share(const_cast<accp_registry *>(registry)));
}

}  // namespace

extern "C" {

accp_status accp_negotiation_new(const accp_options *options, const accp_registry *own,
                                 const char *text, size_t text_len, uint32_t extensions,
                                 accp_negotiation **out, accp_error *err) noexcept {
    if (!own || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (extensions & ~kExtensions) return capi::refuse(err, "no such extension");
    return capi::guard(err, [&] {
        Settings settings = capi::settings_of(options);
        if (!is_agent_name({text, text_len}) || text_len > settings.limit(ACCP_LIMIT_KEY_BYTES))
            return fail(ACCP_E1001, 0, "an agent is letters, digits, _ and -");
        struct Holder {
            accp_negotiation *held;
            ~Holder() { end_handle(held); }
        } holder = {make_handle<accp_negotiation>(settings)};
        holder.held->machine.begin(shared(own), {text, text_len}, extensions);
        *out = holder.held;
        holder.held = nullptr;
        return Status{};
    });
}

void accp_negotiation_free(accp_negotiation *negotiation) noexcept { end_handle(negotiation); }

accp_status accp_negotiation_set_tokenizer(accp_negotiation *negotiation, const char *text,
                                           size_t text_len, accp_error *err) noexcept {
    if (!negotiation) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        if (!is_agent_name({text, text_len}) || text_len > kMaxCodeBytes)
            return fail(ACCP_ERR_ARG, 0, "a tokenizer is letters, digits, _ and -");
        negotiation->machine.set_tokenizer({text, text_len});
        return Status{};
    });
}

accp_status accp_negotiation_set_features(accp_negotiation *negotiation, uint32_t features,
                                          accp_error *err) noexcept {
    constexpr uint32_t kAll = ACCP_FEATURE_MERGES | ACCP_FEATURE_PARTS | ACCP_FEATURE_STORE;
    if (!negotiation) return capi::refuse(err, capi::kNoHandle);
    if (features & ~kAll) return capi::refuse(err, "no such feature");
    negotiation->machine.set_features(features);
    return ACCP_OK;
}

accp_status accp_negotiation_set_chunk_bytes(accp_negotiation *negotiation, uint32_t bytes,
                                             accp_error *err) noexcept {
    if (!negotiation) return capi::refuse(err, capi::kNoHandle);
    if (bytes < 64 || bytes > 8192) return capi::refuse(err, "a chunk has 64 to 8,192 bytes");
    negotiation->machine.set_chunk_bytes(bytes);
    return ACCP_OK;
}

accp_status accp_negotiation_know(accp_negotiation *negotiation, const accp_registry *known,
                                  accp_error *err) noexcept {
    if (!negotiation || !known) return capi::refuse(err, capi::kNoHandle);
    negotiation->machine.know(shared(known));
    return ACCP_OK;
}

accp_status accp_negotiation_receive(accp_negotiation *negotiation, const accp_frame *frame,
                                     accp_error *err) noexcept {
    if (!negotiation || !frame) return capi::refuse(err, capi::kNoHandle);
    if (!frame->count()) return capi::refuse(err, "no frame was parsed");
    return capi::guard(err, [&] { return negotiation->machine.receive(frame->tree()); });
}

accp_status accp_negotiation_next(accp_negotiation *negotiation, const char **out, size_t *len_out,
                                  accp_error *err) noexcept {
    if (!negotiation || !out || !len_out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        negotiation->out.recycle(kKeptBytes);
        negotiation->machine.next(negotiation->out);
        *out = negotiation->out.data() ? negotiation->out.data() : "";
        *len_out = negotiation->out.size();
        return Status{};
    });
}

accp_status accp_negotiation_timeout(accp_negotiation *negotiation, accp_error *err) noexcept {
    if (!negotiation) return capi::refuse(err, capi::kNoHandle);
    negotiation->machine.timeout();
    return ACCP_OK;
}

int32_t accp_negotiation_get_state(const accp_negotiation *negotiation) noexcept {
    return negotiation ? static_cast<int32_t>(negotiation->machine.state()) : -1;
}

uint32_t accp_negotiation_get_extensions(const accp_negotiation *negotiation) noexcept {
    return negotiation ? negotiation->machine.extensions() : 0;
}

uint32_t accp_negotiation_get_features(const accp_negotiation *negotiation) noexcept {
    return negotiation ? negotiation->machine.features() : 0;
}

const accp_registry *accp_negotiation_registry(const accp_negotiation *negotiation) noexcept {
    bool agreed =
        negotiation && negotiation->machine.state() == registry::Negotiation::State::kAgreed;
    return agreed ? negotiation->machine.agreed().get() : nullptr;
}

const accp_registry *accp_negotiation_peer(const accp_negotiation *negotiation) noexcept {
    return negotiation ? negotiation->machine.peers().get() : nullptr;
}

const char *accp_negotiation_peer_tokenizer(const accp_negotiation *negotiation,
                                            size_t *len_out) noexcept {
    std::string_view name =
        negotiation ? negotiation->machine.peer_tokenizer() : std::string_view();
    if (len_out) *len_out = name.size();
    return name.data() ? name.data() : "";
}

}  // extern "C"
