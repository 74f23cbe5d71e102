// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/panes/feedback.h"

#include "base/bytes.h"
#include "base/text.h"
#include "base/utf8.h"
#include "text/phrases.h"
#include "value/yaml_plain.h"
#include "value/yaml_writer.h"

namespace accp::packet {

namespace {

constexpr std::string_view kFence = "---";
constexpr const char *kTooManyItems = "feedback has at most 64 gaps and 64 unused parts";

size_t count_lines(std::string_view text) {
    size_t count = 0;
    each_line(text, [&](std::string_view) { ++count; });
    return count;
}

// Appends an item as one line, with blanks in place of its line ends.
Status append_item(std::string_view item, Buffer<char> &out) {
    item = trim(item);
    if (item.empty() || is_none_item(item)) return {};
    if (item.size() > kMaxFeedbackItemBytes)
        return fail_limit(ACCP_E1001, 0, "an item of feedback is too long", item.size(),
                          kMaxFeedbackItemBytes);
    if (valid_utf8_prefix(item.data(), item.size()) != item.size())
        return fail(ACCP_E1004, 0, "not utf-8");
    if (item.find('\0') != item.npos) return fail(ACCP_E1004, 0, "nul");
    const size_t had = count_lines(out.view());
    if (had >= kMaxFeedbackItems)
        return fail_limit(ACCP_E1001, 0, kTooManyItems, had + 1, kMaxFeedbackItems);
    for (char c : item) out.push(c == '\n' || c == '\r' ? ' ' : c);
    out.push('\n');
    return {};
}

std::string_view next_line(std::string_view &text) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return line;
}

// Finds the YAML between the fences at the beginning. Returns false if the text has no fences.
bool find_front_matter(std::string_view text, std::string_view &out) {
    std::string_view rest = text;
    if (trim(next_line(rest)) != kFence) return false;
    const size_t begin = text.size() - rest.size();
    while (!rest.empty()) {
        const size_t end = text.size() - rest.size();
        if (trim(next_line(rest)) == kFence) {
            out = text.substr(begin, end - begin);
            return true;
        }
    }
    return false;
}

constexpr std::string_view kGapNames[] = {"context_gaps", "gaps",   "gap",   "missing",
                                          "needed",       "lacked", "missed"};
constexpr std::string_view kUnusedNames[] = {"context_unused", "unused", "not_used", "unneeded",
                                             "not_needed"};
constexpr std::string_view kWrapperNames[] = {"feedback", "context", "context_feedback"};
constexpr size_t kMaxNameBytes = 24;

template <size_t N>
bool is_named(std::string_view name, const std::string_view (&names)[N]) {
    for (std::string_view each : names)
        if (each == name) return true;
    return false;
}

// Returns the list of a member. Its name may have capitals, and blanks or hyphens in place of `_`.
Buffer<char> *list_of(std::string_view name, Feedback &out) {
    char lower[kMaxNameBytes];
    if (name.size() > sizeof lower) return nullptr;
    for (size_t i = 0; i < name.size(); ++i)
        lower[i] = name[i] == ' ' || name[i] == '-' ? '_' : to_lower(name[i]);
    const std::string_view plain(lower, name.size());
    if (is_named(plain, kGapNames)) return &out.gaps;
    return is_named(plain, kUnusedNames) ? &out.unused : nullptr;
}

// An item is a string. Unquoted, `- Needed: a thing` is read as a map with one key.
Status append_node(value::TreeView tree, uint32_t node, Memory &memory, Buffer<char> &out) {
    if (tree[node].kind == ACCP_STRING) {
        const bool plain = tree[node].flags & value::kPlainScalar;
        return plain && value::is_plain_null(tree.string(node))
                   ? Status{}
                   : append_item(tree.string(node), out);
    }
    if (tree[node].kind != ACCP_MAP || tree[node].len != 1 || tree[node + 1].kind != ACCP_STRING)
        return fail(ACCP_E1004, 0, "an item of feedback must be a string");
    if (is_none_item(tree.string(node + 1))) return {};
    Buffer<char> text(memory);
    text.append(tree.key(node + 1));
    text.append(": ");
    text.append(tree.string(node + 1));
    return append_item(text.view(), out);
}

Status read_list(value::TreeView tree, uint32_t node, Memory &memory, Buffer<char> &out) {
    if (tree[node].kind != ACCP_ARRAY) return append_node(tree, node, memory, out);
    for (uint32_t item = node + 1; item < tree[node].next; item = tree[item].next) {
        Status status = append_node(tree, item, memory, out);
        if (status.failed()) return status;
    }
    return {};
}

// Reads the members of a map, and of a map `feedback` in it. Sets `found` if one is known.
Status read_members(value::TreeView tree, Memory &memory, Feedback &out, bool &found) {
    found = false;
    for (uint32_t i = 1; i < tree[0].next;) {
        if (Buffer<char> *list = list_of(tree.key(i), out)) {
            found = true;
            Status status = read_list(tree, i, memory, *list);
            if (status.failed()) return status;
            i = tree[i].next;
        } else if (tree[i].kind == ACCP_MAP && is_named(tree.key(i), kWrapperNames)) {
            ++i;  // its members follow
        } else {
            i = tree[i].next;
        }
    }
    return {};
}

// What a heading or a sentence is about.
enum class FeedbackTopic { kOther, kGaps, kUnused, kNone };

constexpr std::string_view kNonePhrases =
    "no|zero|without gap|gaps / no|zero context gap|gaps / no missing|unused / nothing missing|"
    "lacking|unused|else / nothing was|is missing|lacking|unused / everything|all i needed / "
    "everything|all was|is there|clear|included|useful|used|relevant|present / had everything|all";
constexpr std::string_view kUnusedPhrases =
    "unused|unneeded|unnecessary|irrelevant|superfluous / not|never used|needed|relevant|useful|"
    "necessary|referenced / not|never really|actually|even used|needed|relevant / didnt|dont|"
    "wasnt|werent|isnt|arent use|used|need|needed|relevant|useful|necessary|reference / did|do not "
    "use|need|reference / didnt really|actually use|need / provided but";
constexpr std::string_view kGapPhrases =
    "gap|gaps|missing|missed|lacked|lacks|lacking|absent|unclear|unknown|unspecified|undocumented|"
    "ambiguous|needed|guessed|wondered / not say|tell|mention|explain|include|specify|state|cover|"
    "contain|clear|told|given|said|mentioned|included|provided|specified|stated|known|know / "
    "didnt|doesnt|wasnt|werent|isnt|couldnt|cant say|tell|mention|explain|include|specify|cover|"
    "contain|find|clear|told|given|mentioned|explained|included|specified|know / had to ~ guess|"
    "look|search|find|infer|assume|figure|ask|explore|read|dig / would have ~ helped|liked|been|"
    "saved / should have / without knowing / no information|mention|details|word|idea / need|want "
    "to know / nothing about|on";
constexpr std::string_view kLimits = "but|except|however|though|although|besides|apart";

FeedbackTopic topic_of(std::string_view text, text::Words &words) {
    words.read(text);
    if (text::has_phrase(words, kNonePhrases) && !text::has_phrase(words, kLimits))
        return FeedbackTopic::kNone;
    if (text::has_phrase(words, kUnusedPhrases)) return FeedbackTopic::kUnused;
    return text::has_phrase(words, kGapPhrases) || text::has_phrase(words, kNonePhrases)
               ? FeedbackTopic::kGaps
               : FeedbackTopic::kOther;
}

// Returns the length of the mark of an item of a list: `- `, `* `, `1. `, `• `; 0: none.
size_t item_mark(std::string_view line) {
    for (std::string_view mark : {"- ", "* ", "+ ", "\xE2\x80\xA2 ", "\xE2\x80\x93 "})
        if (line.starts_with(mark)) return mark.size();
    size_t digits = 0;
    while (digits < line.size() && is_digit(static_cast<unsigned char>(line[digits]))) ++digits;
    const bool is_number = digits && digits < 3 && digits + 1 < line.size() &&
                           (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
    if (is_number) return digits + 2;
    return line == "-" || line == "*" || line == "+" ? 1 : 0;
}

// Removes the marks of headings and of bold text at both ends.
std::string_view without_emphasis(std::string_view text) {
    while (!text.empty() && (text[0] == '#' || text[0] == '*' || text[0] == '_' || text[0] == ' '))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == '*' || text.back() == '_' || text.back() == ' '))
        text.remove_suffix(1);
    return text;
}

