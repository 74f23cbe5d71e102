// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/hub/table_bus.h"

#include "server/library/failure.h"
#include "server/library/handles.h"
#include "server/http/access.h"

namespace server {

TableBus::TableBus(accp_bus_opener open, std::string_view place)
    : self_(random_digits().substr(0, 24)) {
    accp_error err = {};
    const accp_text name = {place.data(), place.size()}, self = {self_.data(), self_.size()};
    if (open(name, self, hear, this, &table_, &user_, &err) != ACCP_OK)
        throw host::Failure("the other gateways: " + host::message_of(err));
    if (table_->size < sizeof(accp_bus) || table_->version != ACCP_BUS_VERSION) {
        table_->close(user_);
        throw host::Failure("the other gateways: their bus is of another version");
    }
}

void TableBus::on_news(std::function<void()> wake) {
    const std::lock_guard<std::mutex> held(lock_);
    wake_ = std::move(wake);
}

// What cannot be sent is missed by its receiver, as what is lost on the way.
void TableBus::send(std::string_view peer, std::string_view message) {
    accp_error err = {};
    table_->send({peer.data(), peer.size()}, {message.data(), message.size()}, &err, user_);
}

bool TableBus::take(BusNews &out) {
    const std::lock_guard<std::mutex> held(lock_);
    if (news_.empty()) return false;
    out = std::move(news_.front());
    news_.pop_front();
    return true;
}

void TableBus::hear(int32_t news, accp_text text, void *context) {
    TableBus &bus = *static_cast<TableBus *>(context);
    BusNews came;
    came.kind = news == ACCP_BUS_MESSAGE  ? BusNews::Kind::kMessage
                : news == ACCP_BUS_NOBODY ? BusNews::Kind::kNobody
                                          : BusNews::Kind::kBroken;
    came.text = host::to_view(text);
    const std::lock_guard<std::mutex> held(bus.lock_);
    bus.news_.push_back(std::move(came));
    if (bus.news_.size() == 1 && bus.wake_) bus.wake_();
}

}  // namespace server
