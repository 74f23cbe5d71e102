// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A configuration file on disk, which is replaced whole or not at all, and the record that undo
// needs.
#pragma once

#include <optional>
#include <string>

namespace cli {

class ConfigFile {
public:
    // Reads the file; a file that does not exist counts as empty. A symbolic link stays a link: the
    // file that it points to is replaced. Throws Failure.
    explicit ConfigFile(const std::string &path);

    const std::string &path() const { return path_; }
    bool exists() const { return exists_; }
    const std::string &text() const { return text_; }

    // Replaces the text. Returns the topmost directory that was made for the file; empty: none. If
    // it throws Failure, the file is unchanged.
    std::string replace(const std::string &text);
    // Removes the file, and its directories from `made` down if they are empty.
    void remove(const std::string &made);

private:
    void check_unchanged() const;

    std::string path_;    // as given
    std::string target_;  // without symbolic links
    bool exists_ = false;
    std::string text_;
};

// The changes that setup has made to the file of an agent. A record is one file: a line of JSON
// with the members file, address, existed, made, before and after (both are numbers of bytes), then
// the bytes of the file before, then those after. Only its owner can read it. Its name, such as
// proxy/claude, is its path below the state directory of accp, without .setup.
struct SetupRecord {
    std::string file, address, made;
    bool existed = false;
    std::string before, after;
};

// Throws Failure if the record cannot be read.
std::optional<SetupRecord> read_record(const std::string &name);
void write_record(const std::string &name, const SetupRecord &record);
void remove_record(const std::string &name);

// Writes record.after to the file, after a record from which restore_setup() can undo it. `old`:
// the record of an earlier setup. If it throws Failure, file and record are unchanged.
void apply_setup(const std::string &name, ConfigFile &file, SetupRecord record,
                 const std::optional<SetupRecord> &old);
// Writes the previous text, or removes a file that was new, and removes the record. `is_exact`:
// nobody has changed the file since. Returns the message to print.
std::string restore_setup(const std::string &name, ConfigFile &file, const SetupRecord &record,
                          const std::string &text, bool is_exact);

// Returns the lines that differ: "line 3:", then each with - or + before it.
std::string describe_difference(const std::string &before, const std::string &after);

}  // namespace cli
