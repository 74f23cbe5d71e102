// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp registry: shows a registry, prints its hash, adds to it, or compares two registries. A
// document that is refused is reported on standard error and gives exit status 1.
#include <string>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/settings.h"

namespace cli {
namespace {

uint32_t find(const accp_value *value, uint32_t parent, std::string_view key) {
    return accp_value_find(value, parent, key.data(), key.size());
}

bool is_true(const Tree &tree, uint32_t node) {
    return (tree.nodes[node].flags & ACCP_NODE_TRUE) != 0;
}

// Appends an object with only the members "add" and "del".
void write_delta(accp_value *diff, std::string &out) {
    accp_error err = {};
    accp_text text = {};
    if (accp_value_print_json(diff, &text, &err) != ACCP_OK)
        throw Failure(std::string("registry diff: ") + message_of(err));
    const std::string_view json = to_view(text);
    out.append(json.substr(0, member_end(json, member_end(json, 1) + 1))).append("}\n");
}

// Appends a line such as: breaking    field_default sales_report.period ("quarterly" -> "monthly"):
// why
void write_change(const accp_value *diff, const Tree &tree, uint32_t change, std::string &out) {
    out.append(is_true(tree, find(diff, change, "breaking")) ? "breaking    " : "compatible  ");
    append_printable(tree.raw(find(diff, change, "kind")), out);
    for (const char *about : {"schema", "field", "member", "key", "operation", "binding"}) {
        const uint32_t node = find(diff, change, about);
        if (node == 0) continue;
        out.append(std::string_view(about) == "field" ? "." : " ");
        append_printable(tree.raw(node), out);
    }
    const uint32_t from = find(diff, change, "from"), to = find(diff, change, "to");
    if (from != 0 || to != 0)
        out.append(" (")
            .append(from != 0 ? shown(tree, from) : "none")
            .append(" -> ")
            .append(to != 0 ? shown(tree, to) : "none")
            .append(")");
    out.append(": ");
    append_printable(tree.raw(find(diff, change, "why")), out);
    out.append("\n");
}

// Appends the delta as one line of JSON, a line "breaking" or "compatible", and a line for each
// change. Returns whether the delta is breaking.
bool write_changes(accp_value *diff, std::string &out) {
    write_delta(diff, out);
    const Tree tree = tree_of(diff);
    const uint32_t changes = find(diff, 0, "changes");
    const bool breaking = is_true(tree, find(diff, 0, "breaking"));
    out.append(breaking ? "breaking\n" : "compatible\n");
    for (uint32_t i = changes + 1; i < tree.nodes[changes].next; i = tree.nodes[i].next)
        write_change(diff, tree, i, out);
    return breaking;
}

struct Refused {};  // thrown after a refused document was reported

struct FreeRegistry {
    void operator()(accp_registry *registry) const { accp_registry_free(registry); }
};
using Registry = std::unique_ptr<accp_registry, FreeRegistry>;

Registry own_or_refuse(accp_status status, accp_registry *made, const std::string &name,
                       const accp_error &err, Streams &io) {
    if (status == ACCP_OK) return Registry(made);
    io.err.text.append("accp: ");
    append_printable(name, io.err.text);
    io.err.text.append(": " + describe(err) + "\n");
    throw Refused{};
}

// Loads a document. Without a name the registry has only the built-in schemas.
Registry load(const Arguments &arguments, const accp_config *config, const std::string &name,
              Streams &io) {
    accp_registry *made = nullptr;
    accp_error err = {};
    const std::string text = name.empty() ? std::string() : read_input(name);
    if (!name.empty() && text.empty()) throw Failure(name + ": empty");
    const accp_status status =
        accp_registry_new(text.data(), text.size(), profiles(arguments), config, &made, &err);
    return own_or_refuse(status, made, name, err, io);
}

std::string printable(accp_text text) {
    std::string out;
    append_printable({text.text, text.len}, out);
    return out;
}

// Finds the notes in a document's members "deprecated", on a schema or a field.
class Deprecations {
public:
    explicit Deprecations(const accp_registry *registry, const accp_config *config)
        : document_(new_value(config)) {
        const accp_text text = info_of(registry).canonical;
        accp_error err = {};
        if (accp_value_parse_json(document_.get(), text.text, text.len, &err) != ACCP_OK)
            throw Failure(std::string("registry show: ") + message_of(err));
    }

    // Returns the note on a schema, or on a field of it. Returns "" if there is none.
    std::string note_on(accp_text schema, accp_text field) const {
        const Tree tree = tree_of(document_.get());
        const uint32_t found = find(find(0, {"schemas", 7}), schema);
        uint32_t node = found == 0 ? 0 : find(found, {"deprecated", 10});
        if (node != 0 && field.len != 0)
            node = tree.nodes[node].kind == ACCP_MAP ? find(node, field) : 0;
        if (node == 0 || tree.nodes[node].kind != ACCP_STRING) return {};
        std::string out = "deprecated: ";
        append_printable(tree.raw(node), out);
        return out;
    }

private:
    uint32_t find(uint32_t parent, accp_text key) const {
        return accp_value_find(document_.get(), parent, key.text, key.len);
    }

