// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "registry/loader.h"

#include <charconv>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "registry/document.h"
#include "value/json_writer.h"

namespace accp::registry {

namespace {

// The built-in schemas (specification 10) as a registry document, in the order of accp_profile's
// bits. The first one, ER, belongs to no profile and is always included. Fields and defaults are
// from the specification (10.1 to 10.5; ER: A45), aliases from its samples (decision A42), bindings
// from its frames.
constexpr std::string_view kBuiltIn = R"({"schemas":{
"error":{"code":"ER","version":1,"fields":["code","msg","retry","detail","src","cid"],"defaults":{},
 "types":{"code":"string","msg":"string","retry":"boolean","src":"string","cid":"string"},"required":["code"],"bind":["fail:error"]},
"chat":{"code":"CH","version":1,"fields":["role","content","turn","lang","reply_to"],"defaults":{"role":"assistant","lang":"en"},
 "types":{"role":"string","turn":"integer","lang":"string"},"bind":["req:chat","done:chat"]},
"tool_call":{"code":"TC","version":1,"fields":["tool_name","arguments","result","status","error_code"],"defaults":{"status":"ok"},
 "types":{"tool_name":"string","status":"string","error_code":"string"},
 "aliases":{"tool":"tool_name","args":"arguments","res":"result","stat":"status"},"bind":["req:tool","done:tool"]},
"transaction":{"code":"TX","version":1,"fields":["transaction_id","amount","currency","account","reference","status","retryable"],
 "defaults":{"currency":"USD","status":"pending","retryable":false},
 "types":{"transaction_id":"string","amount":"decimal","currency":"string","status":"string","retryable":"boolean"},
 "aliases":{"txn":"transaction_id","amt":"amount","acc":"account","stat":"status"},"bind":["req:transaction","done:transaction"]},
"stream_chunk":{"code":"ST","version":1,"fields":["chunk_index","total_chunks","data","is_final"],"defaults":{"is_final":false},
 "types":{"chunk_index":"integer","total_chunks":"integer","is_final":"boolean"},
 "aliases":{"idx":"chunk_index","tot":"total_chunks","d":"data","done":"is_final"},"bind":["stream:infer"]},
"task_assignment":{"code":"TA","version":2,"fields":["assignee","task","priority","deadline","deps"],
 "defaults":{"priority":"medium","deps":[]},"types":{"deps":"array"},
 "aliases":{"asgn":"assignee","pri":"priority","dead":"deadline"},"bind":["req:schedule","done:schedule"]}
}})";

// The bit of accp_profile for built-in schema i; 0 for ER.
constexpr uint32_t built_in_profile(uint32_t i) { return i ? uint32_t{1} << (i - 1) : 0; }

}  // namespace

// Loads the document as a whole. load_schema.cc loads one schema.

namespace {

bool is_active(uint32_t number, uint32_t profiles) {
    const uint32_t profile = built_in_profile(number);
    return !profile || (profiles & profile);
}

}  // namespace

bool is_word_name(std::string_view text) {
    for (char c : text)
        if (!is_word(static_cast<unsigned char>(c))) return false;
    return !text.empty() && text.substr(0, 2) != "__";
}

Status Registry::load(std::string_view text, uint32_t profiles, const value::JsonLimits &limits) {
    return Loader(*this, limits).run(text, profiles);
}

Status Loader::run(std::string_view text, uint32_t profiles) {
    if (text.empty()) text = Registry::kNoDocument;
    if (text.size() > limits_.bytes)
        return fail_limit(ACCP_E1001, limits_.bytes,
                          "the JSON text is longer than the limit json_bytes allows", text.size(),
                          limits_.bytes);
    out_.source_.append(text);
    ACCP_TRY(reader_.read(kBuiltIn.data(), kBuiltIn.size(), {kBuiltIn.size(), kMaxJsonDepth},
                          out_.built_in_));
    ACCP_TRY(reader_.read(out_.source_.data(), out_.source_.size(), limits_, out_.doc_));
    Status status = document(profiles);
    if (status.failed())
        return move_to(status, reader_.origin(static_cast<uint32_t>(status.offset)).value);
    value::TreeView built_in = out_.built_in_.view();
    ACCP_TRY(schemas(built_in, built_in.find(0, "schemas"), profiles));
    finish();
    return seal();
}

