// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/history.h"

#include <algorithm>

#include "base/random.h"
#include "frame/message/message.h"
#include "session/frames.h"
#include "transcript/items.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

constexpr const char *kDiffers =
    "the list and the session differ from this message on: give the list as it was and what is "
    "new, or an id for a branch";
constexpr const char *kEndsEarly =
    "the list ends before the messages that the session has: give all of them, or an id for a "
    "branch";

// Writes the parts of a message that are compared.
void write_content(const message::Message &message, Buffer<char> &out) {
    for (std::string_view name : {message.agent, message.intent, message.operation}) {
        out.append(name);
        out.push('\n');
    }
    const value::TreeView tree = message.tree;
    const bool is_result = message.operation == "tool" && message.intent != "req";
    if (message.is_text()) value::write_json(tree, message.payload, out);
    for (uint32_t i = message.payload + 1; i < tree[message.payload].next; i = tree[i].next) {
        if (is_result && tree.key(i) == "tool_name") continue;
        value::write_json_string(tree.key(i), out);
        value::write_json(tree, i, out);
    }
    out.push('\n');
    if (message.has_meta) value::write_json(message.meta_tree, message.meta, out);
}

// Extends a chain of hashes by one message.
void extend(const message::Message &message, Scratch &scratch, std::string_view chain,
            Digest &out) {
    scratch.text.recycle(kKeptBytes);
    scratch.text.append(chain);
    write_content(message, scratch.text);
    out = sha256(scratch.text.view());
}

// Reads the messages in the log of a session, one after the other.
class LogMessages {
public:
    LogMessages(Session &session, Scratch &scratch)
        : session_(session), scratch_(scratch), bytes_(scratch.memory) {}

    // Moves to the next message after record `at`. Returns false at the end or after a failure.
    bool next(uint64_t &at, Status &status) {
        while (at < session_.last_record()) {
            status = session_.record(++at, scratch_, bytes_, record);
            if (status.failed()) return false;
            if (record.kind == RecordKind::kMessage) return true;
        }
        return false;
    }
    Status extend(std::string_view chain, Digest &out) {
        message::Message message;
        Status status = read_message(record.text, scratch_, message);
        if (status.ok()) session::extend(message, scratch_, chain, out);
        return status;
    }

    Record record;

private:
    Session &session_;
    Scratch &scratch_;
    Buffer<char> bytes_;
};

bool read_mark(std::string_view bytes, HistoryMark &out) {
    Unpacker unpacker(bytes);
    out = {};
    out.count = unpacker.number();
    out.record = unpacker.number();
    const std::string_view chain = unpacker.text();
    const size_t wanted = out.count ? sizeof out.chain.hex - 1 : 0;
    if (!unpacker.ok() || chain.size() != wanted || !unpacker.rest().empty()) return false;
    chain.copy(out.chain.hex, chain.size());
    return true;
}

void write_mark(const HistoryMark &mark, Buffer<char> &out) {
    Packer packer(out);
    packer.number(mark.count);
    packer.number(mark.record);
    packer.text(mark.view());
}

// Advances the mark to the end of the log.
Status catch_up(Session &session, Scratch &scratch) {
    HistoryMark &mark = session.history;
    Status status;
    if (!mark.is_loaded) {
        Buffer<char> &found = scratch.refs.found;
        status = session.driver.store().blob(store::Tier::kWarm, kHistoryKey, 0, found);
        if (status.failed() && status.code != ACCP_E2001) return status;
        if (status.failed() || !read_mark(found.view(), mark)) mark = {};
        mark.is_loaded = true;
        status = {};
    }
    if (mark.record > session.last_record()) mark = {0, 0, {}, true};
    LogMessages messages(session, scratch);
    for (uint64_t at = mark.record; messages.next(at, status); mark.record = at, ++mark.count) {
        Digest chain;
        status = messages.extend(mark.view(), chain);
        if (status.failed()) return status;
        mark.chain = chain;
    }
    if (status.ok()) mark.record = session.last_record();
    return status;
}

// Finds the first difference. If there is none, the mark did not match the log: corrects it.
Status find_difference(Session &session, const MessageList &list, Scratch &scratch,
                       HistoryReport &report) {
    LogMessages messages(session, scratch);
    HistoryMark mark;
    Status status;
    for (uint64_t at = 0; messages.next(at, status); ++mark.count) {
        Digest chain;
        status = messages.extend(mark.view(), chain);
        if (status.failed()) return status;
        const bool has_more = mark.count < list.size();
        if (!has_more || chain.view() != list.chain(mark.count + 1)) {
            report.same = mark.count;
            report.record = at;
            report.item = list.item(mark.count);
            status =
                fail_limit(ACCP_E3003, list.offset(mark.count), has_more ? kDiffers : kEndsEarly,
                           mark.count, session.history.count);
            status.record = static_cast<uint32_t>(report.item);
            return status;
        }
        mark.chain = chain;
    }
    if (status.failed()) return status;
    session.history = {mark.count, session.last_record(), mark.chain, true};
    report.same = mark.count;
    return {};
}

