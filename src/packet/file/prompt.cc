// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/prompt.h"

#include "packet/file/schema.h"
#include "text/secrets.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

struct Section {
    uint32_t layer;
    bool in_codebase;
    std::string_view member, heading;
};
constexpr Section kPromptSections[] = {
    {ACCP_PACKET_GOALS, false, "goal", "Goal"},
    {ACCP_PACKET_GOALS, false, "success_criteria", "Done when"},
    {ACCP_PACKET_GOALS, false, "constraints", "Constraints"},
    {ACCP_PACKET_DECISIONS, false, "decisions", "Decisions"},
    {ACCP_PACKET_CODEBASE, true, "relevant_files", "Files"},
    {ACCP_PACKET_CODEBASE, true, "patterns", "Patterns"},
    {ACCP_PACKET_CODEBASE, true, "anti_patterns", "Avoid"},
    {ACCP_PACKET_CODEBASE, true, "examples", "Examples"},
    {ACCP_PACKET_HISTORY, false, "failed_attempts", "Failed before"},
    {ACCP_PACKET_HISTORY, false, "pivots", "Changes of course"},
    {ACCP_PACKET_HISTORY, false, "open_questions", "Open questions"},
    {ACCP_PACKET_HISTORY, false, "not_included", "Not included"},
};
// Members of an item with a fixed place: text, reason and maker.
constexpr std::string_view kWhat[] = {"choice", "path", "approach"};
constexpr std::string_view kWhy[] = {"reason", "summary", "reason_failed"};
constexpr std::string_view kBy = "made_by";

constexpr std::string_view kIndent = "\n  ";
// Sequences that a reader may take for a line end.
constexpr std::string_view kLineEnds[] = {"\r\n",     "\n",           "\r",
                                          "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};

class PromptWriter {
public:
    PromptWriter(value::TreeView packet, Buffer<char> &out) : packet_(packet), out_(out) {}

    void write(uint32_t layers) {
        if (layers & ACCP_PACKET_GOALS) {
            out_.append("# ");
            write_text(packet_.string(packet_.find(0, "target_task")));
            out_.push('\n');
        }
        const uint32_t context = packet_.find(0, "context");
        const uint32_t codebase = packet_.find(context, "codebase");
        for (const Section &section : kPromptSections) {
            const uint32_t map = section.in_codebase ? codebase : context;
            if (map && (layers & section.layer) && !repeats_task(section, map))
                write_section(section, map);
        }
    }

private:
    // The goal is often the task itself, which is the heading.
    bool repeats_task(const Section &section, uint32_t map) const {
        return section.member == "goal" && packet_.string(packet_.find(map, section.member)) ==
                                               packet_.string(packet_.find(0, "target_task"));
    }

    void write_section(const Section &section, uint32_t map) {
        const uint32_t node = packet_.find(map, section.member);
        if (!node || (packet_[node].kind == ACCP_ARRAY && !packet_[node].len)) return;
        out_.append(out_.empty() ? "## " : "\n## ");
        out_.append(section.heading);
        out_.push('\n');
        if (packet_[node].kind == ACCP_STRING) {
            write_text(packet_.string(node));
            out_.push('\n');
            return;
        }
        for (uint32_t i = node + 1; i < packet_[node].next; i = packet_[i].next) {
            out_.append("- ");
            packet_[i].kind == ACCP_MAP ? write_item(i) : write_text(packet_.string(i));
            out_.push('\n');
        }
    }

    uint32_t find_first(uint32_t item, std::span<const std::string_view> names) const {
        for (std::string_view name : names)
            if (const uint32_t node = packet_.find(item, name)) return node;
        return 0;
    }

    // choice (user, superseded: true): reason
    void write_item(uint32_t item) {
        const uint32_t what = find_first(item, kWhat), why = find_first(item, kWhy);
        if (what) write_text(packet_.string(what));
        bool open = false;
        for (uint32_t i = item + 1; i < packet_[item].next; i = packet_[i].next) {
            if (i == what || i == why) continue;
            out_.append(open ? ", " : what ? " (" : "(");
            open = true;
            if (packet_.key(i) != kBy) {
                write_text(packet_.key(i));
                out_.append(": ");
            }
            write_value(i);
        }
        if (open) out_.push(')');
        if (!why) return;
        out_.append(": ");
        write_text(packet_.string(why));
    }

    void write_value(uint32_t node) {
        if (packet_[node].kind == ACCP_STRING) return write_text(packet_.string(node));
        value::write_json(packet_, node, out_);
    }

    // Drops line ends at the end of the text.
    void write_text(std::string_view text) {
        text = text.substr(0, text.find_last_not_of("\r\n") + 1);
        for (size_t at = 0; at < text.size();) {
            std::string_view line_end;
            for (std::string_view known : kLineEnds)
                if (line_end.empty() && text.substr(at, known.size()) == known) line_end = known;
            if (line_end.empty()) out_.push(text[at++]);
            else out_.append(kIndent);
            at += line_end.size();
        }
    }

    value::TreeView packet_;
    Buffer<char> &out_;
};

}  // namespace

void write_prompt(value::TreeView packet, uint32_t layers, Buffer<char> &out) {
    PromptWriter(packet, out).write(layers);
}

void Prompt::write(value::TreeView packet, uint32_t layers, Buffer<char> &out) {
    out.clear();
    write_prompt(packet, layers, out);
    if (redacts) text::redact_in_place(out, scratch);
}

Status Prompt::make(value::TreeView packet, token::TokenCounter &counter) {
    write(packet, ACCP_PACKET_ALL_LAYERS, text);
    counter.recycle();
    return counter.count(text.view(), UINT64_MAX, tokens);
}

}  // namespace accp::packet
