// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the body of a model call into pages: the front (model, tools, system prompt), then each
// block of each message, in order.
//
// The reader changes nothing. It refuses a body that it does not understand, which is then sent as
// it came. Members and types that it does not know are part of a page's hash, and are never
// replaced.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/canonical.h"
#include "proxy/hash.h"
#include "proxy/json_text.h"
#include "value/json_reader.h"

namespace proxy {

// The interface of a model call.
enum class Api : uint8_t { kNone, kMessages, kChat, kResponses };

// Returns the interface that a POST to this path and query calls, or kNone.
Api api_of_target(std::string_view target);

enum class PageKind : uint8_t {
    kFront,  // model, tools and system prompt; also each later system message
    kUser,
    kWords,  // of the model: text, reasoning
    kCall,   // of a tool, by the model
    kResult  // of a tool
};

inline bool is_answer(PageKind kind) { return kind == PageKind::kWords || kind == PageKind::kCall; }

struct Page {
    Hash hash;
    uint32_t node = 0;     // of the block in the body's value
    uint32_t message = 0;  // the node of the message that has it
    uint32_t content = 0;  // the node that may be replaced, which is only text; 0: none
    uint32_t answers = 0;  // of a result: the node of its call; 0: unknown
    uint32_t call = 0;     // how many calls of the model came before it
    PageKind kind = PageKind::kUser;
    bool is_error = false;
};

// The member that is a cache mark, in the Messages interface.
constexpr std::string_view kCacheMark = "cache_control";

// A cache mark of the client.
struct Mark {
    uint32_t page;  // the place in pages() of the page that has it
    uint32_t node;  // of its value
};

class ModelRequest {
public:
    static constexpr uint64_t kMaxBytes = 64 << 20;
    static constexpr size_t kMaxPages = 50'000;
    // Anthropic allows this many cache marks. It looks for an earlier mark in this many blocks
    // before a new one, including the marked block.
    static constexpr size_t kMaxMarks = 4, kLookBack = 20;

    explicit ModelRequest(const HashKey &key)
        : key_(key),
          memory_(accp::private_allocator(), UINT64_MAX),
          reader_(memory_),
          value_(memory_),
          canonical_(scratch_) {}

    // Reads a body, which must outlive all use of this object. `upstream` is part of the first
    // hash. Returns false if the body is not understood; then pages() is empty.
    bool read(Api api, std::string_view upstream, std::string_view body);

    const std::vector<Page> &pages() const { return pages_; }
    std::string_view model() const { return model_; }
    // How many calls of the model the conversation has had before this one.
    uint32_t calls() const { return calls_; }
    // The number of pages before the first response of the model.
    size_t first_turn() const { return first_turn_; }
    // The last cache mark of each page that has one, in order.
    const std::vector<Mark> &marks() const { return marks_; }
    // The number of pages up to the last cache mark; 0 if the request has no mark.
    size_t marked() const { return marks_.empty() ? 0 : marks_.back().page + 1; }
    // Whether a mark is on the tools or the system prompt.
    bool marks_front() const { return !marks_.empty() && marks_.front().page == 0; }
    // Returns the number of all cache marks in the body.
    size_t mark_count() const;
    // Returns whether an earlier request ended with this page: a response of the model follows it.
    bool ends_request(size_t page) const {
        return page + 1 < pages_.size() && is_answer(pages_[page + 1].kind) &&
               !is_answer(pages_[page].kind);
    }
    // Returns the last page before page `end` with which an earlier request ended; or 0.
    size_t request_end_before(size_t end) const;
    // Returns whether a mark requests that the provider keep the prefix for an hour.
    bool keeps_an_hour() const { return keeps_an_hour_; }
    // Returns whether the body is only the end of a conversation, because the provider has the
    // earlier messages.
    bool is_continuation() const { return is_continuation_; }

    // Returns whether a tool is not in the prompt: its definition is where a later block refers to
    // it. Clients add such tools in the middle of a conversation, which keeps the provider's cache.
    bool is_deferred(Api api, uint32_t tool) const;

    // Returns whether the page is a result of only text that the model has read.
    bool may_leave(const Page &page) const {
        return page.kind == PageKind::kResult && page.content && page.call < calls_;
    }

    std::string_view body() const { return body_; }
    accp::value::TreeView tree() const { return tree_; }
    // The first byte of a node in the body.
    size_t begin_of(uint32_t node) const { return reader_.origin(node).value; }
    // The opening quote of the key of a node in a map.
    size_t key_of(uint32_t node) const { return reader_.origin(node).key; }
    // The byte after a node that begins at `begin`.
    size_t end_of(size_t begin) const { return json_value_end(body_, begin); }
    // Returns the node of the last cache mark of the elements of a list, such as a content, except
    // `other`; 0: none.
    uint32_t mark_within(uint32_t list, uint32_t other = 0) const;
    // The bytes of a node.
    std::string_view raw(uint32_t node) const {
        const size_t begin = begin_of(node);
        return body_.substr(begin, end_of(begin) - begin);
    }
    // Returns a member that is a string; empty if it is missing, or if the node is not a map.
    std::string_view text_of(uint32_t map, std::string_view key) const;

private:
    bool read_pages(Api api);
    void add_front(Api api, std::initializer_list<std::string_view> members);
    template <bool (ModelRequest::*kAdd)(uint32_t)>
    bool add_each(uint32_t list);
    bool add_message(uint32_t message);
    bool add_block(uint32_t block, bool is_assistant);
    bool add_chat_message(uint32_t message);
    bool add_item(uint32_t item);
    // Adds a page for the node, whose canonical form comes after the first `header` bytes of
    // scratch_.
    Page *add_page(PageKind kind, uint32_t node, size_t header = 0);
    void note_mark(uint32_t mark);
    void set_result(Page &page, uint32_t content, std::string_view id);
    bool is_only_text(uint32_t content) const;
    bool is_text_block(uint32_t block) const;
    bool has_value(uint32_t map, std::string_view key) const;

    HashKey key_;
    accp::Memory memory_;
    accp::value::JsonReader reader_;
    accp::value::Value value_;
    accp::value::TreeView tree_ = {};
    std::string scratch_;  // the canonical form of a page
    CanonicalText canonical_;
    std::string_view body_, upstream_, model_;
    std::vector<Page> pages_;
    std::map<std::string_view, uint32_t> call_nodes_;  // by the ids of calls
    uint32_t calls_ = 0;
    std::vector<Mark> marks_;
    size_t first_turn_ = 0;
    uint32_t message_ = 0;  // that is being read; 0: each page is one
    bool keeps_an_hour_ = false, is_continuation_ = false, is_in_answer_ = false;
};

}  // namespace proxy
