// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The messages that `accp mcp wrap` sends in a server's name, and its changes of a server's
// messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accp/accp.h"

namespace server {

// The prices of a token that is written to a provider's cache, and of one that is read from it, in
// thousandths of a normal token: the highest of the usual tariffs (docs/mcp.md).
constexpr uint64_t kWritePrice = 1250, kCachedPrice = 100;

// A stored result as a resource: accp://ref/cold.m3.
constexpr std::string_view kRefUri = "accp://ref/";
constexpr std::string_view kRefTemplate =
    R"({"uriTemplate":"accp://ref/{ref}","name":"accp-ref",)"
    R"("description":"All of a tool's result that went on cut","mimeType":"text/plain"})";

// Definitions of our own tools with these names.
std::string resolve_tool(std::string_view name);
std::string describe_tool(std::string_view name);
// A tool's name, and its description in one line.
std::string short_tool(std::string_view tool);

// The part of a tool that hosts show to a model.
std::string model_view(std::string_view tool);

// A compact object with a member replaced, added at its end, or removed.
std::string replace_member(std::string_view object, std::string_view key, std::string_view value);
std::string remove_member(std::string_view object, std::string_view key);
// The nesting depth of braces and brackets outside strings, for any bytes, valid JSON or not.
constexpr size_t kMaxNesting = 1024;  // deeper messages cannot be parsed
size_t nesting_of(std::string_view text);
// The member "id" of the outermost object; empty if it is not found.
std::string_view id_of_unparsed(std::string_view text);
// The beginning, with ? for each byte that is not ASCII, because the encoding may be invalid.
std::string cut_bytes(std::string_view text, size_t max_bytes);
// Does a text equal a compact JSON object, or the only member of that object?
bool is_same_text(std::string_view text, std::string_view object);

// Converts a response of ours to the form of revision 2026-07-28. may_keep: adds how long a client
// may cache it.
std::string with_result_type(std::string_view result, bool may_keep);
// Adds resources to the capabilities in a reply to initialize or server/discover.
std::string with_resources(std::string_view result);
// The server's templates and ours.
std::string with_template(std::string_view result);
// Does a server's text imitate our own marks, "[cut from …" or "[accp …"? Ignores case, and blanks
// or signs between letters.
bool has_our_mark(std::string_view text);
// The block that ends a result if the server's texts imitate our marks. It lists the number and the
// ref of each text that was cut.
std::string cut_summary(const std::vector<std::pair<size_t, std::string>> &cuts);

// The result of resources/read for a text in JSON: the text itself if it is a string.
std::string resource_result(std::string_view uri, std::string_view json);

// Shortens a text as the context engine does it: its beginning, its end, and lines between, at
// least 200 tokens and at most about `max_tokens`. "… 40 lines" marks each gap. Throws Failure.
std::string cut_text(std::string_view text, uint64_t max_tokens, const accp_tokenizer *tokenizer);

}  // namespace server
