// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Describes images, documents and audio in one line of text, such as `[image image/png, 34,112
// bytes, sha256 1f2e3d4c5b6a7988]`. Their bytes are never included.
#include "transcript/read_state.h"

#include <charconv>

#include "base/bytes.h"
#include "base/sha256.h"
#include "value/json_writer.h"

namespace accp::transcript {

namespace {

constexpr size_t kHashDigits = 16;
constexpr size_t kMaxMediaType = 64;  // bytes; longer texts are invalid

// Reads either alphabet.
bool decode_base64(std::string_view text, Buffer<char> &out) {
    out.clear();
    char *to = out.reserve(text.size());
    uint32_t bits = 0;
    int have = 0;
    bool padded = false;
    for (char c : text) {
        if (c == '\n' || c == '\r' || c == ' ') continue;
        if (c == '=') {
            padded = true;
            continue;
        }
        const int six = c == '-' ? 62 : c == '_' ? 63 : base64_digit(c);
        if (six < 0 || padded) return false;
        bits = bits << 6 | static_cast<uint32_t>(six);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        *to++ = static_cast<char>(bits >> have & 0xFF);
    }
    out.set_end(to);
    return have < 6;
}

bool is_media_type(std::string_view text) {
    if (text.empty() || text.size() > kMaxMediaType) return false;
    for (char c : text)
        if (!is_agent(static_cast<unsigned char>(c)) && c != '/' && c != '.' && c != '+')
            return false;
    return true;
}

// Appends a number with a comma between groups of three digits.
void put_count(uint64_t count, Buffer<char> &out) {
    char digits[24];
    const auto len = static_cast<size_t>(std::to_chars(digits, digits + 24, count).ptr - digits);
    for (size_t i = 0; i < len; ++i) {
        if (i && (len - i) % 3 == 0) out.push(',');
        out.push(digits[i]);
    }
}

bool begins_with(std::string_view text, std::string_view lower) {
    if (text.size() < lower.size()) return false;
    for (size_t i = 0; i < lower.size(); ++i) {
        const char c =
            text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] | 0x20) : text[i];
        if (c != lower[i]) return false;
    }
    return true;
}

}  // namespace

void write_media(std::string_view kind, std::string_view media_type, std::string_view base64,
                 Buffer<char> &scratch, Buffer<char> &out) {
    const std::string_view bytes = decode_base64(base64, scratch) ? scratch.view() : base64;
    out.push('[');
    out.append(kind);
    if (is_media_type(media_type)) {
        out.push(' ');
        out.append(media_type);
    }
    out.append(", ");
    put_count(bytes.size(), out);
    out.append(bytes.size() == 1 ? " byte, sha256 " : " bytes, sha256 ");
    out.append(sha256(bytes).first(kHashDigits));
    out.push(']');
}

void write_media_url(std::string_view kind, std::string_view url, Buffer<char> &scratch,
                     Buffer<char> &out) {
    constexpr std::string_view kData = "data:";
    while (!url.empty() && static_cast<unsigned char>(url.front()) <= ' ') url.remove_prefix(1);
    if (begins_with(url, kData)) {
        url.remove_prefix(kData.size());
        const size_t comma = url.find(',');
        const std::string_view head =
            comma == std::string_view::npos ? std::string_view() : url.substr(0, comma);
        return write_media(kind, head.substr(0, head.find(';')),
                           comma == std::string_view::npos ? url : url.substr(comma + 1), scratch,
                           out);
    }
    out.push('[');
    out.append(kind);
    out.push(' ');
    out.append(url);
    out.push(']');
}

// Reads contents and their parts, in the formats of all providers.

namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> names) {
    for (std::string_view name : names)
        if (text == name) return true;
    return false;
}

void begin_line(Buffer<char> &out) {
    if (!out.empty()) out.push('\n');
}

// Returns the member with this name if it is a map, or else the part itself.
uint32_t inner_map(value::TreeView tree, uint32_t part, std::string_view key) {
    const uint32_t inner = tree.find(part, key);
    return inner && tree[inner].kind == ACCP_MAP ? inner : part;
}

struct Media {
    std::string_view kind, media_type, base64, url, id;
};

// A data: url can be in either member.
void write(const Media &media, ReadState &state, Buffer<char> &out) {
    begin_line(out);
    if (!media.base64.empty() && media.base64.substr(0, 5) != "data:")
        return write_media(media.kind, media.media_type, media.base64, state.scratch, out);
    const std::string_view url = !media.base64.empty() ? media.base64
                                 : !media.url.empty()  ? media.url
                                                       : media.id;
    if (!url.empty()) return write_media_url(media.kind, url, state.scratch, out);
    out.push('[');
    out.append(media.kind);
    out.push(']');
}

// Reads image_url, input_image, input_audio, file and input_file.
void read_openai_media(value::TreeView tree, uint32_t part, std::string_view type, ReadState &state,
                       Buffer<char> &out) {
    Media media = {};
    if (is_one_of(type, {"image_url", "input_image"})) {
        const uint32_t inner = inner_map(tree, part, "image_url");
        media.kind = "image";
        media.url = text_member(tree, inner, inner == part ? "image_url" : "url");
        media.id = text_member(tree, part, "file_id");
    } else if (type == "input_audio") {
        const uint32_t inner = inner_map(tree, part, "input_audio");
        media.kind = "audio";
        media.base64 = text_member(tree, inner, "data");
        media.media_type = text_member(tree, inner, "format");
    } else {
        const uint32_t inner = inner_map(tree, part, "file");
        media.kind = "document";
        media.base64 = text_member(tree, inner, "file_data");
        media.url = text_member(tree, inner, "file_url");
        media.id = text_member(tree, inner, "file_id");
    }
    write(media, state, out);
}