constexpr size_t kMaxLabelBytes = 60;

// Reads what people and models write: lists and text under headings, labels (`**Gaps:** …`), and
// sentences. If nothing in it is recognised, the text itself is a gap, so that no report is lost.
class FeedbackText {
public:
    FeedbackText(Memory &memory, Feedback &out)
        : words_(memory), item_(memory), whole_(memory), out_(out) {}

    Status read(std::string_view text) {
        Status status;
        while (!text.empty() && status.ok()) {
            const std::string_view whole = next_line(text);
            const std::string_view line = trim(whole);
            if (line.empty() || line.starts_with("```") || line == kFence) continue;
            append_to_whole(line);
            status = read_line(line, whole[0] == ' ' || whole[0] == '\t');
        }
        if (status.ok()) status = end_item();
        if (status.failed() || !out_.gaps.empty() || !out_.unused.empty() || is_denied_)
            return status;
        item_.append(whole_);
        target_ = &out_.gaps;
        return end_item();
    }

private:
    Status read_line(std::string_view line, bool is_indented) {
        if (const size_t mark = item_mark(line)) {
            Status status = end_item();
            if (status.ok()) begin_item(trim(line.substr(mark)));
            return status;
        }
        if (is_indented && target_) {  // the item goes on
            item_.push(' ');
            item_.append(line);
            return {};
        }
        Status status = end_item();
        if (status.failed()) return status;
        const std::string_view plain = without_emphasis(line);
        const size_t colon = plain.find(':');
        const bool is_marked = plain.data() != line.data();  // a heading, or bold
        const bool is_label = colon <= kMaxLabelBytes;       // npos is larger
        if (is_marked || is_label || plain.ends_with('?')) {
            const std::string_view label = is_label ? plain.substr(0, colon) : plain;
            const FeedbackTopic topic = topic_of(label, words_);
            const std::string_view rest = is_label ? without_emphasis(plain.substr(colon + 1)) : "";
            const bool is_heading = rest.empty() && (is_marked || is_label || plain.ends_with('?'));
            if (is_heading || topic == FeedbackTopic::kGaps || topic == FeedbackTopic::kUnused) {
                if (topic == FeedbackTopic::kNone) is_denied_ = true;
                list_ = topic == FeedbackTopic::kGaps     ? &out_.gaps
                        : topic == FeedbackTopic::kUnused ? &out_.unused
                                                          : nullptr;
                return rest.empty() ? Status{} : read_sentences(rest);
            }
        }
        return read_sentences(plain);
    }

