// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/prices.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "value/json_reader.h"

namespace proxy {

extern const char kBuiltInPrices[];

namespace {

constexpr uint64_t kMaxTableBytes = 4 << 20;
constexpr double kMaxPrice = 1e6;  // dollars for a million tokens
// A conversation of at most this many tokens stays whole.
constexpr uint32_t kWholeMax = 3000;

using accp::value::TreeView;

struct Fault {
    std::string message;
};

[[noreturn]] void refuse(const std::string &where, const char *what) {
    throw Fault{"prices: " + where + ": " + what};
}

std::string text_of(TreeView tree, uint32_t map, std::string_view key) {
    const uint32_t node = tree.find(map, key);
    return node && tree[node].kind == ACCP_STRING ? std::string(tree.string(node)) : "";
}

// Returns a number from 0 to kMaxPrice; `standard` if it is missing.
double number_of(TreeView tree, uint32_t map, std::string_view key, double standard,
                 const std::string &where) {
    const uint32_t node = tree.find(map, key);
    if (!node) return standard;
    double number = -1;
    if (accp::value::is_number(tree[node].kind)) {
        const std::string_view text = tree.string(node);
        std::from_chars(text.data(), text.data() + text.size(), number);
    }
    if (!(number >= 0 && number <= kMaxPrice))
        refuse(where, (std::string(key) + " must be a number from 0 to 1,000,000").c_str());
    return number;
}

Price read_price(TreeView tree, uint32_t map, const std::string &where) {
    Price price;
    price.input = number_of(tree, map, "input", 0, where);
    if (price.input <= 0) refuse(where, "input must be the price of a million input tokens");
    price.cache_read = number_of(tree, map, "cache_read", price.input, where);
    price.cache_write = number_of(tree, map, "cache_write", price.input, where);
    price.cache_write_hour = number_of(tree, map, "cache_write_hour", price.cache_write, where);
    price.output = number_of(tree, map, "output", 0, where);
    price.cache_ms = std::llround(number_of(tree, map, "cache_minutes", 5, where) * 60'000);
    if (price.cache_read > price.cache_write)
        refuse(where, "cache_read must be at most cache_write");
    return price;
}

bool is_day(std::string_view text) {
    if (text.size() != 10) return false;
    for (size_t i = 0; i < 10; ++i)
        if (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
    return true;
}

// Returns whether a row is for a model: its name, with nothing or a date or a variant after it,
// such as -20251101, -latest, [1m], :beta or @20251101. Gateways write a dot in a version.
bool names(std::string_view row, std::string_view model) {
    const bool is_family = row.ends_with('*');
    if (is_family) row.remove_suffix(1);
    if (model.size() < row.size()) return false;
    for (size_t i = 0; i < row.size(); ++i)
        if ((row[i] == '.' ? '-' : row[i]) != (model[i] == '.' ? '-' : model[i])) return false;
    const std::string_view rest = model.substr(row.size());
    if (is_family || rest.empty() || rest == "-latest") return true;
    if (rest[0] == '[' || rest[0] == ':' || rest[0] == '@') return true;
    return rest.size() > 4 && rest[0] == '-' &&
           std::all_of(rest.begin() + 1, rest.begin() + 5,
                       [](unsigned char c) { return c >= '0' && c <= '9'; });
}

// Returns a price in thousandths of the price of plain input.
uint32_t ratio(double price, double input) {
    return static_cast<uint32_t>(std::lround(std::min(price / input, 100.0) * 1000));
}

}  // namespace

double Price::of_input(const Usage &usage) const {
    const auto count = [](uint64_t n) { return static_cast<double>(n); };
    return (count(usage.input) * input + count(usage.cache_read) * cache_read +
            count(usage.cache_write) * cache_write +
            count(usage.cache_write_hour) * cache_write_hour) /
           1e6;
}

double Price::of(const Usage &usage) const {
    return of_input(usage) + static_cast<double>(usage.output) * output / 1e6;
}

accp::context::RetentionRules Price::rules(bool keeps_an_hour) const {
    accp::context::RetentionRules rules;
    rules.price_cached = ratio(cache_read, input);
    rules.price_write = ratio(keeps_an_hour ? cache_write_hour : cache_write, input);
    rules.price_output = ratio(output, input);
    rules.whole_max = kWholeMax;
    return rules;
}

PriceTable::PriceTable() {
    if (read(kBuiltInPrices)) std::abort();  // a test reads the built-in table
}

std::optional<std::string> PriceTable::read(std::string_view json) {
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::value::JsonReader reader(memory);
    accp::value::Value value(memory);
    const accp::Status status = reader.read(json.data(), json.size(), {kMaxTableBytes, 16}, value);
    if (status.failed())
        return "prices: byte " + std::to_string(status.offset) + ": " + status.message;
    const TreeView tree = value.view();
    std::vector<Row> rows;
    Price other;
    try {
        const uint32_t list = tree[0].kind == ACCP_MAP ? tree.find(0, "rows") : 0;
        if (!list || tree[list].kind != ACCP_ARRAY)
            refuse("the table", "it must be an object with a list \"rows\"");
        if (const uint32_t node = tree.find(0, "other"))
            if (tree[node].kind == ACCP_MAP) other = read_price(tree, node, "other");
        for (uint32_t i = list + 1; i < tree[list].next; i = tree[i].next) {
            const std::string where = "row " + std::to_string(rows.size() + 1);
            if (tree[i].kind != ACCP_MAP) refuse(where, "it must be an object");
            Row &row = rows.emplace_back();
            row.model = text_of(tree, i, "model");
            if (row.model.empty()) refuse(where, "model must be the name of a model");
            row.from = text_of(tree, i, "from");
            if (!row.from.empty() && !is_day(row.from))
                refuse(where, "from must be a day such as \"2026-11-28\"");
            row.over_tokens = static_cast<uint64_t>(number_of(tree, i, "over_tokens", 0, where));
            row.price = read_price(tree, i, where + " (" + row.model + ")");
            row.price.is_known = true;
        }
    } catch (const Fault &fault) {
        return fault.message;
    }
    rows_ = std::move(rows);
    other_ = other;
    return std::nullopt;
}

Price PriceTable::find(std::string_view model, std::string_view day, uint64_t prompt_tokens) const {
    // Gateways put the provider before the name: anthropic/claude-opus-5.
    const size_t slash = model.rfind('/');
    if (slash != model.npos) model.remove_prefix(slash + 1);
    const Row *best = nullptr;
    const auto rank = [](const Row &row) {
        return std::tuple(row.model.size(), std::string_view(row.from), row.over_tokens);
    };
    for (const Row &row : rows_) {
        const bool applies = names(row.model, model) && row.from <= day &&
                             (!row.over_tokens || prompt_tokens > row.over_tokens);
        if (applies && (!best || rank(row) > rank(*best))) best = &row;
    }
    return best ? best->price : other_;
}

std::string day_of(int64_t now_ms) {
    using namespace std::chrono;
    const year_month_day date(floor<days>(sys_time<milliseconds>(milliseconds(now_ms))));
    const auto two = [](unsigned n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    return std::to_string(static_cast<int>(date.year())) + '-' +
           two(static_cast<unsigned>(date.month())) + '-' + two(static_cast<unsigned>(date.day()));
}

}  // namespace proxy
