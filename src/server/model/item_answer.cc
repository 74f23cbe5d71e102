// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/model/item_answer.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/handles.h"

namespace server {
namespace {

using host::json_text;

struct ItemList {
    const char *name, *what, *why, *made_by;  // members of an item; nullptr: none
    bool is_always;  // printed even without items, because rules find such items
    bool is_checked;
};
constexpr ItemList kItemLists[] = {
    {"success_criteria", "text", nullptr, nullptr, false, false},
    {"constraints", "text", nullptr, nullptr, true, true},
    {"decisions", "choice", "reason", "made_by", true, true},
    {"failed_attempts", "approach", "reason_failed", nullptr, true, false},
    {"relevant_files", "path", "summary", nullptr, false, false},
    {"patterns", "text", nullptr, nullptr, false, false},
    {"anti_patterns", "text", nullptr, nullptr, false, false},
    {"examples", "text", nullptr, nullptr, false, false},
    {"pivots", "text", nullptr, nullptr, false, false},
    {"open_questions", "text", nullptr, nullptr, true, false},
};
constexpr size_t kItemListCount = std::size(kItemLists);

constexpr size_t kMaxModelItems = 256;
constexpr size_t kMaxModelItemBytes = 2000;
constexpr size_t kMaxItemNotes = 20;

size_t list_named(std::string_view name) {
    const auto *found = std::find_if(std::begin(kItemLists), std::end(kItemLists),
                                     [&](const ItemList &list) { return list.name == name; });
    return static_cast<size_t>(found - kItemLists);
}

bool is_known_member(std::string_view name) {
    return name == "goal" || name == "codebase" || list_named(name) < kItemListCount;
}

// Returns the end of the object that begins at `at`, after its bracket; npos: it does not end.
size_t object_end(std::string_view text, size_t at) {
    bool in_string = false;
    for (size_t depth = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string && c == '\\') ++at;
        else if (c == '"') in_string = !in_string;
        else if (in_string) continue;
        else if (c == '{') ++depth;
        else if (c == '}' && --depth == 0) return at + 1;
    }
    return text.npos;
}

// Returns the first JSON object in the text with a member that `is_known` accepts, as compact JSON.
// It may be in fences, in another object, or between other text. Throws Failure.
template <typename IsKnown>
std::string find_object(std::string_view text, IsKnown is_known, const char *wanted) {
    constexpr int kMaxTries = 64;  // each costs a pass over the rest
    constexpr std::string_view kThoughtEnd = "</think>";
    const size_t thought = text.rfind(kThoughtEnd);
    if (thought != text.npos) text.remove_prefix(thought + kThoughtEnd.size());
    size_t at = text.find('{');
    for (int tries = 0; at != text.npos && tries < kMaxTries; ++tries) {
        const size_t end = object_end(text, at);
        try {
            if (end != text.npos) {
                std::string json = host::compact_json(text.substr(at, end - at));
                for (const auto &[name, value] : host::json_members(json))
                    if (is_known(name)) return json;
            }
        } catch (const host::Failure &) {  // it is not JSON: try the next bracket
        }
        at = text.find('{', at + 1);
    }
    throw host::Failure("the answer has no JSON object with " + std::string(wanted) + ": " +
                        (text.empty() ? "it is empty" : host::printable_excerpt(text)));
}

class ItemReader {
public:
    explicit ItemReader(ModelItems &out) : out_(out) {}

    void read_object(std::string_view object) {
        for (const auto &[name, value] : host::json_members(object)) {
            const size_t list = list_named(name);
            if (value == "null") continue;
            if (list < kItemListCount) read_list(list, value);
            else if (name == "goal" && value.starts_with('"'))
                out_.goal = trimmed(json_text(value));
            else if (name == "codebase" && value.starts_with('{')) read_object(value);
            else note(host::printable_excerpt(name) + ": ignored");
        }
    }
    void finish() {
        if (more_notes_)
            out_.notes.push_back("and " + std::to_string(more_notes_) + " more of these");
    }

private:
    static std::string trimmed(const std::string &text) {
        constexpr const char *kBlanks = " \t\r\n";
        const size_t begin = text.find_first_not_of(kBlanks);
        if (begin == text.npos) return {};
        return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
    }

