// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Splits a frame into parts (decision A55). The text between the payload's braces is split. A part
// has some whole params, or a piece of one param that is too large alone. A piece is sent as a
// payload that is a text. Parts are joined with the separator of params, except after a piece,
// which contains its own. The joined parts are the original text, byte for byte.
#include <algorithm>

#include "base/text.h"
#include "codec/encode/outgoing.h"
#include "frame/envelope.h"
#include "frame/parse.h"

namespace accp::codec {

namespace {

// used to measure a part while the number of parts is unknown
constexpr std::string_view kWidestNumbers = ",fi:1023,ft:1023]";
static_assert(kMaxSequenceParts == 1024);
// limits the length of pieces to try
constexpr uint64_t kBytesOfAToken = 16;

// The part of the text that one frame has.
struct Cut {
    size_t from, to;
    bool is_piece;
    size_t meta, meta_len;  // in metas_: its metadata up to fi
};

class Splitter {
public:
    explicit Splitter(Outgoing &out)
        : out_(out),
          frame_(out.scratch.text.data(), out.scratch.text.size()),
          text_(frame::split_frame(frame_)),
          payload_(text_.payload.substr(1, text_.payload.size() - 2)),
          bars_(out.scratch.memory),
          store_(out.scratch.memory),
          metas_(out.scratch.memory),
          cuts_(out.scratch.memory) {}

    Status run(bool &done);

private:
    bool read_envelope_of_frame();
    void find_bars();
    Status add_meta();
    void write(const Cut &cut, uint32_t index, uint32_t count, Buffer<char> &to) const;
    Status fits(const Cut &cut, bool &does_fit);
    Status cut_params(Cut &cut);
    Status cut_piece(Cut &cut);
    Status emit();
    Status take_back();
    size_t farthest(size_t at) const;
    // inside a character
    bool is_inside(size_t at) const {
        return at < payload_.size() && (payload_[at] & 0xC0) == 0x80;
    }

