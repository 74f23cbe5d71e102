// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See round_trip.h.
#include "round_trip.h"

#include <cstring>
#include <stdexcept>
#include <vector>

namespace example {

namespace {

accp_error detail;

// A refusal of the library is an exception of this program.
void need(accp_status status) {
    if (status == ACCP_OK) return;
    throw std::runtime_error(std::string(accp_status_code_name(status)) + " at byte " +
                             std::to_string(detail.offset) + ": " + detail.message);
}

Codec new_codec(uint32_t extensions) {
    accp_config *config = nullptr;
    need(accp_config_new(&config, &detail));
    std::unique_ptr<accp_config, Freer<accp_config_free>> owner(config);
    need(accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, extensions, &detail));
    for (std::string_view member : {"to", "nl"})
        need(accp_config_add_ignored(config, member.data(), member.size(), &detail));
    accp_codec *codec = nullptr;
    need(accp_codec_new(config, &codec, &detail));
    return Codec(codec);
}

Render new_render() {
    accp_render *render = nullptr;
    need(accp_render_new(nullptr, &render, &detail));
    return Render(render);
}

Tokenizer new_tokenizer(std::string_view name) {
    accp_tokenizer *tokenizer = nullptr;
    need(accp_tokenizer_new(name.data(), name.size(), nullptr, &tokenizer, &detail));
    return Tokenizer(tokenizer);
}

Counter new_counter(const Tokenizer &tokenizer) {
    accp_counter *counter = nullptr;
    need(accp_counter_new(tokenizer.get(), nullptr, &counter, &detail));
    return Counter(counter);
}

Value new_value() {
    accp_value *value = nullptr;
    need(accp_value_new(nullptr, &value, &detail));
    return Value(value);
}

std::string hash_form(const Value &value) {
    accp_text out = {};
    need(accp_value_print_hash_form(value.get(), &out, &detail));
    return {out.text, out.len};
}

struct Tree {
    const accp_node *nodes;
    const char *text;
    explicit Tree(const Value &value) {
        size_t count = 0;
        nodes = accp_value_nodes(value.get(), &count);
        text = accp_value_text(value.get()).text;
    }
};

}  // namespace

void Sizes::add(const Sizes &other) {
    messages += other.messages;
    json += other.json;
    frame += other.frame;
    render += other.render;
    bigger += other.bigger;
}

RoundTrip::RoundTrip()
    : plain_(new_codec(ACCP_EXT_Q1)),
      tables_(new_codec(ACCP_EXT_T1)),
      source_(new_value()),
      message_(new_value()),
      back_(new_value()),
      render_(new_render()),
      tokenizer_(new_tokenizer("o200k_base")),
      counter_(new_counter(tokenizer_)) {}

Sizes RoundTrip::measure(std::string_view line, std::string &title) {
    need(accp_value_parse_json(source_.get(), line.data(), line.size(), &detail));
    keep_members(title);
    accp_text text = {};
    Sizes sizes{.messages = 1};
    need(accp_value_print_json(message_.get(), &text, &detail));
    sizes.json = tokens({text.text, text.len});
    std::string proof = hash_form(message_);
    sizes.frame = there_and_back(plain_, line, proof);
    there_and_back(tables_, line, proof);
    sizes.render = rendered_and_read(proof);
    sizes.bigger = sizes.render > sizes.json;
    return sizes;
}

// Copies what a frame carries from source_ to message_; the ignored members are left out.
void RoundTrip::keep_members(std::string &title) {
    accp_value_reset(message_.get());
    need(accp_value_begin(message_.get(), ACCP_MAP, nullptr, 0, &detail));
    title.clear();
    for (std::string_view key : {"agent", "intent", "operation", "payload", "meta"}) {
        uint32_t at = accp_value_find(source_.get(), 0, key.data(), key.size());
        if (at == 0) continue;
        copy(at);
        Tree tree(source_);
        if (tree.nodes[at].kind != ACCP_STRING) continue;
        title += key == "intent" ? ">" : key == "operation" ? ":" : "";
        title.append(tree.text + tree.nodes[at].offset, tree.nodes[at].len);
    }
    need(accp_value_end(message_.get(), &detail));
}

// Appends the map entry `first` of source_, with everything under it, to message_. Nodes lie in the
// order of the text: one loop does.
void RoundTrip::copy(uint32_t first) {
    struct Open {
        uint32_t end;
        bool map;
    };
    Tree tree(source_);
    std::vector<Open> open;
    for (uint32_t i = first; i < tree.nodes[first].next; ++i) {
        const accp_node &node = tree.nodes[i];
        copy_node(node, open.empty() || open.back().map);
        if (node.kind == ACCP_ARRAY || node.kind == ACCP_MAP)
            open.push_back({node.next, node.kind == ACCP_MAP});
        for (; !open.empty() && open.back().end == i + 1; open.pop_back())
            need(accp_value_end(message_.get(), &detail));
    }
}

void RoundTrip::copy_node(const accp_node &node, bool in_map) {
    accp_value *to = message_.get();
    Tree tree(source_);
    const char *text = tree.text + node.offset;
    const char *key = in_map ? tree.text + ACCP_NODE_KEY(&node) : nullptr;
    switch (node.kind) {
        case ACCP_NULL:
            return need(accp_value_add(to, ACCP_NULL, key, node.key_len, nullptr, 0, &detail));
        case ACCP_BOOL:
            text = (node.flags & ACCP_NODE_TRUE) != 0 ? "true" : "false";
            return need(
                accp_value_add(to, ACCP_BOOL, key, node.key_len, text, std::strlen(text), &detail));
        case ACCP_STRING:
            return need(
                accp_value_add(to, ACCP_STRING, key, node.key_len, text, node.len, &detail));
        case ACCP_ARRAY: return need(accp_value_begin(to, ACCP_ARRAY, key, node.key_len, &detail));
        case ACCP_MAP: return need(accp_value_begin(to, ACCP_MAP, key, node.key_len, &detail));
        default:
            return need(
                accp_value_add(to, ACCP_NUMBER, key, node.key_len, text, node.len, &detail));
    }
}

// The tokens of the frame, after it came back as the value whose hash form is `proof`.
uint64_t RoundTrip::there_and_back(const Codec &codec, std::string_view line,
                                   const std::string &proof) {
    accp_text out = {};
    need(accp_codec_encode(codec.get(), line.data(), line.size(), &out, &detail));
    std::string wire(out.text, out.len);
    need(accp_codec_decode(codec.get(), wire.data(), wire.size(), &out, &detail));
    need(accp_value_parse_json(back_.get(), out.text, out.len, &detail));
    if (hash_form(back_) != proof) throw std::runtime_error("came back different: " + wire);
    return tokens(wire);
}

uint64_t RoundTrip::rendered_and_read(const std::string &proof) {
    accp_text out = {};
    need(accp_value_print_json(message_.get(), &out, &detail));
    need(accp_render_json(render_.get(), out.text, out.len, 0, &out, &detail));
    const std::string text(out.text, out.len);
    need(accp_render_parse(render_.get(), text.data(), text.size(), &out, &detail));
    need(accp_value_parse_json(back_.get(), out.text, out.len, &detail));
    if (hash_form(back_) != proof) throw std::runtime_error("came back different: " + text);
    return tokens(text);
}

uint64_t RoundTrip::tokens(std::string_view text) {
    uint64_t count = 0;
    need(accp_counter_count(counter_.get(), text.data(), text.size(), UINT64_MAX, &count, &detail));
    return count;
}

}  // namespace example
