// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs registry.jsonl: one case per line, with the name of the requirement. README.md describes the
// members of a line.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <set>

#include "accp/accp.h"
#include "config.h"
#include "reference/ref_json.h"

namespace {

using accp_ref::Json;

const std::string kDirectory = ACCP_SOURCE_DIR "/tests/system/spec/";

struct FreeRegistry {
    void operator()(accp_registry *registry) const { accp_registry_free(registry); }
};
using Registry = std::unique_ptr<accp_registry, FreeRegistry>;

std::string text_of(accp_text text) { return {text.text, text.len}; }

class RegistryCase : public testing::Test {
public:
    explicit RegistryCase(const Json &it) : it_(it) {}

    void TestBody() override {
        const std::string text = member("text"), refused = member("refused");
        const Json *profiles = it_.find("profiles");
        accp_registry *made = nullptr;
        accp_error error = {};
        const auto mask =
            static_cast<uint32_t>(profiles ? std::stoi(profiles->text) : int{ACCP_PROFILE_ALL});
        const accp_status status =
            accp_registry_new(text.data(), text.size(), mask, nullptr, &made, &error);
        registry_.reset(made);
        if (status != ACCP_OK || !refused.empty()) {
            EXPECT_EQ(std::string(accp_status_code_name(error.code)) + " at " +
                          std::to_string(error.offset),
                      refused)
                << error.message;
            return;
        }
        saved(text);
        if (const std::string more = member("add"); !more.empty()) {
            ASSERT_EQ(accp_registry_add(registry_.get(), more.data(), more.size(), &made, nullptr),
                      ACCP_OK);
            registry_.reset(made);
        }
        names();
        schemas();
    }

private:
    std::string member(const char *name) const {
        const Json *found = it_.find(name);
        return found ? found->text : std::string();
    }
    template <class Use>
    void each(const char *name, Use use) const {
        const Json *list = it_.find(name);
        for (const Json &item : list ? list->items : std::vector<Json>()) use(item.text);
    }

    void saved(const std::string &text) const {
        const accp_text kept = accp_test::info_of(registry_.get()).text;
        EXPECT_EQ(text_of(kept), text.empty() ? R"({"schemas":{}})" : text);
    }
    void names() const {
        int32_t number = 0;
        each("intents", [&](const std::string &code) {
            EXPECT_EQ(accp_intent_find(code.data(), code.size()), number);
            EXPECT_EQ(accp_intent_name(number++), code);
        });
        each("unknown_intents", [](const std::string &code) {
            EXPECT_EQ(accp_intent_find(code.data(), code.size()), -1) << code;
        });
        const auto knows = [this](const std::string &name) {
            return accp_registry_has_operation(registry_.get(), name.data(), name.size());
        };
        each("operations", [&](const std::string &name) { EXPECT_EQ(knows(name), 1) << name; });
        each("unknown_operations",
             [&](const std::string &name) { EXPECT_EQ(knows(name), 0) << name; });
        each("codes", [this](const std::string &code) { EXPECT_EQ(find(code), ACCP_OK) << code; });
        each("unknown_codes",
             [this](const std::string &code) { EXPECT_EQ(find(code), ACCP_E1003) << code; });
    }
    accp_status find(const std::string &code) const {
        uint32_t index = 0;
        return accp_registry_find(registry_.get(), code.data(), code.size(), &index, nullptr);
    }

    std::vector<accp_field> fields(const std::string &code) const {
        uint32_t index = 0;
        accp_schema schema = {};
        EXPECT_EQ(accp_registry_find(registry_.get(), code.data(), code.size(), &index, nullptr),
                  ACCP_OK)
            << code;
        EXPECT_EQ(accp_registry_schema(registry_.get(), index, &schema, nullptr), ACCP_OK);
        std::vector<accp_field> list(schema.field_count);
        for (uint32_t i = 0; i < schema.field_count; ++i)
            EXPECT_EQ(accp_registry_field(registry_.get(), index, i, &list[i], nullptr), ACCP_OK);
        return list;
    }
    // Compares, for each schema in the member `name`, its expected list with what `take` returns
    // for its fields.
    template <class Take>
    void compare(const char *name, Take take) const {
        const Json *map = it_.find(name);
        for (const auto &[code, expected] : map ? map->members : accp_ref::Members()) {
            std::vector<std::string> wanted, found;
            for (const Json &item : expected.items) wanted.push_back(item.text);
            for (const accp_field &field : fields(code)) found.push_back(take(field));
            EXPECT_EQ(found, wanted) << name << ' ' << code;
        }
    }
    void schemas() const {
        compare("fields", [](const accp_field &field) { return text_of(field.name); });
        compare("wires", [](const accp_field &field) { return text_of(field.wire); });
        compare("types", [](const accp_field &field) { return std::to_string(field.type); });
        const Json *defaults = it_.find("defaults"), *bound = it_.find("bound");
        for (const auto &[code, expected] : defaults ? defaults->members : accp_ref::Members()) {
            for (const accp_field &field : fields(code)) {
                const Json *wanted = expected.find(text_of(field.name));
                EXPECT_EQ(text_of(field.default_json), wanted ? accp_ref::write_json(*wanted) : "")
                    << code << ' ' << text_of(field.name);
            }
        }
        for (const auto &[pair, code] : bound ? bound->members : accp_ref::Members()) {
            const size_t colon = pair.find(':');
            uint32_t index = 0, wanted = 0;
            EXPECT_EQ(accp_registry_find_bound(
                          registry_.get(), accp_intent_find(pair.data(), colon),
                          pair.data() + colon + 1, pair.size() - colon - 1, &index, nullptr),
                      ACCP_OK);
            EXPECT_EQ(accp_registry_find(registry_.get(), code.text.data(), code.text.size(),
                                         &wanted, nullptr),
                      ACCP_OK);
            EXPECT_EQ(index, wanted) << pair;
        }
    }

    const Json &it_;
    Registry registry_;
};

std::vector<Json> read_cases() {
    std::vector<Json> cases;
    std::ifstream file(kDirectory + "registry.jsonl");
    for (std::string line; std::getline(file, line);) {
        auto it = accp_ref::parse_json(line);
        if (!it || !it->find("id") || !it->find("what"))
            throw std::runtime_error("no case: " + line);
        cases.push_back(std::move(*it));
    }
    return cases;
}

const std::vector<Json> *all_cases = nullptr;

TEST(RegistryCases, EveryRequirementOfThisLayerHasOne) {
    std::set<std::string> covered;
    for (const Json &it : *all_cases) covered.insert(it.find("id")->text);
    std::ifstream file(kDirectory + "registry_requirements.txt");
    int count = 0;
    for (std::string id; std::getline(file, id); ++count)
        EXPECT_TRUE(covered.count(id)) << "no case for " << id;
    EXPECT_GE(count, 20);
}

}  // namespace

int main(int argc, char **argv) {
    testing::InitGoogleTest(&argc, argv);
    try {
        static const std::vector<Json> cases = read_cases();
        all_cases = &cases;
        for (size_t i = 0; i < cases.size(); ++i) {
            std::string name = cases[i].find("id")->text + " " + cases[i].find("what")->text;
            for (char &c : name)
                if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
            testing::RegisterTest(
                "registry_cases", name.c_str(), nullptr, nullptr, __FILE__, static_cast<int>(i + 1),
                [it = &cases[i]]() -> RegistryCase * { return new RegistryCase(*it); });
        }
        return RUN_ALL_TESTS();
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
