// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds what each part has of the original messages of a provider, and writes it.
#include <charconv>

#include "base/text.h"
#include "transcript/outbox.h"
#include "transcript/write_steps.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

std::string_view text_of(value::TreeView tree, uint32_t map, std::string_view key) {
    const uint32_t node = map && tree[map].kind == ACCP_MAP ? tree.find(map, key) : 0;
    return node && tree[node].kind == ACCP_STRING ? tree.string(node) : std::string_view();
}

// Returns whether a message of this role may replace the part.
bool has_role_of(const Part &part, std::string_view role) {
    if (is_act(part) || is_reply(part)) return role == "assistant";
    if (part.source == SourceKind::kGuide) return role == "system" || role == "developer";
    return role == "user" || (part.source == SourceKind::kResult && role == "tool");
}

bool can_have_original(const Part &part) {
    return part.kind != PartKind::kClosed && part.message && is_trusted(part);
}

// Returns the original message that the part's metadata has, and the number of messages made of it.
uint32_t find_message(const Part &part, Provider provider, size_t &messages) {
    if (!can_have_original(part) || !part.message->has_meta) return 0;
    const value::TreeView tree = part.message->meta_tree;
    const uint32_t kept =
        tree.find(part.message->meta, provider == Provider::kOpenAi ? "openai" : "anthropic");
    if (!kept || tree[kept].kind != ACCP_MAP) return 0;
    const uint32_t message = tree.find(kept, "message"), count = tree.find(kept, "messages");
    if (!message || tree[message].kind != ACCP_MAP || !count || tree[count].kind != ACCP_INT)
        return 0;
    if (!has_role_of(part, text_of(tree, message, "role"))) return 0;
    const std::string_view digits = tree.string(count);
    std::from_chars(digits.data(), digits.data() + digits.size(), messages);
    return messages ? message : 0;
}

// Divides the items of a list among parts. Each call and each result ends what a part has; what
// follows the last call belongs to it too.
class Divider {
public:
    Divider(value::TreeView tree, const Part *parts, size_t count, Original *out)
        : tree_(tree), parts_(parts), count_(count), out_(out) {}

    bool divide_calls(uint32_t calls) {
        for (uint32_t i = calls + 1; calls && i < tree_[calls].next; i = tree_[i].next)
            if (!give(is_act, i, tree_[i].next)) return false;
        return made_ == count_;
    }

    bool divide_assistant(uint32_t content) {
        uint32_t begin = content + 1;
        for (uint32_t i = begin; i < tree_[content].next; i = tree_[i].next) {
            if (type_of_block(tree_, i) != "tool_use") continue;
            if (!give(is_act, begin, tree_[i].next)) return false;
            begin = tree_[i].next;
        }
        if (begin == tree_[content].next) return made_ == count_;
        if (made_) out_[made_ - 1].end = tree_[content].next;
        return made_ ? made_ == count_ : give(is_reply, begin, tree_[content].next) && count_ == 1;
    }

    // Texts and images are a request of their own, unless they have no words.
    bool divide_user(uint32_t content) {
        uint32_t begin = content + 1;
        for (uint32_t i = begin; i < tree_[content].next; i = tree_[i].next) {
            if (type_of_block(tree_, i) != "tool_result") continue;
            if (begin < i && made_ < count_ && is_task(parts_[made_])) give(is_task, begin, i);
            if (!give(is_result, i, tree_[i].next)) return false;
            begin = tree_[i].next;
        }
        if (begin < tree_[content].next && made_ < count_)
            return give(is_task, begin, tree_[content].next) && made_ == count_;
        return made_ == count_;
    }

private:
    static bool is_task(const Part &part) { return part.source == SourceKind::kTask; }
    static bool is_result(const Part &part) {
        return part.source == SourceKind::kResult && !is_reply(part);
    }

    template <class Test>
    bool give(Test test, uint32_t begin, uint32_t end) {
        if (made_ == count_ || !test(parts_[made_])) return false;
        out_[made_].begin = begin;
        out_[made_].end = end;
        ++made_;
        return true;
    }

