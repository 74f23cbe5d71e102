// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads bytes as a registry's document, in two halves around a newline. An accepted document keeps
// its text and its hash, its canonical form gives the same registry, a delta leads from one half to
// the other, and the union is the same from both sides.
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

accp_registry *load(const Exact &text, uint32_t profiles) {
    accp_registry *made = nullptr;
    accp_error error = untouched_error();
    const accp_status status =
        accp_registry_new(text.data(), text.size(), profiles, nullptr, &made, &error);
    check_error(status, error, text.size());
    REQUIRE(status == ACCP_OK || status == ACCP_E1001 || status == ACCP_E1002 ||
            status == ACCP_E1004);
    REQUIRE((status == ACCP_OK) == (made != nullptr));
    return made;
}

void check_one(const Exact &text, const accp_registry *registry) {
    const RegistryInfo info = info_of(registry);
    REQUIRE(text.size() == 0 || info.text == text.view());
    accp_registry *again = load(Exact(info.canonical), ACCP_PROFILE_NONE);
    REQUIRE(again && info_of(again).canonical == info.canonical);
    REQUIRE(info_of(again).hash == info.hash);
    accp_registry_free(again);
    for (uint32_t i = 0; i < info.schema_count; ++i) {
        accp_schema schema;
        uint32_t found = 0;
        REQUIRE(accp_registry_schema(registry, i, &schema, nullptr) == ACCP_OK);
        REQUIRE(accp_registry_find(registry, schema.code.text, schema.code.len, &found, nullptr) ==
                    ACCP_OK &&
                found == i);
        for (uint32_t j = 0; j < schema.field_count; ++j) {
            accp_field field;
            REQUIRE(accp_registry_field(registry, i, j, &field, nullptr) == ACCP_OK &&
                    field.wire.len > 0);
        }
    }
}

void check_two(const accp_registry *a, const accp_registry *b) {
    accp_registry *left = nullptr, *right = nullptr;
    const accp_status one = accp_registry_merge(a, b, &left, nullptr),
                      other = accp_registry_merge(b, a, &right, nullptr);
    REQUIRE(one == other || (one != ACCP_OK && other != ACCP_OK));
    if (one == ACCP_OK) REQUIRE(info_of(left).canonical == info_of(right).canonical);
    accp_registry_free(left);
    accp_registry_free(right);
    accp_value *delta = nullptr;
    REQUIRE(accp_value_new(nullptr, &delta, nullptr) == ACCP_OK);
    REQUIRE(accp_registry_diff(a, b, delta, nullptr) == ACCP_OK &&
            accp_registry_diff(nullptr, b, delta, nullptr) == ACCP_OK);
    accp_value_free(delta);
    const Exact text(info_of(b).text);
    accp_registry *sum = nullptr;
    if (accp_registry_add(a, text.data(), text.size(), &sum, nullptr) == ACCP_OK)
        accp_registry_free(sum);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *newline =
        size ? static_cast<const uint8_t *>(std::memchr(data, '\n', size)) : nullptr;
    const size_t cut = newline ? static_cast<size_t>(newline - data) : size;
    const Exact first(text_of(data, cut)),
        second(newline ? text_of(newline + 1, size - cut - 1) : std::string_view());
    accp_registry *a = load(first, ACCP_PROFILE_ALL),
                  *b = load(second, static_cast<uint32_t>(size % 32));
    if (a) check_one(first, a);
    if (b) check_one(second, b);
    if (a && b) check_two(a, b);
    accp_registry_free(a);
    accp_registry_free(b);
    return 0;
}
