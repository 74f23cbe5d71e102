// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/put_back.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace proxy {

namespace {

using accp::value::TreeView;

// Returns the content of a chat message if it is one text.
std::optional<std::string_view> chat_words(TreeView tree, uint32_t content) {
    if (!content || tree[content].kind == ACCP_NULL) return "";
    if (tree[content].kind == ACCP_STRING) return tree.string(content);
    if (tree[content].kind != ACCP_ARRAY || tree[content].len != 1) return std::nullopt;
    const uint32_t text = tree[content + 1].kind == ACCP_MAP ? tree.find(content + 1, "text") : 0;
    if (!text || tree[text].kind != ACCP_STRING) return std::nullopt;
    return tree.string(text);
}

// Returns the tool calls of a chat message.
std::vector<uint32_t> chat_calls(TreeView tree, uint32_t message) {
    std::vector<uint32_t> calls;
    const uint32_t list = tree.find(message, "tool_calls");
    if (!list || tree[list].kind != ACCP_ARRAY) return calls;
    for (uint32_t i = list + 1; i < tree[list].next; i = tree[i].next) calls.push_back(i);
    return calls;
}

void add_item_print(const ModelRequest &request, uint32_t item, AnswerPrint &print) {
    const TreeView tree = request.tree();
    const std::string_view type = request.text_of(item, "type"),
                           id = request.text_of(item, "call_id");
    if (!type.empty() && type != "message") return print.add_block(type, id);
    const uint32_t content = tree.find(item, "content");
    std::string words(request.text_of(item, "content"));
    if (content && tree[content].kind == ACCP_ARRAY)
        for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next)
            words += request.text_of(i, "text");
    print.add_text(words);
}

// Rebuilds the message of one request.
class PutBack {
public:
    PutBack(const ModelRequest &request, Api api, ModelMessage message, const Exchange &exchange,
            const ContentOf &content_of)
        : request_(request),
          tree_(request.tree()),
          api_(api),
          message_(message),
          exchange_(exchange),
          content_of_(content_of) {}

    bool add_messages(std::vector<Edit> &edits) const;
    bool add_chat(std::vector<Edit> &edits) const;
    void add_items(std::vector<Edit> &edits) const;
    // Returns whether the message has the places of all calls and results.
    bool has_places() const;

private:
    // The bytes of the message before its blocks, and after them.
    std::string head() const;
    std::string tail() const;
    std::optional<std::string> gap(size_t number, bool &is_empty) const;
    std::string chat_turn(uint32_t message, const ResolveRound &round, size_t &words,
                          size_t &thoughts) const;
    std::string results_of(const ResolveRound &round) const {
        return result_list(api_, round.calls, content_of_);
    }
    size_t closed_rounds() const { return exchange_.rounds.size() - exchange_.is_open; }

    const ModelRequest &request_;
    TreeView tree_;
    Api api_;
    ModelMessage message_;
    const Exchange &exchange_;
    const ContentOf &content_of_;
};

std::string PutBack::head() const {
    const uint32_t message = request_.pages()[message_.first].message;
    const size_t begin = request_.begin_of(message);
    const size_t content = request_.begin_of(tree_.find(message, "content"));
    return std::string(request_.body().substr(begin, content - begin)) + "[";
}

std::string PutBack::tail() const {
    const uint32_t message = request_.pages()[message_.first].message;
    const size_t end = request_.end_of(request_.begin_of(tree_.find(message, "content")));
    const size_t message_end = request_.end_of(request_.begin_of(message));
    return "]" + std::string(request_.body().substr(end, message_end - end));
}

// Returns the text between two blocks, before the first, or after the last one; nothing if it is
// unchanged. `number`: the number of blocks before it. `is_empty`: the current list has no block
// yet. If it is empty after the last block, the text ends with the last results, and the message
// has ended before.
std::optional<std::string> PutBack::gap(size_t number, bool &is_empty) const {
    std::string text;
    bool is_changed = false;
    for (const ResolveRound &round : exchange_.rounds) {
        const bool is_open = exchange_.is_open && &round == &exchange_.rounds.back();
        for (const ResolvedCall &call : round.calls) {
            if (call.before != number) continue;
            (text += is_empty ? "" : ",") += call.json;
            is_empty = false;
            is_changed = true;
        }
        if (is_open || round.words != number) continue;
        (text += tail()) += "," + messages_results(results_of(round));
        is_empty = is_changed = true;
        if (number < message_.count || &round != &exchange_.rounds.back()) (text += ',') += head();
    }
    if (!is_changed) return std::nullopt;
    if (number < message_.count && !is_empty) text += ',';
    return text;
}

