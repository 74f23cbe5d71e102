// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/json/writer.h"

#include "server/library/failure.h"

namespace host {
namespace {

class TypedJson {
public:
    TypedJson(const accp_frame *frame, std::string &out) : frame_(frame), out_(out) {
        nodes_ = accp_frame_nodes(frame, &count_);
        text_ = accp_frame_text(frame).text;
    }

    void whole() {
        if (count_ == 0) return;
        const uint32_t meta = nodes_[3].next;
        name("{\"ok\":true,\"agent\":", 0);
        name(",\"intent\":", 1);
        name(",\"operation\":", 2);
        out_ += ",\"payload\":";
        value(3);
        out_ += ",\"meta\":";
        if (meta < count_) {
            value(meta);
        } else {
            out_ += "null";
        }
        out_ += '}';
    }

private:
    void name(const char *before, uint32_t i) {
        out_ += before;
        append_json_string({text_ + nodes_[i].offset, nodes_[i].len}, out_);
    }

    // Recurses at most as deep as the frame, which the library limits (limit "depth", at most 64).
    void value(uint32_t i) {
        const accp_node &node = nodes_[i];
        switch (node.kind) {
            case ACCP_NULL: out_ += "{\"null\":null}"; break;
            case ACCP_BOOL:
                out_ += (node.flags & ACCP_NODE_TRUE) != 0 ? "{\"bool\":true}" : "{\"bool\":false}";
                break;
            case ACCP_INT: scalar("{\"int\":", i); break;
            case ACCP_DEC: scalar("{\"dec\":", i); break;
            case ACCP_REF: scalar("{\"ref\":", i); break;
            case ACCP_ARRAY: children("{\"array\":[", i); break;
            case ACCP_MAP: children("{\"map\":[", i); break;
            default: scalar("{\"str\":", i); break;
        }
    }

    void scalar(const char *before, uint32_t i) {
        const accp_node &node = nodes_[i];
        out_ += before;
        if ((node.flags & ACCP_NODE_ESCAPED) == 0) {
            append_json_string({text_ + node.offset, node.len}, out_);
        } else {
            size_t length = 0;
            plain_.resize(node.len);  // without escapes it is shorter
            accp_frame_string(frame_, i, plain_.data(), plain_.size(), &length, nullptr);
            append_json_string({plain_.data(), length}, out_);
        }
        out_ += '}';
    }

    void children(const char *before, uint32_t parent) {
        const bool map = nodes_[parent].kind == ACCP_MAP;
        const uint32_t end = nodes_[parent].next;
        out_ += before;
        for (uint32_t i = parent + 1; i < end; i = nodes_[i].next) {
            if (i != parent + 1) out_ += ',';
            if (map) {
                out_ += '[';
                append_json_string({text_ + ACCP_NODE_KEY(&nodes_[i]), nodes_[i].key_len}, out_);
                out_ += ',';
            }
            value(i);
            if (map) out_ += ']';
        }
        out_ += "]}";
    }

    const accp_frame *frame_;
    std::string &out_;
    const accp_node *nodes_ = nullptr;
    size_t count_ = 0;
    const char *text_ = nullptr;
    std::string plain_;
};

void append_escaped(unsigned char byte, std::string &out) {
    static constexpr char kHex[] = "0123456789abcdef";
    static constexpr std::string_view kShort = "\"\\\n\r\t\b\f";
    static constexpr std::string_view kLetters = "\"\\nrtbf";
    const size_t found = kShort.find(static_cast<char>(byte));
    out += '\\';
    if (found != std::string_view::npos) {
        out += kLetters[found];
    } else {
        out.append("u00").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
    }
}

}  // namespace

void append_typed_json(const accp_frame *frame, std::string &out) { TypedJson(frame, out).whole(); }

void append_refusal_json(const accp_error &error, std::string &out) {
    out.append("{\"ok\":false,\"code\":\"")
        .append(accp_status_code_name(error.code))
        .append("\",\"offset\":");
    out.append(std::to_string(error.offset)).append(",\"message\":");
    append_json_string(message_of(error), out);
    out += '}';
}

void append_json_string(std::string_view text, std::string &out) {
    out += '"';
    size_t done = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const unsigned char byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
        out.append(text, done, i - done);
        append_escaped(byte, out);
        done = i + 1;
    }
    out.append(text, done);
    out += '"';
}

std::string json_string(std::string_view text) {
    std::string json;
    append_json_string(text, json);
    return json;
}

}  // namespace host