    // Text under a heading belongs to its list; other sentences to the list that they are about.
    Status read_sentences(std::string_view text) {
        while (!text.empty()) {
            size_t end = 0;
            do end = text.find_first_of(".!?", end) + 1;
            while (end && end < text.size() && text[end] != ' ');
            const std::string_view sentence = trim(text.substr(0, end ? end : text.size()));
            text.remove_prefix(end ? end : text.size());
            begin_item(sentence);
            Status status = end_item();
            if (status.failed()) return status;
        }
        return {};
    }

    void begin_item(std::string_view text) {
        const FeedbackTopic topic = topic_of(text, words_);
        target_ = list_;
        if (topic == FeedbackTopic::kNone || (list_ && is_none_item(text))) {
            is_denied_ = true;
            target_ = nullptr;
        } else if (!list_ && topic != FeedbackTopic::kOther) {
            target_ = topic == FeedbackTopic::kGaps ? &out_.gaps : &out_.unused;
        }
        item_.append(text);
    }

    // A long item is cut, at a character.
    Status end_item() {
        std::string_view item = trim(item_.view());
        if (item.size() > kMaxFeedbackItemBytes) {
            item = item.substr(0, kMaxFeedbackItemBytes);
            item = item.substr(0, valid_utf8_prefix(item.data(), item.size()));
        }
        Status status = target_ ? append_item(item, *target_) : Status{};
        item_.clear();
        target_ = nullptr;
        return status;
    }

    void append_to_whole(std::string_view line) {
        if (whole_.size() > kMaxFeedbackItemBytes) return;
        if (!whole_.empty()) whole_.push(' ');
        whole_.append(line);
    }

    text::Words words_;
    Buffer<char> item_, whole_;  // the item that is being read; all lines
    Feedback &out_;
    Buffer<char> *list_ = nullptr;    // of the heading above
    Buffer<char> *target_ = nullptr;  // of the item
    bool is_denied_ = false;          // the text says that there are none
};

