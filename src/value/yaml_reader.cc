// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "value/yaml_reader.h"

#include <yaml.h>

#include <string_view>

#include "base/random.h"
#include "base/status.h"
#include "base/utf8.h"
#include "value/keys.h"
#include "value/yaml_writer.h"

namespace accp::value {

namespace {

struct YamlError {
    std::string_view problem;  // the text of libyaml
    const char *advice;
};
constexpr YamlError kYamlErrors[] = {
    {"did not find expected ',' or ']'",
     "not yaml: a list in [ ] has no ] at its end, or no comma between two items"},
    {"did not find expected ',' or '}'",
     "not yaml: a map in { } has no } at its end, or no comma between two members"},
    {"did not find expected '-' indicator",
     "not yaml: each item of the list before this must begin with a dash in the same column"},
    {"did not find expected key",
     "not yaml: expected a key here, in the column of the keys before it, with a colon and a blank "
     "after it; or a text before this needs quotes"},
    {"did not find expected node content",
     "not yaml: a value is missing here, or a bracket is not closed; a text that begins with a "
     "mark of YAML needs quotes"},
    {"did not find expected <document start>",
     "not yaml: this does not continue the text before it: check the quotes, brackets and columns "
     "there"},
    {"could not find expected ':'",
     "not yaml: a line before this is not a key with a colon and a blank; indent a text of several "
     "lines more than its key"},
    {"mapping values are not allowed in this context",
     "not yaml: a text contains a colon and a blank, or a key is in the wrong column: put the text "
     "in quotes, or correct the column"},
    {"mapping keys are not allowed in this context",
     "not yaml: a key is not allowed here: begin it on a new line"},
    {"block sequence entries are not allowed in this context",
     "not yaml: a list cannot begin here: put each item on a new line, with a dash"},
    {"found unexpected end of stream",
     "not yaml: a text in quotes is not closed: put the quote at its end"},
    {"found unexpected document indicator",
     "not yaml: a line of a text in quotes begins with --- or ...: indent it, or close the quote"},
    {"found character that cannot start any token",
     "not yaml: a text cannot begin with this character: put the text in quotes"},
    {"found unknown escape character",
     "not yaml: unknown escape in double quotes: write \\\\ for a backslash, or use single "
     "quotes"},
    {"did not find expected hexdecimal number",
     "not yaml: \\x, \\u and \\U need 2, 4 and 8 hexadecimal digits"},
    {"found invalid Unicode character escape code",
     "not yaml: an escape is not a character: it is half of a pair, or above 10FFFF"},
    {"did not find expected comment or line break",
     "not yaml: after | or > only a digit, + or - is allowed, and the text begins on the next "
     "line"},
    {"found an indentation indicator equal to 0", "not yaml: the digit after | or > is 1 to 9"},
    {"found a tab character where an indentation space is expected",
     "not yaml: a text is indented with a tab: use blanks"},
    {"found a tab character that violates indentation",
     "not yaml: a text is indented with a tab: use blanks"},
    {"found unexpected ':'",
     "not yaml: a text in [ ] or { } contains a colon: put the text in quotes"},
};

// Returns "not yaml: …", which stays valid. `problem` is libyaml's text, or NULL.
const char *explain_yaml_error(const char *problem) {
    if (!problem) return "not yaml";
    for (const YamlError &fault : kYamlErrors)
        if (fault.problem == problem) return fault.advice;
    return interned_text({"not yaml: ", problem}, "not yaml");
}

bool ends_line(char c) { return c == '\n' || c == '\r'; }

// Checks the text between two scalars.
Status check_gap(std::string_view text, size_t from, size_t to) {
    for (size_t at = from; at < to; ++at) {
        const char c = text[at];
        const bool begins_line = at == 0 || ends_line(text[at - 1]);
        if (c == '#') {
            while (at + 1 < to && !ends_line(text[at + 1])) ++at;
        } else if (c == '\t') {
            return fail(ACCP_E1001, at, "tab");
        } else if (c == '%' && begins_line) {
            return fail(ACCP_E1001, at, "directive");
        } else if (c == '?') {
            return fail(ACCP_E1001, at, "complex key");
        }
    }
    return {};
}

constexpr const char *kNoYamlCharacter =
    "not yaml: this character is not allowed in YAML: remove it, or write it in double quotes as "
    "\\x with two digits";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// libyaml's parser and its last event. It allocates with malloc, in proportion to the text.
class Events {
public:
    explicit Events(std::string_view text) {
        if (!yaml_parser_initialize(&parser_)) throw OutOfMemory{};
        yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char *>(text.data()),
                                     text.size());
    }
    Events(const Events &) = delete;
    Events &operator=(const Events &) = delete;
    ~Events() {
        yaml_event_delete(&event_);
        yaml_parser_delete(&parser_);
    }