    value::TreeView tree_;
    const Part *parts_;
    size_t count_, made_ = 0;
    Original *out_;
};

bool divide(Provider provider, value::TreeView tree, uint32_t message, const Part *parts,
            size_t count, Original *out) {
    Divider divider(tree, parts, count, out);
    if (provider == Provider::kOpenAi)
        return is_act(parts[0]) ? divider.divide_calls(tree.find(message, "tool_calls"))
                                : count == 1;
    const uint32_t content = tree.find(message, "content");
    if (!content || tree[content].kind != ACCP_ARRAY) return false;
    return text_of(tree, message, "role") == "assistant" ? divider.divide_assistant(content)
                                                         : divider.divide_user(content);
}

}  // namespace

void find_originals(Provider provider, const Part *parts, size_t count, Original *out) {
    for (size_t i = 0; i < count; ++i) out[i] = {};
    for (size_t i = 0; i < count;) {
        size_t made = 0, here = 1;
        const uint32_t message = find_message(parts[i], provider, made);
        while (message && here < made && i + here < count && can_have_original(parts[i + here]) &&
               parts[i + here].number == parts[i].number + here)
            ++here;
        if (message && here == made) {
            const value::TreeView tree = parts[i].message->meta_tree;
            const bool is_divided = divide(provider, tree, message, parts + i, made, out + i);
            for (size_t k = 0; k < made; ++k) {
                if (!is_divided) out[i + k] = {};
                else
                    out[i + k].tree = tree, out[i + k].message = message,
                            out[i + k].index = static_cast<uint32_t>(k);
            }
        }
        i += here;
    }
}

uint32_t find_text_node(Provider provider, const Original &original, std::string_view text) {
    const value::TreeView tree = original.tree;
    uint32_t begin = original.begin, end = original.end;
    if (provider == Provider::kOpenAi) {
        const uint32_t content = tree.find(original.message, "content");
        if (!content) return 0;
        if (tree[content].kind == ACCP_STRING) return tree.string(content) == text ? content : 0;
        begin = content + 1;
        end = tree[content].next;
    }
    uint32_t found = 0;
    for (uint32_t i = begin; i < end; i = tree[i].next) {
        if (tree[i].kind != ACCP_MAP) return 0;
        if (type_of_block(tree, i) != "text") continue;
        const uint32_t node = tree.find(i, "text");
        if (found || !node || tree[node].kind != ACCP_STRING || tree.string(node) != text) return 0;
        found = node;
    }
    return found;
}

void write_original(value::TreeView tree, uint32_t map, std::string_view id_key,
                    std::string_view id, std::string_view content, Buffer<char> &out) {
    out.push('{');
    bool is_first = true, has_content = false;
    auto key = [&](std::string_view name) {
        if (!is_first) out.push(',');
        is_first = false;
        value::write_json_string(name, out);
        out.push(':');
    };
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        const std::string_view name = tree.key(i);
        key(name);
        if (id.data() && name == id_key) {
            value::write_json_string(id, out);
        } else if (content.data() && name == "content") {
            out.append(content);
            has_content = true;
        } else {
            value::write_json(tree, i, out);
        }
    }
    if (content.data() && !has_content) {
        out.append(is_first ? "\"content\":" : ",\"content\":");
        out.append(content);
    }
    out.push('}');
}

bool has_blocks(value::TreeView tree, uint32_t map) {
    const uint32_t content = tree.find(map, "content");
    return content && tree[content].kind == ACCP_ARRAY && tree[content].len > 1;
}

std::string_view type_of_block(value::TreeView tree, uint32_t block) {
    return text_of(tree, block, "type");
}

bool is_blank_block(value::TreeView tree, uint32_t block) {
    if (tree[block].kind == ACCP_STRING) return !has_words(tree.string(block));
    return type_of_block(tree, block) == "text" && !has_words(text_of(tree, block, "text"));
}

}  // namespace accp::transcript
