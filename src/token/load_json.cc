// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The published expressions are compared as text: a similar pattern is not accepted.
#include <algorithm>
#include <charconv>

#include "base/random.h"
#include "base/utf8.h"
#include "token/load.h"
#include "value/json_reader.h"

namespace accp::token {

namespace {

struct KnownPattern {
    const char *name;
    uint32_t count;
    const char *splits[3];
};

constexpr KnownPattern kKnownPatterns[] = {
    {"llama3",
     1,
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"qwen2",
     1,
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"qwen35",
     1,
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"o200k_base",
     1,
     {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|)"
      R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"tekken",
     1,
     {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
      R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"deepseek3",
     3,
     {R"(\p{N}{1,3})", "[一-龥\u3040-ゟ゠-ヿ]+",
      R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}},
    {"gpt2", 1, {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"}},
};

constexpr const char *kUnknown = "a pre-tokenizer, or a pattern of one, that is not supported";

// The steps of the pre_tokenizer, as far as they are supported.
struct PreTokenizerSteps {
    std::string_view splits[3];
    uint32_t count = 0;
    bool bytes = false;  // the last step is ByteLevel

    bool add(value::TreeView tree, uint32_t step) {
        if (tree[step].kind != ACCP_MAP || bytes) return false;
        auto is = [&](const char *key, const char *text) {
            uint32_t node = tree.find(step, key);
            return node && tree[node].kind == ACCP_STRING && tree.string(node) == text;
        };
        auto on = [&](const char *key) {
            uint32_t node = tree.find(step, key);
            return node && tree[node].kind == ACCP_BOOL && (tree[node].flags & ACCP_NODE_TRUE);
        };
        if (is("type", "ByteLevel")) {
            bytes = true;
            if (on("add_prefix_space")) return false;
            uint32_t own = tree.find(step, "use_regex");  // the default is true
            if ((!own || on("use_regex")) && count < 3)
                splits[count++] = kKnownPatterns[6].splits[0];
            return true;
        }
        uint32_t pattern = tree.find(step, "pattern"),
                 regex = pattern ? tree.find(pattern, "Regex") : 0;
        if (!is("type", "Split") || !is("behavior", "Isolated") || on("invert") || !regex ||
            count == 3)
            return false;
        splits[count++] = tree.string(regex);
        return true;
    }
};

}  // namespace

Status find_json_pattern(value::TreeView tree, const Pattern **out) {
    uint32_t root = tree.find(0, "pre_tokenizer");
    if (!root || tree[root].kind != ACCP_MAP) return fail(ACCP_E1004, 0, kUnknown);
    PreTokenizerSteps steps;
    uint32_t list = tree.find(root, "pretokenizers");
    bool good = list ? tree[list].kind == ACCP_ARRAY : steps.add(tree, root);
    for (uint32_t i = list + 1; good && list && i < tree[list].next; i = tree[i].next)
        good = steps.add(tree, i);
    for (const KnownPattern &known : kKnownPatterns) {
        bool same = good && steps.bytes && known.count == steps.count;
        for (uint32_t i = 0; same && i < known.count; ++i)
            same = steps.splits[i] == known.splits[i];
        if (!same) continue;
        *out = find_pattern(known.name);
        return {};
    }
    return fail(ACCP_E1004, 0, kUnknown);
}

// Hugging Face's tokenizer.json. Characters represent the bytes of its tokens (GPT-2's table):
// printable bytes are themselves, all others U+0100 and up.

namespace {

bool printable(uint32_t byte) {
    return (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
}

// Returns the byte that a character represents, or -1.
int byte_of(uint32_t point) {
    if (point < 0x100) return printable(point) ? static_cast<int>(point) : -1;
    uint32_t wanted = point - 0x100;
    for (int byte = 0; byte < 256; ++byte)
        if (!printable(static_cast<uint32_t>(byte)) && wanted-- == 0) return byte;
    return -1;
}

Status refuse(const char *message) { return fail(ACCP_E1004, 0, message); }

class JsonLoader {
public:
    JsonLoader(Memory &memory, LoadedVocabulary &out, Tokenizer &tokenizer)
        : memory_(memory),
          out_(out),
          tokenizer_(tokenizer),
          value_(memory),
          bytes_(memory),
          written_(memory),
          slots_(memory),
          seed_(random_seed()) {}

    Status load(std::string_view text) {
        value::JsonReader reader(memory_);
        Status status =
            reader.read(text.data(), text.size(), {kMaxTextBytes, kMaxJsonDepth}, value_);
        if (status.failed()) return status;
        tree_ = value_.view();
        if (tree_[0].kind != ACCP_MAP) return refuse("a tokenizer.json is an object");
        status = check_kind();
        if (status.ok()) status = find_json_pattern(tree_, &tokenizer_.pattern);
        if (status.ok()) status = index_vocabulary();
        if (status.ok()) status = make();
        if (status.ok()) status = add_specials();
        return status.ok() ? check_ids() : status;
    }

private:
    std::string_view text_of(uint32_t node) const {
        return node && tree_[node].kind == ACCP_STRING ? tree_.string(node) : std::string_view();
    }
    bool is_true(uint32_t node) const {
        return node && tree_[node].kind == ACCP_BOOL && (tree_[node].flags & ACCP_NODE_TRUE);
    }

    Status check_kind() {
        model_ = tree_.find(0, "model");
        if (!model_ || tree_[model_].kind != ACCP_MAP) return refuse("there is no model");
        if (text_of(tree_.find(model_, "type")) != "BPE")
            return refuse("the model is not BPE: WordPiece, Unigram and others are not supported");
        if (is_true(tree_.find(model_, "byte_fallback")))
            return refuse("a SentencePiece model (byte_fallback) is not supported");
        if (!text_of(tree_.find(model_, "continuing_subword_prefix")).empty() ||
            !text_of(tree_.find(model_, "end_of_word_suffix")).empty())
            return refuse("a BPE whose tokens have a prefix or suffix is not supported");
        uint32_t normalizer = tree_.find(0, "normalizer");
        bool plain = !normalizer || tree_[normalizer].kind == ACCP_NULL ||
                     text_of(tree_.find(normalizer, "type")) == "NFC";
        return plain ? Status{} : refuse("a normalizer other than NFC is not supported");
    }

    bool decode(std::string_view written, Buffer<char> &out) const {
        for (const char *at = written.data(), *end = at + written.size(); at < end;) {
            int byte = byte_of(read_utf8(at));
            if (byte < 0) return false;
            out.push(static_cast<char>(byte));
        }
        return true;
    }

    uint32_t *slot(std::string_view token) {
        size_t mask = slots_.size() - 1,
               at = static_cast<size_t>(seeded_hash(token.data(), token.size(), seed_)) & mask;
        while (slots_[at] && tree_.key(slots_[at]) != token) at = (at + 1) & mask;
        return &slots_[at];
    }
    bool id_of(uint32_t node, uint32_t &id) const {
        std::string_view text = tree_.string(node);
        return tree_[node].kind == ACCP_INT &&
               std::from_chars(text.data(), text.data() + text.size(), id).ec == std::errc{};
    }

    // Fills slots_: the nodes of the vocabulary, hashed by text.
    Status index_vocabulary() {
        vocabulary_ = tree_.find(model_, "vocab");
        merges_ = tree_.find(model_, "merges");
        if (!vocabulary_ || tree_[vocabulary_].kind != ACCP_MAP || !merges_ ||
            tree_[merges_].kind != ACCP_ARRAY)
            return refuse("the model has no vocabulary, or no merges");
        size_t size = 1024;
        while (size < 2 * size_t{tree_[vocabulary_].len}) size *= 2;
        std::memset(slots_.reserve(size), 0, size * sizeof(uint32_t));
        slots_.advance(size);
        for (uint32_t i = vocabulary_ + 1; i < tree_[vocabulary_].next; ++i)
            *slot(tree_.key(i)) = i;
        return {};
    }

    // Splits a merge: "a b", or ["a", "b"].
    bool halves(uint32_t node, std::string_view &left, std::string_view &right) const {
        if (tree_[node].kind == ACCP_ARRAY && tree_[node].len == 2) {
            left = text_of(node + 1);
            right = text_of(node + 2);
        } else {
            std::string_view both = text_of(node);
            size_t space = both.find(' ');
            if (space == both.npos) return false;
            left = both.substr(0, space);
            right = both.substr(space + 1);
        }
        return !left.empty() && !right.empty();
    }

    Status add_merge(VocabularyBuilder &maker, uint32_t node) {
        std::string_view left, right;
        if (!halves(node, left, right)) return refuse("a merge is not a pair of tokens");
        written_.clear();
        written_.append(left);
        written_.append(right);
        uint32_t found = *slot({written_.data(), written_.size()}), id = 0;
        if (!found || !id_of(found, id))
            return refuse("the result of a merge is not in the vocabulary");
        size_t from = bytes_.size();
        if (!decode(left, bytes_))
            return refuse("a token is not written byte by byte: this is not byte-level BPE");
        size_t middle = bytes_.size();
        if (!decode(right, bytes_))
            return refuse("a token is not written byte by byte: this is not byte-level BPE");
        return maker.add({bytes_.data() + from, bytes_.size() - from}, middle - from, id);
    }

    Status make() {
        VocabularyBuilder maker(memory_, tree_[vocabulary_].len);
        bytes_.reserve(value_.text.size());  // tokens are views of it, so it must not move
        uint32_t id = 0;
        for (uint32_t i = vocabulary_ + 1; i < tree_[vocabulary_].next; ++i) {
            std::string_view token = tree_.key(i);
            const char *at = token.data();
            int byte = token.empty() ? -1 : byte_of(read_utf8(at));
            if (byte < 0 || at != token.data() + token.size()) continue;
            if (!id_of(i, id) || !maker.add_byte(static_cast<char>(byte), id))
                return refuse("a token of one byte has no id, or occurs twice");
        }
        if (!maker.has_every_byte())
            return refuse("a byte has no token: this is not byte-level BPE");
        for (uint32_t i = merges_ + 1; i < tree_[merges_].next; i = tree_[i].next) {
            Status status = add_merge(maker, i);
            if (status.failed()) return status;
        }
        return maker.finish(is_true(tree_.find(model_, "ignore_merges")), out_, tokenizer_);
    }

    Status add_specials() {
        uint32_t added = tree_.find(0, "added_tokens");
        if (!added || tree_[added].kind != ACCP_ARRAY) return {};
        Buffer<char> &text = out_.special_text;
        size_t size = 0;
        for (uint32_t i = added + 1; i < tree_[added].next; i = tree_[i].next)
            size += text_of(tree_.find(i, "content")).size();
        text.reserve(size);
        for (uint32_t i = added + 1; i < tree_[added].next; i = tree_[i].next) {
            uint32_t id = 0, node = tree_[i].kind == ACCP_MAP ? tree_.find(i, "id") : 0;
            std::string_view content =
                node ? text_of(tree_.find(i, "content")) : std::string_view();
            if (content.empty() || !id_of(node, id))
                return refuse("an added token has no text or no id");
            const char *at = text.end();
            text.append(content);
            out_.specials.push({{at, content.size()}, id});
        }
        tokenizer_.specials = out_.specials.data();
        tokenizer_.special_count = static_cast<uint32_t>(out_.specials.size());
        return {};
    }

    // Checks that each id has one text, so that decoding reverses encoding. (Added tokens are often
    // in the vocabulary too.)
    Status check_ids() {
        Buffer<uint32_t> ids(memory_);
        ids.append(out_.ids);
        std::sort(ids.data(), ids.end());
        bool twice = std::adjacent_find(ids.data(), ids.end()) != ids.end();
        Buffer<SpecialToken> others(memory_);
        others.append(out_.specials);
        others.append(out_.whole);
        std::sort(others.data(), others.end(),
                  [](const SpecialToken &a, const SpecialToken &b) { return a.id < b.id; });
        for (size_t i = 0; i < others.size() && !twice; ++i) {
            const bool alike = i && others[i].id == others[i - 1].id;
            twice =
                (alike && others[i].text != others[i - 1].text) || is_id_of_other_text(others[i]);
        }
        return twice ? refuse("two tokens have one id") : Status{};
    }
    bool is_id_of_other_text(const SpecialToken &token) {
        const uint32_t number = tokenizer_.number_of(token.id);
        if (number >= tokenizer_.vocabulary.size()) return false;
        written_.clear();
        tokenizer_.vocabulary.append(number, written_);
        return std::string_view(written_.data(), written_.size()) != token.text;
    }

    Memory &memory_;
    LoadedVocabulary &out_;
    Tokenizer &tokenizer_;
    value::Value value_;
    value::TreeView tree_ = {};
    Buffer<char> bytes_, written_;
    Buffer<uint32_t> slots_;
    uint64_t seed_;
    uint32_t model_ = 0, vocabulary_ = 0, merges_ = 0;
};

}  // namespace

Status load_json(Memory &memory, std::string_view text, LoadedVocabulary &out,
                 Tokenizer &tokenizer) {
    return JsonLoader(memory, out, tokenizer).load(text);
}

}  // namespace accp::token
