// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The built-in vocabularies. Their images are read-only data of the library: nothing runs at
// start-up, and processes share the pages.
#include "token/tokenizer.h"

#include <algorithm>

// The assembler includes the file. A C array of this size would take seconds to compile.
#ifdef _WIN32
#define EMBED_BEGIN(symbol) ".section .rdata,\"dr\"\n"
#define EMBED_END ".text\n"
#elif defined(__APPLE__)
#define EMBED_BEGIN(symbol) ".section __TEXT,__const\n.private_extern " #symbol "\n"
#define EMBED_END ".text\n"
#else
#define EMBED_BEGIN(symbol) \
    ".pushsection .rodata." #symbol ",\"a\",@progbits\n.hidden " #symbol "\n"
#define EMBED_END ".popsection\n"
#endif
#define EMBED(symbol, file)                                                                 \
    asm(EMBED_BEGIN(symbol) ".balign 64\n.globl " #symbol "\n" #symbol ":\n.incbin \"" file \
                            "\"\n" EMBED_END);                                              \
    extern "C" const char symbol[] asm(#symbol)  // without the underscore of macOS

#ifdef ACCP_O200K_BASE_IMAGE
EMBED(accp__o200k_base, ACCP_O200K_BASE_IMAGE);
#endif
#ifdef ACCP_CL100K_BASE_IMAGE
EMBED(accp__cl100k_base, ACCP_CL100K_BASE_IMAGE);
#endif

namespace accp::token {

namespace {

struct Embedded {
    const char *name;
    const char *image;
    const SpecialToken *specials;
    uint32_t special_count;
};

[[maybe_unused]] constexpr SpecialToken kO200k[] = {{"<|endoftext|>", 199999},
                                                    {"<|endofprompt|>", 200018}};
[[maybe_unused]] constexpr SpecialToken kCl100k[] = {{"<|endoftext|>", 100257},
                                                     {"<|fim_prefix|>", 100258},
                                                     {"<|fim_middle|>", 100259},
                                                     {"<|fim_suffix|>", 100260},
                                                     {"<|endofprompt|>", 100276}};

const Embedded kEmbedded[] = {
#ifdef ACCP_O200K_BASE_IMAGE
    {"o200k_base", accp__o200k_base, kO200k, 2},
#endif
#ifdef ACCP_CL100K_BASE_IMAGE
    {"cl100k_base", accp__cl100k_base, kCl100k, 5},
#endif
    {nullptr, nullptr, nullptr, 0},
};

}  // namespace

uint32_t Tokenizer::number_of(uint32_t id) const {
    if (!ids) return id;
    const uint32_t *end = by_id + vocabulary.size();
    auto before = [&](uint32_t number, uint32_t wanted) { return ids[number] < wanted; };
    const uint32_t *found = std::lower_bound(by_id, end, id, before);
    return found != end && ids[*found] == id ? *found : kNoToken;
}

const char *embedded_name(uint32_t index) {
    return index < sizeof kEmbedded / sizeof kEmbedded[0] ? kEmbedded[index].name : nullptr;
}

bool open_embedded(std::string_view name, Tokenizer &out) {
    for (const Embedded &embedded : kEmbedded) {
        if (!embedded.name || name != embedded.name) continue;
        out.name = embedded.name;
        out.pattern = find_pattern(name);
        out.vocabulary = Vocabulary(embedded.image);
        out.specials = embedded.specials;
        out.special_count = embedded.special_count;
        out.numbers_are_tokens = true;
        return true;
    }
    return false;
}

}  // namespace accp::token
