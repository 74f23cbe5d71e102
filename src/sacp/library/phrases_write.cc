// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The message of a phrase with what its slots took. See phrases.h.
#include "sacp/library/phrases.h"
#include "value/json_writer.h"

namespace accp::plan {

uint32_t Phrases::slot_of(uint32_t node) const {
    if (tree_[node].kind != ACCP_STRING || tree_[node].len < 3) return kNone;
    const std::string_view text = tree_.string(node);
    return text.front() == '{' && text.back() == '}'
               ? find_slot(*phrase_, text.substr(1, text.size() - 2))
               : kNone;
}

bool Phrases::is_left_out(uint32_t node) const {
    const uint32_t slot = slot_of(node);
    return slot != kNone && !taken_[slot - phrase_->first_slot].count && !slots_[slot].standard;
}

// `is_data`: it stands where nothing is a reference, in the message's own ctx and outside the plan.
void Phrases::write(uint32_t node, bool is_data, Buffer<char> &out) const {
    const uint32_t slot = slot_of(node);
    if (slot != kNone) return write_slot(slot, is_data, out);
    if (!value::is_container(tree_[node].kind)) return value::write_json(tree_, node, out);
    const bool map = tree_[node].kind == ACCP_MAP;
    bool first = true;
    out.push(map ? '{' : '[');
    for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) {
        if (is_left_out(i)) continue;
        if (!first) out.push(',');
        first = false;
        if (map) {
            value::write_json_string(tree_.key(i), out);
            out.push(':');
        }
        const bool own = node == phrase_->message;
        write(i, own ? tree_.key(i) != "plan" && tree_.key(i) != "subtask" : is_data, out);
    }
    out.push(map ? '}' : ']');
}

std::string_view Phrases::text_of(const Taken &taken) const {
    const PromptWord &first = words_[taken.word], &last = words_[taken.word + taken.count - 1];
    const auto size = static_cast<size_t>(last.text.data() + last.text.size() - first.text.data());
    return {first.text.data(), size};
}

std::string_view Phrases::amount_of(const Taken &taken) const {
    Money money = {};
    read_money(words_[taken.word].text,
               taken.count == 2 ? words_[taken.word + 1].text : std::string_view(), money);
    return money.amount;
}

void Phrases::write_some(const Slot &slot, const Taken &taken, Buffer<char> &out) const {
    const uint32_t end = taken.word + taken.count;
    char before = '[';
    for (uint32_t at = taken.word; at < end;) {
        uint32_t count = 0;
        const uint32_t option = option_at(slot, at, end, count);
        if (!count) {
            ++at;  // and
            continue;
        }
        out.push(before);
        before = ',';
        value::write_json(tree_, option, out);
        at += count;
    }
    out.push(']');
}

// A person's text is never a reference: where one could stand, a leading $ is doubled.
void Phrases::write_slot(uint32_t number, bool is_data, Buffer<char> &out) const {
    const Slot &slot = slots_[number];
    const Taken &taken = taken_[number - phrase_->first_slot];
    uint32_t count = 0;
    if (!taken.count) return value::write_json(tree_, slot.standard, out);
    switch (slot.type) {
        case Type::kNumber: return out.append(words_[taken.word].text);
        case Type::kMoney: return out.append(amount_of(taken));
        case Type::kOneOf:
            return value::write_json(
                tree_, option_at(slot, taken.word, taken.word + taken.count, count), out);
        case Type::kSomeOf: return write_some(slot, taken, out);
        default: break;
    }
    const std::string_view text = text_of(taken);
    const size_t quote = out.size();
    value::write_json_string(text, out);
    if (is_data || !text.starts_with('$')) return;
    out.resize_down(quote);
    out.append("\"$");
    const size_t second = out.size();
    value::write_json_string(text, out);
    std::memmove(out.data() + second, out.data() + second + 1, out.size() - second - 1);
    out.resize_down(out.size() - 1);
}

}  // namespace accp::plan
