// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The reader of the Markdown cases.
#include "spec/spec_case.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "accp/render.h"
#include "accp/types.h"

namespace accp_spec {
namespace {

std::vector<std::string> words(const std::string &text) {
    std::istringstream stream(text);
    std::vector<std::string> out;
    for (std::string word; stream >> word;) out.push_back(word);
    return out;
}

uint64_t number(const std::string &text) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
        throw std::runtime_error("no number: " + text);
    return std::stoull(text);
}

// "E1001 at 17"
Refusal refusal(const std::string &text) {
    const std::vector<std::string> parts = words(text);
    if (parts.size() != 3 || parts[0].size() != 5 || parts[0][0] != 'E' || parts[1] != "at")
        throw std::runtime_error("no refusal: " + text);
    return {static_cast<int32_t>(number(parts[0].substr(1))), number(parts[2])};
}

uint32_t extensions(const std::string &text) {
    static const std::map<std::string, uint32_t> kNames = {{"none", ACCP_EXT_NONE},
                                                           {"q1", ACCP_EXT_Q1},
                                                           {"t1", ACCP_EXT_T1},
                                                           {"u8", ACCP_EXT_U8},
                                                           {"w1", ACCP_EXT_W1}};
    uint32_t bits = 0;
    for (const std::string &word : words(text)) bits |= kNames.at(word);
    return bits;
}

std::vector<std::pair<std::string, uint64_t>> limits(const std::string &text) {
    std::vector<std::pair<std::string, uint64_t>> out;
    for (const std::string &word : words(text)) {
        const size_t equals = word.find('=');
        if (equals == std::string::npos) throw std::runtime_error("no limit: " + word);
        out.emplace_back(word.substr(0, equals), number(word.substr(equals + 1)));
    }
    return out;
}

uint32_t render_flags(const std::string &text) {
    static const std::map<std::string, uint32_t> kNames = {{"untrusted", ACCP_RENDER_UNTRUSTED},
                                                           {"one-line", ACCP_RENDER_ONE_LINE},
                                                           {"envelope", ACCP_RENDER_ENVELOPE}};
    uint32_t bits = 0;
    for (const std::string &word : words(text)) bits |= kNames.at(word);
    return bits;
}

bool yes(const std::string &text) {
    if (text != "yes") throw std::runtime_error("only `yes` is understood: " + text);
    return true;
}

void directive(const std::string &name, const std::string &text, Case &out) {
    if (name == "dialect") out.dialects = words(text);
    else if (name == "limit") out.limits = limits(text);
    else if (name == "ext") out.extensions = extensions(text);
    else if (name == "abbreviate") out.abbreviate = yes(text);
    else if (name == "keep refs") out.keep_refs = yes(text);
    else if (name == "render") out.render_flags = render_flags(text);
    else if (name == "taken") out.taken = yes(text);
    else if (name == "refused") out.refused = refusal(text);
    else if (name == "canon refused") out.canon_refused = refusal(text);
    else if (name == "envelope refused") out.envelope_refused = refusal(text);
    else throw std::runtime_error("unknown line: " + name);
}

bool is_known_block(const std::string &name) {
    static const char *const kNames[] = {"frame",     "json", "canon",      "envelope",
                                         "json-in",   "wire", "decode",     "json-out",
                                         "render-in", "text", "render-text"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

class FileReader {
public:
    explicit FileReader(const std::filesystem::path &path) : path_(path), stream_(path) {
        if (!stream_) throw std::runtime_error(path.string() + ": cannot be read");
    }

    void read(std::vector<Case> &out) {
        try {
            const size_t first = out.size();
            while (next()) {
                if (line_.rfind("## ", 0) == 0) begin(out);
                else if (out.size() > first) inside(out.back());
            }
            if (out.size() == first) throw std::runtime_error("no case");
        } catch (const std::exception &error) {
            throw std::runtime_error(path_.string() + ":" + std::to_string(number_) + ": " +
                                     error.what());
        }
    }

private:
    bool next() {
        ++number_;
        return static_cast<bool>(std::getline(stream_, line_));
    }

    void begin(std::vector<Case> &out) {
        Case fresh;
        fresh.file = path_.stem().string();
        fresh.heading = line_.substr(3);
        fresh.line = number_;
        fresh.dialects = {"strict"};
        fresh.extensions = ACCP_EXT_Q1;
        out.push_back(fresh);
    }

    void inside(Case &out) {
        if (line_.empty() || line_[0] == '>') return;
        if (line_.rfind("```", 0) == 0) return block(line_.substr(3), out);
        const size_t colon = line_.find(": ");
        if (colon == std::string::npos)
            throw std::runtime_error("neither a directive nor prose behind `>`: " + line_);
        directive(line_.substr(0, colon), line_.substr(colon + 2), out);
    }

    void block(const std::string &name, Case &out) {
        if (!is_known_block(name)) throw std::runtime_error("unknown block: " + name);
        std::string text;
        while (next() && line_ != "```") text += (text.empty() ? "" : "\n") + line_;
        if (line_ != "```") throw std::runtime_error("a block without an end");
        if (!out.blocks.emplace(name, text).second)
            throw std::runtime_error("two blocks of one name: " + name);
    }

    std::filesystem::path path_;
    std::ifstream stream_;
    std::string line_;
    int number_ = 0;
};

int hex(char c) {
    const size_t digit = std::string_view("0123456789ABCDEF").find(c);
    return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

}  // namespace

const std::string *Case::block(std::string_view name) const {
    const auto found = blocks.find(std::string(name));
    return found == blocks.end() ? nullptr : &found->second;
}

std::vector<Case> read_cases(const std::string &directory) {
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(directory)) {
        if (entry.path().extension() == ".md" && entry.path().filename() != "README.md")
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<Case> cases;
    for (const auto &file : files) FileReader(file).read(cases);
    return cases;
}

std::string unfold_bytes(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        const size_t end = rest.find(">>"), star = rest.substr(0, end).rfind('*');
        if (rest.size() > 3 && rest[0] == '<' && rest[3] == '>' && hex(rest[1]) >= 0 &&
            hex(rest[2]) >= 0) {
            out += static_cast<char>(hex(rest[1]) * 16 + hex(rest[2]));
            at += 4;
        } else if (rest.substr(0, 2) == "<<" && end != std::string_view::npos &&
                   star != std::string_view::npos) {
            for (uint64_t n = number(std::string(rest.substr(star + 1, end - star - 1))); n > 0;
                 --n)
                out += rest.substr(2, star - 2);
            at += end + 2;
        } else {
            out += text[at++];
        }
    }
    return out;
}

}  // namespace accp_spec
