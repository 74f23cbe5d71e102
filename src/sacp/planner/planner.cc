// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decides which steps the plan needs and where their params come from.
#include "sacp/planner/planner.h"

#include "base/bytes.h"

namespace accp::sacp {

namespace {

// Returns whether the words of a goal (`FIND_PREDICTIONS`) include a name (`predictions`), in any
// case.
bool contains_name(std::string_view goal, std::string_view name) {
    for (size_t at = 0; name.size() <= goal.size() && at <= goal.size() - name.size(); ++at) {
        const size_t end = at + name.size();
        if ((at && is_alpha(static_cast<unsigned char>(goal[at - 1]))) ||
            (end < goal.size() && is_alpha(static_cast<unsigned char>(goal[end]))))
            continue;
        size_t same = 0;
        while (same < name.size() && to_lower(goal[at + same]) == to_lower(name[same])) ++same;
        if (same == name.size()) return true;
    }
    return false;
}

}  // namespace

NameId tool_for(const Library &library, NameId verb) {
    for (const Tool &tool : library.tools())
        if (library.supports(tool, verb)) return tool.name;
    return 0;
}

void Chains::add_production(const Library &library, std::string_view name, uint32_t verb,
                            bool member) {
    Type type;
    if (find_type(name, type)) return;  // a type, not a name
    const NameId id = library.find(name);
    if (id) productions_.push({id, verb, member});
}

void Chains::reset() {
    for (Producer &producer : producers_) producer = {};
    for (uint32_t &cost : costs_) cost = kUnreachable;
}

void Chains::load(const Library &library) {
    const value::TreeView tree = library.document();
    productions_.clear();
    producers_.clear();
    costs_.clear();
    for (uint32_t i = 0; i < library.name_count(); ++i) {
        producers_.push({});
        costs_.push(kUnreachable);
    }
    for (uint32_t i = 0; i < library.verbs().size(); ++i) {
        const Verb &verb = library.verbs()[i];
        if (!verb.node || !tool_for(library, verb.name)) continue;
        const uint32_t outputs = tree.find(verb.node, "outputs");
        if (tree[outputs].kind == ACCP_STRING)
            add_production(library, tree.string(outputs), i, false);
        if (!value::is_container(tree[outputs].kind)) continue;
        const bool map = tree[outputs].kind == ACCP_MAP;
        for (uint32_t j = outputs + 1; j < tree[outputs].next; j = tree[j].next)
            if (map || tree[j].kind == ACCP_STRING)
                add_production(library, map ? tree.key(j) : tree.string(j), i, true);
    }
}

bool Chains::produces(uint32_t verb, NameId name, bool &member) const {
    for (const Production &production : productions_) {
        if (production.verb != verb || production.name != name) continue;
        member = production.member;
        return true;
    }
    return false;
}

// Each round finds the names whose chain is one step longer.
void Chains::find_costs(const Library &library) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Production &production : productions_) {
            uint64_t cost = 1;
            for (NameId input : library.names(library.verbs()[production.verb].required)) {
                if (costs_[input] == kUnreachable) cost = kUnreachable;
                if (cost != kUnreachable) cost += costs_[input];
            }
            if (cost >= costs_[production.name]) continue;
            costs_[production.name] = static_cast<uint32_t>(cost);
            producers_[production.name] = {production.verb, production.member};
            changed = true;
        }
    }
}

Planner::Planner(Memory &memory)
    : reader_(memory),
      value_(memory),
      speller_(memory),
      checker_(memory),
      chains_(memory),
      items_(memory),
      fills_(memory),
      producer_items_(memory),
      item_of_part_(memory),
      text_(memory) {}

bool Planner::plan(std::string_view message_text, const Library &library, bool parallelize,
                   uint64_t max_bytes, Buffer<char> &out, Verdict &verdict) {
    verdict.clear();
    text_.clear();
    library_ = &library;
    const Checker::Rules rules = {&library, true, Checker::kAll, nullptr};
    if (!read_json(reader_, message_text, max_bytes, value_, verdict) ||
        !speller_.spell(value_.view(), library, Spelling::kFull, &reader_, text_, verdict) ||
        !read_json(reader_, text_.view(), max_bytes, value_, verdict))
        return false;
    tree_ = value_.view();
    if (!checker_.check(tree_, rules, verdict)) return false;
    if (message().count > kMaxPlanned)
        return verdict.refuse(Code::kLIMIT, "a plan has more than 1024 steps");
    find_items();
    sort_fills();
    place_items(parallelize);
    text_.clear();
    write(text_);
    // Check the result like any other message.
    verdict.clear();
    if (!read_json(reader_, text_.view(), max_bytes, value_, verdict) ||
        !checker_.check(value_.view(), rules, verdict))
        return false;
    out.append(text_);
    return true;
}

bool Planner::has_ctx(NameId name) const {
    const uint32_t ctx = message().node(kCtx);
    if (!ctx) return false;
    std::string_view text = library_->text(name);
    if (text.starts_with("ctx.")) text.remove_prefix(4);
    const uint32_t node = tree_.find(ctx, text);
    return node && tree_[node].kind != ACCP_NULL;
}

