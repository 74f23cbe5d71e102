// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A configuration file on disk: replaced whole or not at all, and the record that undo needs.
#pragma once

#include <optional>
#include <string>

namespace cli {

class ConfigFile {
public:
    // Reads the file; one that does not exist is empty. A symbolic link stays one: the file that it
    // points to is replaced. Throws Failure.
    explicit ConfigFile(const std::string &path);

    const std::string &path() const { return path_; }
    bool exists() const { return exists_; }
    const std::string &text() const { return text_; }

    // Throws Failure, and the file is as it was. Returns the uppermost directory that was made for
    // it; empty: none.
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

// What setup has done to the file of an agent. A record is one file: a line of JSON with the
// members file, address, existed, made, before and after (both are numbers of bytes), then the
// bytes of the file before, then those after. Only its owner can read it.
struct SetupRecord {
    std::string file, address, made;
    bool existed = false;
    std::string before, after;
};

// Throws Failure if the record cannot be read.
std::optional<SetupRecord> read_record(const std::string &name);
void write_record(const std::string &name, const SetupRecord &record);
void remove_record(const std::string &name);

// The directory of a variable, or else one below the user's home. Throws Failure without HOME.
std::string directory_of(const char *variable, const std::string &below_home);

// Returns the lines that differ: "line 3:", then each with - or + before it.
std::string describe_difference(const std::string &before, const std::string &after);

}  // namespace cli
