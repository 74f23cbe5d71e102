// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The arrays that are written as tables.
#include <gtest/gtest.h>

#include <string>

#include "frame/table.h"
#include "unit.h"
#include "value/json_reader.h"

namespace {

using namespace accp;

// "rows x columns", or "-".
std::string table_of(const std::string &json, uint32_t room = 64) {
    accp_unit::Room memory;
    value::JsonReader reader(memory.memory);
    value::Value value(memory.memory);
    EXPECT_TRUE(reader.read(json.data(), json.size(), {1 << 20, 1024}, value).ok()) << json;
    frame::Table table = {};
    if (!frame::find_table(value.view(), 0, {room, 65535, false}, memory.arena, table)) return "-";
    // every row has the columns in the same order, sorted
    for (uint32_t row = 0; row < table.rows; ++row)
        for (uint32_t column = 0; column < table.columns; ++column) {
            const auto name = value.view().key(table.cells[column]);
            EXPECT_EQ(value.view().key(table.cells[row * table.columns + column]), name);
            EXPECT_TRUE(!column || value.view().key(table.cells[column - 1]) < name);
        }
    return std::to_string(table.rows) + "x" + std::to_string(table.columns);
}

TEST(TableRule, ShapeAndSize) {
    const struct {
        const char *json, *expected;
    } cases[] = {
        {R"([{"a":1,"b":2},{"a":1,"b":2},{"b":1,"a":2}])", "3x2"},
        {R"([{"a":1,"b":2},{"a":1,"b":2}])", "-"},
        {R"([{"a":1,"b":2,"c":3,"d":4},{"d":1,"c":2,"b":3,"a":4}])", "2x4"},
        {R"([{"a":1,"b":2,"c":3},{"a":1,"b":2,"c":3}])", "-"},
        {R"([{"a":1},{"a":1},{"a":1},{"a":1},{"a":1}])", "5x1"},
        {R"([{"a":1},{"a":1},{"a":1},{"a":1}])", "-"},
        {R"([{"a":1,"b":2},{"a":1,"b":2},{"a":1,"c":2}])", "-"},
        {R"([{"a":1,"b":2},{"a":1,"b":2},{"a":1}])", "-"},
        {R"([{"a":1,"b":2},{"a":1,"b":2},{"a":1,"b":2,"c":3}])", "-"},
        {R"([{"a":1,"b":2},{"a":1,"b":2},[1,2]])", "-"},
        {R"([{"a":1,"b":2},{"a":1,"b":2},null])", "-"},
        {R"([[1,2],[3,4],[5,6]])", "-"},
        {R"([{},{},{},{},{},{}])", "-"},
        {R"([])", "-"},
        {R"({"a":1})", "-"},
        {R"("x")", "-"},
        {R"([{"":1,"é":2},{"":1,"é":2},{"é":1,"":2}])", "3x2"},
    };
    for (const auto &c : cases) EXPECT_EQ(table_of(c.json), c.expected) << c.json;
}

// Cells must fit in the remaining levels, counted as if no cell were a table.
TEST(TableRule, RoomForCells) {
    const std::string flat = R"([{"a":1},{"a":1},{"a":1},{"a":1},{"a":1}])";
    const std::string deep1 = R"([{"a":1},{"a":1},{"a":1},{"a":1},{"a":[2]}])";
    const std::string deep2 = R"([{"a":1},{"a":1},{"a":{"b":[]}},{"a":1},{"a":1}])";
    EXPECT_EQ(table_of(flat, 0), "5x1");
    EXPECT_EQ(table_of(deep1, 0), "-");
    EXPECT_EQ(table_of(deep1, 1), "5x1");
    EXPECT_EQ(table_of(deep2, 1), "-");
    EXPECT_EQ(table_of(deep2, 2), "5x1");
}

}  // namespace