Status Loader::document(uint32_t profiles) {
    value::TreeView doc = out_.doc_.view();
    if (doc[0].kind != ACCP_MAP) return wrong(0, "a registry is an object");
    uint32_t version = doc.find(0, "version"), operation_list = doc.find(0, "operations"),
             alias_map = doc.find(0, "aliases");
    if (version) {
        std::string_view digits = doc.string(version);
        auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out_.version_);
        if (doc[version].kind != ACCP_INT || read.ec != std::errc() || out_.version_ < 0)
            return wrong(version, "a version is a whole number");
    }
    out_.alias_codes_.reset(0);
    if (operation_list) ACCP_TRY(operations(operation_list));
    if (alias_map) ACCP_TRY(aliases(alias_map));
    uint32_t schema_map = doc.find(0, "schemas");
    size_t room = (schema_map ? doc[schema_map].len : 0) + 8;
    out_.codes_.reset(room);
    out_.names_.reset(room);
    return schema_map ? schemas(doc, schema_map, profiles) : Status{};
}

Status Loader::operations(uint32_t list) {
    value::TreeView doc = out_.doc_.view();
    if (doc[list].kind != ACCP_ARRAY) return wrong(list, "operations are a list of names");
    if (doc[list].len > kMaxRegistryNames)
        return fail_limit(ACCP_E1001, list, "more operations than a registry may have",
                          doc[list].len, kMaxRegistryNames);
    out_.operation_index_.reset(doc[list].len);
    for (uint32_t i = list + 1; i < doc[list].next; i = doc[i].next) {
        if (doc[i].kind != ACCP_STRING || !is_word_name(doc.string(i)))
            return wrong(i, "an operation is a word of letters, digits and _");
        std::string_view name = doc.string(i);
        if (!out_.operations_.empty() && out_.has_operation(name) && find_operation(name) < 0)
            return wrong(i, "this operation is repeated");
        out_.operation_index_.add(name, 0, static_cast<uint32_t>(out_.operations_.size()));
        out_.operations_.push(name);
    }
    return {};
}

// Aliases are one to one, and separate from those of the specification. A short key must not be a
// key, so chains and cycles are impossible.
Status Loader::aliases(uint32_t map) {
    value::TreeView doc = out_.doc_.view();
    if (doc[map].kind != ACCP_MAP) return wrong(map, "aliases are an object: short key to key");
    if (doc[map].len > kMaxRegistryNames)
        return fail_limit(ACCP_E1001, map, "more aliases than a registry may have", doc[map].len,
                          kMaxRegistryNames);
    out_.alias_codes_.reset(doc[map].len);
    out_.alias_keys_.reset(doc[map].len);
    for (uint32_t i = map + 1; i < doc[map].next; i = doc[i].next) {
        std::string_view code = doc.key(i), key = doc.string(i);
        if (!is_word_name(code) || code == "schema")
            return wrong(i, "a short key is a word of letters, digits and _, and not `schema`");
        if (doc[i].kind != ACCP_STRING || key.empty()) return wrong(i, "an alias stands for a key");
        if (key.size() > kMaxRegistryKeyBytes)
            return fail_limit(ACCP_E1001, i, "too many bytes in the key that an alias stands for",
                              key.size(), kMaxRegistryKeyBytes);
        bool known = !find_abbreviated(code).empty() || !find_abbreviation(code).empty() ||
                     !find_abbreviated(key).empty() || !find_abbreviation(key).empty() ||
                     key == "schema";
        if (known) return wrong(i, "the specification's own keys have no other alias");
        if (!out_.aliases_.empty() && !out_.short_key(key).empty())
            return wrong(i, "this key has another alias");
        auto index = static_cast<uint32_t>(out_.aliases_.size());
        out_.aliases_.push({code, key});
        out_.alias_codes_.add(code, 0, index);
        out_.alias_keys_.add(key, 0, index);
    }
    uint32_t node = map + 1;
    for (size_t i = 0; i < out_.aliases_.size(); ++i, node = doc[node].next)
        if (!out_.full_key(out_.aliases_[i].key).empty())
            return wrong(node, "the key is itself an alias");
    return {};
}

// Loads all schemas of one document. Skips schemas that only repeat a built-in one, built-in ones
// of inactive profiles, and built-in ones whose code or name the document has.
Status Loader::schemas(value::TreeView tree, uint32_t map, uint32_t profiles) {
    bool built_in = tree.nodes != out_.doc_.view().nodes;
    if (tree[map].kind != ACCP_MAP) return wrong(map, "schemas are an object: name to schema");
    if (tree[map].len > kMaxSchemas)
        return fail_limit(ACCP_E1001, map, "more schemas than a registry may have", tree[map].len,
                          kMaxSchemas);
    uint32_t number = 0;
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        if (!built_in && restates_built_in(i, profiles)) continue;
        if (built_in && (!is_active(number++, profiles) || out_.by_name(tree.key(i)) ||
                         out_.by_code(tree.string(tree.find(i, "code")))))
            continue;
        ACCP_TRY(schema(tree, i, built_in));
    }
    return {};
}

