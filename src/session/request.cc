// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/request.h"

#include <cstring>

#include "base/text.h"
#include "session/checkpoint_form.h"
#include "session/frames.h"
#include "session/ref_name.h"
#include "session/scratch.h"
#include "session/shown_text.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

// Counts the tokens of a request to a provider. One rule holds for all providers and uses only the
// finished request, so anybody can repeat the count. docs/context.md states the rule.

constexpr uint64_t kAnswerTokens = 3;   // the start of the answer
constexpr uint64_t kMessageTokens = 4;  // per message, in addition to its texts

class RequestTokens {
public:
    explicit RequestTokens(Scratch &scratch)
        : tree_(scratch.json.value.view()), counter_(scratch.counter), json_(scratch.memory) {}

    Status count(uint64_t &tokens) {
        const bool is_map = tree_[0].kind == ACCP_MAP;
        if (is_map) {
            if (const uint32_t system = tree_.find(0, "system")) {
                tokens_ += kMessageTokens;
                content(system);
            }
        }
        const uint32_t messages = is_map ? tree_.find(0, "messages") : 0;
        for (uint32_t i = messages + 1; i < tree_[messages].next; i = tree_[i].next) message(i);
        tokens = tokens_ + kAnswerTokens;
        return status_;
    }

private:
    std::string_view type_of(uint32_t map) const {
        const uint32_t type = tree_[map].kind == ACCP_MAP ? tree_.find(map, "type") : 0;
        return type && tree_[type].kind == ACCP_STRING ? tree_.string(type) : std::string_view();
    }
    void text(std::string_view text) {
        uint64_t tokens = 0;
        if (status_.ok()) status_ = counter_.count(text, UINT64_MAX, tokens);
        tokens_ += tokens;
    }
    // Counts a text, or the JSON of any other value.
    void value(uint32_t node) {
        if (!node || tree_[node].kind == ACCP_NULL) return;
        if (tree_[node].kind == ACCP_STRING) return text(tree_.string(node));
        json_.recycle(kKeptBytes);
        value::write_json(tree_, node, json_);
        text(json_.view());
    }
    void content(uint32_t node) {
        if (tree_[node].kind != ACCP_ARRAY) return value(node);
        for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) block(i);
    }
    void block(uint32_t node) {
        const std::string_view type = type_of(node);
        if (type == "text") return value(tree_.find(node, "text"));
        if (type == "thinking") return value(tree_.find(node, "thinking"));
        if (is_among(type, {"image", "document", "image_url", "input_audio", "file"}))
            tokens_ += context::kMediaTokens;
        else if (type == "tool_use") {
            value(tree_.find(node, "name"));
            value(tree_.find(node, "input"));
        } else if (type == "tool_result") {
            if (const uint32_t inner = tree_.find(node, "content")) content(inner);
        } else {
            value(node);
        }
    }
    void call(uint32_t node) {
        for (const char *kind : {"function", "custom"}) {
            const uint32_t inner = tree_[node].kind == ACCP_MAP ? tree_.find(node, kind) : 0;
            if (!inner || tree_[inner].kind != ACCP_MAP) continue;
            value(tree_.find(inner, "name"));
            return value(tree_.find(inner, *kind == 'f' ? "arguments" : "input"));
        }
        value(node);
    }
    void message(uint32_t node) {
        tokens_ += kMessageTokens;
        for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) {
            const std::string_view key = tree_.key(i);
            if (key == "role" || key == "tool_call_id") continue;
            if (key == "content") content(i);
            else if (key == "tool_calls" && tree_[i].kind == ACCP_ARRAY)
                for (uint32_t at = i + 1; at < tree_[i].next; at = tree_[at].next) call(at);
            else value(i);
        }
    }

    value::TreeView tree_;
    token::TokenCounter &counter_;
    Buffer<char> json_;
    uint64_t tokens_ = 0;
    Status status_;
};

// `request`: an array of messages, or {"system","messages"}.
Status count_request(std::string_view request, Scratch &scratch, uint64_t &tokens) {
    Status status = read_json(request, scratch);
    return status.ok() ? RequestTokens(scratch).count(tokens) : status;
}