// Changes only bytes between blocks, because there may be other edits within blocks.
bool PutBack::add_messages(std::vector<Edit> &edits) const {
    const uint32_t message = request_.pages()[message_.first].message;
    const uint32_t content = tree_.find(message, "content");
    if (tree_[message].len != 2) return false;  // it has more than a role and a content
    std::vector<Edit> own;
    if (exchange_.is_open) {
        // The results are the first blocks of the next message.
        const size_t next = message_.first + message_.count;
        if (next >= request_.pages().size()) return false;
        const uint32_t results = tree_.find(request_.pages()[next].message, "content");
        if (tree_[results].kind != ACCP_ARRAY) return false;
        const size_t begin = request_.begin_of(results) + 1;
        own.push_back({begin, begin, results_of(exchange_.rounds.back()) + ","});
    }
    const size_t begin = request_.begin_of(content), end = request_.end_of(begin);
    const size_t message_end = request_.end_of(request_.begin_of(message));
    const bool is_text = tree_[content].kind == ACCP_STRING;
    bool is_empty = true;
    std::string list;  // of a content that is a text
    size_t at = begin + 1;
    for (size_t i = 0; i < message_.count; ++i) {
        const auto text = gap(i, is_empty);
        is_empty = false;
        const uint32_t node = request_.pages()[message_.first + i].node;
        const size_t next = request_.begin_of(node);
        if (is_text)
            list += text.value_or("") + R"({"type":"text","text":)" +
                    std::string(request_.raw(node)) + "}";
        else if (text) own.push_back({at, next, *text});
        at = request_.end_of(next);
    }
    const auto text = gap(message_.count, is_empty);
    if (is_text) list += text.value_or("");
    if (is_text)
        own.push_back({begin, is_empty ? message_end : end, "[" + list + (is_empty ? "" : "]")});
    else if (text) own.push_back({at, is_empty ? message_end : end - 1, *text});
    for (Edit &edit : own) edits.push_back(std::move(edit));
    return true;
}

// Returns the message of a closed round.
std::string PutBack::chat_turn(uint32_t message, const ResolveRound &round, size_t &words,
                               size_t &thoughts) const {
    const std::string_view text = *chat_words(tree_, tree_.find(message, "content"));
    std::string_view own = text.substr(words, round.words - words);
    if (words && !own.empty()) own.remove_prefix(std::min(own.size(), kBetweenWords.size()));
    std::string out =
        R"({"role":"assistant","content":)" + (own.empty() ? "null" : json_string(own));
    for (const std::string_view member : kReasoningMembers) {
        const std::string_view thought = request_.text_of(message, member);
        if (round.thoughts > thoughts && thought.size() >= round.thoughts)
            out += ",\"" + std::string(member) +
                   "\":" + json_string(thought.substr(thoughts, round.thoughts - thoughts));
    }
    words = round.words;
    thoughts = round.thoughts;
    std::string calls;
    for (const ResolvedCall &call : round.calls) add_listed(calls, call.json);
    return out + ",\"tool_calls\":[" + calls + "]}";
}

bool PutBack::add_chat(std::vector<Edit> &edits) const {
    const uint32_t message = request_.pages()[message_.first].node;
    const uint32_t content = tree_.find(message, "content");
    const auto text = chat_words(tree_, content);
    if (!text) return false;
    std::string before;  // the messages before the last one
    size_t words = 0, thoughts = 0;
    for (size_t i = 0; i < closed_rounds(); ++i) {
        const ResolveRound &round = exchange_.rounds[i];
        if (round.words < words || round.words > text->size()) return false;
        (before += chat_turn(message, round, words, thoughts)) += ',';
        (before += results_of(round)) += ',';
    }
    const size_t begin = request_.begin_of(message), end = request_.end_of(begin);
    std::vector<Edit> own;
    if (!before.empty()) own.push_back({begin, begin, before});
    if (words) {
        std::string_view rest = text->substr(words);
        if (!rest.empty()) rest.remove_prefix(std::min(rest.size(), kBetweenWords.size()));
        const size_t at = request_.begin_of(content);
        const bool is_null = rest.empty() && !chat_calls(tree_, message).empty();
        own.push_back({at, request_.end_of(at), is_null ? "null" : json_string(rest)});
    }
    for (const std::string_view member : kReasoningMembers) {
        const std::string_view thought = request_.text_of(message, member);
        if (!thoughts || thought.size() < thoughts) continue;
        const size_t at = request_.begin_of(tree_.find(message, member));
        own.push_back({at, request_.end_of(at), json_string(thought.substr(thoughts))});
    }
    if (exchange_.is_open) {
        const ResolveRound &round = exchange_.rounds.back();
        const std::vector<uint32_t> calls = chat_calls(tree_, message);
        if (calls.empty()) return false;
        std::string list;
        auto call = round.calls.begin();
        for (size_t i = 0; i <= calls.size(); ++i) {
            for (; call != round.calls.end() && (call->before <= i || i == calls.size()); ++call)
                add_listed(list, call->json);
            if (i < calls.size()) add_listed(list, request_.raw(calls[i]));
        }
        const size_t at = request_.begin_of(tree_.find(message, "tool_calls"));
        own.push_back({at, request_.end_of(at), "[" + list + "]"});
        own.push_back({end, end, "," + results_of(round)});
    }
    for (Edit &edit : own) edits.push_back(std::move(edit));
    return true;
}

