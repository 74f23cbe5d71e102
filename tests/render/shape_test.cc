// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The keys that become columns, and the kinds of columns.
#include <gtest/gtest.h>

#include "render/shape.h"
#include "unit.h"
#include "value/json_reader.h"

namespace {

using namespace accp;

const char *kind_name(render::StepKind kind) {
    switch (kind) {
        case render::StepKind::kCell: return "";
        case render::StepKind::kRows: return "[]";
        case render::StepKind::kGroup: return "{}";
        default: return "*";
    }
}

// Returns the columns with their number of rows, such as "id3 in2{}", or "-" if the text has no
// table.
std::string shape_of(std::string_view json) {
    accp_unit::Room room;
    value::JsonReader reader(room.memory);
    value::Value value(room.memory);
    EXPECT_TRUE(reader.read(json.data(), json.size(), {1 << 20, 1024}, value).ok());
    const render::Shape *shape = render::ShapeFinder(value.view(), room.arena, 1).find(0);
    std::string text = shape ? "" : "-";
    for (uint32_t i = 0; shape && i < shape->count; ++i) {
        const render::Column &column = shape->columns[i];
        text += std::string(i ? " " : "") + std::string(column.name) +
                std::to_string(column.count) + kind_name(column.kind);
    }
    return text;
}

TEST(Shape, WhatIsNoTable) {
    for (const char *json : {"[]", "{}", "[{\"aaaaaaaaaa\":1}]", "[1,2,3]", "[{\"a\":1},{}]",
                             "[{\"a\":1},{\"b\":1},{\"c\":1}]", "[{\"a\":1},{\"a\":1}]",
                             "[{\"long_key\":1},{\"long_key\":1},[]]"})
        EXPECT_EQ(shape_of(json), "-") << json;
}

TEST(Shape, FrequentColumnsFirst) {
    EXPECT_EQ(
        shape_of(
            R"([{"name":1,"xxxx":1},{"yyyy":1,"name":2},{"name":3,"yyyy":2},{"name":4,"yyyy":1}])"),
        "name4 yyyy3 xxxx1");
    EXPECT_EQ(
        shape_of(
            R"([{"id":1,"n":1},{"id":2,"n":1},{"id":3,"n":2},{"id":4,"n":1},{"id":5,"n":5,"z":1}])"),
        "id5 n5 ...1*");
    EXPECT_EQ(shape_of(R"({"r1":{"id":1,"n":1},"r2":{"n":1,"id":2},"r3":{"id":3,"n":2}})"),
              "id3 n3");
}

TEST(Shape, GroupsAndRows) {
    EXPECT_EQ(shape_of(R"([{"id":1,"in":{"a":1}},{"id":2,"in":{"a":2}},{"id":3,"in":{"a":3}}])"),
              "id3 in3{}");
    EXPECT_EQ(shape_of(R"([{"id":1,"in":null},{"id":2,"in":{"a":2}},{"id":3,"in":{"a":3}}])"),
              "id3 in3{}");
    EXPECT_EQ(shape_of(R"([{"id":1,"in":null},{"id":2,"in":{"a":null}},{"id":3,"in":{"a":3}}])"),
              "id3 in3")
        << "a null of its own";
    EXPECT_EQ(shape_of(R"([{"in":null,"id":1},{"in":{"a":2},"id":1},{"in":{"a":3},"id":1}])"),
              "in3 id3")
        << "null in the first column";
    EXPECT_EQ(
        shape_of(
            R"([{"id":1,"l":[{"aa":1,"bb":2}]},{"id":2,"l":[]},{"id":3,"l":[{"aa":1,"bb":2},{"aa":3,"bb":4}]}])"),
        "id3 l3[]");
    EXPECT_EQ(shape_of(R"([{"id":1,"in":{"a":1}},{"id":2,"in":{"b":2}},{"id":3,"in":{"c":3}}])"),
              "id3 in3");
}

}  // namespace
