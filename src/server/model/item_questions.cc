// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/model/item_questions.h"

#include <algorithm>
#include <charconv>

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {

extern const char kItemsPrompt[], kCheckPrompt[];  // data/prompts

namespace {

using host::json_member;
using host::json_text;

constexpr size_t kLineBytes = 18;     // of a message's line, besides its text
constexpr size_t kUserShare = 4;      // a user's message may be this many times longer
constexpr size_t kMinCapBytes = 120;  // the shortest piece of a message that is worth sending
constexpr double kRoundShare = 0.98;  // of the estimate, so that few rounds are needed
constexpr size_t kMarkBytes = 40;     // of "[... N bytes left out ...]"

bool is_continuation(char c) { return (c & 0xC0) == 0x80; }

// Returns the text, or its first two thirds and its last third. People usually demand at the
// beginning or the end of a long message, and paste between.
std::string without_middle(const std::string &text, size_t max_bytes) {
    if (text.size() <= max_bytes) return text;
    const size_t kept = std::max(max_bytes, kMinCapBytes) - kMarkBytes;
    size_t head = kept - kept / 3, tail = text.size() - kept / 3;
    while (head && is_continuation(text[head])) --head;
    while (tail < text.size() && is_continuation(text[tail])) ++tail;
    return text.substr(0, head) + "[... " + std::to_string(tail - head) + " bytes left out ...]" +
           text.substr(tail);
}

// A text without white space and emphasis of Markdown, which quotes often have otherwise.
std::string without_blanks(std::string_view text) {
    std::string made;
    for (const char c : text)
        if (std::string_view(" \t\r\n*`").find(c) == std::string_view::npos) made += c;
    return made;
}

uint64_t number_in(std::string_view json) {
    uint64_t number = 0;
    std::from_chars(json.data(), json.data() + json.size(), number);
    return number;
}

accp_status capture_request(const char *asked, size_t asked_len, accp_text *, void *user) {
    try {
        static_cast<std::string *>(user)->assign(asked, asked_len);
        return ACCP_ERR_IO;  // there is nothing to generate yet
    } catch (const std::bad_alloc &) {
        return ACCP_ERR_NOMEM;
    }
}

}  // namespace

accp_hooks ConversationCapture::hooks() {
    accp_hooks hooks = host::new_hooks(&asked_);
    hooks.extract = capture_request;
    return hooks;
}

ItemQuestions::ItemQuestions(std::string_view asked, const Rules &rules) {
    const std::string json = host::compact_json(asked);
    const std::string task = json_text(json_member(json, "task"));
    for (const std::string_view one : host::json_items(json_member(json, "messages")))
        messages_.push_back({number_in(json_member(one, "number")),
                             json_text(json_member(one, "role")) == "user",
                             json_text(json_member(one, "text")),
                             {}});
    question_ = {kItemsPrompt,
                 "Task: " + host::json_string(task) + "\n\nConversation:\n" + conversation(rules)};
    for (Message &message : messages_) message.compared = without_blanks(message.text);
}

// Returns the messages, one a line, within the limit. Long messages are cut at one length, the
// largest that fits, so that each short statement stays whole; users' words get more of it. If even
// short pieces of all do not fit, the first message of a user is kept, then the newest of users,
// then the newest of others. messages_ then has only what is sent.
std::string ItemQuestions::conversation(const Rules &rules) {
    std::string all = lines();
    const uint64_t tokens = rules.count(all);
    if (tokens <= rules.max_tokens) return all;
    const std::vector<Message> whole = messages_;
    uint64_t sent = tokens;
    for (size_t max_bytes = all.size(); sent > rules.max_tokens && !messages_.empty();) {
        // The estimate gets better with each round, because other texts are left.
        max_bytes =
            static_cast<size_t>(static_cast<double>(max_bytes) * kRoundShare *
                                static_cast<double>(rules.max_tokens) / static_cast<double>(sent));
        messages_ = whole;
        cut_messages(find_cap(max_bytes), max_bytes);
        all = lines();
        sent = rules.count(all);
    }
    std::string note = "the conversation has " + std::to_string(tokens) +
                       " tokens, and the model got " + std::to_string(sent);
    if (messages_.size() < whole.size())
        note += ", without " + std::to_string(whole.size() - messages_.size()) + " of " +
                std::to_string(whole.size()) + " messages";
    items_.notes.push_back(note);
    return all;
}

// 12 user "What is said, as a JSON string"
std::string ItemQuestions::line_of(const Message &message) {
    return std::to_string(message.number) + (message.is_user ? " user " : " assistant ") +
           host::json_string(message.text) + "\n";
}

std::string ItemQuestions::lines() const {
    std::string all;
    for (const Message &message : messages_) all += line_of(message);
    return all;
}

size_t ItemQuestions::bytes_at(const Message &message, size_t cap) {
    return kLineBytes + std::min(message.text.size(), message.is_user ? cap * kUserShare : cap);
}

// Returns the largest cap with which all messages fit, or the smallest cap.
size_t ItemQuestions::find_cap(size_t max_bytes) const {
    size_t cap = kMinCapBytes, above = std::max(max_bytes, cap);
    while (cap < above) {
        const size_t middle = cap + (above - cap + 1) / 2;
        size_t sum = 0;
        for (const Message &message : messages_) sum += bytes_at(message, middle);
        if (sum <= max_bytes) cap = middle;
        else above = middle - 1;
    }
    return cap;
}

void ItemQuestions::cut_messages(size_t cap, size_t max_bytes) {
    std::vector<size_t> order(messages_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
    std::stable_partition(order.begin(), order.end(),
                          [&](size_t i) { return messages_[i].is_user; });
    const auto first = std::find_if(messages_.begin(), messages_.end(),
                                    [](const Message &message) { return message.is_user; });
    if (first != messages_.end()) {
        const auto place =
            std::find(order.begin(), order.end(), static_cast<size_t>(first - messages_.begin()));
        std::rotate(order.begin(), place, place + 1);
    }
    std::vector<bool> keeps(messages_.size());
    size_t sum = 0;
    for (const size_t i : order) {
        const size_t bytes = bytes_at(messages_[i], cap);
        keeps[i] = sum + bytes <= max_bytes;
        if (keeps[i]) sum += bytes;
    }
    std::vector<Message> kept;
    for (size_t i = 0; i < messages_.size(); ++i) {
        if (!keeps[i]) continue;
        Message &message = messages_[i];
        message.text = without_middle(message.text, message.is_user ? cap * kUserShare : cap);
        kept.push_back(std::move(message));
    }
    messages_ = std::move(kept);
}

std::string ItemQuestions::fingerprint() const {
    return question_.system + kCheckPrompt + question_.user;
}

void ItemQuestions::read_answer(std::string_view answer) {
    if (step_ == Step::kItems) {
        const std::vector<std::string> before = items_.notes;
        items_ = ModelItems::read(answer);
        items_.notes.insert(items_.notes.begin(), before.begin(), before.end());
        if (items_.items.empty()) items_.notes.emplace_back("the model found no items");
        step_ = ask_for_check() ? Step::kCheck : Step::kDone;
        return;
    }
    try {
        drop_outdated(read_outdated(answer));
        step_ = Step::kDone;
    } catch (const host::Failure &failure) {
        skip(failure.what());
    }
}

void ItemQuestions::skip(std::string_view reason) {
    step_ = Step::kDone;
    is_partial_ = true;
    items_.notes.push_back("not checked against later messages of users: " + std::string(reason));
}

// Makes the second question of the items that have a quote before the last message of a user.
// Returns false if it has no items.
bool ItemQuestions::ask_for_check() {
    uint64_t last = 0, first = UINT64_MAX;
    for (const Message &message : messages_)
        if (message.is_user) last = message.number;
    std::string items;
    for (size_t i = 0; i < items_.items.size(); ++i) {
        const ModelItem &item = items_.items[i];
        const Message *const found = is_checked_list(item.list) ? find_quote(item.quote) : nullptr;
        if (!found || found->number >= last) continue;
        checked_.push_back({i, found->number});
        first = std::min(first, found->number);
        items += "item " + std::to_string(checked_.size()) + ", of message " +
                 std::to_string(found->number) + ": " +
                 host::json_string(item.why.empty() ? item.what : item.what + ": " + item.why) +
                 "\n";
    }
    if (checked_.empty()) return false;
    std::string said;
    for (const Message &message : messages_)
        if (message.is_user && message.number > first) said += line_of(message);
    question_ = {kCheckPrompt, "Items:\n" + items + "\nMessages of users:\n" + said};
    return true;
}

// Drops an item only if a user said the quoted words after it.
void ItemQuestions::drop_outdated(const std::vector<OutdatedItem> &outdated) {
    std::vector<bool> drops(items_.items.size());
    for (const OutdatedItem &one : outdated) {
        if (one.number > checked_.size()) continue;
        const Checked &checked = checked_[one.number - 1];
        if (drops[checked.item]) continue;
        const std::string wanted = without_blanks(one.quote);
        const bool is_said =
            std::any_of(messages_.begin(), messages_.end(), [&](const Message &message) {
                return message.is_user && message.number > checked.message && !wanted.empty() &&
                       message.compared.find(wanted) != std::string::npos;
            });
        drops[checked.item] = is_said;
        items_.notes.push_back(
            "\"" + host::printable_excerpt(items_.items[checked.item].what) + "\": " +
            (is_said ? "left out, a user said later: " + host::printable_excerpt(one.quote)
                     : "kept, although the model calls it outdated: no user said later what it "
                       "quotes"));
    }
    size_t i = 0;
    std::erase_if(items_.items, [&](const ModelItem &) { return drops[i++]; });
}

// Returns the first message with the quote.
const ItemQuestions::Message *ItemQuestions::find_quote(std::string_view quote) const {
    const std::string wanted = without_blanks(quote);
    if (wanted.empty()) return nullptr;
    for (const Message &message : messages_)
        if (message.compared.find(wanted) != std::string::npos) return &message;
    return nullptr;
}

}  // namespace server
