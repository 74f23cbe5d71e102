// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See load_client.h.
#include "nats/load_client.h"

#include <unistd.h>

namespace nats_tests {

namespace {

using store_tests::Open;
using Op = Operation;

constexpr int kSyncTries = 4;     // after these the result is unknown
constexpr int kPauseUs = 100000;  // after a call without a reply
constexpr const char *kBlob = "k";

// One in 16 is larger than the space in a message of the log, and one in 256 is larger than a
// piece.
std::string text_of_id(uint64_t id) {
    const size_t size = id % 256 == 77 ? 700000 : id % 16 == 5 ? 3000 : id % 40;
    return std::to_string(id) + ":" + std::string(size, static_cast<char>('a' + id % 26));
}

bool may_pass(accp_status status) { return status == ACCP_ERR_IO || status == ACCP_ERR_BUSY; }

}  // namespace

LoadClient::LoadClient(Load &load, OpenStore open, size_t number)
    : load_(load),
      open_(std::move(open)),
      number_(number),
      random_(load.plan().seed * 1000 + static_cast<uint32_t>(number)) {}

LoadClient::~LoadClient() { drop_store(); }

void LoadClient::run() {
    const LoadPlan &plan = load_.plan();
    const int64_t began = load_time();
    for (size_t i = 0; i < plan.operations && !load_.ends(); ++i) {
        const double due =
            plan.seconds * static_cast<double>(i) / static_cast<double>(plan.operations);
        while (!load_.ends() && static_cast<double>(load_time() - began) < due * 1e9) usleep(1000);
        step();
    }
}

void LoadClient::step() {
    if (!has_store()) {
        usleep(kPauseUs);
        return;
    }
    const size_t session = random_() % load_.plan().sessions;
    const auto held = held_.find(session);
    const uint32_t choice = random_() % 100;
    if (choice < 2) drop_store();
    else if (choice < 10 || (choice < 50 && held == held_.end())) open_session(session);
    else if (choice < 60 && held != held_.end()) append(session, held->second);
    else if (choice < 80) read_log(session);
    else if (choice < 90) read_value(session, random_() % Op::kValues, nullptr);
    else if (held != held_.end()) read_value(session, random_() % Op::kValues, &held->second);
}

bool LoadClient::has_store() {
    if (!store_) store_ = open_(number_);
    return store_ != nullptr;
}

void LoadClient::drop_store() {
    held_.clear();
    store_.reset();
}

Operation LoadClient::begin(Op::Kind kind) const {
    Op op;
    op.kind = kind;
    op.client = static_cast<int>(number_);
    op.begin = load_time();
    return op;
}

void LoadClient::end(size_t session, Op &op, Op::Outcome outcome) {
    op.end = load_time();
    op.outcome = outcome;
    load_.note(session, op);
}

void LoadClient::open_session(size_t session) {
    held_.erase(session);
    Op op = begin(Op::kWrite);
    op.sets = next_id();
    auto open = std::make_unique<Open>(*store_, load_.session_name(session));
    if (open->status != ACCP_OK) {
        end(session, op, Op::kUnknown);
        usleep(kPauseUs);
        if (!may_pass(open->status))
            load_.note_broken(std::string("open: ") + accp_status_code_name(open->status));
        return;
    }
    op.seen = (*open)->row().last;
    end(session, op, Op::kDone);
    held_[session] = {op.sets, std::move(open)};
}

// Writes a group of records and values. Repeats it until the result is known, for a limited number
// of times.
void LoadClient::append(size_t session, Held &held) {
    Op op = begin(Op::kWrite);
    op.expects = op.sets = held.token;
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::store::StoreBatch batch(memory);
    for (uint32_t left = random_() % 4; left; --left) {
        op.records.push_back(next_id());
        batch.append(text_of_id(op.records.back()));
    }
    const uint32_t puts = op.records.empty() ? 3 : random_() % 4;
    for (size_t key = 0; key < Op::kValues; ++key)
        if (puts >> key & 1) op.values[key] = next_id();
    if (op.values[0]) batch.set_state(text_of_id(op.values[0]));
    if (op.values[1]) batch.put(accp::store::Tier::kWarm, kBlob, text_of_id(op.values[1]));
    Open &open = *held.open;
    accp_status status = open->commit(batch).code;
    if (may_pass(status)) return;  // nothing was written
    bool is_sure = true;
    for (int tries = 0; status == ACCP_OK; ++tries) {
        status = open->sync().code;
        if (!may_pass(status) || tries == kSyncTries || load_.ends()) break;
        is_sure = false;
        status = ACCP_OK;
    }
    op.seen = open->row().last;
    const bool is_lost = status == ACCP_ERR_CLOSED;
    end(session, op,
        status == ACCP_OK    ? Op::kDone
        : is_lost && is_sure ? Op::kRefused
                             : Op::kUnknown);
    if (status == ACCP_OK) return;
    held_.erase(session);
    if (!is_lost && !may_pass(status))
        load_.note_broken(std::string("append: ") + accp_status_code_name(status));
}

bool LoadClient::read_log(size_t session) {
    Op op = begin(Op::kReadLog);
    Open reader(*store_, load_.session_name(session), false);
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::store::StoreRecords found(memory);
    accp_status status = reader.status;
    std::string what = "no such session can be opened";
    if (status == ACCP_OK) {
        const accp::Status scanned = reader->scan(1, 0, random_() % 2, SIZE_MAX, found);
        status = scanned.code;
        if (scanned.failed()) what = scanned.message;
    }
    if (status == ACCP_OK && found.size() != reader->row().last)
        load_.note_broken("read: another number of records than the session has");
    std::map<uint64_t, uint64_t> in_order;
    for (size_t i = 0; i < found.size(); ++i) in_order[found[i].seq] = read_text(found[i].bytes);
    for (const auto &[seq, id] : in_order) op.records.push_back(id);
    if (status == ACCP_OK || status == ACCP_E2001)
        end(session, op, status == ACCP_OK ? Op::kDone : Op::kRefused);
    else if (!may_pass(status))
        load_.note_broken(std::string("read: ") + accp_status_code_name(status) + ", " + what);
    return !may_pass(status);
}

// Reads as a reader, or as the writer of the session.
bool LoadClient::read_value(size_t session, size_t key, Held *held) {
    Op op = begin(Op::kReadValue);
    op.key = key;
    if (held) op.expects = held->token;
    std::unique_ptr<Open> reader;
    if (!held) reader = std::make_unique<Open>(*store_, load_.session_name(session), false);
    Open &open = held ? *held->open : *reader;
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::Buffer<char> found(memory);
    accp_status status = open.status;
    if (status == ACCP_OK)
        status = key == 0 ? open->state(found).code
                          : open->blob(accp::store::Tier::kWarm, kBlob, 0, found).code;
    const bool is_there = !reader || reader->status == ACCP_OK;
    if (status == ACCP_OK || (status == ACCP_E2001 && is_there)) {
        op.values[key] = found.empty() ? 0 : read_text({found.data(), found.size()});
        end(session, op, Op::kDone);
    } else if (status == (held ? ACCP_ERR_CLOSED : ACCP_E2001)) {
        end(session, op, Op::kRefused);
    } else if (!may_pass(status)) {
        load_.note_broken(std::string("value: ") + accp_status_code_name(status));
    }
    return !may_pass(status);
}

uint64_t LoadClient::read_text(std::string_view text) {
    const uint64_t id = std::strtoull(std::string(text.substr(0, 24)).c_str(), nullptr, 10);
    if (text_of_id(id) != text) load_.note_broken("read: bytes that nobody wrote");
    return id;
}

bool LoadClient::read_whole(size_t session) {
    return has_store() && read_log(session) && read_value(session, 0, nullptr) &&
           read_value(session, 1, nullptr);
}

}  // namespace nats_tests
