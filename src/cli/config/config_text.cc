// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/config/config_text.h"

#include <algorithm>
#include <utility>

#include "cli/host.h"

namespace cli {
namespace {

// A setting in a format of lines.
struct SettingLine {
    SettingPath path;  // of a table, if `is_table`
    size_t begin = 0;  // of the line
    size_t value = 0, value_end = 0;
    size_t end = 0;  // after the line feed
    bool is_table = false;
};

size_t line_end(std::string_view text, size_t at) {
    const size_t feed = text.find('\n', at);
    return feed == text.npos ? text.size() : feed + 1;
}

std::string newline_of(std::string_view text) {
    return text.find("\r\n") == text.npos ? "\n" : "\r\n";
}

size_t after_byte_order_mark(std::string_view text) {
    return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

// Reads TOML into its tables and key/value pairs.
class TomlScan {
public:
    explicit TomlScan(std::string_view text) : text_(text), at_(after_byte_order_mark(text)) {
        while (at_ < text_.size()) read_line();
    }
    std::vector<SettingLine> lines;

private:
    char peek(size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    Failure wrong(const std::string &expected) const {
        return Failure(place_in(text_, at_) + ": expected " + expected);
    }
    void skip_blanks() {
        while (peek() == ' ' || peek() == '\t') ++at_;
    }
    void read_end() {
        skip_blanks();
        if (peek() == '\r') ++at_;
        if (at_ < text_.size() && peek() != '\n' && peek() != '#')
            throw wrong("the end of the line");
        at_ = line_end(text_, at_);
    }

    void read_line() {
        SettingLine line;
        line.begin = at_;
        skip_blanks();
        if (peek() == '#' || peek() == '\n' || peek() == '\r' || peek() == '\0') {
            at_ = line_end(text_, at_);
            return;
        }
        if (peek() == '[') read_table(line);
        else read_pair(line);
        line.end = at_;
        lines.push_back(std::move(line));
    }

    void read_table(SettingLine &line) {
        const bool is_list = peek(1) == '[';
        at_ += is_list ? 2 : 1;
        table_ = read_keys(']');
        at_ += is_list ? 2 : 1;
        if (is_list) table_.push_back("[]");  // an element of a list is not a table of that name
        line.path = table_;
        line.is_table = true;
        read_end();
    }

    void read_pair(SettingLine &line) {
        line.path = table_;
        for (std::string &key : read_keys('=')) line.path.push_back(std::move(key));
        ++at_;
        skip_blanks();
        line.value = at_;
        read_value();
        line.value_end = at_;
        read_end();
    }

    // Reads keys with dots between them, up to `end`.
    SettingPath read_keys(char end) {
        SettingPath keys;
        for (;; ++at_) {
            skip_blanks();
            keys.push_back(read_key());
            skip_blanks();
            if (peek() == end) return keys;
            if (peek() != '.') throw wrong(std::string("a dot or ") + end);
        }
    }
    std::string read_key() {
        const char quote = peek();
        if (quote == '"' || quote == '\'') {
            const size_t close = text_.find(quote, at_ + 1);
            if (close == text_.npos) throw wrong("the end of the key");
            const size_t begin = std::exchange(at_, close + 1) + 1;
            return std::string(text_.substr(begin, close - begin));
        }
        const size_t begin = at_;
        while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_' || peek() == '-')
            ++at_;
        if (at_ == begin) throw wrong("a key");
        return std::string(text_.substr(begin, at_ - begin));
    }

    void read_value() {
        size_t depth = 0;
        for (; at_ < text_.size(); ++at_) {
            const char c = peek();
            if (c == '"' || c == '\'') read_string(c);
            else if (c == '[' || c == '{') ++depth;
            else if (c == ']' || c == '}') depth -= depth > 0;
            else if (depth == 0 && std::string_view(" \t\r\n#").find(c) != std::string_view::npos)
                return;
            else if (c == '#') at_ = line_end(text_, at_) - 1;
        }
        if (depth) throw wrong("the end of the list");
    }
    // Ends on the closing quote.
    void read_string(char quote) {
        const std::string three(3, quote);
        const bool is_long = text_.substr(at_).starts_with(three);
        const size_t begin = at_;
        for (at_ += is_long ? 3 : 1; at_ < text_.size(); ++at_) {
            if (quote == '"' && peek() == '\\') {
                ++at_;
            } else if (is_long && text_.substr(at_).starts_with(three)) {
                at_ += 2;
                while (peek(1) == quote) ++at_;
                return;
            } else if (!is_long && peek() == quote) {
                return;
            } else if (!is_long && peek() == '\n') {
                break;
            }
        }
        at_ = begin;
        throw wrong("a text that ends");
    }

    std::string_view text_;
    size_t at_;
    SettingPath table_;
};

// Reads lines NAME=VALUE, or KEY: VALUE without an indent.
std::vector<SettingLine> scan_lines(std::string_view text, ConfigFormat format) {
    const bool is_yaml = format == ConfigFormat::kYaml;
    std::vector<SettingLine> lines;
    for (size_t at = after_byte_order_mark(text); at < text.size();) {
        SettingLine line;
        line.begin = at;
        line.end = at = line_end(text, at);
        std::string_view words = text.substr(line.begin, line.end - line.begin);
        while (!words.empty() &&
               (words.back() == '\n' || words.back() == '\r' || words.back() == ' '))
            words.remove_suffix(1);
        size_t name = is_yaml ? 0 : std::min(words.find_first_not_of(" \t"), words.size());
        if (!is_yaml && words.substr(name).starts_with("export "))
            name = words.find_first_not_of(' ', name + 7);
        const size_t sign = words.find(is_yaml ? ':' : '=');
        if (sign == words.npos || sign < name || words.substr(name).find_first_of("# \t") == 0)
            continue;
        const size_t name_end = words.find_last_not_of(" \t", sign - 1) + 1;
        line.path = {std::string(words.substr(name, name_end - name))};
        const size_t value = std::min(words.find_first_not_of(" \t", sign + 1), words.size());
        const size_t comment = words.find(" #", value);
        size_t value_end = comment == words.npos ? words.size() : comment;
        while (value_end > value && words[value_end - 1] == ' ') --value_end;
        line.value = line.begin + value;
        line.value_end = line.begin + value_end;
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<SettingLine> scan(ConfigFormat format, std::string_view text) {
    return format == ConfigFormat::kToml ? TomlScan(text).lines : scan_lines(text, format);
}

// Returns whether `path` begins with `keys`.
bool is_under(const SettingPath &path, const SettingPath &keys) {
    return keys.size() <= path.size() && std::equal(keys.begin(), keys.end(), path.begin());
}

const SettingLine *find_line(const std::vector<SettingLine> &lines, std::string_view text,
                             const SettingPath &path) {
    const SettingLine *found = nullptr;
    for (const SettingLine &line : lines) {
        if (line.is_table || !is_under(path, line.path)) continue;
        if (line.path.size() < path.size())
            throw Failure(place_in(text, line.begin) + ": \"" + line.path.back() +
                          "\" is written in one line; write it as a table");
        if (found)
            throw Failure(place_in(text, line.begin) + ": has \"" + path.back() +
                          "\" for the second time; remove one of them");
        found = &line;
    }
    return found;
}

const SettingLine *find_table(const std::vector<SettingLine> &lines, const SettingPath &path) {
    for (const SettingLine &line : lines)
        if (line.is_table && line.path.size() + 1 == path.size() && is_under(path, line.path))
            return &line;
    return nullptr;
}

std::string read_text(ConfigFormat format, std::string_view text, const SettingLine &line) {
    const std::string_view value = text.substr(line.value, line.value_end - line.value);
    const char first = value.empty() ? '\0' : value[0];
    const bool is_quoted =
        value.size() > 1 && (first == '"' || first == '\'') && value.back() == first;
    const bool is_list = first == '[' || first == '{' || first == '|' || first == '>';
    const bool is_missing = value.empty() && format == ConfigFormat::kYaml;
    const bool is_toml = format == ConfigFormat::kToml;
    if (is_toml ? !is_quoted && value != "true" : is_missing)
        throw Failure(place_in(text, line.value) + ": \"" + line.path.back() +
                      "\" is not a text on one line");
    if (is_toml && value.substr(1).starts_with(std::string(2, first)) && value.size() > 2)
        throw Failure(place_in(text, line.value) + ": \"" + line.path.back() +
                      "\" is a text of several lines");
    if (!is_quoted || is_list) return std::string(value);
    if (is_toml && first == '"') return json_text(value);
    return std::string(value.substr(1, value.size() - 2));
}

std::string written(ConfigFormat format, const SettingPath &path, const std::string &value) {
    switch (format) {
        case ConfigFormat::kToml:
            return path.back() + " = " + (value == "true" ? value : json_string(value));
        case ConfigFormat::kYaml: return path.back() + ": " + value;
        default: return path.back() + "=" + value;
    }
}

std::string with_line(std::string text, const std::string &line) {
    const std::string feed = newline_of(text);
    if (!text.empty() && text.back() != '\n') text += feed;
    return text + line + feed;
}

std::string add_setting(ConfigFormat format, std::string_view text, const SettingPath &path,
                        const std::string &line, const std::vector<SettingLine> &lines) {
    const std::string feed = newline_of(text);
    std::string out(text);
    if (format != ConfigFormat::kToml) return with_line(out, line);
    if (path.size() == 1)  // keys of the root come before all tables
        return out.insert(after_byte_order_mark(text), line + feed);
    if (const SettingLine *last = find_table(lines, path)) {
        const SettingLine *end = lines.data() + lines.size();
        while (last + 1 != end && !(last + 1)->is_table) ++last;
        const bool has_feed = text[last->end - 1] == '\n';
        return out.insert(last->end, (has_feed ? "" : feed) + line + feed);
    }
    std::string header;
    for (size_t i = 0; i + 1 < path.size(); ++i) header += (i ? "." : "") + path[i];
    if (!out.empty() && out.back() != '\n') out += feed;
    if (!out.empty()) out += feed;
    return with_line(with_line(out, "[" + header + "]"), line);
}

// Removes a table without any line of its own, and the empty line before it.
std::string remove_empty_table(std::string text, const SettingPath &path) {
    const std::vector<SettingLine> lines = TomlScan(text).lines;
    const SettingLine *table = find_table(lines, path);
    if (!table) return text;
    const size_t next = static_cast<size_t>(table - lines.data()) + 1;
    if (next < lines.size() && !lines[next].is_table) return text;
    const std::string feed = newline_of(text);
    size_t begin = table->begin;
    if (std::string_view(text).substr(0, begin).ends_with(feed + feed)) begin -= feed.size();
    return text.erase(begin, table->end - begin);
}

JsonSettings json_of(ConfigFormat format) { return {format == ConfigFormat::kJsonWithComments}; }
bool is_json(ConfigFormat format) {
    return format == ConfigFormat::kJson || format == ConfigFormat::kJsonWithComments;
}

}  // namespace

std::optional<std::string> find_setting(ConfigFormat format, std::string_view text,
                                        const SettingPath &path) {
    if (is_json(format)) return json_of(format).find(text, path);
    const std::vector<SettingLine> lines = scan(format, text);
    const SettingLine *line = find_line(lines, text, path);
    if (!line) return std::nullopt;
    return read_text(format, text, *line);
}

std::string set_setting(ConfigFormat format, std::string_view text, const SettingPath &path,
                        const std::string &value) {
    if (is_json(format)) return json_of(format).set(text, path, value);
    const std::vector<SettingLine> lines = scan(format, text);
    const SettingLine *line = find_line(lines, text, path);
    if (!line) return add_setting(format, text, path, written(format, path, value), lines);
    const std::string before = read_text(format, text, *line);
    if (before == value) return std::string(text);
    if (format == ConfigFormat::kYaml && before.starts_with('['))
        throw Failure(place_in(text, line->begin) + ": has a list \"" + path.back() + "\" already");
    const std::string pair = written(format, path, value);
    const size_t sign = pair.find_first_of("=:", path.back().size());
    const std::string value_text = pair.substr(pair.find_first_not_of(' ', sign + 1));
    return std::string(text).replace(line->value, line->value_end - line->value, value_text);
}

std::string remove_setting(ConfigFormat format, std::string_view text, const SettingPath &path,
                           size_t kept) {
    if (is_json(format)) return json_of(format).remove(text, path, kept);
    const std::vector<SettingLine> lines = scan(format, text);
    const SettingLine *line = find_line(lines, text, path);
    std::string out(text);
    if (!line) return out;
    out.erase(line->begin, line->end - line->begin);
    return path.size() > 1 && kept + 1 < path.size() ? remove_empty_table(out, path) : out;
}

size_t count_present(ConfigFormat format, std::string_view text, const SettingPath &path) {
    if (is_json(format)) return json_of(format).count_present(text, path);
    const std::vector<SettingLine> lines = scan(format, text);
    if (find_line(lines, text, path)) return path.size();
    return find_table(lines, path) ? path.size() - 1 : 0;
}

}  // namespace cli
