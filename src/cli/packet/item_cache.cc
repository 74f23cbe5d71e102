// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/packet/item_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/config/replacement.h"
#include "cli/host.h"
#include "server/library/digest.h"

namespace cli {
namespace {

constexpr size_t kMaxEntries = 256;
constexpr size_t kMaxEntryBytes = 1 << 20;
constexpr size_t kDigestDigits = 64;
constexpr mode_t kOwnFolder = 0700;

// Returns the folder of cached items; empty: the environment names none.
std::string cache_folder() {
    const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
    if (cache && *cache == '/') return std::string(cache) + "/accp/items";
    return home && *home == '/' ? std::string(home) + "/.cache/accp/items" : std::string();
}

// Returns the content of a regular file; empty: it is missing or too long.
std::string read_entry(const std::string &path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return {};
    struct stat about = {};
    std::string text;
    if (::fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
        about.st_size <= static_cast<off_t>(kMaxEntryBytes)) {
        text.resize(static_cast<size_t>(about.st_size));
        const ssize_t got = ::read(file, text.data(), text.size());
        text.resize(got > 0 ? static_cast<size_t>(got) : 0);
    }
    ::close(file);
    return text;
}

// Removes the oldest files.
void evict_entries(const std::string &folder) {
    namespace fs = std::filesystem;
    std::vector<std::pair<fs::file_time_type, fs::path>> entries;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code gone;
        const fs::file_time_type time = fs::last_write_time(at->path(), gone);
        if (!gone) entries.emplace_back(time, at->path());
    }
    if (entries.size() <= kMaxEntries) return;
    std::sort(entries.begin(), entries.end());
    entries.resize(entries.size() - kMaxEntries);
    for (const auto &[time, path] : entries) fs::remove(path, error);
}

}  // namespace

ItemCache::ItemCache(const std::string &key) : folder_(cache_folder()) {
    if (!folder_.empty()) path_ = folder_ + "/" + server::sha256_of(key) + ".json";
}

std::optional<server::FoundItems> ItemCache::read() const {
    const std::string text = path_.empty() ? "" : read_entry(path_);
    if (text.size() <= kDigestDigits || text[kDigestDigits] != '\n') return std::nullopt;
    const std::string content = text.substr(kDigestDigits + 1);
    if (server::sha256_of(content) != text.substr(0, kDigestDigits)) return std::nullopt;
    server::FoundItems found;
    found.items = json_member(content, "items");
    for (const std::string_view note : json_items(json_member(content, "notes")))
        found.notes.push_back(json_text(note));
    return found;
}

void ItemCache::write(const server::FoundItems &found) const {
    if (path_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(folder_).parent_path(), error);
    ::mkdir(folder_.c_str(), kOwnFolder);
    JsonList notes;
    for (const std::string &note : found.notes) notes.text(note);
    const std::string content =
        JsonObject().json("items", found.items).json("notes", notes.end()).end();
    try {
        Replacement entry(path_);
        entry.write(server::sha256_of(content) + "\n" + content);
        entry.finish();
    } catch (const Failure &) {  // without an entry the model is used again
    }
    evict_entries(folder_);
}

}  // namespace cli