// Items are in one list, so nothing is split.
void PutBack::add_items(std::vector<Edit> &edits) const {
    std::vector<std::string> inserted(message_.count + 1);  // before each item
    for (const ResolveRound &round : exchange_.rounds) {
        const bool is_open = exchange_.is_open && &round == &exchange_.rounds.back();
        const size_t end = is_open ? message_.count : round.words;
        for (const ResolvedCall &call : round.calls) add_listed(inserted[call.before], call.json);
        add_listed(inserted[end], results_of(round));
    }
    for (size_t i = 0; i <= message_.count; ++i) {
        if (inserted[i].empty()) continue;
        const bool is_end = i == message_.count;
        const uint32_t node = request_.pages()[message_.first + i - is_end].node;
        const size_t begin = request_.begin_of(node);
        const size_t at = is_end ? request_.end_of(begin) : begin;
        edits.push_back({at, at, is_end ? "," + inserted[i] : inserted[i] + ","});
    }
}

bool PutBack::has_places() const {
    size_t at = 0;
    for (const ResolveRound &round : exchange_.rounds) {
        const bool is_open = exchange_.is_open && &round == &exchange_.rounds.back();
        const size_t end = is_open ? message_.count : round.words;
        if (end < at || end > message_.count) return false;
        for (const ResolvedCall &call : round.calls)
            if (call.before < at || call.before > end) return false;
        at = end;
    }
    return true;
}

}  // namespace

std::string without_marks(std::string_view content, JsonText &json) {
    const std::string object = "{\"content\":" + std::string(content) + "}";
    const uint32_t list = json.read(object) ? json.list_of(0, "content") : 0;
    std::vector<Edit> edits;
    for (uint32_t i = list + 1; list && i < json.tree()[list].next; i = json.tree()[i].next)
        if (const uint32_t mark = json.map_of(i, kCacheMark))
            edits.push_back(member_removal(object, json.key_of(mark), json.end_of(mark)));
    if (edits.empty()) return std::string(content);
    const std::string plain = apply_edits(object, std::move(edits));
    const size_t begin = object.size() - content.size() - 1;
    return plain.substr(begin, plain.size() - begin - 1);
}

std::string result_list(Api api, const std::vector<ResolvedCall> &calls,
                        const ContentOf &content_of) {
    const bool is_messages = api == Api::kMessages, is_item = api == Api::kResponses;
    std::string list;
    for (const ResolvedCall &call : calls) {
        const ResultContent content = content_of(call);
        std::string one = is_messages ? R"({"type":"tool_result","tool_use_id":)"
                          : is_item   ? R"({"type":"function_call_output","call_id":)"
                                      : R"({"role":"tool","tool_call_id":)";
        one += json_string(call.id) + (is_item ? ",\"output\":" : ",\"content\":") + content.json;
        if (is_messages && content.is_error) one += ",\"is_error\":true";
        add_listed(list, one + "}");
    }
    return list;
}

std::string messages_turn(const std::string &blocks) {
    return R"({"role":"assistant","content":[)" + blocks + "]}";
}

std::string messages_results(const std::string &results) {
    return R"({"role":"user","content":[)" + results + "]}";
}

ModelMessage find_model_message(const ModelRequest &request, Api api, size_t first) {
    const std::vector<Page> &pages = request.pages();
    ModelMessage found = {first, 0};
    size_t at = first;
    for (; at < pages.size() && is_answer(pages[at].kind); ++at)
        if (api != Api::kResponses && pages[at].message != pages[first].message) return {first, 0};
    found.count = at - first;
    return found;
}

Hash print_of(const ModelRequest &request, Api api, ModelMessage message, const HashKey &key) {
    const TreeView tree = request.tree();
    AnswerPrint print;
    if (api == Api::kChat) {
        const uint32_t node = request.pages()[message.first].node;
        print.add_other(chat_words(tree, tree.find(node, "content")).value_or("\n"));
        for (const uint32_t call : chat_calls(tree, node))
            print.add_call(request.text_of(call, "id"));
        return print.hash(key);
    }
    for (size_t i = 0; i < message.count; ++i) {
        const uint32_t node = request.pages()[message.first + i].node;
        const std::string_view type = request.text_of(node, "type");
        if (api == Api::kResponses) add_item_print(request, node, print);
        else if (tree[node].kind == ACCP_STRING) print.add_text(tree.string(node));
        else if (type == "text") print.add_text(request.text_of(node, "text"));
        else print.add_block(type, type == "tool_use" ? request.text_of(node, "id") : "");
    }
    return print.hash(key);
}

bool can_put_back(const ModelRequest &request, Api api, ModelMessage message,
                  const Exchange &exchange) {
    std::vector<Edit> edits;
    return put_back(
        request, api, message, exchange,
        [](const ResolvedCall &) -> ResultContent { return {"\"\""}; }, edits);
}

bool put_back(const ModelRequest &request, Api api, ModelMessage message, const Exchange &exchange,
              const ContentOf &content_of, std::vector<Edit> &edits) {
    const PutBack it(request, api, message, exchange, content_of);
    if (api == Api::kChat) return it.add_chat(edits);
    if (!it.has_places()) return false;
    if (api == Api::kMessages) return it.add_messages(edits);
    it.add_items(edits);
    return true;
}

}  // namespace proxy
