// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See load_pattern.h. The published expressions are compared as texts: a pattern that only looks
// alike is none of ours.
#include "token/load_pattern.h"

namespace accp::token {

namespace {

struct Known {
    const char *name;
    uint32_t count;
    const char *splits[3];
};

constexpr Known kKnown[] = {
    {"llama3",
     1,
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"qwen2",
     1,
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"qwen35",
     1,
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"o200k_base",
     1,
     {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|)"
      R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"tekken",
     1,
     {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"deepseek3",
     3,
     {R"(\p{N}{1,3})", "[一-龥\u3040-ゟ゠-ヿ]+",
      R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"gpt2", 1, {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"}},
};

constexpr const char *kUnknown = "a pre-tokenizer, or a pattern of one, that is not supported";

// What the steps of the pre_tokenizer are, as far as they are ours to do.
struct Steps {
    std::string_view splits[3];
    uint32_t count = 0;
    bool bytes = false;  // ends in ByteLevel

    bool add(value::TreeView tree, uint32_t step) {
        if (tree[step].kind != ACCP_MAP || bytes) return false;
        auto is = [&](const char *key, const char *text) {
            uint32_t node = tree.find(step, key);
            return node && tree[node].kind == ACCP_STRING && tree.string(node) == text;
        };
        auto on = [&](const char *key) {
            uint32_t node = tree.find(step, key);
            return node && tree[node].kind == ACCP_BOOL && (tree[node].flags & ACCP_NODE_TRUE);
        };
        if (is("type", "ByteLevel")) {
            bytes = true;
            if (on("add_prefix_space")) return false;
            uint32_t own = tree.find(step, "use_regex");  // true where it is not there
            if ((!own || on("use_regex")) && count < 3) splits[count++] = kKnown[6].splits[0];
            return true;
        }
        uint32_t pattern = tree.find(step, "pattern"),
                 regex = pattern ? tree.find(pattern, "Regex") : 0;
        if (!is("type", "Split") || !is("behavior", "Isolated") || on("invert") || !regex ||
            count == 3)
            return false;
        splits[count++] = tree.string(regex);
        return true;
    }
};

}  // namespace

Status find_json_pattern(value::TreeView tree, const Pattern **out) {
    uint32_t root = tree.find(0, "pre_tokenizer");
    if (!root || tree[root].kind != ACCP_MAP) return fail(ACCP_E1004, 0, kUnknown);
    Steps steps;
    uint32_t list = tree.find(root, "pretokenizers");
    bool good = list ? tree[list].kind == ACCP_ARRAY : steps.add(tree, root);
    for (uint32_t i = list + 1; good && list && i < tree[list].next; i = tree[i].next)
        good = steps.add(tree, i);
    for (const Known &known : kKnown) {
        bool same = good && steps.bytes && known.count == steps.count;
        for (uint32_t i = 0; same && i < known.count; ++i)
            same = steps.splits[i] == known.splits[i];
        if (!same) continue;
        *out = find_pattern(known.name);
        return {};
    }
    return fail(ACCP_E1004, 0, kUnknown);
}

}  // namespace accp::token
