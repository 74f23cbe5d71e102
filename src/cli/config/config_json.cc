// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON with or without comments, scanned with the positions of its members.
#include <algorithm>

#include "cli/config/config_text.h"
#include "cli/host.h"

namespace cli {
namespace {

constexpr size_t kNowhere = static_cast<size_t>(-1);

struct JsonPart {
    size_t parent = kNowhere;
    size_t key = kNowhere;      // the opening quote of its key, if it is a member
    size_t begin = 0, end = 0;  // of the value
    std::string name;
};

// Reads a text into parts: the root first, each other one after its parent.
class JsonScan {
public:
    JsonScan(std::string_view text, bool has_comments) : text_(text), has_comments_(has_comments) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
        read_value(kNowhere, kNowhere, {});
        while (!open_.empty()) read_next();
        if (skip() != '\0') throw wrong("the end of the file");
    }

    size_t size() const { return parts_.size(); }
    const JsonPart &part(size_t i) const { return parts_[i]; }
    bool is_object(size_t i) const { return text_[parts_[i].begin] == '{'; }
    // Returns the member of an object, or kNowhere.
    size_t find(size_t object, std::string_view name) const {
        size_t found = kNowhere;
        for (size_t i = object + 1; i < parts_.size(); ++i) {
            if (parts_[i].parent != object || parts_[i].name != name) continue;
            if (found != kNowhere)
                throw Failure(place_in(text_, parts_[i].key) + ": has \"" + std::string(name) +
                              "\" for the second time; remove one of them");
            found = i;
        }
        return found;
    }
    // Returns the first member or element of a part, or kNowhere.
    size_t first_of(size_t object) const {
        for (size_t i = object + 1; i < parts_.size(); ++i)
            if (parts_[i].parent == object) return i;
        return kNowhere;
    }
    size_t count(size_t object) const {
        return static_cast<size_t>(
            std::count_if(parts_.begin(), parts_.end(),
                          [&](const JsonPart &one) { return one.parent == object; }));
    }
    // Returns the first byte at or after `at` that is neither white space nor comment.
    size_t after_space(size_t at) {
        at_ = at;
        skip();
        return at_;
    }

private:
    static constexpr size_t kMaxDepth = 200;

    Failure wrong(const std::string &expected) const {
        const std::string found =
            at_ < text_.size() ? "\"" + std::string(text_.substr(at_, 1)) + "\"" : "the end";
        return Failure(place_in(text_, at_) + ": expected " + expected + ", found " + found);
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    char skip() {
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r') {
                ++at_;
            } else if (rest.starts_with("//") && has_comments_) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (rest.starts_with("/*") && has_comments_) {
                const size_t end = text_.find("*/", at_ + 2);
                if (end == text_.npos) throw wrong("the end of the comment");
                at_ = end + 2;
            } else {
                return rest[0];
            }
        }
        return '\0';
    }

    std::string read_string() {
        const size_t begin = at_++;
        while (peek() != '"') {
            if (at_ >= text_.size() || static_cast<unsigned char>(peek()) < ' ')
                throw wrong("the end of the string");
            at_ += peek() == '\\' ? 2 : 1;
        }
        ++at_;
        return json_text(text_.substr(begin, at_ - begin));
    }

    void read_value(size_t parent, size_t key, std::string name) {
        skip();
        parts_.push_back({parent, key, at_, 0, std::move(name)});
        const char first = peek();
        if (first == '{' || first == '[') {
            if (open_.size() == kMaxDepth) throw wrong("less nesting");
            open_.push_back(parts_.size() - 1);
            ++at_;
            is_first_ = true;
            return;
        }
        if (first == '"') read_string();
        else read_word();
        parts_.back().end = at_;
        is_first_ = false;
    }
    // Reads true, false, null or a number.
    void read_word() {
        const size_t end = std::min(text_.find_first_of(",]}/ \t\r\n", at_), text_.size());
        const std::string_view word = text_.substr(at_, end - at_);
        const bool is_number =
            !word.empty() && word.find_first_not_of("+-.0123456789eE") == word.npos;
        if (word != "true" && word != "false" && word != "null" && !is_number)
            throw wrong("a value");
        at_ = end;
    }

    // Reads the next member or element of the innermost container, or its end.
    void read_next() {
        const size_t container = open_.back();
        const bool is_map = is_object(container);
        const char end = is_map ? '}' : ']';
        bool may_end = true;
        if (!is_first_ && skip() == ',') {
            ++at_;
            may_end = has_comments_;
        } else if (!is_first_ && peek() != end) {
            throw wrong(std::string("a comma or ") + end);
        }
        if (skip() == end && may_end) {
            parts_[container].end = ++at_;
            open_.pop_back();
            is_first_ = false;
            return;
        }
        if (!is_map) return read_value(container, kNowhere, {});
        if (peek() != '"') throw wrong("a key in quotes");
        const size_t key = at_;
        std::string name = read_string();
        if (skip() != ':') throw wrong("a colon");
        ++at_;
        read_value(container, key, std::move(name));
    }

