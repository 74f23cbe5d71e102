// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context_lines.h.
#include "context/context_lines.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace accp_context {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kUntrusted = "(untrusted message) ";
constexpr std::string_view kGap = "\xE2\x80\xA6";

bool begins(std::string_view text, std::string_view with) {
    return text.substr(0, with.size()) == with;
}

// Characters that a reader may take for the end of a line, and characters that are invisible.
constexpr std::string_view kOddEnds[] = {
    "\r", "\v", "\f", "\x1C", "\x1D", "\x1E", "\x85", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
constexpr std::string_view kHidden[] = {"\x1B",         "\x07",         "\x7F",
                                        "\xC2\x9B",     "\xE2\x80\x8B", "\xE2\x80\xAE",
                                        "\xE2\x81\xA0", "\xEF\xBB\xBF", "\xF3\xA0\x81\x80"};

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return lines;
}

// Returns the numbers of the messages whose tags are in the line.
std::vector<size_t> tags_in(std::string_view line, size_t max) {
    std::vector<size_t> found;
    for (size_t at = 0; (at = line.find('m', at)) != line.npos; ++at) {
        size_t number = 0, end = at + 1;
        for (; end < line.size() && line[end] >= '0' && line[end] <= '9' && end - at < 8; ++end)
            number = number * 10 + static_cast<size_t>(line[end] - '0');
        if (end > at + 1 && end < line.size() && line[end] == 'x' && number && number <= max)
            found.push_back(number);
    }
    return found;
}

// Splits a line that begins like that of a closed message, `coder@26`, into the number and the
// rest.
std::pair<size_t, std::string_view> closed_number(std::string_view line) {
    const size_t at =
        line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-~");
    if (!at || at == line.npos || at > 64 || line[at] != '@') return {};
    const size_t end = std::min(line.find_first_not_of("0123456789", at + 1), line.size());
    if (end == at + 1 || end - at > 8) return {};
    return {std::stoul(std::string(line.substr(at + 1, end - at - 1))), line.substr(end)};
}

bool looks_like_structure(std::string_view text) {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
    for (std::string_view form :
         {"@"sv, "$hot."sv, "$warm."sv, "$cold."sv, "$ctx."sv, "(agent@N"sv, "{\"agent\""sv,
          "(untrusted "sv, "(stated)"sv, "(summary)"sv, kGap})
        if (begins(text, form)) return true;
    return closed_number(text).first != 0;
}

std::string head_of(const Said &said) {
    return (said.untrusted ? std::string(kUntrusted) : "") + "@" + said.agent + " " + said.intent +
           ":" + said.operation;
}

struct Reader {
    const std::vector<Said> &said;
    uint32_t checkpoint;
    enum class In { kNothing, kMessage, kFacts, kSummary } in = In::kNothing;
    std::string head;  // of the message whose lines these are

    // Returns whether a tag may be under this header.
    bool is_of(size_t number, std::string_view of) const { return head_of(said[number - 1]) == of; }