    Outgoing &out_;
    const std::string_view frame_;
    const frame::FrameText text_;
    const std::string_view payload_;
    Buffer<size_t> bars_;  // the ends of the params
    size_t next_bar_ = 0;  // the first that is not used yet
    accp_envelope envelope_ = {};
    frame::EnvelopeStore store_;
    Buffer<char> metas_;
    Buffer<Cut> cuts_;
};

// The parts share a cid: of the message, or its mid.
bool Splitter::read_envelope_of_frame() {
    Buffer<value::Node> &nodes = out_.scratch.nodes;
    nodes.clear();
    if (text_.meta.empty() || out_.coder.parse(frame_.data(), frame_.size(), nodes).failed())
        return false;
    value::TreeView tree = {nodes.data(), frame_.data()};
    const uint32_t meta = tree[frame::kPayload].next;
    if (tree[meta].len + 2 > out_.settings.limit(ACCP_LIMIT_PARAMS) ||
        frame::read_envelope(tree, meta, envelope_).failed())
        return false;
    if (envelope_.fields & ACCP_ENVELOPE_CID) return true;
    if (!(envelope_.fields & ACCP_ENVELOPE_MID)) return false;
    envelope_.cid = envelope_.mid;
    envelope_.fields |= ACCP_ENVELOPE_CID;
    return true;
}

// A separator of params without a backslash cannot occur elsewhere.
void Splitter::find_bars() {
    for (size_t at = 0; at < payload_.size(); at += payload_[at] == '\\' ? 2 : 1)
        if (payload_[at] == '|') bars_.push(at);
    bars_.push(payload_.size());
}

// Adds the metadata of the next part: of the message for the first, then only envelopes.
Status Splitter::add_meta() {
    if (cuts_.empty()) {
        metas_.append(text_.meta.data(), text_.meta.size() - 1);
        return {};
    }
    accp_envelope envelope = envelope_;
    Status status = out_.call.envelopes->next(envelope);
    if (status.ok()) {
        envelope.cid = envelope_.cid;
        envelope.fields |= ACCP_ENVELOPE_CID;
        status = store_.set(&envelope, out_.settings.limit(ACCP_LIMIT_KEY_BYTES));
    }
    if (status.failed())
        return fail(status.code, out_.message.payload,
                    status.message ? status.message : "no envelope for a part");
    char before = '[';
    for (const frame::EnvelopeField &field : frame::kEnvelope) {
        if (!store_.has(field)) continue;
        metas_.push(before);
        store_.write(field, metas_);
        before = ',';
    }
    return {};
}

void Splitter::write(const Cut &cut, uint32_t index, uint32_t count, Buffer<char> &to) const {
    const std::string_view text = payload_.substr(cut.from, cut.to - cut.from);
    to.append(text_.start);
    to.push('{');
    if (cut.is_piece) {
        to.append(frame::kTextKey.data(), frame::kTextKey.size());
        to.push(':');
        // q1 has a spelling for every string
        (void)frame::write_wire_string(text, {true, out_.settings.has(ACCP_EXT_U8)}, to);
    } else {
        to.append(text);
    }
    to.push('}');
    to.append(metas_.data() + cut.meta, cut.meta_len);
    if (!count) return to.append(kWidestNumbers);
    auto put = [&to](std::string_view key, uint32_t number) {
        to.push(',');
        to.append(key);
        to.push(':');
        append_decimal(number, to);
    };
    put(delivery::kPartKey, index);
    put(delivery::kPartsKey, count);
    to.push(']');
}

Status Splitter::fits(const Cut &cut, bool &does_fit) {
    Buffer<char> &part = out_.scratch.part;
    part.clear();
    write(cut, 0, 0, part);
    uint64_t tokens = 0;
    Status status =
        out_.call.counter->count({part.data(), part.size()}, out_.call.max_tokens, tokens);
    does_fit = tokens <= out_.call.max_tokens &&
               part.size() <= out_.settings.limit(ACCP_LIMIT_FRAME_BYTES);
    return status;
}

size_t Splitter::farthest(size_t at) const {
    const uint64_t max = out_.call.max_tokens * kBytesOfAToken;
    return payload_.size() - at <= max ? payload_.size() : at + max;
}

// Takes as many whole params as fit. If none fits, the cut stays empty.
Status Splitter::cut_params(Cut &cut) {
    const size_t *ends = bars_.data() + next_bar_;
    const size_t count = static_cast<size_t>(
        std::upper_bound(ends, static_cast<const size_t *>(bars_.end()), farthest(cut.from)) -
        ends);
    size_t good = 0, bad = count + 1;  // how many fit, and how many do not
    while (bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        bool does_fit = false;
        Status status = fits({cut.from, ends[middle - 1], false, cut.meta, cut.meta_len}, does_fit);
        if (status.failed()) return status;
        (does_fit ? good : bad) = middle;
    }
    if (good) cut.to = ends[good - 1];
    next_bar_ += good;
    return {};
}

// Takes as much of this param as fits, with the separator at its end.
Status Splitter::cut_piece(Cut &cut) {
    cut.is_piece = true;
    const size_t bar = bars_[next_bar_], end = bar < payload_.size() ? bar + 1 : bar;
    size_t good = cut.from, bad = std::min(end, farthest(cut.from)) + 1;
    while (bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        size_t whole = middle;  // at the boundary of a character
        while (whole < bad && is_inside(whole)) ++whole;
        for (whole = whole < bad ? whole : middle; is_inside(whole);) --whole;
        if (whole == good) break;
        bool does_fit = false;
        Status status = fits({cut.from, whole, true, cut.meta, cut.meta_len}, does_fit);
        if (status.failed()) return status;
        (does_fit ? good : bad) = whole;
    }
    cut.to = good;
    next_bar_ += good == end;
    return {};
}

// Restores the composed frame.
Status Splitter::take_back() {
    out_.out.resize_down(out_.start);
    out_.out.append(frame_);
    out_.tokens = 0;
    out_.parts = 1;
    return add_tokens(out_, frame_);
}

Status Splitter::emit() {
    const auto count = static_cast<uint32_t>(cuts_.size());
    Buffer<char> &to = out_.out;
    to.resize_down(out_.start);
    out_.tokens = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i) to.push('\n');
        const size_t start = to.size();
        const uint64_t before = out_.tokens;
        write(cuts_[i], i, count, to);
        Status status = add_tokens(out_, {to.data() + start, to.size() - start});
        if (status.failed()) return status;
        // its numbers cost more than the widest ones
        if (out_.tokens - before > out_.call.max_tokens) return take_back();
    }
    out_.parts = count;
    return {};
}

Status Splitter::run(bool &done) {
    if (!out_.settings.has(ACCP_EXT_Q1) || !read_envelope_of_frame()) return {};
    find_bars();
    Status status;
    bool inside = false;  // the last part ended inside a param
    for (size_t at = 0; at < payload_.size();) {
        if (cuts_.size() == kMaxSequenceParts) return {};
        const size_t meta = metas_.size();
        status = add_meta();
        Cut cut = {at, at, false, meta, metas_.size() - meta};
        if (status.ok() && !inside) status = cut_params(cut);
        if (status.ok() && cut.to == at) status = cut_piece(cut);
        if (status.failed()) return status;
        if (cut.to == at) return {};  // not even one byte fits
        cuts_.push(cut);
        at = cut.to + !cut.is_piece;
        inside = cut.is_piece && next_bar_ < bars_.size() &&
                 at != (next_bar_ ? bars_[next_bar_ - 1] + 1 : 0);
    }
    if (cuts_.size() < 2) return {};
    status = emit();
    done = out_.parts > 1;
    return status;
}

}  // namespace

Status split_frame(Outgoing &out, bool &done) {
    out.scratch.text.recycle(kKeptBytes);
    out.scratch.text.append(out.out.data() + out.start, out.out.size() - out.start);
    return Splitter(out).run(done);
}

}  // namespace accp::codec
