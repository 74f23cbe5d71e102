// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See icu.h.
#include "sacp/people/icu.h"

#include <dlfcn.h>
#include <charconv>
#include <cstring>

namespace accp::present {

namespace {

constexpr int kFlags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;

// A name with a version behind it, ended by NUL.
struct Versioned {
    Versioned(const char *name, char between, int version) {
        char *end = text + std::strlen(name);
        std::memcpy(text, name, std::strlen(name));
        *end++ = between;
        *std::to_chars(end, text + sizeof text - 1, version).ptr = '\0';
    }
    char text[64];
};

template <class Function>
bool find(void *library, const char *name, int version, Function &out) {
    out = reinterpret_cast<Function>(dlsym(library, Versioned(name, '_', version).text));
    return out != nullptr;
}

}  // namespace

Status Icu::load(int newest, int oldest) {
    for (int at = newest; at >= oldest; --at) {
        void *i18n = dlopen(Versioned("libicui18n.so", '.', at).text, kFlags);
        void *uc = i18n ? dlopen(Versioned("libicuuc.so", '.', at).text, kFlags) : nullptr;
        if (!uc) continue;
        bool whole = true;
#define ACCP_ICU_FIND_I18N(name, answer, takes) whole &= find(i18n, #name, at, name);
#define ACCP_ICU_FIND_UC(name, answer, takes) whole &= find(uc, #name, at, name);
        ACCP_ICU_I18N(ACCP_ICU_FIND_I18N)
        ACCP_ICU_UC(ACCP_ICU_FIND_UC)
#undef ACCP_ICU_FIND_I18N
#undef ACCP_ICU_FIND_UC
        if (!whole) continue;
        version = at;
        return {};
    }
    return fail(ACCP_ERR_IO, 0,
                "ICU is not installed (64 or newer; Debian: libicu72), which knows the locales");
}

Status icu_failure(IcuError error, uint64_t byte, const char *message) {
    if (error == kIcuNoMemory) return fail(ACCP_ERR_NOMEM, 0, "out of memory, in ICU");
    return fail(ACCP_E1004, byte, message);
}

}  // namespace accp::present
