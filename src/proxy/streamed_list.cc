// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/streamed_list.h"

#include <algorithm>

namespace proxy {

namespace {

// Members whose texts come in pieces, and members that each piece has.
bool comes_in_pieces(std::string_view name) { return name == "text" || name == "summary"; }
bool is_repeated(std::string_view name) {
    return name == "type" || name == "index" || name == "id" || name == "format";
}

}  // namespace

// Adds the members of the next piece to the last element. Returns false, and changes nothing, if
// that would lose anything: then it is another element.
bool StreamedList::join(Element &last, const Element &next) {
    if (last.members.empty() || next.members.empty()) return false;
    const auto find = [&](const std::string &name) {
        return std::find_if(last.members.begin(), last.members.end(),
                            [&](const Member &one) { return one.name == name; });
    };
    for (const Member &member : next.members) {
        const auto found = find(member.name);
        if (found == last.members.end() || (found->is_text && member.is_text)) continue;
        if (!is_repeated(member.name) || found->value != member.value) return false;
    }
    for (const Member &member : next.members) {
        const auto found = find(member.name);
        if (found == last.members.end()) last.members.push_back(member);
        else if (member.is_text) found->value += member.value;
    }
    return true;
}

void StreamedList::add(const JsonText &json, uint32_t list) {
    const accp::value::TreeView tree = json.tree();
    bool is_first = true;  // only the first may be a piece of the element before
    for (uint32_t i = list + 1; i < tree[list].next; i = tree[i].next) {
        Element element;
        if (tree[i].kind != ACCP_MAP) element.json = json.raw(i);
        else
            for (uint32_t j = i + 1; j < tree[i].next; j = tree[j].next) {
                if (tree[j].kind == ACCP_NULL) continue;
                const bool is_text = tree[j].kind == ACCP_STRING && comes_in_pieces(tree.key(j));
                element.members.push_back({std::string(tree.key(j)),
                                           std::string(is_text ? tree.string(j) : json.raw(j)),
                                           is_text});
            }
        if (element.members.empty() && element.json.empty()) continue;
        if (!is_first || elements_.empty() || !join(elements_.back(), element))
            elements_.push_back(std::move(element));
        is_first = false;
    }
}

void StreamedList::add_text(std::string_view text) {
    const Element element = {{{"type", "\"text\"", false}, {"text", std::string(text), true}}, ""};
    if (elements_.empty() || !join(elements_.back(), element)) elements_.push_back(element);
}

bool StreamedList::is_only_text() const {
    return std::all_of(elements_.begin(), elements_.end(), [](const Element &one) {
        return !one.members.empty() &&
               std::all_of(one.members.begin(), one.members.end(), [](const Member &member) {
                   return member.name == "text"
                              ? member.is_text
                              : member.name == "type" && member.value == "\"text\"";
               });
    });
}

std::string StreamedList::json() const {
    std::string list;
    for (const Element &element : elements_) {
        std::string members;
        for (const Member &member : element.members)
            add_listed(members, json_string(member.name) + ":" +
                                    (member.is_text ? json_string(member.value) : member.value));
        add_listed(list, element.json.empty() ? "{" + members + "}" : element.json);
    }
    return list;
}

}  // namespace proxy
