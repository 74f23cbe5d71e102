// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rule `spell`: chooses the cheapest of the spellings that every decoder reads as the same
// message. It tries keys instead of positions, arrays of objects instead of tables, and in each of
// these the cheapest form of each key and string next to its neighbours. The neighbours of a text
// change its cost, so the whole frame is counted too. The result is used only if it has fewer
// tokens than the spelling of docs/wire.md. Metadata is unchanged.
#include "base/bytes.h"
#include "codec/encode/outgoing.h"
#include "frame/scalar.h"
#include "frame/table.h"

namespace accp::codec {

namespace {

constexpr size_t kContext = 16;     // bytes on each side that are counted with a spelling
constexpr uint32_t kMaxBridge = 3;  // characters between two runs of %u…;

// Spells the frame in scratch.text again, into scratch.part.
class Speller {
public:
    explicit Speller(Outgoing &out)
        : out_(out),
          frame_(out.scratch.text.view()),
          spelled_(out.scratch.part),
          spelling_(frame::spelling_of(out.settings)),
          best_(out.scratch.memory),
          trial_(out.scratch.memory),
          source_(out.scratch.memory) {}

    // `changed`: a cheaper spelling was found, as counted with its neighbours only.
    Status run(bool &changed);

private:
    std::string_view full_key(std::string_view wire) const;
    Status choose_key(uint32_t node);
    Status choose_string(uint32_t node);
    bool may_be_quoted(uint32_t node) const;
    bool read_source(uint32_t node);
    void begin(std::string_view own);
    Status count(std::string_view spelling, uint64_t &tokens);
    Status offer(std::string_view spelling, bool &better);
    Status offer_quoted(frame::QuoteStyle style, bool &better);
    void end();