void Planner::find_items() {
    items_.clear();
    fills_.clear();
    item_of_part_.clear();
    producer_items_.clear();
    for (NameId name = 0; name < library_->name_count(); ++name) producer_items_.push(kNoSource);
    chains_.load(*library_);
    find_chains();
    if (!message().count) return plan_goal();
    for (uint32_t i = message().first; i < message().end; i = part(i).end) {
        // A join must directly follow its parallel.
        const uint32_t next = part(i).end;
        if (part(i).kind != Part::kStep || part(i).verb != kJoin) fill_parts(i);
        if (next < message().end && part(next).kind == Part::kStep && part(next).verb == kJoin)
            fill_parts(next);
        add_part(i);
    }
}

void Planner::find_chains() {
    chains_.find(*library_, [this](NameId name) {
        return producer_items_[name] != kNoSource || has_ctx(name);
    });
}

// Plans a goal without steps: makes the only output, or runs the only verb, that the goal names.
void Planner::plan_goal() {
    const std::string_view goal = tree_.string(message().node(kGoal));
    uint32_t found = kNoSource, count = 0;
    for (uint32_t i = 0; i < library_->verbs().size(); ++i) {
        const Verb &verb = library_->verbs()[i];
        if (!verb.node || !tool_for(*library_, verb.name)) continue;
        bool named = contains_name(goal, library_->text(verb.name));
        for (NameId name = 1; !named && name < library_->name_count(); ++name)
            named = chains_.producer(name).verb == i && contains_name(goal, library_->text(name));
        if (!named) continue;
        ++count;
        found = i;
    }
    if (count == 1) add_step(found);
}

void Planner::fill_parts(uint32_t first) {
    for (uint32_t i = first; i < part(first).end; ++i)
        if (part(i).kind == Part::kStep) fill_step(i);
}

bool Planner::has_param(const Part &step, NameId name) const {
    const NameId *own = checker_.scopes().names.data() + step.names;
    for (uint32_t i = step.params + 1; i < tree_[step.params].next; i = tree_[i].next)
        if (*own++ == name) return tree_[i].kind != ACCP_NULL;
    return false;
}

void Planner::fill_step(uint32_t i) {
    const Verb *verb = library_->verb(part(i).verb);
    if (!verb || !verb->node) return;
    const AliasTable table(*library_, part(i).verb, part(i).tool);
    for (NameId input : library_->names(verb->required))
        if (!has_param(part(i), input) && may_fill(table, input)) fill(input, i, 0);
}

// Excludes inputs from the context, and an input whose full name is the short name of another one
// and would be read as that.
bool Planner::may_fill(const AliasTable &table, NameId input) const {
    return !library_->text(input).starts_with("ctx.") && table.full(input) == input;
}

// Notes the source of a required input; without a source it stays missing.
void Planner::fill(NameId input, uint32_t part, uint32_t item) {
    bool member = false;
    const uint32_t source = find_source(input, member);
    if (source != kNoSource) fills_.push({part, item, input, source, member, 0});
}

uint32_t Planner::find_source(NameId name, bool &member) {
    if (has_ctx(name)) return kFromCtx;
    if (producer_items_[name] == kNoSource) {
        // Outputs of earlier steps are free now.
        find_chains();
        const uint32_t cost = chains_.cost(name);
        if (!cost || cost > kMaxChain) return kNoSource;
        add_step(chains_.producer(name).verb);
    }
    const uint32_t item = producer_items_[name];
    if (item == kNoSource) return kNoSource;
    const Verb *verb = library_->verb(items_[item].verb);
    chains_.produces(static_cast<uint32_t>(verb - library_->verbs().data()), name, member);
    return item;
}

// Adds a step after the steps it needs. Inputs that the context has come from there.
uint32_t Planner::add_step(uint32_t number) {
    const Verb &verb = library_->verbs()[number];
    const NameId tool = tool_for(*library_, verb.name);
    const AliasTable table(*library_, verb.name, tool);
    const size_t first = fills_.size();
    for (NameId input : library_->names(verb.required))
        if (may_fill(table, input)) fill(input, kNoPart, kNoSource);
    const auto item = static_cast<uint32_t>(items_.size());
    for (size_t i = first; i < fills_.size(); ++i)
        if (fills_[i].part == kNoPart && fills_[i].item == kNoSource) fills_[i].item = item;
    for (const Input &input : library_->inputs(verb)) {
        bool filled = !has_ctx(input.name) || !may_fill(table, input.name);
        for (size_t i = first; i < fills_.size(); ++i)
            filled |= fills_[i].item == item && fills_[i].input == input.name;
        if (!filled) fills_.push({kNoPart, item, input.name, kFromCtx, false, 0});
    }
    items_.push({kNoPart, verb.name, tool, 0, 0, 0});
    note_outputs(number, item);
    return item;
}

void Planner::add_part(uint32_t i) {
    const auto item = static_cast<uint32_t>(items_.size());
    items_.push({i, part(i).verb, part(i).tool, 0, 0, 0});
    item_of_part_.push(item);
    const Verb *verb = part(i).kind == Part::kStep ? library_->verb(part(i).verb) : nullptr;
    if (verb) note_outputs(static_cast<uint32_t>(verb - library_->verbs().data()), item);
}

void Planner::note_outputs(uint32_t verb, uint32_t item) {
    chains_.each_output(verb, [&](NameId name) { producer_items_[name] = item; });
}

}  // namespace accp::sacp
