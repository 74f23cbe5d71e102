// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Paths of stores are UTF-8 on every system, and may be long. On Windows they have a drive and
// either separator.
#include <filesystem>

#include "store/stores.h"

using namespace store_tests;

namespace {

std::filesystem::path utf8_path(const std::string &path) {
    return std::u8string(path.begin(), path.end());
}

// Opens the place twice; `file` must be what it made.
void keeps_a_record(const std::string &path, const std::filesystem::path &file) {
    SCOPED_TRACE(path);
    {
        Opened store("sqlite:" + path);
        Open session(store, "s");
        EXPECT_EQ(session.append("one"), ACCP_OK);
        EXPECT_EQ(session->sync().code, ACCP_OK);
        EXPECT_TRUE(std::filesystem::is_regular_file(file));
    }
    store::StorePlace existing;
    existing.create = false;
    Opened store("sqlite:" + path, existing);
    ASSERT_EQ(store.status, ACCP_OK);
    EXPECT_EQ(Open(store, "s").records(), "1:one");
    EXPECT_EQ(store.damage(), "");
}

TEST(StorePaths, AreUtf8) {
    Directory directory;
    for (const char *name : {"naïve größe.db", "данные.db", "保存.db", "📦.db"})
        keeps_a_record(directory.file(name), utf8_path(directory.file(name)));
}

TEST(StorePaths, MayBeLong) {
    Directory directory;
    std::string name;
    for (int i = 0; i < 6; ++i) name += std::string(60, static_cast<char>('a' + i)) + "/";
    const std::filesystem::path folder = utf8_path(directory.file(name));
    std::filesystem::create_directories(folder);
    const std::string path = directory.file(name + "store.db");
    keeps_a_record(path, folder / "store.db");
    // MinGW-w64 does not remove all of a long path.
    std::error_code ignored;
    std::filesystem::remove(folder / "store.db");
    for (std::filesystem::path at = folder; at != utf8_path(directory.file(""));
         at = at.parent_path())
        std::filesystem::remove(at, ignored);
}

#ifdef _WIN32
std::string with_separator(std::string path, char separator) {
    for (char &c : path)
        if (c == '/' || c == '\\') c = separator;
    return path;
}

TEST(StorePaths, HaveADriveAndEitherSeparator) {
    Directory directory;
    const std::string path = directory.file("größe.db");
    ASSERT_EQ(path[1], ':');
    keeps_a_record(with_separator(path, '/'), utf8_path(path));
    std::filesystem::remove(utf8_path(path));
    keeps_a_record(with_separator(path, '\\'), utf8_path(path));
    std::filesystem::remove(utf8_path(path));
    keeps_a_record("\\\\?\\" + with_separator(path, '\\'), utf8_path(path));
}
#endif

}  // namespace
