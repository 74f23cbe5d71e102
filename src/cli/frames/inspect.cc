// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp inspect: shows a frame as a table for people: its parts and their bytes and tokens, every
// field with its type and value, and warnings.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

// Finds what is unusual about a valid frame: a missing field of the envelope that specification 3.5
// requires, unknown names, a form that is not canonical, keys that look alike.
class FrameWarnings {
public:
    explicit FrameWarnings(const Arguments &arguments);

    // Returns the warnings about one valid frame.
    std::vector<std::string> find(std::string_view text);

private:
    void check_intent(const Tree &tree);
    void check_envelope(const Tree &tree);
    void check_nodes(const Tree &tree);
    void check_keys(const Tree &tree, uint32_t parent);
    void check_decoding(std::string_view text, accp_codec *codec, const char *under);
    void check_canonical(std::string_view text);

    Handle<accp_frame> frame_;
    Handle<accp_codec> codec_, abbreviating_;
    std::vector<std::string> found_;
};

constexpr std::string_view kIntents[] = {"req",  "done", "fail", "wait",   "esc",    "comp",
                                         "sync", "qry",  "ack",  "cancel", "stream", "end"};
constexpr std::string_view kTiers[] = {"hot", "warm", "cold", "ctx"};

template <typename List>
bool is_in(const List &list, std::string_view text) {
    return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

bool is_mid(std::string_view text) {
    return text.size() == 12 && std::all_of(text.begin(), text.end(),
                                            [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

Handle<accp_codec> codec_for(Arguments arguments, bool abbrev) {
    arguments.abbrev = abbrev;
    arguments.keep_refs = true;   // a ref is not unusual
    arguments.any_intent = true;  // an unknown intent has its own warning
    return new_codec(make_config(arguments).get());
}

FrameWarnings::FrameWarnings(const Arguments &arguments)
    : frame_(new_frame(make_config(arguments).get())),
      codec_(codec_for(arguments, false)),
      abbreviating_(codec_for(arguments, true)) {}

std::vector<std::string> FrameWarnings::find(std::string_view text) {
    found_.clear();
    if (accp_frame_parse(frame_.get(), text.data(), text.size(), nullptr) != ACCP_OK) return {};
    const Tree tree = tree_of(frame_.get());
    check_intent(tree);
    check_envelope(tree);
    check_nodes(tree);
    check_canonical(text);
    check_decoding(text, codec_.get(), "decode");
    if (found_.empty() || found_.back().compare(0, 6, "decode") != 0)
        check_decoding(text, abbreviating_.get(), "decode --abbrev");
    return found_;
}

void FrameWarnings::check_intent(const Tree &tree) {
    if (!is_in(kIntents, tree.raw(1)))
        found_.push_back("the intent is not one of the twelve: a session refuses it with E1002");
}

// Specification 3.5: every frame has mid, seq and ts; mid has 12 hex digits.
void FrameWarnings::check_envelope(const Tree &tree) {
    const uint32_t meta = tree.nodes[3].next;
    const bool has_meta = meta < tree.count;
    for (const char *field : {"mid", "seq", "ts"}) {
        const bool there =
            has_meta && accp_frame_find(frame_.get(), meta, field, std::strlen(field)) != 0;
        if (!there)
            found_.push_back(std::string("no ") + field +
                             " in the metadata: every message must have one");
    }
    accp_envelope typed = {};
    accp_error err = {};
    if (accp_frame_envelope(frame_.get(), &typed, &err) != ACCP_OK) {
        found_.push_back("envelope: " + describe(err));
        return;
    }
    if ((typed.fields & ACCP_ENVELOPE_MID) != 0 && !is_mid({typed.mid.text, typed.mid.len}))
        found_.push_back("mid is not 12 hex digits");
    if ((typed.fields & ACCP_ENVELOPE_SEQ) != 0 && typed.seq == 0)
        found_.push_back("seq is 0: the first is 1");
    if (typed.ttl > 0 && (typed.fields & ACCP_ENVELOPE_TS) == 0)
        found_.push_back("ttl without ts: the time of expiry is unknown");
}

void FrameWarnings::check_nodes(const Tree &tree) {
    bool loose = false;
    for (uint32_t i = 3; i < tree.count; ++i) {
        const accp_node &node = tree.nodes[i];
        loose = loose || (node.flags & ACCP_NODE_LOOSE) != 0;
        if (node.kind == ACCP_MAP) check_keys(tree, i);
        if (node.kind != ACCP_REF) continue;
        const std::string_view ref = tree.raw(i);
        if (!is_in(kTiers, ref.substr(0, ref.find('.'))))
            found_.push_back("$" + std::string(ref) + " names no tier (hot, warm, cold, ctx)");
    }
    if (loose) found_.push_back("a bare @ or : that only the compat dialect accepts");
}

// Warns if two keys of a map differ only in case.
void FrameWarnings::check_keys(const Tree &tree, uint32_t parent) {
    std::vector<std::string> seen;
    for (uint32_t i = parent + 1; i < tree.nodes[parent].next; i = tree.nodes[i].next)
        seen.push_back(lower(tree.key(i)));
    std::sort(seen.begin(), seen.end());
    const auto twin = std::adjacent_find(seen.begin(), seen.end());
    if (twin != seen.end()) found_.push_back("two keys differ only by case: " + *twin);
}

// Warns if the frame does not decode, because of invalid q1 text or two keys that become one.
void FrameWarnings::check_decoding(std::string_view text, accp_codec *codec, const char *under) {
    accp_error err = {};
    accp_text out = {};
    if (accp_codec_decode(codec, text.data(), text.size(), &out, &err) != ACCP_OK)
        found_.push_back(std::string(under) + ": " + describe(err));
}

void FrameWarnings::check_canonical(std::string_view text) {
    accp_error err = {};
    accp_text out = {};
    if (accp_frame_print(frame_.get(), &out, &err) != ACCP_OK) {
        found_.push_back("no canonical form: " + describe(err));
        return;
    }
    const std::string_view canonical(out.text, out.len);
    if (canonical == text) return;
    const auto differ = std::mismatch(text.begin(), text.end(), canonical.begin(), canonical.end());
    found_.push_back("not canonical, from byte " + std::to_string(differ.first - text.begin()) +
                     " on: accp canon writes it");
}

// A line in the table of fields.
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
          has_colour_(has_colour()) {}

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
        const std::vector<std::string> others = warnings_.find(line);
        found.insert(found.end(), others.begin(), others.end());
        for (const std::string &warning : found) {
            out += "  ";
            coloured("33", "warning", out);
            out.append(": ").append(warning).append("\n");
        }
        out.pop_back();  // run_filter() adds the last newline
        return ACCP_OK;
    }

private:
    using Decode = accp_status (*)(accp_frame *, accp_value *, accp_error *);

    void coloured(const char *sgr, std::string_view text, std::string &out) const {
        if (has_colour_) out.append("\x1b[").append(sgr).append("m");
        out.append(text);
        if (has_colour_) out.append("\x1b[0m");
    }

    static void line(const char *label, std::string_view text, std::string &out) {
        out.append("  ")
            .append(label)
            .append(12 - std::strlen(label), ' ')
            .append(text)
            .append("\n");
    }

    static uint32_t depth_of(const Tree &tree) {
        std::vector<uint32_t> ends;  // one for each open container
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

    // Specification 3.4: counts the tokens of each part and of the whole frame. The whole can have
    // fewer than the sum, because a token can span two parts. Returns a warning for each limit that
    // is exceeded.
    std::vector<std::string> tokens(const Parts &parts, std::string &out) const {
        const bool approx = accp_tokenizer_is_approximate(tokenizer_.get()) != 0;
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

    // Appends the fields below node `root`. A string that q1 decodes to another value is shown with
    // both.
    void block(const char *title, uint32_t root, Decode decode, std::string &out) {
        // Under q1 alone, the value has one node for each node of the frame.
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

    // Adds a row for each node below `root`, parents before children, each level indented by two.
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
            // these envelope fields are text even if they look like a number
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
    FrameWarnings warnings_;
    bool has_colour_;
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
