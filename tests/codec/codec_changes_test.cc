// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compares accp_registry_diff() of two registries with the behaviour of codecs, for random schemas
// and messages. If a change is compatible, messages of the older side are read completely, and so
// are messages of the newer side that the older could have written. For each breaking kind, there
// is a frame that shows the break.
#include <map>
#include <random>

#include "codec/codecs.h"
#include "reference/ref_json.h"

namespace changes_test {
namespace {

using namespace accp_codecs;
using accp_ref::Json;

struct Random {
    size_t below(size_t bound) { return engine() % bound; }
    std::mt19937_64 engine{7};
};

constexpr const char *kPool[] = {"alpha", "beta", "source", "src", "gamma"};
constexpr const char *kValues[] = {"1", "2.5", "\"x\"", "true", "[1]"};

// A schema of random fields, as the members of its object.
struct Draft {
    std::vector<std::string> fields;
    std::map<std::string, std::string> types, defaults, aliases;  // of a field
    std::vector<std::string> required;
    std::string bind;
};

std::string quoted(const std::string &text) { return "\"" + text + "\""; }

template <class Map>
std::string object(const Map &map, bool flip) {
    std::string out;
    for (const auto &[key, value] : map)
        out += (out.empty() ? "" : ",") +
               (flip ? quoted(value) + ":" + quoted(key) : quoted(key) + ":" + value);
    return "{" + out + "}";
}

std::string list(const std::vector<std::string> &items) {
    std::string out;
    for (const std::string &item : items) out += (out.empty() ? "" : ",") + quoted(item);
    return "[" + out + "]";
}

std::string document(const Draft &draft) {
    return R"({"schemas":{"s":{"code":"S","fields":)" + list(draft.fields) + R"(,"types":)" +
           object(draft.types, false) + R"(,"defaults":)" + object(draft.defaults, false) +
           R"(,"aliases":)" + object(draft.aliases, true) + R"(,"required":)" +
           list(draft.required) + R"(,"bind":)" +
           (draft.bind.empty() ? "[]" : "[" + quoted(draft.bind) + "]") + "}}}";
}

std::string any_type(Random &random) {
    static constexpr const char *kTypes[] = {"any", "number", "integer", "decimal", "string"};
    return quoted(kTypes[random.below(5)]);
}

// One random change of a schema. Conflicting registries are refused later.
void mutate(Draft &draft, Random &random) {
    const std::string name = kPool[random.below(5)];
    const auto place = std::find(draft.fields.begin(), draft.fields.end(), name);
    if (place == draft.fields.end()) {
        const size_t at =
            random.below(2) ? draft.fields.size() : random.below(draft.fields.size() + 1);
        draft.fields.insert(draft.fields.begin() + static_cast<std::ptrdiff_t>(at), name);
        return;
    }
    switch (random.below(7)) {
        case 0: draft.types[name] = any_type(random); break;
        case 1: draft.defaults[name] = kValues[random.below(3)]; break;
        case 2: draft.defaults.erase(name); break;
        case 3:
            draft.aliases[name] = std::string(1, static_cast<char>('x' + random.below(2)));
            break;
        case 4: draft.required.assign(random.below(2), name); break;
        case 5: draft.bind = random.below(4) ? "req:go" : ""; break;
        default:
            draft.fields.erase(place);
            for (auto *map : {&draft.types, &draft.defaults, &draft.aliases}) map->erase(name);
            draft.required.clear();
            if (random.below(2)) draft.fields.push_back(name);  // moved, without its properties
    }
}

std::string message(const Draft &draft, Random &random) {
    std::string payload = random.below(2) ? R"("schema":"S")" : R"("other":1)";
    for (const std::string &field : draft.fields)
        if (random.below(3)) payload += "," + quoted(field) + ":" + kValues[random.below(5)];
    return R"({"agent":"a","intent":"req","operation":"go","payload":{)" + payload + "}}";
}

struct Side {
    Handle<accp_registry> registry;
    Handle<accp_codec> codec;
};

bool open(const std::string &text, uint32_t extensions, Side &side) {
    accp_registry *made = nullptr;
    if (accp_registry_new(text.data(), text.size(), ACCP_PROFILE_NONE, nullptr, &made, nullptr) !=
        ACCP_OK)
        return false;
    side.registry.reset(made);
    side.codec =
        open_codec(Config().registry(made).extensions(extensions).rule(ACCP_RULE_MARK_DEFAULTS, 1));
    return true;
}

// Whether the message was read back, except for filled-in members.
bool came_back(const std::string &sent, const std::string &back) {
    const auto a = accp_ref::parse_json(sent), b = accp_ref::parse_json(back);
    if (!a || !b) return false;
    const Json *had = a->find("payload"), *has = b->find("payload"), *marks = b->find("defaults");
    for (const auto &[key, value] : had->members) {
        const Json *found = has->find(key);
        if (!found || accp_ref::write_json(*found) != accp_ref::write_json(value)) return false;
    }
    for (const auto &[key, value] : has->members) {
        bool marked = had->find(key);
        for (size_t i = 0; marks && i < marks->items.size(); ++i)
            marked |= marks->items[i].text == key;
        if (!marked) return false;
    }
    return true;
}

// Whether a message that `a` can write is lost if one side writes it and the other reads it.
bool is_lost(const Side &a, const Side &b, const std::string &text) {
    const Answer own = encode(a.codec.get(), text), other = encode(b.codec.get(), text);
    if (!own.ok()) return false;
    const Answer there = decode(b.codec.get(), own.text);
    if (!there.ok() || !came_back(text, there.text)) return true;
    if (!other.ok()) return false;
    const Answer here = decode(a.codec.get(), other.text);
    return !here.ok() || !came_back(text, here.text);
}

struct Verdict {
    bool breaking;
    std::vector<std::string> kinds;  // the breaking kinds
    std::string text;
};

Verdict judge(const Side &a, const Side &b) {
    accp_value *made = nullptr;
    accp_value_new(nullptr, &made, nullptr);
    const std::unique_ptr<accp_value, void (*)(accp_value *)> value(made, accp_value_free);
    accp_text text = {};
    EXPECT_EQ(accp_registry_diff(a.registry.get(), b.registry.get(), made, nullptr), ACCP_OK);
    EXPECT_EQ(accp_value_print_json(made, &text, nullptr), ACCP_OK);
    const auto read = accp_ref::parse_json({text.text, text.len});
    Verdict verdict = {
        accp_ref::write_json(*read->find("breaking")) == "true", {}, {text.text, text.len}};
    for (const Json &change : read->find("changes")->items)
        if (accp_ref::write_json(*change.find("breaking")) == "true")
            verdict.kinds.push_back(change.find("kind")->text);
    return verdict;
}

TEST(CodecChanges, WhatIsCalledCompatibleIs) {
    Random random;
    std::map<std::string, int>
        shown;  // breaking kinds that occurred alone, and frames that show them
    int compatible = 0;
    for (int round = 0; round < (ACCP_SANITIZED ? 1500 : 6000); ++round) {
        Draft draft;
        for (size_t i = random.below(9); i-- > 0;) mutate(draft, random);
        Draft changed = draft;
        for (size_t i = random.below(3) + 1; i-- > 0;) mutate(changed, random);
        const uint32_t extensions = random.below(2) ? ACCP_EXT_P1 | ACCP_EXT_Q1 : ACCP_EXT_Q1;
        Side a, b;
        if (!open(document(draft), extensions, a) || !open(document(changed), extensions, b))
            continue;
        const Verdict verdict = judge(a, b);
        compatible += !verdict.breaking;
        for (int i = 0; i < 12; ++i) {
            const std::string text = message(draft, random);
            const bool lost = is_lost(a, b, text);
            ASSERT_TRUE(verdict.breaking || !lost) << document(draft) << "\n"
                                                   << document(changed) << "\n"
                                                   << text << "\n"
                                                   << verdict.text;
            if (verdict.kinds.size() == 1) shown[verdict.kinds[0]] += lost;
        }
    }
    EXPECT_GT(compatible, ACCP_SANITIZED ? 125 : 500);
    for (const char *kind :
         {"field_added", "field_removed", "field_type", "field_moved", "field_default",
          "field_required", "field_key", "binding_added", "binding_removed"})
        EXPECT_GT(shown[kind], 0) << kind;
}

}  // namespace
}  // namespace changes_test