// Returns whether a schema of the document only repeats the built-in one with its name. The
// specification's own document (6.2) has the fields and defaults of TA, but not the short keys and
// frames that it uses elsewhere (10.5).
bool Loader::restates_built_in(uint32_t node, uint32_t profiles) {
    value::TreeView doc = out_.doc_.view(), built_in = out_.built_in_.view();
    const uint32_t map = built_in.find(0, "schemas"),
                   counterpart = built_in.find(map, doc.key(node));
    uint32_t number = 0;
    for (uint32_t i = map + 1; i < counterpart; i = built_in[i].next) ++number;
    if (!counterpart || !is_active(number, profiles) || doc[node].kind != ACCP_MAP ||
        !doc.find(node, "code") || !doc.find(node, "fields"))
        return false;
    for (uint32_t i = node + 1; i < doc[node].next; i = doc[i].next) {
        const uint32_t same = built_in.find(counterpart, doc.key(i));
        bool equal = false;
        if (!same || compare(doc, i, built_in, same, arena_, out_.canonical_, equal).failed() ||
            !equal)
            return false;
    }
    return true;
}

void Loader::add_route(const Binding &binding, uint32_t schema) {
    auto salt = static_cast<uint64_t>(binding.intent + 1);
    uint32_t index = out_.route_index_.find(binding.operation, salt, [&](uint32_t i) {
        return out_.routes_[i].intent == binding.intent &&
               out_.routes_[i].operation == binding.operation;
    });
    if (index != NameIndex::kNone) {
        if (out_.routes_[index].schema != schema) out_.routes_[index].schema = Registry::kAmbiguous;
        return;
    }
    out_.route_index_.add(binding.operation, salt, static_cast<uint32_t>(out_.routes_.size()));
    out_.routes_.push({binding.operation, binding.intent, schema});
}

// Sets the pointers of the schemas to their fields and bindings, whose arrays no longer grow, and
// fills the indices.
void Loader::finish() {
    size_t field = 0, binding = 0;
    out_.field_names_.reset(out_.fields_.size());
    out_.field_wires_.reset(out_.fields_.size());
    out_.route_index_.reset(out_.bindings_.size());
    for (uint32_t i = 0; i < out_.schemas_.size(); ++i) {
        Schema &schema = out_.schemas_[i];
        schema.fields = out_.fields_.data() + field;
        schema.bindings = out_.bindings_.data() + binding;
        for (uint32_t j = 0; j < schema.binding_count; ++j) add_route(schema.bindings[j], i);
        binding += schema.binding_count;
        for (uint32_t j = 0; j < schema.field_count; ++j, ++field) {
            if (schema.field_count <= Registry::kLinearFields) continue;
            out_.field_names_.add(schema.fields[j].name, i, static_cast<uint32_t>(field));
            out_.field_wires_.add(schema.fields[j].wire, i, static_cast<uint32_t>(field));
        }
    }
    fill_defaults();
}

void Loader::fill_defaults() {
    arena_.reset();
    auto *ends = arena_.allocate<size_t>(out_.fields_.size() + 1);
    size_t field = 0;
    for (size_t i = 0; i < out_.schemas_.size(); ++i) {
        const Schema &schema = out_.schemas_[i];
        for (uint32_t j = 0; j < schema.field_count; ++j) {
            if (schema.fields[j].has_default())
                value::write_json(schema.tree, schema.fields[j].default_node, out_.default_text_);
            ends[field++] = out_.default_text_.size();
        }
    }
    const char *text = out_.default_text_.data();
    for (size_t i = 0, begin = 0; i < field; begin = ends[i++])
        out_.fields_[i].default_json = {text + begin, ends[i] - begin};
}

// Computes the hash form of everything in force, and its hash.
Status Loader::seal() {
    Buffer<char> text(out_.memory_);
    value::Value whole(out_.memory_);
    write_effective(out_, text);
    ACCP_TRY(reader_.read(text.data(), text.size(), {kMaxTextBytes, kMaxJsonDepth}, whole));
    arena_.reset();
    Status status = value::write_hash_form(whole.view(), 0, arena_, out_.canonical_);
    if (status.failed()) return move_to(status, 0);
    if (out_.canonical().size() > kMaxRegistryBytes)
        return fail_limit(ACCP_E1001, 0, "more bytes in the hash form than a registry may have",
                          out_.canonical().size(), kMaxRegistryBytes);
    out_.hash_ = sha256(out_.canonical());
    return {};
}

}  // namespace accp::registry
