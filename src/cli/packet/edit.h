// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A text in the user's editor.
#pragma once

#include <string>

namespace cli {

// A file of its own with the text. It goes with this, unless changes in it are kept.
class EditedFile {
public:
    // These throw Failure; run_editor() where the editor says that it has failed.
    explicit EditedFile(const std::string &text);
    void run_editor() const;  // $VISUAL, else $EDITOR, else vi
    EditedFile(const EditedFile &) = delete;
    EditedFile &operator=(const EditedFile &) = delete;
    ~EditedFile();

    const std::string &path() const { return path_; }
    // The file stays where its text is another one than at first; says whether it does.
    bool keep_changes();

private:
    std::string text_, path_;
    bool stays_ = false;
};

}  // namespace cli