    // Returns false if the text is not YAML; fault_at() is then the character of the error.
    bool next() {
        yaml_event_delete(&event_);
        if (yaml_parser_parse(&parser_, &event_)) return true;
        event_ = {};
        if (parser_.error == YAML_MEMORY_ERROR) throw OutOfMemory{};
        return false;
    }
    const yaml_event_t &event() const { return event_; }
    const char *problem() const { return parser_.problem; }
    size_t fault_at() const { return parser_.problem_mark.index; }

private:
    yaml_parser_t parser_{};
    yaml_event_t event_{};
};

struct Properties {
    const yaml_char_t *anchor, *tag;
};
Properties properties_of(const yaml_event_t &event) {
    switch (event.type) {
        case YAML_SCALAR_EVENT: return {event.data.scalar.anchor, event.data.scalar.tag};
        case YAML_SEQUENCE_START_EVENT:
            return {event.data.sequence_start.anchor, event.data.sequence_start.tag};
        case YAML_MAPPING_START_EVENT:
            return {event.data.mapping_start.anchor, event.data.mapping_start.tag};
        default: return {};
    }
}

}  // namespace

YamlReader::YamlReader(Memory &memory)
    : preprocessor_(memory),
      levels_(memory),
      origins_(memory),
      scalars_(memory),
      scratch_(memory),
      arena_(memory),
      seed_(random_seed()) {}

Status YamlReader::read(std::string_view text, const YamlLimits &limits, Value &out) {
    out.clear();
    if (text.size() > limits.bytes)
        return {ACCP_E1001, 0, limits.bytes, "too large", text.size(), limits.bytes};
    const size_t valid = valid_utf8_prefix(text.data(), text.size());
    if (valid != text.size()) return fail(ACCP_E1004, valid, "not utf-8");
    const size_t skipped =
        text.substr(0, kByteOrderMark.size()) == kByteOrderMark ? kByteOrderMark.size() : 0;
    text_ = text.substr(skipped);
    max_depth_ = limits.depth;
    const size_t printable = printable_yaml_prefix(text_);
    Status status = printable == text_.size() ? preprocessor_.prepare(text_)
                                              : fail(ACCP_E1001, printable, kNoYamlCharacter);
    if (status.ok()) status = run(out);
    if (status.failed()) {
        out.clear();
        status.offset += skipped;
    }
    for (Origin &origin : origins_)
        origin = {static_cast<uint32_t>(origin.key + skipped),
                  static_cast<uint32_t>(origin.value + skipped)};
    return status;
}

Status YamlReader::run(Value &out) {
    position_ = {};
    documents_ = 0;
    levels_.clear(), origins_.clear(), scalars_.clear();
    arena_.reset();
    Events events(preprocessor_.view());
    do {
        if (!events.next()) {
            const size_t at = byte_of(events.fault_at());
            Status gap = check_gaps(at < text_.size() ? at + 1 : at);
            return gap.failed() ? gap : fail(ACCP_E1001, at, explain_yaml_error(events.problem()));
        }
        Status status = handle_event(events.event(), out);
        if (status.failed()) return status;
    } while (events.event().type != YAML_STREAM_END_EVENT);
    if (out.empty()) return fail(ACCP_E1001, text_.size(), "empty");
    return check_gaps(text_.size());
}

// Returns E1001 if there is a tab outside quotes, blocks and comments, a directive, or a key after
// `?` before byte `end`. libyaml accepts these. `scalars_` is in the order of the text.
Status YamlReader::check_gaps(size_t end) const {
    size_t from = 0;
    for (const ScalarRange &scalar : scalars_) {
        if (scalar.begin >= end) break;
        Status status = check_gap(text_, from, scalar.begin);
        if (status.failed()) return status;
        from = scalar.end;
        if (!scalar.plain) continue;
        const size_t tab = text_.substr(scalar.begin, scalar.end - scalar.begin).find('\t');
        if (tab != text_.npos) return fail(ACCP_E1001, scalar.begin + tab, "tab");
    }
    return from < end ? check_gap(text_, from, end) : Status{};
}

