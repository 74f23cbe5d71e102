// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/packet/code_files.h"

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/host.h"
#include "cli/packet/git_files.h"
#include "cli/packet/panes_project.h"
#include "cli/settings.h"
#include "cli/system/descriptors.h"
#include "cli/system/files.h"
#include "cli/terminal/streams.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFileBytes = 1 << 20;  // hand-written files are smaller
// A file with a NUL within so many bytes is binary, as for git.
constexpr size_t kTextProbeBytes = 8000;
// File times are coarse: a file that changed more recently may change again with the same time.
constexpr int64_t kSettledAfterNs = 2'000'000'000;

std::vector<std::string> walk_directory(const std::string &directory) {
    std::vector<std::string> paths;
    std::error_code error;
    const fs::path root = path_of(directory);
    fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
        const bool is_hidden = at->path().filename().native().front() == '.';
        std::error_code unknown;
        if (at->is_directory(unknown) && is_hidden) at.disable_recursion_pending();
        else if (at->is_regular_file(unknown) && !at->is_symlink(unknown))
            paths.push_back(utf8_of(at->path().lexically_relative(root)));
    }
    return paths;
}

// Returns false if the path, or a folder in it, is a symbolic link, or if it is not a regular file.
// `folder`: the last folder that was checked; updated.
bool is_regular_path(const std::string &directory, const std::string &path, std::string &folder) {
    std::error_code error;
    const size_t slash = path.rfind('/');
    const std::string own = slash == std::string::npos ? "" : path.substr(0, slash);
    // Packets and their journal are not code.
    if (path.starts_with(".agentwire/") || path.find("/.agentwire/") != path.npos) return false;
    if (own != folder) {
        for (size_t at = 0; at < own.size(); ++at) {
            at = std::min(own.find('/', at), own.size());
            const fs::path part = path_of(directory + "/" + own.substr(0, at));
            if (fs::symlink_status(part, error).type() != fs::file_type::directory) return false;
        }
        folder = own;
    }
    return fs::symlink_status(path_of(directory + "/" + path), error).type() ==
           fs::file_type::regular;
}

// Returns paths relative to the directory, sorted, without duplicates.
std::vector<std::string> list_code_files(const std::string &directory) {
    std::error_code error;
    if (!fs::is_directory(path_of(directory), error))
        throw Failure(directory + ": " + (error ? error.message() : "not a directory"));
    std::vector<std::string> paths = list_git_files(directory);
    if (paths.empty()) paths = walk_directory(directory);
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    std::string folder;
    std::erase_if(paths, [&](const std::string &path) {
        return path.empty() || !is_regular_path(directory, path, folder);
    });
    return paths;
}

// The name stays the same if a project is moved together with its code. Resolves links.
std::string index_name(const Arguments &arguments) {
    std::error_code error;
    const std::string code =
        utf8_of(fs::relative(path_of(arguments.code), path_of(arguments.directory), error));
    uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (const char c : code) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    char name[32];
    std::snprintf(name, sizeof name, "code-%016" PRIx64 ".sqlite", hash);
    return name;
}

// Returns the path of the index, or an empty string. Creates its folder.
std::string index_path(const Arguments &arguments) {
    if (!arguments.index.empty()) return arguments.index == "none" ? "" : arguments.index;
    const std::string project = project_folder(arguments), folder = project + "/cache";
    std::error_code error;
    if (fs::symlink_status(path_of(project), error).type() != fs::file_type::directory) return {};
    // With a .gitignore `git add` of all new files does not add the cache.
    if (make_private_directory(folder)) (void)create_file(folder + "/.gitignore", "*\n");
    if (fs::symlink_status(path_of(folder), error).type() != fs::file_type::directory) return {};
    const std::string path = folder + "/" + index_name(arguments);
    refuse_link(path);
    return path;
}

// Appends to the text until it has `end` bytes.
void read_up_to(int file, size_t end, std::string &text) {
    size_t size = text.size();
    text.resize(end);
    while (size < end) {
        const ssize_t got = read_bytes(file, text.data() + size, end - size);
        if (got <= 0) break;
        size += static_cast<size_t>(got);
    }
    text.resize(size);
}

// Returns false if the file is not text, cannot be read or is too large.
bool read_text(const std::string &path, std::string &text) {
    uint64_t size = 0;
    const int file = open_regular_file(path, size);
    if (file < 0) return false;
    bool is_text = size <= kMaxFileBytes;
    if (!is_text) size = 0;
    text.clear();
    read_up_to(file, std::min(size, kTextProbeBytes), text);
    is_text = is_text && std::memchr(text.data(), 0, text.size()) == nullptr;
    if (is_text) read_up_to(file, size, text);
    close(file);
    return is_text;
}

