// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/config/config_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "cli/config/directories.h"
#include "cli/config/replacement.h"
#include "cli/host.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
constexpr uintmax_t kMaxConfigBytes = 8 << 20;

Failure failure_of(const std::string &path, const std::string &what) {
    return Failure(path + ": " + what);
}

std::string read_config(const std::string &path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::string text;
    char block[64 << 10];
    ssize_t got = -1;
    while (descriptor >= 0 && (got = read(descriptor, block, sizeof block)) > 0 &&
           text.size() <= kMaxConfigBytes)
        text.append(block, static_cast<size_t>(got));
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    if (got < 0) throw failure_of(path, std::string("cannot be read: ") + std::strerror(error));
    if (text.size() > kMaxConfigBytes)
        throw failure_of(path, "is larger than 8 MiB, which no configuration is");
    return text;
}

// Makes the directories of a file. Returns the topmost one that is new.
std::string make_directories(const std::string &file) {
    std::string made;
    fs::path missing = fs::path(file).parent_path();
    std::error_code error;
    for (; !missing.empty() && !fs::exists(missing, error); missing = missing.parent_path())
        made = missing;
    fs::create_directories(fs::path(file).parent_path(), error);
    if (error) throw failure_of(file, "its directory cannot be made: " + error.message());
    return made;
}

void remove_directories(const fs::path &file, const std::string &made) {
    if (made.empty()) return;
    for (fs::path one = file.parent_path(); one.string().starts_with(made); one = one.parent_path())
        if (rmdir(one.c_str()) != 0) return;
}

std::string record_path(const std::string &name) {
    return directory_of("XDG_STATE_HOME", ".local/state") + "/accp/" + name + ".setup";
}

std::vector<std::string_view> lines_in(std::string_view text) {
    std::vector<std::string_view> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

}  // namespace

ConfigFile::ConfigFile(const std::string &path) : path_(path), target_(path) {
    struct stat about = {};
    if (lstat(path.c_str(), &about) != 0) {
        if (errno != ENOENT) throw failure_of(path, std::strerror(errno));
        return;
    }
    if (S_ISLNK(about.st_mode)) {
        std::error_code error;
        target_ = fs::canonical(path, error);
        if (error)
            throw failure_of(path, "is a symbolic link to a file that cannot be found: " +
                                       error.message() + "; make that file first");
        if (stat(target_.c_str(), &about) != 0) throw failure_of(path, std::strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) throw failure_of(path, "is not a regular file");
    exists_ = true;
    text_ = read_config(target_);
}

void ConfigFile::check_unchanged() const {
    const ConfigFile now(path_);
    if (now.exists_ != exists_ || now.text_ != text_)
        throw failure_of(path_, "was changed by another program at the same time; try again");
}

std::string ConfigFile::replace(const std::string &text) {
    const std::string made = exists_ ? "" : make_directories(target_);
    try {
        Replacement replacement(target_);
        struct stat about = {};
        if (exists_ && stat(target_.c_str(), &about) == 0) replacement.resemble(about);
        replacement.write(text);
        check_unchanged();
        replacement.finish();
    } catch (const Failure &) {
        remove_directories(target_, made);
        throw;
    }
    exists_ = true;
    text_ = text;
    return made;
}

void ConfigFile::remove(const std::string &made) {
    check_unchanged();
    if (unlink(target_.c_str()) != 0)
        throw failure_of(path_, std::string("cannot be removed: ") + std::strerror(errno));
    remove_directories(target_, made);
    exists_ = false;
    text_.clear();
}

std::optional<SetupRecord> read_record(const std::string &name) {
    const ConfigFile file(record_path(name));
    if (!file.exists()) return std::nullopt;
    const std::string &text = file.text();
    const size_t head_end = text.find('\n');
    SetupRecord record;
    try {
        const JsonTree head(std::string_view(text).substr(0, head_end));
        const auto word = [&](const char *key) {
            return std::string(head.text(head.find(0, key)));
        };
        record.file = word("file");
        record.address = word("address");
        record.made = word("made");
        record.existed = head.is_true(head.find(0, "existed"));
        const size_t before = std::stoul(word("before")), after = std::stoul(word("after"));
        if (head_end == text.npos || head_end + 1 + before + after != text.size())
            throw Failure("its length is wrong");
        record.before = text.substr(head_end + 1, before);
        record.after = text.substr(head_end + 1 + before);
    } catch (const std::exception &error) {
        throw failure_of(file.path(), std::string("is damaged (") + error.what() +
                                          "); undo the setup by hand and remove this file");
    }
    return record;
}

void write_record(const std::string &name, const SetupRecord &record) {
    JsonObject head;
    head.text("file", record.file)
        .text("address", record.address)
        .text("made", record.made)
        .flag("existed", record.existed)
        .json("before", std::to_string(record.before.size()))
        .json("after", std::to_string(record.after.size()));
    ConfigFile(record_path(name)).replace(head.end() + "\n" + record.before + record.after);
}

void remove_record(const std::string &name) { unlink(record_path(name).c_str()); }

void apply_setup(const std::string &name, ConfigFile &file, SetupRecord record,
                 const std::optional<SetupRecord> &old) {
    record.file = file.path();
    write_record(name, record);
    try {
        const std::string made = file.replace(record.after);
        if (record.made.empty()) record.made = made;
    } catch (const Failure &) {
        if (old) write_record(name, *old);
        else remove_record(name);
        throw;
    }
    if (!record.made.empty()) write_record(name, record);
}

std::string restore_setup(const std::string &name, ConfigFile &file, const SetupRecord &record,
                          const std::string &text, bool is_exact) {
    const bool removes = is_exact && !record.existed;
    if (removes) file.remove(record.made);
    else if (text != file.text()) file.replace(text);
    remove_record(name);
    if (removes) return file.path() + " was new, and is removed.\n";
    return file.path() + (is_exact ? " is as it was before.\n"
                                   : ": our settings are removed; other changes since stay.\n");
}

std::string describe_difference(const std::string &before, const std::string &after) {
    const std::vector<std::string_view> old_lines = lines_in(before), new_lines = lines_in(after);
    std::string out;
    // The changes are few, so the next equal line after a difference is the nearest one.
    for (size_t i = 0, k = 0; i < old_lines.size() || k < new_lines.size();) {
        if (i < old_lines.size() && k < new_lines.size() && old_lines[i] == new_lines[k]) {
            ++i, ++k;
            continue;
        }
        size_t gone = old_lines.size() - i, come = new_lines.size() - k;
        for (size_t distance = 1; distance < gone + come; ++distance) {
            for (size_t step = 0; step <= distance; ++step) {
                const size_t x = i + distance - step, y = k + step;
                if (x >= old_lines.size() || y >= new_lines.size() || old_lines[x] != new_lines[y])
                    continue;
                gone = x - i;
                come = y - k;
                break;
            }
        }
        out += "line " + std::to_string(k + 1) + ":\n";
        for (size_t x = i; x < i + gone; ++x) out.append("-").append(old_lines[x]).append("\n");
        for (size_t y = k; y < k + come; ++y) out.append("+").append(new_lines[y]).append("\n");
        i += gone;
        k += come;
    }
    return out;
}

}  // namespace cli
