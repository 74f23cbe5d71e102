// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See inspect_warnings.h.
#include "cli/frames/inspect_warnings.h"
#include "cli/host.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "cli/settings.h"

namespace cli {
namespace {

constexpr std::string_view kIntents[] = {"req",  "done", "fail", "wait",   "esc",    "comp",
                                         "sync", "qry",  "ack",  "cancel", "stream", "end"};
constexpr std::string_view kTiers[] = {"hot", "warm", "cold", "ctx"};

template <typename List>
bool is_in(const List &list, std::string_view text) {
    return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

bool is_mid(std::string_view text) {
    return text.size() == 12 && std::all_of(text.begin(), text.end(),
                                            [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

Handle<accp_codec> codec_for(Arguments arguments, bool abbrev) {
    arguments.abbrev = abbrev;
    arguments.keep_refs = true;   // a ref is nothing odd
    arguments.any_intent = true;  // of which there is a warning of its own
    return new_codec(make_config(arguments).get());
}

}  // namespace

Warnings::Warnings(const Arguments &arguments)
    : frame_(new_frame(make_config(arguments).get())),
      codec_(codec_for(arguments, false)),
      abbreviating_(codec_for(arguments, true)),
      compat_(arguments.dialect == "compat") {}

std::vector<std::string> Warnings::of(std::string_view text) {
    found_.clear();
    if (accp_frame_parse(frame_.get(), text.data(), text.size(), nullptr) != ACCP_OK) return {};
    const Tree tree = tree_of(frame_.get());
    intent(tree);
    envelope(tree);
    nodes(tree);
    form(text);
    decoding(text, codec_.get(), "decode");
    if (found_.empty() || found_.back().compare(0, 6, "decode") != 0)
        decoding(text, abbreviating_.get(), "decode --abbrev");
    return found_;
}

void Warnings::intent(const Tree &tree) {
    if (!is_in(kIntents, tree.raw(1)))
        found_.push_back("the intent is none of the twelve: a session answers E1002");
}

// Specification 3.5: mid, seq and ts in every frame, mid of 12 hex digits.
void Warnings::envelope(const Tree &tree) {
    const uint32_t meta = tree.nodes[3].next;
    const bool has_meta = meta < tree.count;
    for (const char *field : {"mid", "seq", "ts"}) {
        const bool there =
            has_meta && accp_frame_find(frame_.get(), meta, field, std::strlen(field)) != 0;
        if (!there)
            found_.push_back(std::string("no ") + field +
                             " in the metadata: every message must have one");
    }
    accp_envelope typed = {};
    accp_error err = {};
    if (accp_frame_envelope(frame_.get(), &typed, &err) != ACCP_OK) {
        found_.push_back("envelope: " + describe(err));
        return;
    }
    if ((typed.fields & ACCP_ENVELOPE_MID) != 0 && !is_mid({typed.mid.text, typed.mid.len}))
        found_.push_back("mid is not 12 hex digits");
    if ((typed.fields & ACCP_ENVELOPE_SEQ) != 0 && typed.seq == 0)
        found_.push_back("seq is 0: the first is 1");
    if (typed.ttl > 0 && (typed.fields & ACCP_ENVELOPE_TS) == 0)
        found_.push_back("ttl without ts: nobody can tell when it expires");
}

void Warnings::nodes(const Tree &tree) {
    bool loose = false;
    for (uint32_t i = 3; i < tree.count; ++i) {
        const accp_node &node = tree.nodes[i];
        loose = loose || (node.flags & ACCP_NODE_LOOSE) != 0;
        if (node.kind == ACCP_MAP) keys(tree, i);
        if (node.kind != ACCP_REF) continue;
        const std::string_view ref = tree.raw(i);
        if (!is_in(kTiers, ref.substr(0, ref.find('.'))))
            found_.push_back("$" + std::string(ref) + " names no tier (hot, warm, cold, ctx)");
    }
    if (loose) found_.push_back("a bare @ or : that only the compat dialect takes");
}

// Keys of one map that differ in nothing but case.
void Warnings::keys(const Tree &tree, uint32_t parent) {
    std::vector<std::string> seen;
    for (uint32_t i = parent + 1; i < tree.nodes[parent].next; i = tree.nodes[i].next)
        seen.push_back(lower(tree.key(i)));
    std::sort(seen.begin(), seen.end());
    const auto twin = std::adjacent_find(seen.begin(), seen.end());
    if (twin != seen.end()) found_.push_back("two keys differ only by case: " + *twin);
}

// q1 text that does not decode, or two keys that become one.
void Warnings::decoding(std::string_view text, accp_codec *codec, const char *under) {
    accp_error err = {};
    accp_text out = {};
    if (accp_codec_decode(codec, text.data(), text.size(), &out, &err) != ACCP_OK)
        found_.push_back(std::string(under) + ": " + describe(err));
}

void Warnings::form(std::string_view text) {
    accp_error err = {};
    accp_text out = {};
    if (accp_frame_print(frame_.get(), &out, &err) != ACCP_OK) {
        found_.push_back("no canonical form: " + describe(err));
        return;
    }
    const std::string_view canonical(out.text, out.len);
    if (canonical == text) return;
    const auto differ = std::mismatch(text.begin(), text.end(), canonical.begin(), canonical.end());
    found_.push_back("not canonical, from byte " + std::to_string(differ.first - text.begin()) +
                     " on: accp canon writes it");
}

}  // namespace cli