using context::Block;
using context::BlockKind;
using context::Unit;
using transcript::Part;
using transcript::PartKind;

// how often a request is made smaller, to get it within its budget
constexpr int kMaxTries = 16;

class RequestParts {
public:
    RequestParts(Session &session, Scratch &scratch)
        : session_(session), scratch_(scratch), arena_(scratch.memory), parts_(scratch.memory) {}

    Status add(const Block &block, std::string_view text) {
        if (block.kind == BlockKind::kGap || block.kind == BlockKind::kValues)
            return add_text(block, text), Status{};
        const context::ContextState &state = session_.core().context.shown();
        for (size_t i = block.first; i < block.last; ++i) {
            for (; unit_ < i; ++unit_) hidden_ += state.units[unit_].hidden;
            const std::string_view hidden =
                state.hidden.view().substr(hidden_, state.units[i].hidden);
            Status status = add_unit(block, state.units[i], state.text_of(i), hidden);
            if (status.failed()) return status;
        }
        return {};
    }
    void write(transcript::Provider provider, Buffer<char> &out) {
        transcript::write_request(provider, parts_.data(), parts_.size(), scratch_.memory, arena_,
                                  out);
    }

private:
    void add_text(const Block &block, std::string_view text) {
        Part part;
        part.kind = PartKind::kClosed;
        part.is_stable = block.is_stable;
        part.text = text;
        parts_.push(part);
    }

    // A message that was not shortened keeps its role when its unit is closed; otherwise the
    // messages before it would change.
    Status add_unit(const Block &block, const Unit &unit, std::string_view text,
                    std::string_view hidden) {
        // An evicted page is the line that names it: the result of its call, which stays a pair.
        const bool is_evicted = session_.driver.rules.context.price_write && unit.level == 1;
        if (unit.kind != context::UnitKind::kMessage || (unit.level && !is_evicted))
            return add_text(block, text), Status{};
        Part part;
        // The line of a tool's result has nothing of its text. That of words has, and keeps its
        // mark.
        if (is_evicted && !unit.words) part.result = text.substr(text.find('\n') + 1);
        part.kind = block.kind == BlockKind::kPinned ? PartKind::kPinned : PartKind::kOpen;
        part.source = static_cast<transcript::SourceKind>(unit.source);
        part.is_stable = block.is_stable;
        part.is_untrusted = unit.untrusted;
        part.text = text;
        part.number = unit.number;
        Status status;
        const bool is_said =
            unit.source == context::Source::kAct || unit.source == context::Source::kResult;
        if (is_said || !part.is_untrusted) status = look_up(unit.number, part.message);
        if (status.ok()) find_shown(unit, hidden, part);
        parts_.push(part);
        return status;
    }

    // Decides whether the part is whole. If a message with one text is not, finds what the context
    // has of this text. A call has no gaps.
    void find_shown(const Unit &unit, std::string_view hidden, Part &part) {
        const bool is_short = unit.cut || unit.level;
        part.is_whole = !is_short;
        if (!part.message || part.is_untrusted || unit.level || (!is_short && hidden.empty()))
            return;
        const message::Message &message = *part.message;
        const bool is_result = unit.source == context::Source::kResult && message.find("result");
        const std::string_view key = message.is_text() ? "" : is_result ? "result" : "content";
        const uint32_t node = message.is_text() ? message.payload : message.find(key);
        if (unit.source == context::Source::kAct || message.tree[node].kind != ACCP_STRING) return;
        Buffer<char> shown(scratch_.memory);
        if (is_short) write_cut_text(key, part.text, shown);
        else if (!write_gapped_text(message.tree.string(node), key, part.text, hidden,
                                    scratch_.memory, shown))
            return;
        part.is_whole = false;
        part.has_gaps = !is_short;
        part.shown = copied(shown.view());
    }

    std::string_view copied(std::string_view text) {
        char *to = arena_.allocate<char>(text.size() + Buffer<char>::kSlack);
        std::memcpy(to, text.data(), text.size());
        return {to, text.size()};
    }

