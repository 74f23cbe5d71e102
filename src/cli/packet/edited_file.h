// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace cli {

// A temporary file with a text for the user's editor. The file is removed with this object, unless
// keep_changes() keeps it.
class EditedFile {
public:
    // Throws Failure.
    explicit EditedFile(const std::string &text);
    EditedFile(const EditedFile &) = delete;
    EditedFile &operator=(const EditedFile &) = delete;
    ~EditedFile();

    // Runs $VISUAL, else $EDITOR, else vi. Throws Failure if the editor fails.
    void run_editor() const;
    const std::string &path() const { return path_; }
    // Keeps the file if its text has changed. Returns whether it is kept.
    bool keep_changes();

private:
    std::string text_, path_;
    bool is_kept_ = false;
};

}  // namespace cli
