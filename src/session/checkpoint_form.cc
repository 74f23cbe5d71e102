// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/checkpoint_form.h"

#include "base/pack.h"
#include "base/text.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

enum PartForm : uint64_t { kBytes, kPlace, kNext, kSame };

// How far after the last part the next part is searched, because facts are in the order of the
// text. A part longer than kMaxPart is not searched: a peer could send one that nearly matches
// everywhere.
constexpr size_t kEntityReach = 1024, kReach = 128, kMaxPart = 128;

class PartWriter {
public:
    PartWriter(std::string_view text, Buffer<char> &out) : text_(text), packer_(out), out_(out) {}

    void summary(std::string_view summary) {
        if (text_.ends_with(summary)) put_place(text_.size() - summary.size(), summary.size());
        else if (text_.starts_with(summary)) put_place(0, summary.size());
        else put_bytes(summary);
        end_ = 0;
    }
    void fact(const context::ContextFact &fact) {
        if (!fact.entity.empty() && fact.entity == entity_) head(0, kSame);
        else find(fact.entity, kEntityReach);
        entity_ = fact.entity;
        find(fact.relationship, kReach);
        find(fact.value, kReach);
    }

private:
    void head(size_t len, PartForm kind) { packer_.number(uint64_t{len} << 2 | kind); }
    void put_bytes(std::string_view part) {
        head(part.size(), kBytes);
        out_.append(part);
    }
    void put_place(size_t at, size_t len) {
        const bool is_next = at == end_ + 1;
        head(len, is_next ? kNext : kPlace);
        if (!is_next) packer_.number(at);
        end_ = at + len;
    }
    void find(std::string_view part, size_t reach) {
        const size_t at =
            part.size() > kMaxPart ? text_.npos : text_.substr(end_, reach).find(part);
        if (at == text_.npos) put_bytes(part);
        else put_place(end_ + at, part.size());
    }

    std::string_view text_, entity_;
    Packer packer_;
    Buffer<char> &out_;
    size_t end_ = 0;  // of the last part that was found in the text
};

class PartReader {
public:
    PartReader(std::string_view text, Unpacker &from) : text_(text), from_(from) {}

    std::string_view summary() {
        const std::string_view found = part();
        end_ = 0;
        return found;
    }
    context::ContextFact fact() {
        entity_ = part();
        const std::string_view relationship = part();
        return {entity_, part(), relationship};
    }
    bool ok() const { return ok_ && from_.ok(); }

private:
    std::string_view part() {
        const uint64_t head = from_.number(), len = head >> 2;
        switch (head & 3) {
            case kBytes: return from_.bytes(len);
            case kPlace: return cut(from_.number(), len);
            case kNext: return cut(end_ + 1, len);
            default: return entity_;
        }
    }
    std::string_view cut(uint64_t at, uint64_t len) {
        ok_ = ok_ && at <= text_.size() && len <= text_.size() - at;
        if (!ok_) return {};
        end_ = at + len;
        return text_.substr(at, len);
    }

    std::string_view text_, entity_;
    Unpacker &from_;
    uint64_t end_ = 0;
    bool ok_ = true;
};

}  // namespace

void keep_checkpoint(const context::CheckpointView &checkpoint, Buffer<char> &out) {
    out.push(kCheckpointMark);
    Packer packer(out);
    for (uint64_t n : {uint64_t{checkpoint.id}, checkpoint.first, checkpoint.last})
        packer.number(n);
    packer.text(checkpoint.text);
    PartWriter parts(checkpoint.text, out);
    parts.summary(checkpoint.summary);
    packer.number(checkpoint.fact_count);
    for (uint32_t i = 0; i < checkpoint.fact_count; ++i) parts.fact(checkpoint.facts[i]);
}

bool read_checkpoint(std::string_view kept, Buffer<context::ContextFact> &facts,
                     context::CheckpointView &out) {
    facts.clear();
    if (kept.empty() || kept[0] != kCheckpointMark) return false;
    Unpacker unpacker(kept.substr(1));
    out.id = static_cast<uint32_t>(unpacker.number());
    out.first = unpacker.number();
    out.last = unpacker.number();
    out.text = unpacker.text();
    PartReader parts(out.text, unpacker);
    out.summary = parts.summary();
    for (uint64_t left = unpacker.number(); left && parts.ok(); --left) facts.push(parts.fact());
    out.facts = facts.data();
    out.fact_count = static_cast<uint32_t>(facts.size());
    return parts.ok() && unpacker.rest().empty();
}

void write_checkpoint(const context::CheckpointView &checkpoint, Buffer<char> &out) {
    out.append("{\"id\":");
    append_decimal(checkpoint.id, out);
    out.append(",\"first\":");
    append_decimal(checkpoint.first, out);
    out.append(",\"last\":");
    append_decimal(checkpoint.last, out);
    out.append(",\"summary\":");
    value::write_json_string(checkpoint.summary, out);
    out.append(",\"facts\":[");
    for (uint32_t i = 0; i < checkpoint.fact_count; ++i) {
        const context::ContextFact &fact = checkpoint.facts[i];
        out.append(i ? ",[" : "[");
        value::write_json_string(fact.entity, out);
        out.append(",");
        value::write_json_string(fact.relationship, out);
        out.append(",");
        value::write_json_string(fact.value, out);
        out.append("]");
    }
    out.append("],\"text\":");
    value::write_json_string(checkpoint.text, out);
    out.append("}");
}

}  // namespace accp::session
