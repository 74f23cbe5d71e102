// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/stub.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "base/utf8.h"

namespace proxy {

namespace {

constexpr uint64_t kMaxArgumentsBytes = 1 << 20;
constexpr uint32_t kMaxArgumentsDepth = 64;
constexpr std::string_view kCut = "\xE2\x80\xA6";  // …

// Appends a text as one line of at most `max` bytes, with single spaces.
void add_line(std::string_view text, size_t max, std::string &out) {
    const size_t begin = out.size();
    for (const char c : text) {
        const bool is_space = static_cast<unsigned char>(c) <= 0x20 || c == 0x7F;
        if (is_space && (out.size() == begin || out.back() == ' ')) continue;
        out.push_back(is_space ? ' ' : c);
        if (out.size() - begin > max) break;
    }
    const bool is_cut = out.size() - begin > max;
    const size_t kept = is_cut ? max - kCut.size() : out.size() - begin;
    out.resize(begin + accp::valid_utf8_prefix(out.data() + begin, kept));
    if (is_cut) out += kCut;
    while (out.size() > begin && out.back() == ' ') out.pop_back();
}

uint64_t count_line_feeds(std::string_view text) {
    uint64_t count = 0;
    for (; text.size() >= 16; text.remove_prefix(16))
        count += static_cast<uint64_t>(std::popcount(accp::Bytes16::load(text.data()).equal('\n')));
    return count + static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

// 3120: 3,120.
std::string grouped(uint64_t n) {
    std::string digits = std::to_string(n);
    for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string counted(uint64_t n, const char *what) {
    return grouped(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

void StubWriter::add_argument(accp::value::TreeView tree, uint32_t map, std::string &out) const {
    if (tree[map].kind != ACCP_MAP) return;
    for (const std::string_view name : kShownArguments) {
        const uint32_t node = tree.find(map, name);
        if (!node) continue;
        std::string words;
        if (tree[node].kind == ACCP_STRING) {
            words = tree.string(node).substr(0, 4 * kMaxArgumentBytes);
        } else if (tree[node].kind == ACCP_ARRAY) {  // a command as a list of words
            for (uint32_t i = node + 1; i < tree[node].next && words.size() < kMaxArgumentBytes;
                 i = tree[i].next)
                if (tree[i].kind == ACCP_STRING) words.append(tree.string(i)).push_back(' ');
        }
        if (words.empty()) continue;
        out.push_back(' ');
        add_line(words, kMaxArgumentBytes, out);
        return;
    }
}

// Appends the name of the tool and its argument. Returns false if the name is unknown.
bool StubWriter::add_call(const ModelRequest &request, uint32_t call, std::string &out) {
    const accp::value::TreeView tree = request.tree();
    uint32_t names = call;
    if (const uint32_t function = call ? tree.find(call, "function") : 0)
        if (tree[function].kind == ACCP_MAP) names = function;
    const uint32_t name = call ? tree.find(names, "name") : 0;
    if (!name || tree[name].kind != ACCP_STRING || !tree[name].len) return false;
    add_line(tree.string(name), kMaxNameBytes, out);
    if (const uint32_t input = tree.find(call, "input")) {
        add_argument(tree, input, out);
        return true;
    }
    const uint32_t text = tree.find(names, "arguments");
    if (!text || tree[text].kind != ACCP_STRING) return true;
    const std::string_view json = tree.string(text);
    if (reader_.read(json.data(), json.size(), {kMaxArgumentsBytes, kMaxArgumentsDepth}, arguments_)
            .ok())
        add_argument(arguments_.view(), 0, out);
    return true;
}

std::string StubWriter::label(const ModelRequest &request, const Page &page) {
    const accp::value::TreeView tree = request.tree();
    uint32_t call = page.kind == PageKind::kResult ? page.answers
                    : page.kind == PageKind::kCall ? page.node
                                                   : 0;
    // A message of chat completions may have several calls: the first one.
    if (const uint32_t calls = call ? tree.find(call, "tool_calls") : 0)
        if (tree[calls].kind == ACCP_ARRAY && tree[calls].len) call = calls + 1;
    std::string label;
    if (call && tree[call].kind == ACCP_MAP) add_call(request, call, label);
    return label;
}

std::string StubWriter::write(const ModelRequest &request, const Page &page, uint64_t tokens,
                              size_t number) {
    uint64_t bytes = 0, lines = 0;
    std::string stub;
    each_content_text(request, page.content, [&](std::string_view text) {
        if (page.is_error && !bytes && !text.empty()) {
            add_line(text.substr(0, std::min(text.find('\n'), 4 * kMaxErrorBytes)), kMaxErrorBytes,
                     stub);
            stub.push_back('\n');
        }
        bytes += text.size();
        lines += count_line_feeds(text) + (!text.empty() && text.back() != '\n');
    });
    stub.push_back('[');
    if (!add_call(request, page.answers, stub)) stub += "Result of a tool";
    stub += ": " + counted(lines, "line") + ", " + counted(tokens, "token") +
            ", left out to save cost. ";
    stub += number ? "To see it: accp_resolve " + std::to_string(number) + ".]"
                   : "Run the tool again if you need it.]";
    // In JSON these need one byte more.
    const auto escapes = std::count_if(stub.begin(), stub.end(),
                                       [](char c) { return c == '"' || c == '\\' || c == '\n'; });
    if (stub.size() + static_cast<size_t>(escapes) >= bytes) stub.clear();
    return stub;
}

}  // namespace proxy