    Handle<accp_value> document_;
};

void show_field(const accp_field &field, const std::string &deprecated, std::string &out) {
    static constexpr const char *kTypes[] = {"",       "string",  "integer", "decimal",
                                             "number", "boolean", "array",   "object"};
    const auto column = [&out](const std::string &text, size_t width) {
        out.append(text).append(text.size() < width ? width - text.size() : 1, ' ');
    };
    std::string line;
    line.swap(out);
    column("    " + printable(field.name), 24);
    column(std::string_view(field.wire.text, field.wire.len) ==
                   std::string_view(field.name.text, field.name.len)
               ? ""
               : printable(field.wire),
           12);
    column(kTypes[field.type], 9);
    if (field.required) out.append("required ");
    if (field.default_json.len)
        out.append("default ").append(printable(field.default_json)).append(" ");
    out.append(deprecated);
    out.erase(out.find_last_not_of(' ') + 1);
    line.append(out).append("\n");
    out.swap(line);
}

void show(const accp_registry *registry, const accp_config *config, std::string &out) {
    const Deprecations deprecations(registry, config);
    const accp_registry_info info = info_of(registry);
    out.append("hash     ").append(to_view(info.hash)).append("\n");
    out.append("version  ").append(std::to_string(info.version)).append("\n");
    for (uint32_t i = 0; i < info.schema_count; ++i) {
        accp_schema schema = {};
        accp_registry_schema(registry, i, &schema, nullptr);
        out.append("\n" + printable(schema.code) + "  " + printable(schema.name) + "  version " +
                   std::to_string(schema.version));
        out.append(schema.built_in != 0 ? ", built in" : "");
        const std::string deprecated = deprecations.note_on(schema.name, {});
        out.append(deprecated.empty() ? "\n" : "  " + deprecated + "\n");
        for (uint32_t j = 0; j < schema.field_count; ++j) {
            accp_field field = {};
            accp_registry_field(registry, i, j, &field, nullptr);
            show_field(field, deprecations.note_on(schema.name, field.name), out);
        }
    }
}

// Adds the other documents to the first one, one after another.
void add(const Arguments &arguments, const accp_config *config, Streams &io) {
    if (arguments.files.size() < 2)
        throw Failure("registry add: too few files; name a document and at least one to add to it");
    Registry sum = load(arguments, config, arguments.files[0], io);
    for (size_t i = 1; i < arguments.files.size(); ++i) {
        accp_registry *made = nullptr;
        accp_error err = {};
        const std::string text = read_input(arguments.files[i]);
        const accp_status status =
            accp_registry_add(sum.get(), text.data(), text.size(), &made, &err);
        sum = own_or_refuse(status, made, arguments.files[i], err, io);
    }
    io.out.text.append(to_view(info_of(sum.get()).text)).append("\n");
}

constexpr int kBreaking = 3;

// Prints the changes from the first registry to the second, and nothing if they are equal.
int diff(const Arguments &arguments, const accp_config *config, Streams &io) {
    if (arguments.files.size() != 2)
        throw Failure("registry diff: name two documents, the old one first");
    const Registry from = load(arguments, config, arguments.files[0], io),
                   to = load(arguments, config, arguments.files[1], io);
    if (to_view(info_of(from.get()).hash) == to_view(info_of(to.get()).hash)) return 0;
    const Handle<accp_value> delta = new_value(config);
    accp_error err = {};
    if (accp_registry_diff(from.get(), to.get(), delta.get(), &err) != ACCP_OK)
        throw Failure(std::string("registry diff: ") + message_of(err));
    return write_changes(delta.get(), io.out.text) ? kBreaking : 0;
}

}  // namespace

int run_registry(const Arguments &arguments, Streams &io) {
    if (arguments.action == "learn") return run_learn(arguments, io);
    const Handle<accp_config> config = make_config(arguments);
    try {
        if (arguments.action == "add") {
            add(arguments, config.get(), io);
        } else if (arguments.action == "diff") {
            return diff(arguments, config.get(), io);
        } else {
            if (arguments.files.size() > 1)
                throw Failure("registry " + arguments.action +
                              ": more than one document given; name one or none");
            const Registry registry = load(arguments, config.get(),
                                           arguments.files.empty() ? "" : arguments.files[0], io);
            if (arguments.action == "hash")
                io.out.text.append(to_view(info_of(registry.get()).hash)).append("\n");
            else show(registry.get(), config.get(), io.out.text);
        }
    } catch (const Refused &) {
        return 1;
    }
    return 0;
}

}  // namespace cli
