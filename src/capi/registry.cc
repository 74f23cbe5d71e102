// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/registry.h
#include "accp/registry.h"

#include "accp/negotiation.h"
#include "base/text.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "registry/changes.h"
#include "registry/document.h"
#include "registry/registry_ref.h"

using namespace accp;
using namespace accp::capi;

static_assert(static_cast<int>(registry::FieldType::kObject) == ACCP_FIELD_OBJECT &&
              ACCP_INTENT_END + 1 == registry::kIntentCount);

namespace {

// Makes a registry of a text.
Status make_owned(const Settings &settings, uint32_t profiles, std::string_view text,
                  accp_registry **out) {
    registry::RegistryRef made;
    Status status = registry::make_registry(settings, profiles, text, made);
    if (status.ok()) *out = made.release();
    return status;
}

Status read(const Settings &settings, std::string_view text, value::JsonReader &reader,
            value::Value &out) {
    return reader.read(text.data(), text.size(), value::json_limits(settings), out);
}

// Memory for one call, under the memory limit of its handle.
struct Scratch {
    explicit Scratch(const Settings &settings)
        : memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          arena(memory),
          text(memory),
          value(memory),
          reader(memory) {}

    std::string_view view() const { return text.view(); }

    Memory memory;
    Arena arena;
    Buffer<char> text;
    value::Value value;
    value::JsonReader reader;
};

// Adds to a delta its effects on a peer that still has `from`.
Status add_changes(const accp_registry *from, const accp_registry &to, Scratch &scratch) {
    Buffer<char> &out = scratch.text;
    out.resize_down(out.size() - 1);
    out.append(R"(,"changes":)");
    if (!from) {
        out.append(R"([],"breaking":false})");
        return {};
    }
    registry::Changes changes(from->registry, to.registry, scratch.memory, out);
    Status status = changes.write();
    out.append(changes.breaking() ? R"(,"breaking":true})" : R"(,"breaking":false})");
    return status;
}

}  // namespace

extern "C" {

int32_t accp_intent_find(const char *name, size_t name_len) noexcept {
    return name ? registry::find_intent({name, name_len}) : -1;
}

const char *accp_intent_name(int32_t intent) noexcept {
    return intent >= 0 && intent < registry::kIntentCount ? registry::intent_code(intent).data()
                                                          : nullptr;
}

const char *accp_operation_name(int32_t operation) noexcept {
    return operation >= 0 && operation < registry::kOperationCount
               ? registry::operation_name(operation).data()
               : nullptr;
}

accp_status accp_registry_new(const char *text, size_t text_len, uint32_t profiles,
                              const accp_config *config, accp_registry **out,
                              accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (profiles & ~uint32_t{ACCP_PROFILE_ALL}) return capi::refuse(err, "no such profile");
    return capi::guard(err, [&] {
        return make_owned(capi::settings_of(config), profiles, {text, text_len}, out);
    });
}

void accp_registry_free(accp_registry *registry) noexcept { registry::RegistryRef::drop(registry); }

accp_registry *accp_registry_share(const accp_registry *registry) noexcept {
    return registry::RegistryRef::share(registry);
}

accp_status accp_registry_add(const accp_registry *base, const char *text, size_t text_len,
                              accp_registry **out, accp_error *err) noexcept {
    if (!base || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        Scratch scratch(base->settings);
        Status status = read(base->settings, {text, text_len}, scratch.reader, scratch.value);
        if (status.failed()) return status;
        if (scratch.value.view()[0].kind != ACCP_MAP)
            return fail(ACCP_E1004, 0, "a registry is an object");
        registry::write_addition(base->registry, scratch.value.view(), scratch.arena, scratch.text);
        status = make_owned(base->settings, base->profiles, scratch.view(), out);
        return move_to(status, 0);
    });
}