    const char *line(std::string_view line) {
        for (std::string_view end : kOddEnds)
            if (line.find(end) != line.npos && end != "\x85") return "an odd end of a line";
        for (std::string_view hidden : kHidden)
            if (line.find(hidden) != line.npos) return "something that cannot be seen";
        if (line.empty()) return nullptr;
        if (line[0] == ' ') return text(line);
        if (line[0] == '@' || begins(line, kUntrusted)) return header(line);
        if (line[0] == '$') return checkpoint_name(line);
        if (begins(line, kGap)) return gap(line);
        if (line == "(stated)") return in = In::kFacts, nullptr;
        if (line == "(summary)") return in = In::kSummary, nullptr;
        if (auto [number, rest] = closed_number(line); number) return closed(line, number, rest);
        if (in == In::kFacts) return fact(line);
        return in == In::kMessage ? field(line) : "a line of nothing";
    }
    const char *text(std::string_view line) {
        if (looks_like_structure(line.substr(1))) return "a text that looks like structure";
        if (in == In::kSummary) return nullptr;
        if (in != In::kMessage) return "a text of no message";
        for (size_t number : tags_in(line, said.size()))
            if (!is_of(number, head)) return "a text under the head of another message";
        return nullptr;
    }
    const char *header(std::string_view line) {
        const size_t space = line.find(' ', begins(line, kUntrusted) ? kUntrusted.size() : 0);
        std::string_view of = line.substr(0, line.find(' ', space + 1));
        if (std::none_of(said.begin(), said.end(),
                         [&](const Said &one) { return head_of(one) == of; }))
            return "a header that no message has";
        return begin(std::string(of), line);
    }
    // `coder@26 (untrusted) done:work: …`
    const char *closed(std::string_view line, size_t number, std::string_view rest) {
        if (number > said.size()) return "the number of no message";
        const Said &one = said[number - 1];
        std::string wanted = one.untrusted ? " (untrusted)" : "";
        if (one.operation != "tool" || (one.intent != "req" && one.intent != "done"))
            wanted += " " + one.intent + ":" + one.operation;
        if (!begins(line, one.agent + "@") || !begins(rest, wanted + ":"))
            return "a head of another message";
        return begin(head_of(one), line);
    }
    const char *begin(const std::string &of, std::string_view line) {
        in = In::kMessage;
        head = of;
        for (size_t number : tags_in(line, said.size()))
            if (!is_of(number, head)) return "a header with another's text";
        return nullptr;
    }
    const char *checkpoint_name(std::string_view line) {
        in = In::kNothing;
        for (uint32_t id = 1; id <= checkpoint; ++id)
            if (line == "$warm.ckpt_" + std::to_string(id)) return nullptr;
        return "the name of no checkpoint";
    }
    // Omitted lines or messages; names from them; the ref of the whole message.
    const char *gap(std::string_view line) {
        if (line.size() > kGap.size() && line[kGap.size()] != ' ') return "a gap that is none";
        if (line.find(" to $cold.m") != line.npos) return range(line);
        if (const size_t at = line.find("$cold.m"); at != line.npos) {
            const std::string number(line.substr(at + 7));
            if (number.empty() || number.size() > 6 ||
                number.find_first_not_of("0123456789") != number.npos)
                return "a reference to no message";
            const size_t which = std::stoul(number);
            return which && which <= said.size() && is_of(which, head)
                       ? nullptr
                       : "a reference to another message";
        }
        for (size_t number : tags_in(line, said.size()))
            if (in != In::kMessage || !is_of(number, head)) return "names of another message";
        return nullptr;
    }
    // "… $cold.m2 to $cold.m7": messages that are not there.
    const char *range(std::string_view line) {
        in = In::kNothing;
        head.clear();
        unsigned first = 0, last = 0;
        int end = 0;
        const std::string text(line);
        const int found =
            std::sscanf(text.c_str(), "\xE2\x80\xA6 $cold.m%u to $cold.m%u%n", &first, &last, &end);
        return found == 2 && size_t(end) == text.size() && first && first <= last &&
                       last <= said.size()
                   ? nullptr
                   : "a range of no messages";
    }
    // A path of keys, then a text or a block.
    const char *field(std::string_view line) {
        if (head.empty()) return "a field of no message";
        size_t at = 0;
        for (bool first = true; first || (at < line.size() && line[at] == '.'); first = false) {
            at += !first;
            if (at < line.size() && line[at] == '"') {
                for (++at; at < line.size() && line[at] != '"'; ++at) at += line[at] == '\\';
                ++at;
            } else {
                while (at < line.size() && line[at] != '.' && line[at] != ':' && line[at] != ' ')
                    ++at;
            }
        }
        if (at >= line.size() || (!begins(line.substr(at), ": ") &&
                                  !begins(line.substr(at), " {") && line.substr(at) != ":"))
            return "a field that is none";
        if (looks_like_structure(line)) return "a field that looks like structure";
        for (size_t number : tags_in(line, said.size()))
            if (!is_of(number, head)) return "a field under the head of another message";
        return nullptr;
    }
    // An entity, its author, and the stated value.
    const char *fact(std::string_view line) {
        if (looks_like_structure(line)) return "a fact that looks like structure";
        const size_t space = line.find(' ');
        std::string_view entity = line.substr(0, space),
                         rest = space == line.npos ? "" : line.substr(space + 1);
        std::string author(entity.substr(0, entity.find('.')));
        if (begins(rest, "by ")) {
            author = rest.substr(3, rest.find(' ', 3) - 3);
            rest.remove_prefix(3 + author.size());
            rest.remove_prefix(!rest.empty());
        }
        const bool untrusted = begins(rest, "(untrusted) ");
        for (size_t number : tags_in(line, said.size()))
            if (said[number - 1].agent != author || said[number - 1].untrusted != untrusted)
                return "a fact of another author";
        return rest.find(':') != rest.npos ? nullptr : "a fact that is none";
    }
};

}  // namespace

std::string find_forgery(std::string_view context, const std::vector<Said> &said,
                         uint32_t checkpoint) {
    Reader reader = {said, checkpoint, Reader::In::kNothing, ""};
    for (std::string_view line : lines_of(context))
        if (const char *wrong = reader.line(line))
            return std::string(wrong) + ": " + std::string(line);
    return {};
}

}  // namespace accp_context