Status compare(Session &session, const MessageList &list, Scratch &scratch, HistoryReport &report) {
    Status status = catch_up(session, scratch);
    if (status.failed()) return status;
    const HistoryMark &mark = session.history;
    report.same = mark.count;
    const bool begins_so = mark.count <= list.size() && list.chain(mark.count) == mark.view();
    return begins_so ? Status{} : find_difference(session, list, scratch, report);
}

// Appends message i with `keep`. The last message also stores the mark.
template <class Keep>
Status append_one(Session &session, const MessageList &list, size_t i, Scratch &scratch,
                  Keep keep) {
    const bool is_last = i + 1 == list.size();
    HistoryMark mark;
    if (is_last) {
        mark.count = list.size(), mark.record = session.last_record() + 1, mark.is_loaded = true;
        list.chain(mark.count).copy(mark.chain.hex, sizeof mark.chain.hex - 1);
        Buffer<char> packed(scratch.memory);
        write_mark(mark, packed);
        scratch.log.batch.put(store::Tier::kWarm, kHistoryKey, packed.view());
    }
    Status status = keep();
    if (status.ok() && is_last) session.history = mark;
    return status;
}

// Fails if the peer may not send one of the messages from `first` on.
Status check_peer(Session &session, const MessageList &list, const HistoryCall &call, size_t first,
                  Scratch &scratch) {
    for (size_t i = first; call.peer && i < list.size(); ++i) {
        message::Message message;
        const Status status = session.read_message(list.json(i), call.peer, scratch, message);
        if (status.failed()) return list.at_item(i, status);
    }
    return {};
}

// Appends the messages that the session lacks.
Status append_rest(Session &session, const MessageList &list, const HistoryCall &call,
                   Scratch &scratch, HistoryReport &report) {
    Status status;
    for (size_t i = report.same + report.added; i < list.size() && status.ok(); ++i) {
        status = append_one(session, list, i, scratch, [&] {
            return session.keep_message(list.json(i), call.peer, call.now_ms, scratch);
        });
        report.added += status.ok();
    }
    return status;
}

// Copies the messages at the front that both have to the branch, if it lacks them, with their times
// and marks of trust.
Status copy_messages(Session &from, Session &to, const MessageList &list, uint64_t count,
                     Scratch &scratch, HistoryReport &report) {
    LogMessages messages(from, scratch);
    Status status;
    uint64_t at = 0;
    for (size_t i = 0; i < count && messages.next(at, status); ++i) {
        if (i < report.same) continue;
        status = append_one(to, list, i, scratch,
                            [&] { return to.copy_message(messages.record, scratch); });
        if (status.failed()) return status;
        ++report.added;
    }
    return status;
}

// The same for a branch, before it is opened for writing: a refused call must not create it, and
// must not end the right of its writer.
Status check_peer_of_branch(Session &session, const MessageList &list, const HistoryCall &call,
                            size_t first, Scratch &scratch) {
    if (!call.peer) return {};
    Session branch(scratch.memory, session.driver.rules, session.driver.hooks);
    Status status = branch.open(session.driver.whole_store(), call.branch, false, {}, scratch);
    if (status.code == ACCP_E2001) return check_peer(session, list, call, first, scratch);
    HistoryReport report;
    if (status.ok()) status = branch.driver.prepare_read(scratch);
    if (status.ok()) status = compare(branch, list, scratch, report);
    if (status.failed()) return status;
    return check_peer(branch, list, call, std::max<uint64_t>(first, report.same), scratch);
}

