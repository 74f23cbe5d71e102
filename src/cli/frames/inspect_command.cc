// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp inspect: a frame as a table for people: its parts and their bytes, every field with its type
// and value, and what is odd about it.
#include <algorithm>
#include <cstring>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/frames/inspect_warnings.h"
#include "cli/settings.h"
#include "cli/terminal/terminal.h"
#include "cli/frames/tokenizers.h"

namespace cli {
namespace {

// One line of the table of fields.
struct Row {
    std::string name;
    std::string kind;
    std::string value;
};

class Inspector {
public:
    explicit Inspector(const Arguments &arguments)
        : config_(make_config(arguments)),
          frame_(new_frame(config_.get())),
          decoded_(new_value(config_.get())),
          tokenizer_(open_tokenizer(arguments, config_.get())),
          counter_(new_counter(tokenizer_.get(), config_.get())),
          warnings_(arguments),
          colour_(colour_wanted()) {}

    accp_status inspect(std::string_view line, uint64_t record, std::string &out, accp_error &err) {
        const accp_status status = accp_frame_parse(frame_.get(), line.data(), line.size(), &err);
        if (status != ACCP_OK) return status;
        const Tree tree = tree_of(frame_.get());
        const uint32_t meta = tree.nodes[3].next;
        const bool has_meta = meta < tree.count;
        coloured("1", "record " + std::to_string(record), out);
        out += '\n';
        parts(tree, parts_of(line), out);
        std::vector<std::string> found = tokens(parts_of(line), out);
        block("payload", 3, accp_frame_payload, out);
        if (has_meta) block("metadata", meta, accp_frame_meta, out);
        const std::vector<std::string> others = warnings_.of(line);
        found.insert(found.end(), others.begin(), others.end());
        for (const std::string &warning : found) {
            out += "  ";
            coloured("33", "warning", out);
            out.append(": ").append(warning).append("\n");
        }
        out.pop_back();  // the filter ends the record
        return ACCP_OK;
    }

private:
    using Decode = accp_status (*)(accp_frame *, accp_value *, accp_error *);

    void coloured(const char *sgr, std::string_view text, std::string &out) const {
        if (colour_) out.append("\x1b[").append(sgr).append("m");
        out.append(text);
        if (colour_) out.append("\x1b[0m");
    }

    static void line(const char *label, std::string_view text, std::string &out) {
        out.append("  ")
            .append(label)
            .append(12 - std::strlen(label), ' ')
            .append(text)
            .append("\n");
    }

    static uint32_t depth_of(const Tree &tree) {
        std::vector<uint32_t> ends;  // of the containers that are open
        size_t deepest = 0;
        for (uint32_t i = 4; i < tree.count; ++i) {
            while (!ends.empty() && ends.back() <= i) ends.pop_back();
            const bool container = tree.nodes[i].kind == ACCP_ARRAY ||
                                   (tree.nodes[i].kind == ACCP_MAP && i != tree.nodes[3].next);
            if (container) ends.push_back(tree.nodes[i].next);
            deepest = std::max(deepest, ends.size());
        }
        return static_cast<uint32_t>(deepest);
    }

    using Parts = std::array<std::string_view, kFrameParts>;

    static void parts(const Tree &tree, const Parts &parts, std::string &out) {
        line("agent", tree.raw(0), out);
        line("intent", tree.raw(1), out);
        line("operation", tree.raw(2), out);
        const auto bytes = [&](FramePart part) { return std::to_string(parts[part].size()); };
        line("bytes",
             "header " + bytes(kHeaderPart) + ", body " + bytes(kBodyPart) + ", metadata " +
                 bytes(kMetadataPart) + ", total " + bytes(kWholePart),
             out);
        line("depth", std::to_string(depth_of(tree)), out);
    }

    // Specification 3.4: the tokens of each part and of the whole, which are fewer than the parts'
    // where a token lies across.
    std::vector<std::string> tokens(const Parts &parts, std::string &out) const {
        const bool approx = accp_tokenizer_approx(tokenizer_.get()) != 0;
        std::vector<std::string> found;
        std::string text;
        for (int i = 0; i < kFrameParts; ++i) {
            const PartLimit part = part_limits()[static_cast<size_t>(i)];
            uint64_t count = 0;
            accp_error err = {};
            if (accp_counter_count(counter_.get(), parts[i].data(), parts[i].size(), UINT64_MAX,
                                   &count, &err) != ACCP_OK)
                throw Failure(message_of(err));
            const std::string number = (approx ? "about " : "") + std::to_string(count);
            text.append(part.name).append(" ").append(number).append(", ");
            if (count <= part.soft) continue;
            const bool hard = count > part.hard;
            found.push_back(std::string(part.name) + " of " + number + " tokens: over the " +
                            (hard ? "hard limit of " + std::to_string(part.hard)
                                  : "soft limit of " + std::to_string(part.soft)));
        }
        text.resize(text.size() - 2);
        line("tokens",
             text + " (" + std::string(to_view(accp_tokenizer_name(tokenizer_.get()))) + ")", out);
        return found;
    }

