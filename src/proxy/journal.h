// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A list of records with which the state of conversations survives the end of the process.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxy {

class Journal {
public:
    virtual ~Journal() = default;
    // Calls use(record) with each record, in order. Returns false if they cannot be read.
    virtual bool load(const std::function<void(std::string_view)> &use) = 0;
    // Appends a record. If it returns true, the record survives the end of the process.
    virtual bool append(std::string_view record) = 0;
    // Replaces all records by these, or changes nothing and returns false.
    virtual bool replace(const std::vector<std::string> &records) = 0;
};

// For tests, and for a host that keeps the records itself.
class MemoryJournal final : public Journal {
public:
    bool load(const std::function<void(std::string_view)> &use) override {
        for (const std::string &record : records) use(record);
        return true;
    }
    bool append(std::string_view record) override {
        records.emplace_back(record);
        return true;
    }
    bool replace(const std::vector<std::string> &all) override {
        records = all;
        return true;
    }

    std::vector<std::string> records;
};

}  // namespace proxy
