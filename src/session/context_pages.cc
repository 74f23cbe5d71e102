// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/context_pages.h"

#include "base/text.h"
#include "context/explain.h"
#include "session/frames.h"
#include "session/ref_name.h"
#include "session/scratch.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

using context::ExplainedPage;
using context::PageTotals;

constexpr std::string_view kStates[] = {"resident", "pinned",     "cut",
                                        "evicted",  "checkpoint", "range"};
constexpr std::string_view kCauses[] = {"price", "expired", "space"};
static_assert(static_cast<size_t>(context::PageState::kRange) + 1 == std::size(kStates) &&
              static_cast<size_t>(context::EvictionCause::kSpace) + 1 == std::size(kCauses));

class PageWriter {
public:
    PageWriter(Session &session, Scratch &scratch, Buffer<char> &out)
        : session_(session),
          scratch_(scratch),
          out_(out),
          json_(scratch.memory),
          why_(scratch.memory) {}

    Status write(const ExplainedPage &page) {
        out_.append("{\"ref\":\"");
        write_ref(page);
        out_.push('"');
        const bool is_message = page.number && !page.last;
        const Status status = is_message ? write_source(page.number) : Status{};
        why_.clear();
        write_reason(page, why_);
        text("state", kStates[static_cast<size_t>(page.state)]);
        text("why", why_.view());
        out_.append(page.untrusted ? ",\"is_untrusted\":true" : ",\"is_untrusted\":false");
        number("checkpoint", page.checkpoint);
        number("tokens", page.tokens);
        number("whole_tokens", page.whole);
        number("age", page.age);
        number("rent", page.rent);
        number("fetch", page.fetch);
        out_.push('}');
        return status;
    }

    void write(const PageTotals &totals, const ContextValueTokens &values) {
        number("calls", totals.calls);
        number("tokens", totals.tokens);
        number("whole_tokens", totals.whole);
        number("values_tokens", values.sum());
        number("evictions", totals.evictions);
        out_.append(",\"newest_eviction\":");
        if (!totals.evictions) return out_.append("null");
        out_.append("{\"cause\":\"");
        out_.append(kCauses[static_cast<size_t>(totals.newest.cause)]);
        out_.push('"');
        number("call", totals.newest.call);
        number("pages", totals.newest.pages);
        number("saving", totals.newest.saving);
        out_.push('}');
    }

private:
    void write_ref(const ExplainedPage &page) {
        char ref[kRefBytes];
        if (page.number) {
            out_.append(message_ref(page.number, ref));
        } else {
            out_.append("$warm.");
            out_.append(checkpoint_key(page.checkpoint, ref));
        }
        if (!page.last) return;
        out_.append(" to ");
        out_.append(message_ref(page.last, ref));
    }
    // Writes who sent the message, and the tool that it is about.
    Status write_source(uint64_t record) {
        char ref[kRefBytes];
        json_.clear();
        message::Message read;
        Status status =
            resolve(session_.driver.ref_source(), message_ref(record, ref), 0, scratch_, json_);
        if (status.ok()) status = read_message(json_.view(), scratch_, read);
        if (status.failed()) return status;
        text("agent", read.agent);
        text("intent", read.intent);
        text("operation", read.operation);
        const bool is_map = read.tree[read.payload].kind == ACCP_MAP;
        const uint32_t tool = is_map ? read.tree.find(read.payload, "tool_name") : 0;
        if (tool && read.tree[tool].kind == ACCP_STRING) text("tool", read.tree.string(tool));
        return {};
    }
    void key(std::string_view key) {
        out_.append(",\"");
        out_.append(key);
        out_.append("\":");
    }
    void text(std::string_view name, std::string_view text) {
        key(name);
        value::write_json_string(text, out_);
    }
    void number(std::string_view name, uint64_t number) {
        key(name);
        append_decimal(number, out_);
    }

    Session &session_;
    Scratch &scratch_;
    Buffer<char> &out_;
    Buffer<char> json_, why_;
};

}  // namespace

Status write_pages(Session &session, Scratch &scratch, Buffer<char> &out) {
    ContextValueTokens values;
    Buffer<char> lines(scratch.memory);
    Status status = session.driver.prepare_read(scratch);
    if (status.ok()) status = session.context_values.write(scratch, lines, values);
    if (status.failed()) return status;
    Buffer<ExplainedPage> pages(scratch.memory);
    const PageTotals totals = session.driver.core().context.explain(pages);
    PageWriter writer(session, scratch, out);
    out.append("{\"pages\":[");
    for (size_t i = 0; i < pages.size() && status.ok(); ++i) {
        if (i) out.push(',');
        status = writer.write(pages[i]);
    }
    out.push(']');
    writer.write(totals, values);
    out.push('}');
    return status;
}

}  // namespace accp::session