// Updates an index to the current files. Does not read a file whose stamp is unchanged.
class CodeUpdate {
public:
    CodeUpdate(accp_packet_code *code, const std::string &directory,
               const std::vector<std::string> &paths)
        : code_(code), directory_(directory), paths_(paths), known_(paths.size()) {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        settled_ = std::chrono::nanoseconds(now).count() - kSettledAfterNs;
    }
    accp_status run(accp_error &err) {
        accp_status status = compare_paths(err);
        for (const std::string &path : removed_)
            if (status == ACCP_OK) status = remove(path, err);
        Progress progress("files", false);
        for (size_t i = 0; status == ACCP_OK && i < paths_.size(); ++i) {
            status = update(i, err);
            progress.show(i + 1, bytes_);
        }
        progress.erase();
        return status == ACCP_OK ? accp_packet_code_sync(code_, &err) : status;
    }

private:
    // Finds the paths of the index that still exist, and those that were removed. Both lists are
    // sorted by bytes.
    accp_status compare_paths(accp_error &err) {
        accp_text all = {};
        const accp_status status = accp_packet_code_paths(code_, &all, &err);
        size_t next = 0;
        for (size_t at = 0; status == ACCP_OK && at < all.len;) {
            const std::string_view path = all.text + at;
            while (next < paths_.size() && paths_[next] < path) ++next;
            const bool exists = next < paths_.size() && paths_[next] == path;
            if (exists) known_[next] = true;
            else removed_.emplace_back(path);
            at += path.size() + 1;
        }
        return status;
    }
    // Returns 0 if the file changed so recently that a stamp could not show the next change.
    uint64_t stamp_of(const std::string &path) const {
        FileFacts now;
        if (!read_file_facts(path, now)) return 0;
        const int64_t changed[] = {now.written_ns, now.changed_ns, now.size, now.number};
        if (std::max(now.written_ns, now.changed_ns) > settled_) return 0;
        return std::hash<std::string_view>()(
            {reinterpret_cast<const char *>(changed), sizeof changed});
    }
    accp_status update(size_t number, accp_error &err) {
        const std::string &path = paths_[number];
        const std::string whole = directory_ + "/" + path;
        const uint64_t stamp = stamp_of(whole);
        if (known_[number] && stamp != 0) {
            uint64_t known = 0;
            const accp_status status =
                accp_packet_code_stamp(code_, path.data(), path.size(), &known, &err);
            if (status != ACCP_OK || known == stamp) return status;
        }
        if (!read_text(whole, text_)) return known_[number] ? remove(path, err) : ACCP_OK;
        bytes_ += text_.size();
        const accp_status status = accp_packet_code_add_stamped(
            code_, path.data(), path.size(), text_.data(), text_.size(), stamp, &err);
        // A path that is not a valid name is skipped.
        return status == ACCP_ERR_ARG || status == ACCP_E1004 ? ACCP_OK : status;
    }
    accp_status remove(const std::string &path, accp_error &err) {
        const accp_status status = accp_packet_code_remove(code_, path.data(), path.size(), &err);
        return status == ACCP_E2001 ? ACCP_OK : status;  // another process removed it
    }

    accp_packet_code *code_;
    const std::string &directory_;
    const std::vector<std::string> &paths_;
    std::vector<bool> known_;
    std::vector<std::string> removed_;
    int64_t settled_ = 0;
    uint64_t bytes_ = 0;
    std::string text_;
};

// Opens the index, in memory if `index` is empty, and updates it.
accp_status open_index(const Arguments &arguments, const std::string &index,
                       const std::vector<std::string> &paths, Handle<accp_packet_code> &out,
                       accp_error &err) {
    accp_packet_code *made = nullptr;
    const Handle<accp_config> config = make_config(arguments);
    accp_status status = index.empty() ? accp_packet_code_new(config.get(), &made, &err)
                                       : accp_packet_code_new_on_disk(index.data(), index.size(),
                                                                      config.get(), &made, &err);
    if (status != ACCP_OK) return status;
    out.reset(made);
    return CodeUpdate(made, arguments.code, paths).run(err);
}

}  // namespace

Handle<accp_packet_code> read_code(const Arguments &arguments) {
    if (arguments.code.empty()) return nullptr;
    const std::vector<std::string> paths = list_code_files(arguments.code);
    const std::string index = index_path(arguments);
    Handle<accp_packet_code> code;
    accp_error err = {};
    accp_status status = open_index(arguments, index, paths, code, err);
    // A damaged index was deleted: make a new one.
    if (status == ACCP_ERR_CORRUPT && code) status = open_index(arguments, index, paths, code, err);
    if (status != ACCP_OK && !index.empty() && arguments.index.empty()) {
        std::fprintf(stderr, "accp: %s: %s; continuing without an index\n", index.c_str(),
                     message_of(err).c_str());
        status = open_index(arguments, "", paths, code, err);
    }
    uint64_t count = 0;
    if (status == ACCP_OK) status = accp_packet_code_count(code.get(), &count, &err);
    if (status != ACCP_OK)
        throw Failure((index.empty() ? "--code" : index) + ": " + message_of(err));
    if (count == 0) throw Failure("--code: no files in " + arguments.code);
    return code;
}

}  // namespace cli
