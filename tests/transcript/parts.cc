// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "transcript/parts.h"

#include "frame/message/json.h"

namespace accp_transcript {

Part &PartList::add(PartKind kind, SourceKind source, std::string_view text,
                    std::string_view message) {
    Owned &owned = *owned_.emplace_back(std::make_unique<Owned>());
    owned.text = text;
    Part part;
    part.kind = kind, part.source = source, part.text = owned.text, part.number = parts_.size();
    accp::value::JsonReader reader(owned.memory);
    if (!message.empty()) {
        const bool is_read =
            reader.read(message.data(), message.size(), {UINT64_MAX, 1024}, owned.value).ok() &&
            accp::message::read_message(owned.value.view(), 0, {}, owned.message).status.ok();
        if (!is_read) throw "no message: " + std::string(message);
        part.message = &owned.message;
    }
    return parts_.emplace_back(part);
}

std::string PartList::write_first(size_t count, Provider provider,
                                  const accp_allocator &allocator) const {
    accp::Memory memory(allocator, UINT64_MAX);
    accp::Arena arena(memory);
    accp::Buffer<char> out(memory);
    accp::transcript::write_request(provider, parts_.data(), count, memory, arena, out);
    return std::string(out.view());
}

namespace {

// Valid ids, invalid ids, and duplicates.
constexpr std::string_view kIds[] = {"a", "b", "c_1", "call_2", "call_3", "no id", "", "a"};
constexpr std::string_view kNames[] = {"open", "Read", "search files", "mcp__x", ""};

class RandomParts {
public:
    RandomParts(accp_unit::Random &random, size_t count) : random_(random), count_(count) {}

    PartList make() {
        for (std::string_view kind : {"guide", "task"})
            for (size_t n = random_.below(3); n; --n) pinned(kind == "guide");
        for (size_t n = random_.below(3); n; --n) text(PartKind::kClosed, SourceKind::kResult);
        while (list_.size() < count_) {
            if (random_.below(2)) group();
            else single();
        }
        return std::move(list_);
    }

private:
    bool rarely() { return random_.below(12) == 0; }
    std::string tag() const { return tag_of(list_.size()); }
    std::string id() {
        const size_t which = random_.below(9);
        return which == 8 ? std::string(70, 'x') : std::string(kIds[which]);
    }
    static std::string member(const std::string &id) {
        return id.empty() ? "" : ",\"call_id\":\"" + id + "\"";
    }
    void spoil(Part &part) {
        part.is_untrusted = rarely();
        part.is_whole = !rarely();
        part.is_stable = random_.below(3) != 0;
        if (rarely()) part.message = nullptr;
    }

    void pinned(bool is_guide) {
        text(PartKind::kPinned, is_guide ? SourceKind::kGuide : SourceKind::kTask);
    }
    void text(PartKind kind, SourceKind source) {
        const std::string words =
            rarely() ? "\n \t" : "source " + tag() + (rarely() ? "\xC3" : "\n");
        spoil(list_.add(kind, source, words));
    }
    void act(const std::string &id) {
        std::string payload = "{";
        if (random_.below(2)) payload += "\"thought\":\"I think " + tag() + "\\n\",";
        payload += "\"tool_name\":\"" + std::string(kNames[random_.below(5)]) + "\",";
        if (rarely()) payload += "\"extra\":{\"k\":\"more " + tag() + "\"},";
        payload += "\"arguments\":";
        payload += rarely() ? "[\"" + tag() + "\"]" : "{\"path\":\"" + tag() + "\"}";
        spoil(list_.act(payload + member(id) + "}", "@assistant req:tool " + tag() + "\n"));
    }
    void result(const std::string &id) {
        const std::string error = random_.below(4) ? "" : ",\"error\":true";
        spoil(list_.result("{\"result\":\"" + tag() + "\"" + error + member(id) + "}",
                           "@tool done:tool result: " + tag() + "\n"));
    }
    void group() {
        std::vector<std::string> ids(1 + random_.below(4));
        for (std::string &one : ids) one = id();
        for (const std::string &one : ids) act(one);
        for (size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random_.below(i)]);
        if (rarely()) ids.pop_back();
        for (const std::string &one : ids) result(rarely() ? id() : one);
    }
    void single() {
        switch (random_.below(5)) {
            case 0: return act(id());
            case 1: return result(id());
            case 2: return text(PartKind::kOpen, SourceKind::kTask);
            case 3: return text(PartKind::kOpen, SourceKind::kGuide);
            default: break;
        }
        const std::string more = rarely() ? ",\"n\":1" : "";
        spoil(list_.add(PartKind::kOpen, SourceKind::kResult,
                        "@assistant done:reply content: " + tag() + "\n",
                        R"({"agent":"assistant","intent":"done","operation":"reply",)"
                        R"("payload":{"content":"So )" +
                            tag() + " \"" + more + "}}"));
    }

    accp_unit::Random &random_;
    size_t count_;
    PartList list_;
};

}  // namespace

PartList random_parts(accp_unit::Random &random, size_t count) {
    return RandomParts(random, count).make();
}

}  // namespace accp_transcript