// Returns the text in the first code block; empty: none.
std::string_view find_code_block(std::string_view text) {
    constexpr std::string_view kBlock = "```";
    const size_t open = text.find(kBlock);
    if (open == text.npos) return {};
    const size_t begin = text.find('\n', open);
    if (begin == text.npos) return {};
    const size_t end = text.find(kBlock, begin);
    return text.substr(begin + 1, end == text.npos ? end : end - begin - 1);
}

void write_list(std::string_view name, std::string_view lines, value::Value &value) {
    value.add_key(name);
    const uint32_t list = value.open(ACCP_ARRAY);
    uint32_t count = 0;
    each_line(lines, [&](std::string_view item) {
        value.add_scalar(ACCP_STRING, 0, item);
        ++count;
    });
    value.close(list, count);
}

}  // namespace

bool is_none_item(std::string_view item) {
    char lower[40];
    size_t size = 0;
    for (char c : item) {
        if (size == sizeof lower) return false;
        if (is_word(static_cast<unsigned char>(c)) || c == ' ' || c == '/')
            lower[size++] = to_lower(c);
    }
    const std::string_view said = trim({lower, size});
    for (std::string_view none : {"none",
                                  "no",
                                  "n/a",
                                  "na",
                                  "nothing",
                                  "no gaps",
                                  "no context gaps",
                                  "no unused",
                                  "nothing unused",
                                  "all used",
                                  "no unused context",
                                  "none found",
                                  "none identified",
                                  "nothing missing",
                                  "nothing was missing",
                                  "nothing was unused",
                                  "no gaps found",
                                  "no context gaps found",
                                  "no missing context",
                                  "everything was used",
                                  "all was used"})
        if (said == none) return true;
    return false;
}

Status append_feedback_items(std::string_view lines, Buffer<char> &out) {
    Status status;
    each_line(lines, [&](std::string_view line) {
        if (status.ok()) status = append_item(line, out);
    });
    return status;
}

Status write_feedback(int64_t pane, const Feedback &feedback, Memory &memory, Buffer<char> &out) {
    value::Value value(memory);
    Arena arena(memory);
    Buffer<char> number(memory);
    append_decimal(pane, number);
    const uint32_t root = value.open(ACCP_MAP);
    value.add_key("pane");
    value.add_scalar(ACCP_INT, 0, number.view());
    write_list("context_gaps", feedback.gaps.view(), value);
    write_list("context_unused", feedback.unused.view(), value);
    value.close(root, 3);
    out.append("---\n");
    Status status = value::write_yaml(value.view(), 0, arena, out);
    out.append("---\n");
    if (feedback.gaps.empty()) out.append("\nNo context gaps.\n");
    return status;
}

Status read_feedback(std::string_view text, Memory &memory, Feedback &out) {
    out.clear();
    if (valid_utf8_prefix(text.data(), text.size()) != text.size())
        return fail(ACCP_E1004, valid_utf8_prefix(text.data(), text.size()), "not utf-8");
    if (const size_t nul = text.find('\0'); nul != text.npos) return fail(ACCP_E1004, nul, "nul");
    std::string_view yaml = text;
    const bool fenced = find_front_matter(text, yaml);
    const std::string_view body =
        fenced ? text.substr(static_cast<size_t>(yaml.data() - text.data()) + yaml.size()) : text;
    bool found = false;
    for (const std::string_view block : {yaml, find_code_block(body)}) {
        if (block.empty()) continue;
        value::YamlReader reader(memory);
        value::Value value(memory);
        Status status = reader.read(block, {kMaxFeedbackBytes, 8}, value);
        if (status.failed() && fenced && block.data() == yaml.data() &&
            std::string_view(status.message) != "empty")
            return move_to(status, status.offset + static_cast<size_t>(yaml.data() - text.data()));
        if (status.failed() || value.view()[0].kind != ACCP_MAP) continue;
        status = read_members(value.view(), memory, out, found);
        if (status.failed()) return status;
        if (found) break;
    }
    const bool is_whole = found && !fenced;  // the text is YAML, or has it in a code block
    if (is_whole || !out.gaps.empty() || !out.unused.empty()) return {};
    Feedback written(memory);
    Status status = FeedbackText(memory, written).read(body);
    if (status.ok()) out.gaps.append(written.gaps), out.unused.append(written.unused);
    return status;
}

}  // namespace accp::packet
