// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The line that replaces an old result:
//
//   [Read src/app.ts: 240 lines, 3,120 tokens, left out to save cost. Run the tool again if you
//   need it.]
//
// or, in a conversation that has the tool accp_resolve, with the number of its page:
//
//   [Read src/app.ts: 240 lines, 3,120 tokens, left out to save cost. To see it: accp_resolve 57.]
//
// The same page always gets the same line. A failed result keeps its first line before it.
#pragma once

#include <string>

#include "proxy/request.h"

namespace proxy {

class StubWriter {
public:
    StubWriter()
        : memory_(accp::private_allocator(), UINT64_MAX), reader_(memory_), arguments_(memory_) {}

    // Returns the stub of a result with a content, as text. It is empty if it would have as many
    // bytes as the content, or more. `number`: for accp_resolve; 0 if the conversation does not
    // have that tool.
    std::string write(const ModelRequest &request, const Page &page, uint64_t tokens,
                      size_t number = 0);

    // Returns the name of a tool and its argument, such as "Read src/app.ts", of a page that is a
    // call or a result; empty: unknown.
    std::string label(const ModelRequest &request, const Page &page);

    // Of a call's arguments, the first member in this list is shown.
    static constexpr std::string_view kShownArguments[] = {
        "file_path", "path",  "filePath", "notebook_path", "command", "cmd",
        "pattern",   "query", "url",      "regex",         "name"};
    static constexpr size_t kMaxNameBytes = 64, kMaxArgumentBytes = 100, kMaxErrorBytes = 200;

private:
    bool add_call(const ModelRequest &request, uint32_t call, std::string &out);
    void add_argument(accp::value::TreeView tree, uint32_t map, std::string &out) const;

    accp::Memory memory_;
    accp::value::JsonReader reader_;  // of arguments that are JSON in a string
    accp::value::Value arguments_;
};

// Calls use(text) with each text of a content that is a string or a list of text blocks.
template <class Use>
void each_content_text(const ModelRequest &request, uint32_t content, Use use) {
    const accp::value::TreeView tree = request.tree();
    if (tree[content].kind == ACCP_STRING) return use(tree.string(content));
    for (uint32_t i = content + 1; i < tree[content].next; i = tree[i].next)
        if (const uint32_t text = tree.find(i, "text")) use(tree.string(text));
}

}  // namespace proxy