    void note(const std::string &text) {
        if (out_.notes.size() < kMaxItemNotes) out_.notes.push_back(text);
        else ++more_notes_;
    }

    void read_list(size_t list, std::string_view value) {
        if (!value.starts_with('['))
            return note(std::string(kItemLists[list].name) + ": dropped, it is not a list");
        size_t number = 0;
        for (const std::string_view each : host::json_items(value)) {
            ModelItem item = {list, {}, {}, {}, {}};
            const char *const fault = read_item(each, item);
            ++number;
            if (!fault) out_.items.push_back(std::move(item));
            else
                note(std::string(kItemLists[list].name) + " " + std::to_string(number) +
                     ": dropped, " + fault);
        }
    }

    // Returns why the item cannot be used; nullptr: it can.
    const char *read_item(std::string_view json, ModelItem &item) const {
        const ItemList &list = kItemLists[item.list];
        if (json.starts_with('"')) item.what = trimmed(json_text(json));
        else if (!json.starts_with('{')) return "it is neither an object nor a text";
        else
            for (const auto &[name, value] : host::json_members(json)) {
                // Models often call the main member text.
                std::string *const to = name == list.what || name == "text"    ? &item.what
                                        : name == "quote"                      ? &item.quote
                                        : list.why && name == list.why         ? &item.why
                                        : list.made_by && name == list.made_by ? &item.made_by
                                                                               : nullptr;
                if (!to || value == "null") continue;
                if (!value.starts_with('"')) return "a member is not a text";
                *to = trimmed(json_text(value));
            }
        if (item.made_by == "assistant") item.made_by = "agent";
        if (item.what.empty()) return "its main member is missing";
        if (out_.items.size() >= kMaxModelItems) return "there are too many";
        const std::string *const texts[] = {&item.what, &item.why, &item.made_by, &item.quote};
        size_t bytes = 0;
        for (const std::string *text : texts) {
            bytes += text->size();
            if (text->find('\0') != text->npos) return "it has a NUL";
        }
        return bytes > kMaxModelItemBytes ? "it is too long" : nullptr;
    }

    ModelItems &out_;
    size_t more_notes_ = 0;
};

}  // namespace

const char *item_list_name(size_t list) {
    return list < kItemListCount ? kItemLists[list].name : nullptr;
}

bool is_checked_list(size_t list) { return list < kItemListCount && kItemLists[list].is_checked; }

ModelItems ModelItems::read(std::string_view answer) {
    const std::string json =
        find_object(answer, is_known_member, "goal, constraints, decisions or another list");
    ModelItems made;
    ItemReader reader(made);
    reader.read_object(json);
    reader.finish();
    return made;
}

std::string ModelItems::print() const {
    host::JsonObject all;
    if (!goal.empty()) all.text("goal", goal);
    for (size_t i = 0; i < kItemListCount; ++i) {
        const ItemList &list = kItemLists[i];
        host::JsonList texts;
        for (const ModelItem &item : items) {
            if (item.list != i) continue;
            host::JsonObject one;
            one.text(list.what, item.what);
            if (!item.why.empty()) one.text(list.why, item.why);
            if (!item.made_by.empty()) one.text(list.made_by, item.made_by);
            if (!item.quote.empty()) one.text("quote", item.quote);
            texts.json(one.end());
        }
        if (list.is_always || !texts.is_empty()) all.json(list.name, texts.end());
    }
    return all.end();
}

std::vector<OutdatedItem> read_outdated(std::string_view answer) {
    const std::string json = find_object(
        answer, [](std::string_view name) { return name == "outdated"; }, "the member outdated");
    std::vector<OutdatedItem> made;
    for (const std::string_view one : host::json_items(host::json_member(json, "outdated"))) {
        const std::string_view number = host::json_member(one, "item");
        OutdatedItem item = {0, json_text(host::json_member(one, "quote"))};
        std::from_chars(number.data(), number.data() + number.size(), item.number);
        if (item.number && !item.quote.empty()) made.push_back(std::move(item));
    }
    return made;
}

}  // namespace server