    // The fields below node `root`. A string that q1 reads as something else is shown as both.
    void block(const char *title, uint32_t root, Decode decode, std::string &out) {
        // Under q1 alone every node of the frame is one node of the value.
        const bool decodes = decode(frame_.get(), decoded_.get(), nullptr) == ACCP_OK;
        const Tree tree = tree_of(frame_.get());
        const Tree value = tree_of(decoded_.get());
        const bool paired = decodes && value.count == tree.nodes[root].next - root;
        std::vector<Row> rows;
        add_rows(tree, paired ? &value : nullptr, root, rows);
        size_t name_width = 0;
        for (const Row &row : rows) name_width = std::max(name_width, row.name.size());
        out.append("  ").append(title).append(rows.empty() ? " empty\n" : "\n");
        for (const Row &row : rows) {
            out.append("    ").append(row.name).append(name_width - row.name.size() + 2, ' ');
            out.append(row.kind).append(7 - row.kind.size(), ' ').append(row.value).append("\n");
        }
    }

    // A row for each node below `root`, parents before children, each level indented by two.
    void add_rows(const Tree &tree, const Tree *value, uint32_t root,
                  std::vector<Row> &rows) const {
        struct Level {
            uint32_t node;
            uint32_t seen;
        };
        std::vector<Level> levels{{root, 0}};
        for (uint32_t i = root + 1; i < tree.nodes[root].next; ++i) {
            while (tree.nodes[levels.back().node].next <= i) levels.pop_back();
            Level &level = levels.back();
            Row row;
            row.name.assign(2 * (levels.size() - 1), ' ');
            if (tree.nodes[level.node].kind == ACCP_ARRAY) {
                row.name.append("[").append(std::to_string(level.seen)).append("]");
            } else {
                row.name.append(tree.key(i));
            }
            ++level.seen;
            row.kind = kind_name(tree.nodes[i]);
            // of the envelope: text, whatever it looks like
            if (root == tree.nodes[3].next && levels.size() == 1 && is_scalar(tree.nodes[i]) &&
                is_text_field(tree.key(i)))
                row.kind = "str";
            row.value = shown(frame_.get(), i);
            if (value != nullptr) note_decoded(tree, i, *value, i - root, row);
            rows.push_back(row);
            const uint8_t kind = tree.nodes[i].kind;
            if (kind == ACCP_ARRAY || kind == ACCP_MAP) levels.push_back({i, 0});
        }
    }

    static bool is_text_field(std::string_view key) {
        return key == "mid" || key == "cid" || key == "aid" || key == "sid";
    }
    static bool is_scalar(const accp_node &node) {
        return node.kind == ACCP_INT || node.kind == ACCP_DEC || node.kind == ACCP_BOOL;
    }

    static void note_decoded(const Tree &tree, uint32_t i, const Tree &value, uint32_t j,
                             Row &row) {
        if (tree.nodes[i].key_len != 0 && value.key(j) != tree.key(i)) {
            row.name.append(" = ");
            append_printable(value.key(j), row.name);
        }
        const uint8_t kind = tree.nodes[i].kind;
        if (kind != ACCP_STRING || shown(value, j) == row.value) return;
        row.value.append("  = ")
            .append(shown(value, j))
            .append(value.nodes[j].kind == ACCP_STRING ? "" : " (number)");
    }

    Handle<accp_config> config_;
    Handle<accp_frame> frame_;
    Handle<accp_value> decoded_;
    Handle<accp_tokenizer> tokenizer_;
    Handle<accp_counter> counter_;
    Warnings warnings_;
    bool colour_;
};

}  // namespace

int run_inspect(const Arguments &arguments, Streams &io) {
    Inspector inspector(arguments);
    return run_filter(arguments, io, Lines::kFrames,
                      [&](std::string_view line, Streams &streams, accp_error &err) {
                          return inspector.inspect(line, streams.records, streams.out.text, err);
                      });
}

}  // namespace cli