accp_status accp_registry_describe(const accp_registry *registry, accp_registry_info *out,
                                   accp_error *err) noexcept {
    if (!registry || !out) return capi::refuse(err, capi::kNoHandle);
    const registry::Registry &it = registry->registry;
    *out = {to_text(it.source()), to_text(it.canonical()), to_text(it.hash().view()),
            it.version(),         it.schema_count(),       0};
    return ACCP_OK;
}

accp_status accp_registry_schema(const accp_registry *registry, uint32_t index, accp_schema *out,
                                 accp_error *err) noexcept {
    if (!registry || !out) return capi::refuse(err, capi::kNoHandle);
    if (index >= registry->registry.schema_count()) return capi::refuse(err, "no such schema");
    const registry::Schema &schema = registry->registry.schemas()[index];
    *out = {to_text(schema.name), to_text(schema.code), schema.version, schema.field_count,
            schema.built_in};
    return ACCP_OK;
}

accp_status accp_registry_field(const accp_registry *registry, uint32_t schema, uint32_t index,
                                accp_field *out, accp_error *err) noexcept {
    if (!registry || !out) return capi::refuse(err, capi::kNoHandle);
    if (schema >= registry->registry.schema_count()) return capi::refuse(err, "no such schema");
    const registry::Schema &of = registry->registry.schemas()[schema];
    if (index >= of.field_count) return capi::refuse(err, "no such field");
    const registry::Field &it = of.fields[index];
    *out = {to_text(it.name), to_text(it.wire), to_text(it.default_json),
            static_cast<int32_t>(it.type), it.required};
    return ACCP_OK;
}

accp_status accp_registry_find(const accp_registry *registry, const char *code, size_t code_len,
                               uint32_t *out, accp_error *err) noexcept {
    if (!registry || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(code, code_len)) return capi::refuse(err, capi::kNoText);
    const registry::Schema *schema = registry->registry.by_code({code, code_len});
    if (!schema) return capi::report(fail(ACCP_E1003, 0, "no schema has this code"), err);
    *out = schema->index;
    return ACCP_OK;
}

accp_status accp_registry_find_bound(const accp_registry *registry, int32_t intent,
                                     const char *operation, size_t operation_len, uint32_t *out,
                                     accp_error *err) noexcept {
    if (!registry || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(operation, operation_len)) return capi::refuse(err, capi::kNoText);
    if (intent < 0 || intent >= registry::kIntentCount) return capi::refuse(err, "no such intent");
    const registry::Schema *schema = registry->registry.bound(intent, {operation, operation_len});
    if (!schema)
        return capi::report(
            fail(ACCP_E1003, 0, "this intent and operation have no schema, or more than one"), err);
    *out = schema->index;
    return ACCP_OK;
}

int accp_registry_has_operation(const accp_registry *registry, const char *operation,
                                size_t operation_len) noexcept {
    return registry && operation && registry->registry.has_operation({operation, operation_len});
}

accp_status accp_registry_diff(const accp_registry *from, const accp_registry *to, accp_value *out,
                               accp_error *err) noexcept {
    if (!to || !out) return capi::refuse(err, capi::kNoHandle);
    accp_status code = capi::guard(err, [&] {
        Scratch scratch(to->settings);
        out->clear();
        Status status = registry::write_delta(from ? &from->registry : nullptr, to->registry,
                                              scratch.arena, scratch.text);
        if (status.ok()) status = add_changes(from, *to, scratch);
        return status.failed() ? status
                               : out->reader.read(scratch.text.data(), scratch.text.size(),
                                                  {kMaxTextBytes, kMaxJsonDepth}, out->value);
    });
    if (code != ACCP_OK) out->clear();
    return code;
}

accp_status accp_registry_merge(const accp_registry *a, const accp_registry *b, accp_registry **out,
                                accp_error *err) noexcept {
    if (!a || !b || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        Scratch scratch(a->settings);
        Status status =
            registry::write_union(a->registry, b->registry, scratch.arena, scratch.text);
        if (status.ok()) status = make_owned(a->settings, 0, scratch.view(), out);
        return move_to(status, 0);
    });
}

}  // extern "C"
