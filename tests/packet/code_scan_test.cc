// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// packet/code/reader.h: the summary and the symbols of files in each language.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "packet/code/reader.h"
#include "unit.h"

namespace {

using namespace accp;

const struct {
    const char *path, *text, *summary, *symbols;
} kFiles[] = {
    {"models/user.py",
     "#!/usr/bin/env python3\n# Copyright 2020 Them\n\n\"\"\"Users, and how their passwords are "
     "kept.\n\nMore of it.\n\"\"\"\nimport os\n\nclass User(Base):\n    \"\"\"One "
     "user.\"\"\"\n\n    def check(self, word):\n        # look\n        return f(word)\n\nasync "
     "def load(name):\n    text = \"\"\"\ndef no():\n\"\"\"\n",
     "Users, and how their passwords are kept", "User check load"},
    {"src/a.ts",
     "/* eslint-disable */\n// Draws the chart of one day\nimport x from 'y';\n\nexport default "
     "class Chart<T> extends Base {\n  render(to: Node) {\n    if (to) {\n    }\n  "
     "}\n}\n\nexport const parseDay = (text: string) => 1;\nconst hidden = 3;\nexport interface "
     "Day {}\nexport type Days = Day[];\nfunction* each() {}\ndescribe('it', () => {\n  it('x', "
     "() => {\n",
     "Draws the chart of one day", "Chart render parseDay Day Days each"},
    {"a/b.go",
     "// Copyright 2020 Them. All rights reserved.\n\n// Package b counts words.\npackage "
     "b\n\ntype "
     "Counter struct {\n}\n\nfunc New() *Counter {\n\tfor x {\n\t}\n}\n\nfunc (c *Counter) "
     "Count(text string) int {\n}\n",
     "Package b counts words", "Counter New Count"},
    {"src/lib.rs",
     "//! Reads tables, e.g. those of offices. And more.\n\npub(crate) struct Table<'a> {}\n\nimpl "
     "Table {\n    pub fn read(&self) {}\n    async fn next() {}\n}\n\nmacro_rules! row {\n",
     "Reads tables, e.g. those of offices", "Table read next row"},
    {"src/a.cc",
     "// Copyright 2026 Them. SPDX-License-Identifier: Apache-2.0\n\n// Sends what "
     "waits.\n#include "
     "\"a.h\"\n\n#define TRY(x) x\n#define kOnce 1\n\nnamespace a {\n\nclass Later;\nclass API "
     "Sender "
     ": public Base {\n    void in_class();\n};\n\ntemplate <class T>\nvoid Sender::send(int x) "
     "{\n    "
     "if (x) {\n    other(x);\n}\n\nTEST(A, B) {\nstatic const char *name_of(int x);\nint x = "
     "f(3);\nstruct stat *look(int x) {\nenum class Kind { kA };\n",
     "Sends what waits", "TRY Sender send name_of look Kind"},
    {"A.java",
     "package a;\n\n/**\n * Keeps accounts.\n *\n * @author x\n */\npublic final class Accounts "
     "{\n    "
     "@Override\n    public List<Account> all(int x) {\n        return find(x);\n    "
     "}\n\n    private static void close() {}\n}\n",
     "Keeps accounts", "Accounts all close"},
    {"A.cs",
     "using System;\nnamespace A\n{\n    /// <summary>Opens doors.</summary>\n    public sealed "
     "class Door\n    {\n        public Task<bool> Open(Key key)\n        {\n",
     "Opens doors", "Door Open"},
    {"a.rb", "# frozen\n\n# Mails what was ordered\nclass Mailer\n  def self.send_all\n",
     "Mails what was ordered", "Mailer send_all"},
    {"run.sh", "#!/bin/sh\n#\n# Starts all servers.\nset -e\nstart_one() {\n  x\n}\n",
     "Starts all servers", "start_one"},
    {"a.sql", "-- Orders and who paid them.\nCREATE TABLE IF NOT EXISTS orders (\n  id int\n);\n",
     "Orders and who paid them", "orders"},
    {"a.lua", "-- Counts the turns of all.\nlocal function one()\nfunction M.two()\n",
     "Counts the turns of all", "one two"},
    {"a.ex", "defmodule App.Users do\n  def list(x) do\n", "", "Users list"},
    {"a.php",
     "<?php\n/**\n * Shows the list of things.\n */\nclass Things\n{\n    public function "
     "all()\n",
     "Shows the list of things", "Things all"},
    {"a.proto", "// What clients ask.\nmessage Ask {\n}\nservice Asks {\n  rpc One(Ask)\n",
     "What clients ask", "Ask Asks One"},
    {"README.md", "<p>x</p>\n![x](y)\n\n# The *best* tool\n\nText.\n", "The *best* tool", ""},
    {"notes.txt", "\nThis tells all there is. And more.\n", "This tells all there is", ""},
    {"a.css", "/* Colours of the night theme */\na { b: c }\n", "Colours of the night theme", ""},
    {"conf.yaml", "# Ports that are open\na: b\n", "Ports that are open", ""},
    {"a.html", "<!-- The page of errors -->\n<p>\n", "The page of errors", ""},
    {"a.c", "// x = f(y);\n// old();\n\n\t// deep in a function it says\nint main(void) {\n", "",
     "main"},
    {"script/start", "#!/usr/bin/env bash\n# Starts all servers at once.\nstop_all() {\n",
     "Starts all servers at once", "stop_all"},
    {"script/tell", "#!/usr/bin/python3\n\"\"\"Tells the time.\"\"\"\ndef now():\n",
     "Tells the time", "now"},
    {"step.py",
     "import os\nLIMIT = 3\n# More than that is too much\ndef f1():\n    \"\"\"A step of "
     "it.\"\"\"\n",
     "", "f1"},
    {"kind.py", "X = 1\nclass Kind:\n    \"\"\"A kind of things.\"\"\"\n", "A kind of things",
     "Kind"},
    {"step.go", "package a\n\nimport \"x\"\n\nvar x = 1\n\n// steps are slow here\nfunc Step() {\n",
     "", "Step"},
    {"later.ts", "const x = 1;\n\n/** Keeps the state of a page */\nexport class Page {\n",
     "Keeps the state of a page", "Page"},
    {"data.json", "{\"a\": 1}\n", "", ""},
    {"a.py", "", "", ""},
};

std::string spaced(std::string_view symbols) {
    std::string text(symbols.substr(0, symbols.size() - !symbols.empty()));
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

TEST(CodeScan, SummariesAndSymbols) {
    Memory memory{private_allocator(), UINT64_MAX};
    packet::CodeScanner scanner(memory);
    for (const auto &file : kFiles) {
        scanner.scan(file.path, file.text);
        EXPECT_EQ(scanner.summary(), file.summary) << file.path;
        EXPECT_EQ(spaced(scanner.symbols()), file.symbols) << file.path;
    }
}

// Other line ends, and a file cut at any byte, do not change what was read before.
TEST(CodeScan, EndsAnywhere) {
    Memory memory{private_allocator(), UINT64_MAX};
    packet::CodeScanner scanner(memory);
    for (const auto &file : kFiles) {
        std::string text = file.text;
        for (size_t end = 0; end <= text.size(); ++end) {
            scanner.scan(file.path, text.substr(0, end));
            EXPECT_LE(scanner.summary().size(), packet::kMaxSummaryBytes);
        }
        for (size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 2) text.insert(at, "\r");
        scanner.scan(file.path, text);
        EXPECT_EQ(scanner.summary(), file.summary) << file.path;
        EXPECT_EQ(spaced(scanner.symbols()), file.symbols) << file.path;
    }
}

TEST(CodeScan, Limits) {
    Memory memory{private_allocator(), UINT64_MAX};
    packet::CodeScanner scanner(memory);
    std::string text = "# " + std::string(3000, 'w') + " and more words\n";
    for (int i = 0; i < 1000; ++i) text += "def name" + std::to_string(i) + "():\n";
    scanner.scan("a.py", text);
    EXPECT_LE(scanner.summary().size(), packet::kMaxSummaryBytes);
    const std::string_view symbols = scanner.symbols();
    EXPECT_EQ(std::count(symbols.begin(), symbols.end(), '\n'),
              static_cast<ptrdiff_t>(packet::kMaxSymbols));
}

// Lines of all languages in any order: no read beyond the text.
TEST(CodeScan, AnyLines) {
    Memory memory{private_allocator(), UINT64_MAX};
    packet::CodeScanner scanner(memory);
    constexpr const char *kParts[] = {"\"\"\"",
                                      "/*",
                                      "*/",
                                      "//",
                                      "#",
                                      "def ",
                                      "class ",
                                      "func (",
                                      ")",
                                      "(",
                                      "{",
                                      "\n",
                                      "\n\n",
                                      "::",
                                      ".",
                                      " ",
                                      "\t",
                                      "<",
                                      "> ",
                                      "template <",
                                      "enum class ",
                                      "export const ",
                                      "=",
                                      "=>",
                                      "x",
                                      "Name",
                                      "\xE3\x80\x82",
                                      "\xC3\xA9",
                                      "CREATE TABLE ",
                                      "'",
                                      "if not exists ",
                                      "pub(",
                                      "#define ",
                                      "A(",
                                      "<!--",
                                      "-->"};
    std::mt19937 random(7);
    for (int round = 0; round < 4000; ++round) {
        std::string text;
        for (unsigned i = random() % 40; i; --i) text += kParts[random() % std::size(kParts)];
        const std::unique_ptr<char[]> exact(new char[text.size()]);  // lets a sanitizer detect it
        std::copy(text.begin(), text.end(), exact.get());
        scanner.scan(kFiles[random() % std::size(kFiles)].path, {exact.get(), text.size()});
        EXPECT_LE(scanner.summary().size(), packet::kMaxSummaryBytes);
    }
}

}  // namespace
