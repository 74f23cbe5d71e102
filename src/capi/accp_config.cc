// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/config.h, save for limits and rules.
#include <cstddef>
#include <cstring>

#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"

using namespace accp;
using namespace accp::capi;

namespace accp::capi {

Settings settings_of(const accp_config *config) {
    Settings settings = wire_settings(config);
    settings.extensions &= ~uint32_t{ACCP_EXT_P1};
    return settings;
}

std::string_view ignored_of(const accp_config *config) {
    return config ? config->ignored.view() : std::string_view();
}

}  // namespace accp::capi

namespace {

bool is_name(const char *text, size_t len) { return text && len && !std::memchr(text, '\0', len); }

Status add_name(const char *text, size_t len, Buffer<char> &names) {
    names.reserve(len + 1);
    names.append(text, len);
    names.push('\0');
    return {};
}

// Hooks as the caller was compiled: what it does not know is NULL.
Status read_hooks(const accp_hooks *from, accp_hooks &out) {
    if (!from) return {};
    constexpr size_t kFirst = offsetof(accp_hooks, resolve);
    if (from->size < kFirst || from->size > sizeof out || (from->size - kFirst) % sizeof(void *))
        return fail(ACCP_ERR_ARG, 0, "hooks whose size is none of this library's versions");
    std::memcpy(&out, from, from->size);
    if (!out.cold_put != !out.cold_get)
        return fail(ACCP_ERR_ARG, 0, "one function of a cold store without the other");
    return {};
}

}  // namespace

extern "C" {

accp_status accp_config_new(accp_config **out, accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = make_handle<accp_config>(Settings());
        return Status{};
    });
}

void accp_config_free(accp_config *config) noexcept {
    if (!config) return;
    const accp_allocator own = private_allocator();
    config->~accp_config();
    own.release(config, sizeof *config, own.user);
}

accp_status accp_config_set_allocator(accp_config *config, const accp_allocator *allocator,
                                      accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (allocator && (!allocator->alloc || !allocator->release))
        return capi::refuse(err, "an allocator has two functions");
    config->settings.allocator = allocator ? *allocator : private_allocator();
    return ACCP_OK;
}

accp_status accp_config_set_registry(accp_config *config, const accp_registry *registry,
                                     accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    config->registry = registry::RegistryRef(registry::RegistryRef::share(registry));
    return ACCP_OK;
}

accp_status accp_config_set_store(accp_config *config, accp_store *store,
                                  accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    accp_store *before = config->store;
    config->store = store::share_store(store);
    store::drop_store(before);
    return ACCP_OK;
}

accp_status accp_config_set_tokenizer(accp_config *config, const accp_tokenizer *tokenizer,
                                      accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    config->tokenizer.share(tokenizer);
    return ACCP_OK;
}

accp_status accp_config_set_hooks(accp_config *config, const accp_hooks *hooks,
                                  accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    accp_hooks read = {};
    const Status status = read_hooks(hooks, read);
    if (status.ok()) config->hooks = read;
    return capi::report(status, err);
}

accp_status accp_config_set_schema(accp_config *config, const char *code, size_t code_len,
                                   accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(code, code_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        config->schema.reserve(code_len);
        config->schema.clear();
        config->schema.append(to_view(code, code_len));
        return Status{};
    });
}

accp_status accp_config_add_ignored(accp_config *config, const char *name, size_t name_len,
                                    accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_name(name, name_len))
        return capi::refuse(err, "the name of a member is a text without NUL");
    return capi::guard(err, [&] { return add_name(name, name_len, config->ignored); });
}

accp_status accp_config_add_redacted(accp_config *config, const char *key, size_t key_len,
                                     accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_name(key, key_len)) return capi::refuse(err, "a key is a text without NUL");
    if (key_len >= kMaxRedactedBytes - config->redacted.size())
        return capi::refuse(err, "more names than a log leaves out");
    return capi::guard(err, [&] { return add_name(key, key_len, config->redacted); });
}

accp_status accp_config_add_own_agent(accp_config *config, const char *agent, size_t agent_len,
                                      accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_name(agent, agent_len)) return capi::refuse(err, kNoAgent);
    return capi::guard(err, [&] {
        config->agents.own.add({agent, agent_len});
        return Status{};
    });
}

accp_status accp_config_set_agent_origin(accp_config *config, const char *agent, size_t agent_len,
                                         int32_t origin, accp_error *err) noexcept {
    if (!config) return capi::refuse(err, capi::kNoHandle);
    if (!is_name(agent, agent_len)) return capi::refuse(err, kNoAgent);
    if (!is_origin(origin)) return capi::refuse(err, capi::kNoOrigin);
    return capi::guard(err, [&] {
        session::NameSet &untrusted = config->agents.untrusted;
        if (origin == ACCP_ORIGIN_UNTRUSTED) untrusted.add({agent, agent_len});
        else untrusted.remove({agent, agent_len});
        return Status{};
    });
}

}  // extern "C"
