// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp store conformance: checks that a store back end keeps the promises of
// include/accp/store_backend.h. Prints one line for each check.
#include <unistd.h>

#include "cli/commands.h"
#include "cli/host.h"
#include "cli/settings.h"
#include "cli/store/backend_checks.h"
#include "server/library/backend.h"
#include "server/library/failure.h"

namespace cli {
namespace {

accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }
std::string string_of(const accp_text &text) {
    return text.text ? std::string(text.text, text.len) : std::string();
}

int take_entry(uint64_t number, accp_text text, void *context) {
    ProbeResult &to = *static_cast<ProbeResult *>(context);
    to.number = number;
    to.text = string_of(text);
    to.all.push_back(std::to_string(number) + "=" + to.text);
    return to.all.size() < to.max ? 0 : 1;
}

int take_key(accp_text key, accp_text note, accp_text value, void *context) {
    ProbeResult &to = *static_cast<ProbeResult *>(context);
    to.number = value.len;
    to.text = string_of(value);
    to.note = string_of(note);
    to.all.push_back(string_of(key) + "=" + to.note + "/" + std::to_string(value.len));
    return to.all.size() < to.max ? 0 : 1;
}

}  // namespace

std::string ProbeResult::joined() const {
    std::string out;
    for (const std::string &one : all) out += (out.empty() ? "" : " ") + one;
    return out;
}

BackendProbe::BackendProbe(accp_store_opener open, const std::string &place, uint32_t flags) {
    accp_error err = {};
    const accp_status code = open(place.data(), place.size(), flags, &table_, &user_, &err);
    if (code != ACCP_OK)
        throw CheckFailed("the place cannot be opened: " +
                          host::message_of(host::error_of(code, err.message)));
    expect(
        table_ && table_->version == ACCP_STORE_BACKEND_VERSION && table_->size >= sizeof *table_,
        "the table has another version");
    expect(table_->close && table_->head && table_->write && table_->records && table_->value &&
               table_->keys && table_->sessions && table_->erase,
           "a function of the table is NULL");
}

void BackendProbe::close() {
    if (table_) table_->close(user_);
    table_ = nullptr;
}

void *BackendProbe::release() {
    table_ = nullptr;
    return user_;
}

void BackendProbe::write(std::vector<ProbeWrite> &writes) {
    std::vector<accp_store_write> out(writes.size());
    std::vector<std::vector<accp_text>> records(writes.size());
    std::vector<std::vector<accp_store_change>> changes(writes.size());
    for (size_t i = 0; i < writes.size(); ++i) {
        const ProbeWrite &from = writes[i];
        for (const std::string &record : from.records) records[i].push_back(text_of(record));
        for (const ProbeChange &change : from.changes)
            changes[i].push_back(
                {text_of(change.key), text_of(change.note), text_of(change.value), change.kind, 0});
        out[i] = {text_of(from.session),
                  from.after,
                  text_of(from.row),
                  from.first,
                  records[i].data(),
                  records[i].size(),
                  changes[i].data(),
                  changes[i].size(),
                  0,
                  nullptr,
                  ACCP_ERR_IO,
                  0};
    }
    accp_error err = {};
    const accp_status code = table_->write(out.data(), out.size(), &err, user_);
    for (size_t i = 0; i < writes.size(); ++i) {
        writes[i].status = code == ACCP_OK ? out[i].status : code;
        writes[i].number = out[i].number;
    }
}

uint64_t BackendProbe::write_one(ProbeWrite one) {
    std::vector<ProbeWrite> all = {std::move(one)};
    write(all);
    expect(all[0].status == ACCP_OK, std::string("a write that must succeed returned ") +
                                         accp_status_code_name(all[0].status));
    return all[0].number;
}

accp_status BackendProbe::try_write(ProbeWrite one) {
    std::vector<ProbeWrite> all = {std::move(one)};
    write(all);
    return all[0].status;
}

ProbeResult BackendProbe::head(const std::string &session) {
    ProbeResult out;
    accp_error err = {};
    out.status = table_->head(text_of(session), take_entry, &out, &err, user_);
    return out;
}

ProbeResult BackendProbe::records(const std::string &session, uint64_t first, uint64_t last,
                                  bool newest_first, size_t max) {
    ProbeResult out;
    out.max = max;
    accp_error err = {};
    out.status =
        table_->records(text_of(session), first, last, newest_first, take_entry, &out, &err, user_);
    return out;
}

ProbeResult BackendProbe::value(const std::string &session, const std::string &key) {
    ProbeResult out;
    accp_error err = {};
    out.status = table_->value(text_of(session), text_of(key), take_key, &out, &err, user_);
    return out;
}

ProbeResult BackendProbe::keys(const std::string &session, const std::string &prefix, size_t max) {
    ProbeResult out;
    out.max = max;
    accp_error err = {};
    out.status = table_->keys(text_of(session), text_of(prefix), take_key, &out, &err, user_);
    return out;
}

ProbeResult BackendProbe::sessions(uint64_t after, size_t max) {
    ProbeResult out;
    out.max = max;
    accp_error err = {};
    out.status = table_->sessions(after, take_entry, &out, &err, user_);
    return out;
}

accp_status BackendProbe::erase(const std::string &session) {
    accp_error err = {};
    return table_->erase(text_of(session), &err, user_);
}

namespace {

// Returns a name that no other run uses, in case the place exists already.
std::string fresh_name(const std::string &what) {
    return what + "-" + std::to_string(getpid()) + "-" + std::to_string(clock_ms());
}

void erase_all(CheckBench &bench) {
    bench.others.push_back(bench.session);
    for (const std::string &id : bench.others) (void)bench.probe.erase(id);
}

// Returns what is wrong, or "".
std::string run_check(const BackendCheck &check, accp_store_opener open, const std::string &place,
                      const std::string &session) {
    try {
        CheckBench bench = {open, place, {open, place}, session};
        struct Clean {
            CheckBench &bench;
            ~Clean() { erase_all(bench); }
        } clean = {bench};
        check.run(bench);
    } catch (const CheckFailed &failed) {
        return failed.what();
    }
    return "";
}

}  // namespace

int run_store_conformance(const Arguments &arguments, Streams &io) {
    if (arguments.plugin.empty())
        throw Failure("store conformance: no back end given; use --plugin FILE");
    const accp_store_opener open = host::load_backend(arguments.plugin);
    const std::string place =
        arguments.files.empty() ? fresh_name("conformance") : arguments.files[0];
    std::vector<BackendCheck> all = table_checks();
    for (BackendCheck &check : store_checks()) all.push_back(std::move(check));
    const std::string session = fresh_name("check");
    size_t wrong = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        const std::string what = run_check(all[i], open, place, session + "-" + std::to_string(i));
        wrong += !what.empty();
        io.out.text.append(what.empty() ? "ok      " : "FAILED  ").append(all[i].name);
        if (!what.empty()) io.out.text.append(": ").append(what);
        io.out.text.append("\n");
        io.flush();
    }
    io.out.text.append(std::to_string(all.size() - wrong) + " of " + std::to_string(all.size()) +
                       " promises are kept\n");
    return wrong ? 1 : 0;
}

}  // namespace cli
