// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp session context --explain: the pages of a context as a table of at most 100 columns.
#include <charconv>

#include "cli/host.h"
#include "cli/session/actions.h"
#include "cli/terminal/table_text.h"

namespace cli {
namespace {

constexpr size_t kMaxColumns = 100, kWhyColumn = 68, kMaxFrom = 17, kFirstNumber = 29;

// An object in the JSON of the library.
class Members {
public:
    Members(const JsonTree &json, uint32_t object) : json_(json), object_(object) {}

    bool has(std::string_view key) const { return json_.find(object_, key) != 0; }
    uint64_t number(std::string_view key) const {
        const std::string_view digits = text(key);
        uint64_t number = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return number;
    }
    std::string_view text(std::string_view key) const {
        const uint32_t node = json_.find(object_, key);
        return node != 0 ? json_.text(node) : std::string_view();
    }
    bool is_true(std::string_view key) const { return json_.is_true(json_.find(object_, key)); }
    std::string printable(std::string_view key) const {
        std::string text;
        append_printable(this->text(key), text);
        return text;
    }

private:
    const JsonTree &json_;
    uint32_t object_;
};

void append_heading(const Members &all, uint64_t pages, const Members &newest, std::string &out) {
    out.append(grouped(all.number("calls")))
        .append(" calls of a model, ")
        .append(grouped(pages))
        .append(" pages\ntokens now ")
        .append(grouped(all.number("tokens")))
        .append(", of the whole messages ")
        .append(grouped(all.number("whole_tokens")))
        .append(", of values ")
        .append(grouped(all.number("values_tokens")))
        .append("\n")
        .append(grouped(all.number("evictions")))
        .append(" evictions");
    const uint64_t evicted = newest.number("pages");
    if (all.number("evictions") != 0)
        out.append("; the newest at call ")
            .append(grouped(newest.number("call")))
            .append(", because of ")
            .append(newest.text("cause") == "price"     ? "prices"
                    : newest.text("cause") == "expired" ? "an expired cache"
                                                        : "space")
            .append(": ")
            .append(grouped(evicted))
            .append(evicted == 1 ? " page" : " pages")
            .append(newest.number("saving") != 0
                        ? ", expected to save " + grouped(newest.number("saving"))
                        : std::string());
    out.append("\n\n");
}

// Appends words that begin at column kWhyColumn, on as many lines as they need.
void append_wrapped(std::string_view text, std::string &out) {
    size_t column = kWhyColumn;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        if (column > kWhyColumn && column + 1 + word.size() > kMaxColumns) {
            out.append("\n").append(kWhyColumn, ' ');
            column = kWhyColumn;
        } else if (column > kWhyColumn) {
            out.push_back(' ');
            ++column;
        }
        out.append(word);
        column += word.size();
        text.remove_prefix(std::min(text.size(), word.size() + 1));
    }
    out.push_back('\n');
}

// "shell:open" of a tool's call or result, "user plan" of any other message.
std::string source_of(const Members &page) {
    std::string source = page.printable("agent");
    if (page.has("tool")) source.append(":").append(page.printable("tool"));
    else if (!source.empty()) source.append(" ").append(page.printable("operation"));
    if (page.is_true("is_untrusted")) source.insert(0, "!");
    if (source.size() <= kMaxFrom) return source;
    size_t end = kMaxFrom - 1;
    while ((static_cast<unsigned char>(source[end]) & 0xC0) == 0x80) --end;
    return source.substr(0, end) + "~";
}

void append_page(const Members &page, std::string &out) {
    const uint64_t rent = page.number("rent"), fetch = page.number("fetch");
    const std::string cut = page.text("state") == "cut" ? "cut; " : "";
    const std::string head = left(page.printable("ref") + " ", 12) + source_of(page);
    out.append(left(head, kFirstNumber));
    if (head.size() > kFirstNumber) out.append("\n").append(kFirstNumber, ' ');
    out.append(right(grouped(page.number("tokens")), 8))
        .append(right(grouped(page.number("whole_tokens")), 8))
        .append(right(grouped(page.number("age")), 5))
        .append(right(rent != 0 ? grouped(rent) : "-", 8))
        .append(right(fetch != 0 ? grouped(fetch) : "-", 8))
        .append("  ");
    append_wrapped(cut + page.printable("why"), out);
}

constexpr const char *kPagesLegend =
    "\n"
    "now    tokens in the context; whole: of the whole message\n"
    "age    calls of a model since it came\n"
    "rent   the price of its tokens in all contexts so far, if it was not evicted\n"
    "fetch  the price of bringing the whole message back, if the context lacks any of it\n"
    "!      untrusted; all prices are in tokens of plain input\n";

void append_table(const JsonTree &json, std::string &out) {
    const uint32_t pages = json.find(0, "pages");
    append_heading(Members(json, 0), json.count(pages),
                   Members(json, json.find(0, "newest_eviction")), out);
    out.append("ref         from                  now   whole  age    rent   fetch  why\n");
    for (uint32_t i = pages + 1; i < json.next(pages); i = json.next(i))
        append_page(Members(json, i), out);
    out.append(kPagesLegend);
}

}  // namespace

int explain_context(const Arguments &arguments, CommandSession &session, Streams &io) {
    accp_text json = {};
    accp_error err = {};
    const accp_status status = accp_session_context_pages(session.get(), &json, &err);
    if (status == ACCP_OK && arguments.json) io.out.text.append(json.text, json.len).append("\n");
    else if (status == ACCP_OK) append_table(JsonTree({json.text, json.len}), io.out.text);
    return report_status(io, status, err);
}

}  // namespace cli