// Reads image and document, whose content is in `source`. Returns false if that is a list of parts.
bool read_source(value::TreeView tree, uint32_t part, std::string_view type, ReadState &state,
                 Buffer<char> &out) {
    const uint32_t source = inner_map(tree, part, "source");
    const std::string_view from = text_member(tree, source, "type");
    if (from == "content") return false;
    if (from == "text") {
        join_text(text_member(tree, source, "data"), out);
        return true;
    }
    const std::string_view kind = type == "image" ? "image" : "document";
    write({kind, text_member(tree, source, "media_type"), text_member(tree, source, "data"),
           text_member(tree, source, "url"), text_member(tree, source, "file_id")},
          state, out);
    return true;
}

// Reads a part without looking into lists of parts.
void read_simple_part(value::TreeView tree, uint32_t part, ReadState &state, Buffer<char> &out) {
    const std::string_view type = text_member(tree, part, "type");
    if (is_one_of(type, {"image_url", "input_image", "input_audio", "file", "input_file"}))
        return read_openai_media(tree, part, type, state, out);
    if (is_one_of(type, {"image", "document"}) && read_source(tree, part, type, state, out)) return;
    if (is_one_of(type, {"thinking", "redacted_thinking", "reasoning"})) return;
    if (type == "refusal") return join_text(text_member(tree, part, "refusal"), out);
    const uint32_t text = tree.find(part, "text");
    if (text && tree[text].kind == ACCP_STRING) return join_text(tree.string(text), out);
    begin_line(out);
    out.push('[');
    out.append(type.empty() ? "part" : type);
    out.push(']');
}

}  // namespace

std::string_view text_member(value::TreeView tree, uint32_t map, std::string_view key) {
    const uint32_t node = tree[map].kind == ACCP_MAP ? tree.find(map, key) : 0;
    return node && tree[node].kind == ACCP_STRING ? tree.string(node) : std::string_view();
}

std::string_view text_member_of(value::TreeView tree, uint32_t map, std::string_view outer,
                                std::string_view key) {
    const uint32_t inner = tree[map].kind == ACCP_MAP ? tree.find(map, outer) : 0;
    return inner ? text_member(tree, inner, key) : std::string_view();
}

void take_directory(std::string_view path, ReadState &state) {
    const bool has_drive = path.size() > 2 && path[1] == ':';
    const std::string_view rest = path.substr(has_drive ? 2 : 0);
    if (state.directory.empty() && rest.size() > 1 && (rest[0] == '/' || rest[0] == '\\'))
        state.directory.append(path);
}

bool is_true(value::TreeView tree, uint32_t map, std::string_view key) {
    const uint32_t node = tree.find(map, key);
    return node && tree[node].kind == ACCP_BOOL && tree[node].flags & ACCP_NODE_TRUE;
}

Status read_part(value::TreeView tree, uint32_t part, ReadState &state, Buffer<char> &out) {
    if (tree[part].kind == ACCP_STRING) {
        join_text(tree.string(part), out);
        return {};
    }
    if (tree[part].kind != ACCP_MAP)
        return fail(ACCP_E1001, part, "a part of a content is an object, or a text");
    const uint32_t source = tree.find(part, "source");
    const uint32_t list =
        source && text_member(tree, source, "type") == "content" ? tree.find(source, "content") : 0;
    if (!list || tree[list].kind != ACCP_ARRAY) {
        if (list && tree[list].kind == ACCP_STRING) join_text(tree.string(list), out);
        else read_simple_part(tree, part, state, out);
        return {};
    }
    for (uint32_t i = list + 1; i < tree[list].next; i = tree[i].next) {
        if (tree[i].kind != ACCP_MAP)
            return fail(ACCP_E1001, i, "a part of a document is an object");
        read_simple_part(tree, i, state, out);
    }
    return {};
}

bool is_one_text(value::TreeView tree, uint32_t node, std::string_view &text) {
    if (tree[node].kind == ACCP_ARRAY && tree[node].len == 1) ++node;
    if (tree[node].kind == ACCP_MAP) {
        const std::string_view type = text_member(tree, node, "type");
        node = tree.find(node, "text");
        if (!node || is_one_of(type, {"image", "document", "thinking", "reasoning"})) return false;
    }
    if (tree[node].kind != ACCP_STRING) return false;
    text = tree.string(node);
    return true;
}

Status read_content(value::TreeView tree, uint32_t node, ReadState &state, Buffer<char> &out) {
    return node ? read_content_at(tree, node, state, out) : Status{};
}

Status read_content_at(value::TreeView tree, uint32_t node, ReadState &state, Buffer<char> &out) {
    if (tree[node].kind == ACCP_NULL) return {};
    std::string_view text;
    if (is_one_text(tree, node, text)) return out.append(text), Status{};
    if (tree[node].kind == ACCP_STRING || tree[node].kind == ACCP_MAP)
        return read_part(tree, node, state, out);
    if (tree[node].kind != ACCP_ARRAY)
        return fail(ACCP_E1001, node, "a content is a text, a list of parts, or null");
    for (uint32_t i = node + 1; i < tree[node].next; i = tree[i].next) {
        const Status status = read_part(tree, i, state, out);
        if (status.failed()) return status;
    }
    return {};
}

Status read_result(value::TreeView tree, uint32_t node, ReadState &state, Buffer<char> &out) {
    if (node && tree[node].kind == ACCP_STRING) {
        out.append(tree.string(node));  // even if it has no words
        return {};
    }
    const bool is_content = !node || tree[node].kind == ACCP_NULL ||
                            tree[node].kind == ACCP_ARRAY || tree.find(node, "type");
    if (is_content) return read_content(tree, node, state, out);
    value::write_json(tree, node, out);
    return {};
}

}  // namespace accp::transcript
