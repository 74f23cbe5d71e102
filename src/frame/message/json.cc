// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "frame/message/json.h"

#include "base/text.h"
#include "value/json_writer.h"

namespace accp::message {

namespace {

class Reader {
public:
    Reader(value::TreeView tree, const ReadRules &rules, Message &out)
        : tree_(tree), rules_(rules), out_(out) {}

    ReadStatus member(uint32_t node) {
        const std::string_view key = tree_.key(node);
        if (key == "agent") return name(node, out_.agent, kAgentByte, kAgentRule);
        if (key == "intent") return name(node, out_.intent, kAlphaByte, kIntentRule);
        if (key == "operation") return name(node, out_.operation, kWordByte, kOperationRule);
        if (key == "payload") return payload(node);
        if (key == "meta") return meta(node);
        if (key == "untrusted") {
            out_.mark = node;
            out_.untrusted = is_untrusted_mark(tree_[node]);
            if (rules_.allows_mark) return {};
        }
        if (rules_.allows_others || has_name(rules_.ignored, key)) return {};
        return {fail(ACCP_E1001, node,
                     "a message has agent, intent, operation, payload and meta: ignore other "
                     "members by name, or leave them out"),
                true};
    }

private:
    ReadStatus name(uint32_t node, std::string_view &text, ByteClass wanted, const char *rule) {
        text = tree_.string(node);
        const bool is_good =
            tree_[node].kind == ACCP_STRING &&
            (rules_.max_name_bytes ? is_name(text, wanted, rules_.max_name_bytes) : !text.empty());
        return {is_good ? Status{} : fail(ACCP_E1001, node, rule)};
    }
    ReadStatus payload(uint32_t node) {
        if (tree_[node].kind != ACCP_MAP && tree_[node].kind != ACCP_STRING)
            return {fail(ACCP_E1001, node, "a payload is an object, or a text")};
        out_.payload = node;
        return {};
    }
    ReadStatus meta(uint32_t node) {
        out_.has_meta = tree_[node].kind == ACCP_MAP;
        if (out_.has_meta) out_.meta = node;
        if (out_.has_meta || tree_[node].kind == ACCP_NULL || rules_.allows_others) return {};
        return {fail(ACCP_E1001, node, "meta is an object")};
    }

    value::TreeView tree_;
    const ReadRules &rules_;
    Message &out_;
};

}  // namespace

ReadStatus read_message(value::TreeView tree, uint32_t root, const ReadRules &rules, Message &out) {
    out = {};
    out.tree = out.meta_tree = tree;
    if (tree[root].kind != ACCP_MAP) return {fail(ACCP_E1001, root, "a message is an object")};
    Reader reader(tree, rules, out);
    for (uint32_t i = root + 1; i < tree[root].next; i = tree[i].next) {
        ReadStatus read = reader.member(i);
        if (read.status.failed()) return read;
    }
    if (out.operation.empty()) out.operation = rules.operation;
    if (!out.agent.empty() && !out.intent.empty() && !out.operation.empty() && out.payload)
        return {};
    return {fail(ACCP_E1001, root,
                 out.agent.empty()       ? "the message has no member agent"
                 : out.intent.empty()    ? "the message has no member intent"
                 : out.operation.empty() ? "the message has no member operation"
                                         : "the message has no member payload")};
}

void open_json(std::string_view agent, std::string_view intent, std::string_view operation,
               Buffer<char> &out) {
    out.append("{\"agent\":\"");
    out.append(agent);
    out.append("\",\"intent\":\"");
    out.append(intent);
    out.append("\",\"operation\":\"");
    out.append(operation);
    out.append("\",\"payload\":");
}

void write_json(const Message &message, Buffer<char> &out) {
    open_json(message.agent, message.intent, message.operation, out);
    value::write_json(message.tree, message.payload, out);
    if (message.has_meta) {
        out.append(",\"meta\":");
        value::write_json(message.meta_tree, message.meta, out);
    }
    if (message.untrusted) out.append(kUntrustedEnd);
    else out.push('}');
}

}  // namespace accp::message