Status YamlReader::handle_event(const yaml_event_s &event, Value &out) {
    const size_t at = byte_of(event.start_mark.index);
    const Properties properties = properties_of(event);
    if (properties.anchor || event.type == YAML_ALIAS_EVENT)
        return fail(ACCP_E1001, at, "anchor or alias");
    if (properties.tag) return fail(ACCP_E1001, at, "tag");
    switch (event.type) {
        case YAML_DOCUMENT_START_EVENT:
            if (documents_++) return fail(ACCP_E1001, at, "multiple documents");
            return event.data.document_start.version_directive ? fail(ACCP_E1001, at, "directive")
                                                               : Status{};
        case YAML_SCALAR_EVENT: return handle_scalar(event, out);
        case YAML_SEQUENCE_START_EVENT: return open(ACCP_ARRAY, at, out);
        case YAML_MAPPING_START_EVENT: return open(ACCP_MAP, at, out);
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT: return close(out);
        default: return {};
    }
}

Status YamlReader::handle_scalar(const yaml_event_s &event, Value &out) {
    const auto &scalar = event.data.scalar;
    const size_t at = byte_of(event.start_mark.index), end = byte_of(event.end_mark.index);
    const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (end > at) scalars_.push({static_cast<uint32_t>(at), static_cast<uint32_t>(end), plain});
    scratch_.clear();
    preprocessor_.restore({reinterpret_cast<const char *>(scalar.value), scalar.length},
                          scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE, at, scratch_);
    const std::string_view text = scratch_.view();
    if (text.find('\0') != text.npos) return fail(ACCP_E1001, at, "nul");
    if (awaits_key()) {
        if (plain && text == "<<") return fail(ACCP_E1001, at, "merge key");
        if (text.size() > kMaxKeyBytes)
            return fail_limit(ACCP_E1004, at, "a key of over 65,535 bytes", text.size(),
                              kMaxKeyBytes);
        innermost()->has_key = true;
        key_at_ = static_cast<uint32_t>(at);
        out.add_key(text);
        return {};
    }
    if (levels_.empty() && plain && text.empty()) return {};  // an empty document
    add_node(at);
    out.add_scalar(ACCP_STRING, plain ? kPlainScalar : 0, text);
    return {};
}

Status YamlReader::open(uint8_t kind, size_t at, Value &out) {
    if (awaits_key()) return fail(ACCP_E1001, at, "complex key");
    if (levels_.size() == max_depth_)
        return {ACCP_E1001, 0, at, "too deep", max_depth_ + 1, max_depth_};
    add_node(at);
    levels_.push({out.open(kind), 0, kind == ACCP_MAP, false});
    return {};
}

Status YamlReader::close(Value &out) {
    const Level level = *innermost();
    levels_.resize_down(levels_.size() - 1);
    out.close(level.node, level.count);
    if (!level.map) return {};
    const uint32_t duplicate = find_equal_key(out.view(), level.node, arena_, seed_);
    return duplicate ? fail(ACCP_E1001, origins_[duplicate].key, "duplicate key") : Status{};
}

// Adds the position of the next node, and counts it in its container.
void YamlReader::add_node(size_t at) {
    Level *const level = innermost();
    const auto value_at = static_cast<uint32_t>(at);
    origins_.push({level && level->map ? key_at_ : value_at, value_at});
    if (!level) return;
    ++level->count;
    level->has_key = false;
}

// Converts a character position of libyaml to a byte. Positions come almost in order, so the
// distance to the last one is short.
size_t YamlReader::byte_of(size_t character) {
    auto is_inside = [this] {
        return position_.byte < text_.size() && (text_[position_.byte] & 0xC0) == 0x80;
    };
    while (position_.character > character) {
        do --position_.byte;
        while (is_inside());
        --position_.character;
    }
    while (position_.character < character && position_.byte < text_.size()) {
        do ++position_.byte;
        while (is_inside());
        ++position_.character;
    }
    return position_.byte;
}

}  // namespace accp::value