    // Reads the original message and copies it to the arena.
    Status look_up(uint64_t number, const message::Message *&out) {
        char ref[kRefBytes];
        Buffer<char> json(scratch_.memory);
        Status status = session::resolve(session_.driver.ref_source(), message_ref(number, ref), 0,
                                         scratch_, json);
        message::Message read;
        if (status.ok()) status = read_message(json.view(), scratch_, read);
        if (status.failed()) return status;
        auto *kept = arena_.allocate<message::Message>(1);
        *kept = read;
        const uint32_t end = read.tree[0].next;
        auto *nodes = arena_.allocate<value::Node>(end);
        std::memcpy(nodes, read.tree.nodes, end * sizeof *nodes);
        const value::Value &value = scratch_.json.value;
        const char *text = copied({read.tree.text, value.text.size()}).data();
        kept->tree = {nodes, text};
        const ptrdiff_t moved = text - read.tree.text;
        for (std::string_view *name : {&kept->agent, &kept->intent, &kept->operation})
            *name = {name->data() + moved, name->size()};
        kept->meta_tree = kept->tree;
        // the metadata of a frame is its envelope
        if (kept->has_meta && kept->tree.find(kept->meta, "mid")) kept->has_meta = false;
        out = kept;
        return {};
    }

    Session &session_;
    Scratch &scratch_;
    Arena arena_;
    Buffer<Part> parts_;
    size_t unit_ = 0, hidden_ = 0;  // a unit, and where its lines begin in ContextState::hidden
};

static_assert(int(transcript::SourceKind::kGuide) == int(context::Source::kGuide) &&
              int(transcript::SourceKind::kTask) == int(context::Source::kTask) &&
              int(transcript::SourceKind::kAct) == int(context::Source::kAct) &&
              int(transcript::SourceKind::kResult) == int(context::Source::kResult));

// Writes a request. `budget` limits the tokens of the context as text, which differ from those of
// the request.
Status write_once(Session &session, transcript::Provider provider, uint64_t budget,
                  Scratch &scratch, Buffer<char> &out) {
    Buffer<Block> blocks(scratch.memory);
    Buffer<char> text(scratch.memory);
    Status status = session.blocks(budget, scratch, blocks, text);
    RequestParts parts(session, scratch);
    for (size_t i = 0; i < blocks.size() && status.ok(); ++i) {
        const Block &block = blocks[i];
        status = parts.add(block, text.view().substr(block.begin, block.end - block.begin));
    }
    if (status.ok()) parts.write(provider, out);
    return status;
}

}  // namespace

Status write_request(Session &session, transcript::Provider provider, uint64_t budget,
                     Scratch &scratch, Buffer<char> &out, uint64_t &tokens) {
    const size_t start = out.size();
    uint64_t room = budget, over = 0;
    for (int tries = 0; tries < kMaxTries && (!budget || over < room); ++tries) {
        room -= over;
        Status status = write_once(session, provider, room, scratch, out);
        if (status.code == ACCP_E2003 && tries) break;  // it reports `room`, not `budget`
        if (status.ok()) status = count_request(out.view().substr(start), scratch, tokens);
        if (status.failed() || !budget || tokens <= budget) return status;
        out.resize_down(start);
        over = tokens - budget;
    }
    return fail_limit(tokens, budget,
                      "too many tokens in what is pinned and the newest message: raise the budget "
                      "or lower rule pinned_max");
}

Status append_transcript(Session &session, transcript::Format format, std::string_view text,
                         const Peer *peer, int64_t now_ms, Scratch &scratch, uint64_t &count) {
    Buffer<char> lines(scratch.memory);
    transcript::TranscriptReader reader(
        scratch.memory, {scratch.settings.limit(ACCP_LIMIT_JSON_BYTES), kMaxJsonDepth});
    const transcript::Sink sink = {[](std::string_view json, void *user) {
                                       auto *to = static_cast<Buffer<char> *>(user);
                                       to->append(json);
                                       to->push('\n');
                                       return Status{};
                                   },
                                   &lines};
    Status status = reader.read(format, text, sink);
    if (status.ok()) status = session.append_lines(lines.view(), peer, now_ms, scratch, count);
    return status.code == ACCP_E5001 ? move_to(status, 0) : status;  // its offset is in `lines`
}

}  // namespace accp::session
