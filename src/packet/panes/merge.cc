// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/panes/merge.h"

#include <algorithm>

#include "packet/file/schema.h"
#include "packet/file/sources.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

constexpr std::string_view kPaneMembers[] = {"goal", "version", "changelog", "not_included"};
constexpr std::string_view kMergedMaps[] = {"context", "codebase"};  // merged member by member

template <size_t N>
bool is_any_of(std::string_view name, const std::string_view (&names)[N]) {
    for (std::string_view each : names)
        if (each == name) return true;
    return false;
}

// Merges two packets. `node` numbers belong to the pane's packet, `other` to the shared one.
class PacketMerger {
public:
    PacketMerger(value::TreeView pane, value::TreeView shared, Memory &memory, Buffer<char> &out)
        : pane_(pane), shared_(shared), names_(memory), grown_(memory), out_(out) {}

    void write() {
        const char *comma = "{";
        for (uint32_t i = 1; i < pane_[0].next; i = pane_[i].next) {
            if (find_member(seal_members(), pane_.key(i))) continue;
            if (is_sources(i)) continue;
            write_key(pane_, i, comma);
            const bool merges = pane_.key(i) == "context";
            write_merged(i, merges ? shared_.find(0, "context") : 0);
        }
        const uint32_t sources = pane_.find(0, "sources");
        if (!sources || is_sources(sources)) write_sources(sources);
        out_.push('}');
    }

private:
    // Writes a member of the pane's packet, merged with `other`, the same member of the shared
    // packet; 0: none.
    void write_merged(uint32_t node, uint32_t other) {
        const uint8_t kind = pane_[node].kind;
        if (!other || shared_[other].kind != kind) return value::write_json(pane_, node, out_);
        if (kind == ACCP_ARRAY) return write_lists(node, other);
        if (kind == ACCP_MAP && is_any_of(pane_.key(node), kMergedMaps))
            return write_maps(node, other);
        value::write_json(pane_, node, out_);
    }

    // Calls itself for `codebase` inside `context`, and no deeper: no member of `codebase` is a
    // map.
    void write_maps(uint32_t map, uint32_t other) {
        const char *comma = "{";
        for (uint32_t i = map + 1; i < pane_[map].next; i = pane_[i].next) {
            write_key(pane_, i, comma);
            const bool own = is_any_of(pane_.key(i), kPaneMembers);
            write_merged(i, own ? 0 : shared_.find(other, pane_.key(i)));
        }
        for (uint32_t i = other + 1; i < shared_[other].next; i = shared_[i].next) {
            if (is_any_of(shared_.key(i), kPaneMembers) || pane_.find(map, shared_.key(i)))
                continue;
            write_key(shared_, i, comma);
            value::write_json(shared_, i, out_);
        }
        if (*comma == '{') out_.push('{');
        out_.push('}');
    }

    void write_lists(uint32_t list, uint32_t other) {
        const char *comma = "[";
        bool is_grown = false;
        names_.clear();
        for (uint32_t i = list + 1; i < pane_[list].next; i = pane_[i].next) {
            write_item(pane_, i, comma);
            names_.push(name_of(pane_, i));
        }
        std::sort(names_.begin(), names_.end());  // lists may be long
        for (uint32_t i = other + 1; i < shared_[other].next; i = shared_[i].next) {
            const std::string_view name = name_of(shared_, i);
            if (!name.empty() && std::binary_search(names_.begin(), names_.end(), name)) continue;
            write_item(shared_, i, comma);
            is_grown = true;
        }
        if (is_grown) grown_.push(pane_.key(list));
        if (*comma == '[') out_.push('[');
        out_.push(']');
    }

    bool is_sources(uint32_t node) const {
        return pane_.key(node) == "sources" && pane_[node].kind == ACCP_MAP;
    }

    // Writes the member `sources`: the pane's entries, except those of lists that got shared items,
    // and the file hashes of both packets. `sources`: its node in the pane's packet; 0: none.
    void write_sources(uint32_t sources) {
        const bool has_files = find_file_sources(pane_) || find_file_sources(shared_);
        if (!sources && !has_files) return;
        std::sort(grown_.begin(), grown_.end());
        out_.append(",\"sources\":");
        const char *comma = "{";
        for (uint32_t i = sources + 1; sources && i < pane_[sources].next; i = pane_[i].next) {
            const std::string_view key = pane_.key(i);
            if ((has_files && key == "relevant_files") ||
                std::binary_search(grown_.begin(), grown_.end(), key))
                continue;
            write_key(pane_, i, comma);
            value::write_json(pane_, i, out_);
        }
        if (has_files) write_file_sources(comma);
        else if (*comma == '{') out_.push('{');
        out_.push('}');
    }

    void write_file_sources(const char *comma) {
        out_.append(comma);
        out_.append("\"relevant_files\":");
        comma = "[";
        read_file_paths(pane_, names_);
        const uint32_t own = find_file_sources(pane_), other = find_file_sources(shared_);
        for (uint32_t i = own + 1; own && i < pane_[own].next; i = pane_[i].next)
            write_item(pane_, i, comma);
        for (uint32_t i = other + 1; other && i < shared_[other].next; i = shared_[i].next) {
            const std::string_view path = path_of_source(shared_, i);
            if (!path.empty() && !std::binary_search(names_.begin(), names_.end(), path))
                write_item(shared_, i, comma);
        }
        out_.append(*comma == '[' ? "[]" : "]");
    }

    // Returns the text that identifies an item: the item itself, or its first member.
    static std::string_view name_of(value::TreeView tree, uint32_t item) {
        if (tree[item].kind == ACCP_MAP && tree[item].len) ++item;
        return value::is_container(tree[item].kind) ? std::string_view() : tree.string(item);
    }
    void write_key(value::TreeView tree, uint32_t node, const char *&comma) {
        out_.append(comma);
        comma = ",";
        value::write_json_string(tree.key(node), out_);
        out_.push(':');
    }
    void write_item(value::TreeView tree, uint32_t node, const char *&comma) {
        out_.append(comma);
        comma = ",";
        value::write_json(tree, node, out_);
    }

    value::TreeView pane_, shared_;
    Buffer<std::string_view> names_;  // of the items of a list
    Buffer<std::string_view> grown_;  // lists with added shared items
    Buffer<char> &out_;
};

}  // namespace

void merge_packets(value::TreeView pane, value::TreeView shared, Memory &memory,
                   Buffer<char> &out) {
    PacketMerger(pane, shared, memory, out).write();
}

}  // namespace accp::packet