    Outgoing &out_;
    const std::string_view frame_;
    Buffer<char> &spelled_;
    const frame::Spelling spelling_;
    value::TreeView tree_ = {};
    size_t at_ = 0;              // in frame_: the text up to here is in spelled_
    std::string_view own_;       // the text to be spelled, as in the frame
    uint64_t best_tokens_ = 0;   // of the cheapest spelling, with its context; 0: not counted
    Buffer<char> best_, trial_;  // best_ is empty if nothing is cheaper than own_
    Buffer<char> source_;        // the meaning of a string
    bool changed_ = false;
};

// Returns whether the key is written as it is. Its text may be a literal without slack.
bool is_its_own_form(std::string_view key) {
    for (char c : key)
        if (!(byte_class(c) & kWordByte)) return false;
    return !key.empty() && key.substr(0, 2) != "__";
}

bool is_inside(char c) { return (c & 0xC0) == 0x80; }  // inside a character

// Starts to spell `own`, a part of the frame.
void Speller::begin(std::string_view own) {
    const auto offset = static_cast<size_t>(own.data() - frame_.data());
    spelled_.append(frame_.data() + at_, offset - at_);
    at_ = offset;
    own_ = own;
    best_.clear();
    best_tokens_ = 0;
}

void Speller::end() {
    spelled_.append(best_.empty() ? own_ : best_.view());
    at_ += own_.size();
    changed_ |= !best_.empty();
}

Status Speller::count(std::string_view spelling, uint64_t &tokens) {
    std::string_view before = spelled_.view(), after = frame_.substr(at_ + own_.size(), kContext);
    if (before.size() > kContext) before.remove_prefix(before.size() - kContext);
    while (!before.empty() && is_inside(before.front())) before.remove_prefix(1);
    const size_t end = at_ + own_.size() + after.size();
    while (end < frame_.size() && !after.empty() && is_inside(frame_[end])) after.remove_suffix(1);
    Buffer<char> &text = out_.scratch.json;
    text.clear();
    for (std::string_view part : {before, spelling, after}) text.append(part);
    return out_.call.counter->count(text.view(), UINT64_MAX, tokens);
}

// Keeps this spelling if it is the cheapest.
Status Speller::offer(std::string_view spelling, bool &better) {
    uint64_t tokens = 0;
    Status status = best_tokens_ ? Status{} : count(own_, best_tokens_);
    if (status.ok()) status = count(spelling, tokens);
    better = status.ok() && tokens < best_tokens_;
    if (!better) return status;
    best_tokens_ = tokens;
    best_.assign(spelling);
    return {};
}

Status Speller::offer_quoted(frame::QuoteStyle style, bool &better) {
    trial_.clear();
    frame::write_quoted_string(source_.view(), spelling_.raw, style, trial_);
    return offer(trial_.view(), better);
}

// Returns the full form of an abbreviated key if the other side reads both as the same key;
// otherwise empty.
std::string_view Speller::full_key(std::string_view wire) const {
    const registry::Registry *registry = out_.setup.registry;
    if (wire.substr(0, 2) == "__") return {};
    if (!registry) return out_.settings.abbreviate ? frame::key_of_code(wire) : std::string_view();
    const registry::KeyForm form = registry->read_key(out_.schema, wire);
    const registry::KeyForm full = registry->read_key(out_.schema, form.text);
    const bool means_more =  // a key with a meaning of its own
        form.text == kSchemaKey || form.text == "delta" ||
        (out_.settings.has(ACCP_EXT_P1) && registry->by_code(form.text));
    if (form.text == wire || full.text != form.text || full.field != form.field || means_more ||
        !is_its_own_form(form.text))
        return {};
    return form.text.size() <= out_.settings.limit(ACCP_LIMIT_KEY_BYTES) ? form.text
                                                                         : std::string_view();
}

Status Speller::choose_key(uint32_t node) {
    const std::string_view full = full_key(tree_.key(node));
    if (full.empty()) return {};
    begin(tree_.key(node));
    bool better = false;
    Status status = offer(full, better);
    end();
    return status;
}

// Returns whether quoted forms of a string are worth trying: it is quoted already, has backslash
// escapes, or is a quantity in symbols.
bool Speller::may_be_quoted(uint32_t node) const {
    if (!spelling_.q1 || tree_[node].kind != ACCP_STRING) return false;
    const std::string_view wire = tree_.string(node);
    return frame::is_quoted(wire) || (tree_[node].flags & ACCP_NODE_ESCAPED) ||
           (spelling_.symbols && !frame::read_symbols(wire).number.empty());
}

bool Speller::read_source(uint32_t node) {
    value::Node copy = tree_[node];
    source_.clear();
    char *end = frame::read_content(copy, tree_.string(node), spelling_,
                                    source_.reserve(copy.len + frame::kMaxWordsGrowth));
    if (!end || copy.kind != ACCP_STRING) return false;
    source_.set_end(end);
    return true;
}

Status Speller::choose_string(uint32_t node) {
    if (!may_be_quoted(node) || !read_source(node)) return {};
    begin(tree_.string(node));
    frame::QuoteStyle style;
    bool better = false;
    Status status;
    if (!frame::is_quoted(own_)) status = offer_quoted(style, better);
    const bool has_runs = own_.find("%u") != own_.rfind("%u");
    for (uint32_t bridge = 1; status.ok() && has_runs && bridge <= kMaxBridge; ++bridge) {
        status = offer_quoted({bridge, false}, better);
        if (better) style.bridge = bridge;
    }
    style.wide_space = true;
    if (status.ok() && source_.view().find(' ') != std::string_view::npos)
        status = offer_quoted(style, better);
    end();
    return status;
}

Status Speller::run(bool &changed) {
    Buffer<value::Node> &nodes = out_.scratch.nodes;
    nodes.clear();
    spelled_.clear();
    Status status = out_.coder.parse(frame_.data(), frame_.size(), nodes);
    if (status.failed()) return {};  // not valid in this dialect: unchanged
    tree_ = {nodes.data(), frame_.data()};
    uint32_t sibling = frame::kPayload + 1;  // the next of the payload's own params
    for (uint32_t i = sibling; status.ok() && i < tree_[frame::kPayload].next; ++i) {
        const bool list = i == frame::kPayload + 1 && out_.by_position;
        if (i == sibling && !list) status = choose_key(i);
        if (i == sibling) sibling = tree_[i].next;
        if (status.ok()) status = choose_string(i);
    }
    spelled_.append(frame_.substr(at_));
    changed = changed_;
    return status;
}

// Spells the frame in scratch.text again. The result, or the frame itself, replaces the current
// frame if it has fewer tokens.
Status try_spelling(Outgoing &out) {
    bool changed = false;
    Status status = Speller(out).run(changed);
    const std::string_view found = changed ? out.scratch.part.view() : out.scratch.text.view();
    uint64_t tokens = 0;
    if (status.ok()) status = out.call.counter->count(found, UINT64_MAX, tokens);
    if (status.failed() || tokens >= out.tokens ||
        found.size() > out.settings.limit(ACCP_LIMIT_FRAME_BYTES))
        return status;
    out.tokens = tokens;
    out.respelled = true;
    out.out.resize_down(out.start);
    out.out.append(found);
    return {};
}

// Moves the text in `out` from `at` on to scratch.text.
void take_text(Outgoing &out, size_t at) {
    out.scratch.text.recycle(kKeptBytes);
    out.scratch.text.append(out.out.view().substr(at));
    out.out.resize_down(at);
}

}  // namespace

Status spell_frame(Outgoing &out) {
    out.scratch.text.assign(out.out.view().substr(out.start));
    const bool by_position = out.by_position,
               tables = out.settings.has(ACCP_EXT_T1) &&
                        out.scratch.text.view().find(frame::kRowsKey) != std::string_view::npos;
    Status status = try_spelling(out);
    for (const Layout layout : {Layout{false, true}, Layout{true, false}, Layout{false, false}}) {
        if ((!layout.positions && !by_position) || (!layout.tables && !tables)) continue;
        out.layout = layout;
        const size_t at = out.out.size();
        if (compose(out).ok()) {  // another layout may not be possible
            take_text(out, at);
            status = try_spelling(out);
        }
        if (status.failed()) break;
    }
    out.layout = {};
    out.at_key = out.in_meta = false;
    return move_to(status, out.message.payload);
}

}  // namespace accp::codec