    std::string_view text_;
    const bool has_comments_;
    size_t at_ = 0;
    bool is_first_ = false;  // nothing of the innermost container was read yet
    std::vector<JsonPart> parts_;
    std::vector<size_t> open_;
};

// Returns the white space at the beginning of the line, if nothing else is before `at`.
std::optional<std::string_view> indent_at(std::string_view text, size_t at) {
    const size_t begin = at ? text.rfind('\n', at - 1) + 1 : 0;
    const std::string_view before = text.substr(begin, at - begin);
    if (begin == 0 || before.find_first_not_of(" \t") != before.npos) return std::nullopt;
    return before;
}

std::string value_json(const std::string &value) {
    return value == "true" ? value : json_string(value);
}

// Follows the path and returns the part at its end, with how many of its keys exist.
struct JsonStep {
    size_t part = 0;
    size_t keys = 0;
};
JsonStep follow(const JsonScan &scan, std::string_view text, const SettingPath &path) {
    JsonStep step;
    for (const std::string &key : path) {
        if (!scan.is_object(step.part))
            throw Failure(place_in(text, scan.part(step.part).begin) +
                          ": expected an object, because \"" + key + "\" belongs into it");
        const size_t next = scan.find(step.part, key);
        if (next == kNowhere) break;
        step.part = next;
        ++step.keys;
    }
    return step;
}

// Lays out the new members of an object like those around them.
class JsonLayout {
public:
    JsonLayout(std::string_view text, const JsonScan &scan, size_t object) {
        const size_t first = scan.first_of(object), root = scan.first_of(0);
        const auto root_indent =
            root == kNowhere ? std::nullopt : indent_at(text, scan.part(root).key);
        unit_ = root_indent && !root_indent->empty() ? *root_indent : "  ";
        newline_ = text.find("\r\n") == text.npos ? "\n" : "\r\n";
        is_long_ = root == kNowhere || root_indent.has_value();
        if (first != kNowhere) {
            const auto indent = indent_at(text, scan.part(first).key);
            is_long_ = indent.has_value();
            if (indent) indent_ = *indent;
            const JsonPart &part = scan.part(first);
            const std::string_view pair = text.substr(part.key, part.begin - part.key);
            has_space_ = is_long_ || pair.ends_with(' ');
        } else if (is_long_) {
            const size_t key = scan.part(object).key;
            const auto outer = key == kNowhere ? std::nullopt : indent_at(text, key);
            indent_ = (outer ? std::string(*outer) : "") + unit_;
        }
    }

    // Returns the text between the opening bracket of the object and its rest. `value`: JSON.
    std::string members(const SettingPath &path, size_t from, const std::string &value,
                        bool has_more) const {
        std::string out = line(indent_), end, indent = indent_;
        for (size_t i = from; i < path.size(); ++i) {
            out += json_string(path[i]) + (has_space_ ? ": " : ":");
            if (i + 1 == path.size()) break;
            end = line(indent) + "}" + end;
            indent += unit_;
            out += "{" + line(indent);
        }
        out += value + end;
        if (has_more) return out + (is_long_ ? "," : has_space_ ? ", " : ",");
        return out +
               line(indent_.substr(0, indent_.size() - std::min(indent_.size(), unit_.size())));
    }

private:
    std::string line(const std::string &indent) const { return is_long_ ? newline_ + indent : ""; }

    std::string unit_, indent_, newline_;
    bool is_long_ = true, has_space_ = true;
};

bool is_blank_text(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

// Adds the missing rest of a path to the object at its end. `value`: JSON.
std::string with_members(std::string_view text, JsonScan &scan, const JsonStep &step,
                         const SettingPath &path, const std::string &value) {
    const JsonPart &part = scan.part(step.part);
    const bool has_more = scan.first_of(step.part) != kNowhere;
    const size_t rest = scan.after_space(part.begin + 1);
    const std::string members =
        JsonLayout(text, scan, step.part).members(path, step.keys, value, has_more);
    // The white space of an empty object is replaced; a comment in it stays.
    const bool is_blank =
        !has_more && is_blank_text(text.substr(part.begin + 1, rest - part.begin - 1));
    return std::string(text).replace(part.begin + 1, is_blank ? rest - part.begin - 1 : 0, members);
}

// Removes a member, which is at a path of `depth` keys, and the objects around it that become
// empty, except the first `kept` ones.
std::string without_member(std::string_view text, JsonScan &scan, size_t removed, size_t depth,
                           size_t kept) {
    for (size_t keys = depth - 1; keys > kept && keys > 0; --keys) {
        const size_t outer = scan.part(removed).parent;
        if (scan.count(outer) != 1) break;
        removed = outer;
    }
    const JsonPart &part = scan.part(removed);
    size_t begin = part.key;
    while (std::string_view(" \t\r\n").find(text[begin - 1]) != text.npos) --begin;
    std::string out(text);
    const size_t comma = scan.after_space(part.end);
    if (text[comma] == ',') {
        size_t end = comma + 1;  // on one line, also the space after the comma
        while (begin == part.key && (text[end] == ' ' || text[end] == '\t')) ++end;
        return out.erase(begin, end - begin);
    }
    out.erase(begin, part.end - begin);
    if (text[begin - 1] == ',') out.erase(begin - 1, 1);
    return out;
}

// Returns the first element of a list that has a text, apart from its layout, or kNowhere.
size_t find_element(const JsonScan &scan, std::string_view text, const SettingPath &path,
                    std::string_view mark) {
    const JsonStep step = follow(scan, text, path);
    if (step.keys < path.size() || text[scan.part(step.part).begin] != '[') return kNowhere;
    for (size_t i = step.part + 1; i < scan.size(); ++i) {
        const JsonPart &part = scan.part(i);
        if (part.parent == step.part &&
            text.substr(part.begin, part.end - part.begin).find(mark) != text.npos)
            return i;
    }
    return kNowhere;
}

}  // namespace

