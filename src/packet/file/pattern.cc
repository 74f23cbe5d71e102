// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/pattern.h"

#include <algorithm>

#include "base/text.h"

namespace accp::packet {

namespace {

// Words that negate a clause without having a topic.
constexpr std::string_view kClauseDenials =
    "no|not|never|without|none|cannot|dont|doesnt|isnt|arent|wont|cant|nor|except|non";

// Further files stay unchanged; all are compared pairwise.
constexpr size_t kMaxPatternFiles = 1024;
constexpr size_t kMaxClauses = 16;  // per summary; the last takes the rest

std::string_view trim_clause(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.remove_suffix(1);
    return text;
}

// Returns the end of the clause at `at`: the next comma or semicolon outside of brackets.
size_t clause_end(std::string_view text, size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '(' || c == '{' || c == '[') ++depth;
        else if (c == ')' || c == '}' || c == ']') --depth;
        else if ((c == ',' || c == ';') && depth <= 0) return at;
    }
    return text.size();
}

// Adjectives, and endings that only adjectives have.
constexpr std::string_view kAdjectives[] = {"async", "sync", "thin",  "pure",   "plain",
                                            "small", "lazy", "typed", "public", "private"};
constexpr std::string_view kAdjectiveEnds[] = {"less", "able", "ible", "ful", "ous"};
bool is_adjective(std::string_view word) {
    for (std::string_view known : kAdjectives)
        if (word == known) return true;
    for (std::string_view end : kAdjectiveEnds)
        if (word.size() > end.size() + 2 && word.ends_with(end)) return true;
    return false;
}

// Combines folder and summary: `async handlers` in routes becomes `Route handlers are async`.
// Returns false if the clause has another form.
bool write_plural(std::string_view folder, std::string_view clause, Buffer<char> &out) {
    const size_t space = clause.find(' ');
    const std::string_view name = folder.substr(folder.rfind('/') + 1);
    if (space == clause.npos || clause.find(' ', space + 1) != clause.npos ||
        clause.back() != 's' || name.size() < 4 || name.back() != 's' ||
        !is_adjective(clause.substr(0, space)))
        return false;
    out.push(name[0] >= 'a' && name[0] <= 'z' ? static_cast<char>(name[0] - 32) : name[0]);
    out.append(name.substr(1, name.size() - 2));
    out.push(' ');
    out.append(clause.substr(space + 1));
    out.append(" are ");
    out.append(clause.substr(0, space));
    return true;
}

}  // namespace

Status PatternFinder::extract(value::TreeView packet, uint32_t min_files, Packet &out) {
    draft_.open(packet);
    read_files();
    for (size_t i = 0; i < files_.size(); ++i) {
        if (files_[i].done) continue;
        find_members(files_[i], min_files);
        if (!members_.empty()) replace_members(files_[i]);
    }
    return draft_.build(out);
}

void PatternFinder::read_files() {
    files_.clear();
    clauses_.clear();
    topics_.clear();
    for (size_t i = 0; i < draft_.size() && files_.size() < kMaxPatternFiles; ++i)
        if (draft_[i].kind == ACCP_PACKET_FILE) add_file(i);
}

void PatternFinder::add_file(size_t item) {
    const value::TreeView packet = draft_.packet();
    const uint32_t node = draft_[item].node;
    const std::string_view path = member_text(packet, node, "path");
    const std::string_view summary = member_text(packet, node, "summary");
    if (packet[node].len != 2 || summary.empty()) return;  // has other members
    const size_t slash = path.rfind('/'), dot = path.rfind('.');
    const size_t name = slash == path.npos ? 0 : slash + 1;
    File file = {item, path, path.substr(0, name ? slash : 0), {}, clauses_.size(), 0, false};
    if (dot != path.npos && dot > name) file.ending = path.substr(dot);
    for (size_t at = 0; at < summary.size();) {
        const bool is_last = clauses_.size() - file.begin + 1 == kMaxClauses;
        const size_t end = is_last ? summary.size() : clause_end(summary, at);
        const std::string_view text = trim_clause(summary.substr(at, end - at));
        if (!text.empty()) clauses_.push({text, key_of(text), false});
        at = end + 1;
    }
    file.end = clauses_.size();
    files_.push(file);
}