// Appends the list to a branch. A repeated call continues an interrupted one.
Status append_to_branch(Session &session, const MessageList &list, const HistoryCall &call,
                        Scratch &scratch, HistoryReport &report) {
    const std::string_view id = call.branch;
    if (id == session.driver.id())
        return fail(ACCP_ERR_ARG, 0, "a branch must have another id than the session");
    report.is_branched = true;
    Session branch(scratch.memory, session.driver.rules, session.driver.hooks);
    Status status = check_peer_of_branch(session, list, call, report.same, scratch);
    if (status.ok())
        status = branch.open(session.driver.whole_store(), id, true,
                             {random_secret(), random_secret()}, scratch);
    if (status.ok()) status = branch.driver.prepare_write(scratch);
    if (status.failed()) return status;
    HistoryReport of_branch;
    status = compare(branch, list, scratch, of_branch);
    const size_t first = std::max(report.same, of_branch.same);
    if (status.ok()) status = check_peer(branch, list, call, first, scratch);
    if (status.ok()) status = copy_messages(session, branch, list, report.same, scratch, of_branch);
    if (status.ok()) status = append_rest(branch, list, call, scratch, of_branch);
    report.added = of_branch.added;
    return branch.driver.finish(status);
}

}  // namespace

Status MessageList::read(const transcript::Format *format, std::string_view text,
                         Scratch &scratch) {
    bytes_ = text.size();
    is_own_ = !format;
    Status status = format ? read_transcript(*format, text, scratch) : read_own(text, scratch);
    return status.ok() ? check(scratch) : status;
}

Status MessageList::read_transcript(transcript::Format format, std::string_view text,
                                    Scratch &scratch) {
    transcript::TranscriptReader reader(
        scratch.memory, {scratch.settings.limit(ACCP_LIMIT_JSON_BYTES), kMaxJsonDepth});
    struct Target {
        MessageList &list;
        transcript::TranscriptReader &reader;
    } target = {*this, reader};
    const transcript::Sink sink = {[](std::string_view json, void *user) {
                                       auto *to = static_cast<Target *>(user);
                                       to->list.add(json, to->reader.item(),
                                                    to->reader.item_offset());
                                       return Status{};
                                   },
                                   &target};
    Status status = reader.read(format, text, sink);
    items_ = reader.items();
    return status;
}

Status MessageList::read_own(std::string_view text, Scratch &scratch) {
    using transcript::Item;
    using transcript::ItemScanner;
    using transcript::Within;
    const uint64_t limit = scratch.settings.limit(ACCP_LIMIT_JSON_BYTES);
    auto add_item = [&](const Item &item) {
        Status status;
        if (item.first() != '{') status = fail(ACCP_E1001, item.begin, "a message is an object");
        else if (item.text.size() > limit)
            status = fail_limit(ACCP_E1001, item.begin,
                                "an item is longer than the limit json_bytes allows",
                                item.text.size(), limit);
        else add(item.text, items_, item.begin);
        status.record = status.failed() ? static_cast<uint32_t>(items_) : 0;
        ++items_;
        return status;
    };
    auto add_all = [&](ItemScanner &scanner, auto add_one) {
        Status status;
        for (Item item; status.ok() && scanner.next(item);) status = add_one(item);
        if (status.failed()) return status;
        status = scanner.status();
        status.record = status.failed() ? static_cast<uint32_t>(items_) : 0;
        return status;
    };
    ItemScanner values({text, 0, {}}, Within::kText);
    Status status = add_all(values, [&](const Item &item) {
        if (item.first() != '[') return add_item(item);
        ItemScanner elements(item, Within::kArray);
        return add_all(elements, add_item);
    });
    if (status.ok() && !items_) status = fail(ACCP_E1001, bytes_, transcript::kNoItems);
    return status;
}

Status MessageList::at_item(size_t i, Status status) const {
    status.record = static_cast<uint32_t>(item(i));
    return move_to(status, offset(i) + (is_own_ ? status.offset : 0));
}

// Checks that a session accepts each message, and computes the chain.
Status MessageList::check(Scratch &scratch) {
    for (size_t i = 0; i < size(); ++i) {
        message::Message message;
        Status status = read_message(json(i), scratch, message);
        if (status.ok() && message.intent == "cancel") status = message::check_chain(message);
        if (status.ok())
            status =
                message::check_names(message.agent, message.intent, message.operation, SIZE_MAX);
        if (status.failed()) return at_item(i, status);
        extend(message, scratch, chain(i), messages_[i].chain);
    }
    return {};
}

Status append_history(Session &session, const MessageList &list, const HistoryCall &call,
                      Scratch &scratch, HistoryReport &report) {
    report.count = list.size();
    Status status = session.driver.prepare_write(scratch);
    if (status.failed()) return status;
    status = compare(session, list, scratch, report);
    if (status.code == ACCP_E3003 && !call.branch.empty())
        return append_to_branch(session, list, call, scratch, report);
    if (status.ok()) status = check_peer(session, list, call, report.same, scratch);
    if (status.ok()) status = append_rest(session, list, call, scratch, report);
    return session.driver.finish(status);
}

}  // namespace accp::session