std::optional<std::string> JsonSettings::find(std::string_view text,
                                              const SettingPath &path) const {
    if (is_blank_text(text)) return std::nullopt;
    const JsonScan scan(text, has_comments);
    const JsonStep step = follow(scan, text, path);
    if (step.keys < path.size()) return std::nullopt;
    const JsonPart &part = scan.part(step.part);
    const std::string_view value = text.substr(part.begin, part.end - part.begin);
    if (value == "true") return "true";
    if (value[0] != '"')
        throw Failure(place_in(text, part.begin) + ": \"" + path.back() +
                      "\" is not a text in quotes");
    return json_text(value);
}

std::string JsonSettings::set(std::string_view text, const SettingPath &path,
                              const std::string &value) const {
    if (is_blank_text(text)) return set("{}\n", path, value);
    JsonScan scan(text, has_comments);
    const JsonStep step = follow(scan, text, path);
    if (step.keys == path.size()) {
        find(text, path);  // refuses a value that is not a text
        const JsonPart &part = scan.part(step.part);
        return std::string(text).replace(part.begin, part.end - part.begin, value_json(value));
    }
    return with_members(text, scan, step, path, value_json(value));
}

std::string JsonSettings::remove(std::string_view text, const SettingPath &path,
                                 size_t kept) const {
    if (!find(text, path)) return std::string(text);
    JsonScan scan(text, has_comments);
    return without_member(text, scan, follow(scan, text, path).part, path.size(), kept);
}

std::string JsonSettings::add_element(std::string_view text, const SettingPath &path,
                                      const std::string &element) const {
    if (is_blank_text(text)) return add_element("{}\n", path, element);
    JsonScan scan(text, has_comments);
    const JsonStep step = follow(scan, text, path);
    if (step.keys < path.size()) return with_members(text, scan, step, path, "[" + element + "]");
    const JsonPart &list = scan.part(step.part);
    if (text[list.begin] != '[')
        throw Failure(place_in(text, list.begin) + ": \"" + path.back() + "\" is not a list");
    const size_t first = scan.first_of(step.part);
    std::string added = element;
    if (first != kNowhere) {
        const auto indent = indent_at(text, scan.part(first).begin);
        const size_t line = indent ? text.rfind('\n', scan.part(first).begin) : text.npos;
        added = indent ? std::string(text[line - 1] == '\r' ? "\r\n" : "\n")
                             .append(*indent)
                             .append(element)
                             .append(",")
                       : element + ", ";
    }
    return std::string(text).insert(list.begin + 1, added);
}

std::string JsonSettings::remove_elements(std::string text, const SettingPath &path,
                                          std::string_view mark) const {
    while (!is_blank_text(text)) {
        JsonScan scan(text, has_comments);
        const size_t found = find_element(scan, text, path, mark);
        if (found == kNowhere) break;
        const JsonPart &part = scan.part(found);
        if (scan.count(part.parent) == 1) {
            text = without_member(text, scan, part.parent, path.size(), 0);
            continue;
        }
        const size_t comma = scan.after_space(part.end);
        size_t begin = part.begin, end = part.end;
        if (text[comma] == ',') {
            end = scan.after_space(comma + 1);
        } else {
            while (text[begin] != ',') --begin;
        }
        text.erase(begin, end - begin);
    }
    return text;
}

size_t JsonSettings::count_present(std::string_view text, const SettingPath &path) const {
    if (is_blank_text(text)) return 0;
    return follow(JsonScan(text, has_comments), text, path).keys;
}

std::string place_in(std::string_view text, size_t at) {
    const std::string_view before = text.substr(0, std::min(at, text.size()));
    const size_t line_begin = before.rfind('\n') + 1;
    return "line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')) +
           " column " + std::to_string(before.size() - line_begin + 1);
}

}  // namespace cli