// Returns a hash of the clause's topics and of whether it is negated; without topics, of its text.
uint64_t PatternFinder::key_of(std::string_view clause) {
    constexpr uint64_t kPrime = 0x100000001B3;
    topics_.clear();
    text::append_topics(clause, topics_);
    words_.read(clause);
    uint64_t key = has_phrase(words_, kClauseDenials) ? 1 : 2;
    for (uint64_t topic : topics_) key = (key ^ topic) * kPrime;
    for (char c : topics_.empty() ? clause : std::string_view())
        key = (key ^ static_cast<unsigned char>(c)) * kPrime;
    return key;
}

bool PatternFinder::says(const File &file, uint64_t key) const {
    for (size_t i = file.begin; i < file.end; ++i)
        if (clauses_[i].key == key) return true;
    return false;
}

// Finds the leader's first clause that at least `min_files` files of its folder and ending share,
// and sets members_ to these files; empty if no clause is shared by that many. Marks this clause,
// and the later ones that all members share, as shared.
void PatternFinder::find_members(const File &leader, uint32_t min_files) {
    members_.clear();
    for (size_t i = leader.begin; i < leader.end; ++i) {
        Clause &clause = clauses_[i];
        if (!members_.empty()) {
            clause.shared = std::all_of(members_.begin(), members_.end(), [&](size_t file) {
                return says(files_[file], clause.key);
            });
            continue;
        }
        for (size_t k = 0; k < files_.size(); ++k) {
            const File &file = files_[k];
            if (!file.done && file.folder == leader.folder && file.ending == leader.ending &&
                says(file, clause.key))
                members_.push(k);
        }
        clause.shared = members_.size() >= min_files;
        if (!clause.shared) members_.clear();
    }
}

// Writes the pattern. The first file without other clauses becomes the example; a note in
// not_included lists the others.
void PatternFinder::replace_members(const File &leader) {
    write_pattern(leader);
    text_.clear();
    const File *example = nullptr;
    size_t others = 0;
    for (size_t member : members_) {
        File &file = files_[member];
        file.done = true;
        write_rest(file, leader);
        if (!draft_.is_dropped(file.item)) continue;
        if (example) text_.append(others++ ? ", " : ": "), text_.append(file.path);
        else example = &file;
    }
    if (!example) return;
    draft_.write_string(example->path);
    draft_.add(ACCP_PACKET_EXAMPLE);
    if (!others) return;
    rest_.clear();
    append_decimal(others, rest_);
    rest_.append(others == 1 ? " file like " : " files like ");
    rest_.append(example->path);
    rest_.append(text_.view());
    draft_.add_note(rest_.view());
}

// Writes the shared clauses as `Route handlers are async, use {error, code} format`, or else as
// `routes/*.py: clause, clause`.
void PatternFinder::write_pattern(const File &leader) {
    text_.clear();
    bool plural = false;
    for (size_t i = leader.begin, first = 1; i < leader.end; ++i) {
        if (!clauses_[i].shared) continue;
        if (first) {
            plural = write_plural(leader.folder, clauses_[i].text, text_);
            if (!plural) {
                text_.append(leader.folder);
                if (!leader.folder.empty()) text_.push('/');
                text_.push('*');
                text_.append(leader.ending);
                text_.append(": ");
                text_.append(clauses_[i].text);
            }
        } else {
            text_.append(plural ? ", use " : ", ");
            text_.append(clauses_[i].text);
        }
        first = 0;
    }
    draft_.write_string(text_.view());
    draft_.add(ACCP_PACKET_PATTERN);
}

// Keeps the clauses that the pattern does not cover; drops the file if none are left.
void PatternFinder::write_rest(const File &file, const File &leader) {
    rest_.clear();
    for (size_t i = file.begin; i < file.end; ++i) {
        bool shared = false;
        for (size_t k = leader.begin; k < leader.end && !shared; ++k)
            shared = clauses_[k].shared && clauses_[i].key == clauses_[k].key;
        if (shared) continue;
        if (!rest_.empty()) rest_.append(", ");
        rest_.append(clauses_[i].text);
    }
    if (rest_.empty()) return draft_.drop(file.item);
    draft_.text().append("{\"path\":");
    draft_.write_string(file.path);
    draft_.text().append(",\"summary\":");
    draft_.write_string(rest_.view());
    draft_.text().push('}');
    draft_.replace(file.item);
}

}  // namespace accp::packet
