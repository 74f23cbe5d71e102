// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Converts between values and render text. A record is a message with its head, or any other value.
#pragma once

#include "base/settings.h"
#include "frame/message/message.h"
#include "render/read.h"
#include "render/write.h"

namespace accp::render {

class Renderer {
public:
    Renderer(Memory &memory, const Settings &settings);

    // Appends the text of a value. A map that is a message is written as one. `ignored` lists
    // members to ignore; each name ends with NUL.
    void render(value::TreeView tree, uint32_t root, uint32_t flags, std::string_view ignored,
                Buffer<char> &out);

    // Replaces `out` by the value of a text. On failure `out` is empty, and the offset is a byte of
    // the text.
    Status read(const char *text, size_t len, value::Value &out);

private:
    bool read_message(value::TreeView tree, uint32_t root, std::string_view ignored,
                      message::Message &message);
    bool split(const message::Message &message);
    size_t write(value::TreeView tree, uint32_t root, const message::Message *message,
                 const RenderStyle &style, uint32_t flags, Buffer<char> &out);
    void write_split(value::TreeView tree, RenderStyle style, Buffer<char> &out);
    void write_meta(const message::Message &message, const RenderStyle &style, bool envelope,
                    Buffer<char> &out);

    const Settings &settings_;
    Arena arena_;
    uint64_t seed_;
    // The untrusted members of a payload, and the others, if only some are untrusted.
    struct Fields {
        uint32_t *nodes;
        uint32_t count;
    } untrusted_ = {}, trusted_ = {};
    RenderWriter writer_;
    RenderReader reader_;
    Buffer<char> json_;
};

}  // namespace accp::render
