// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The bus of include/accp/bus.h, on subjects outside of the store's streams:
//
//   $ACCP.PREFIX.GATEWAY.in         messages to a gateway
//   $ACCP.PREFIX.GATEWAY.no.OTHER   from the server: nobody listened to a message to OTHER
//
// One subscription lives as long as the connection, because libnats 3.4 reads a subscription after
// its end if messages still arrive.
#include <mutex>
#include <string>

#include "accp/bus.h"
#include "nats/c_interface.h"
#include "nats/kept_connection.h"

namespace accp_nats {

namespace {

constexpr const char *kRoot = "$ACCP.";
constexpr const char *kIn = ".in", *kNobody = ".no.";
constexpr size_t kMaxName = 64;
constexpr int64_t kFlushMs = 1000;

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= kMaxName &&
           name.find_first_not_of(
               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == name.npos;
}

class Bus {
public:
    Bus(const Place &place, std::string_view self, accp_bus_hear_function hear, void *context)
        : all_(kRoot + place.prefix + "."),
          mine_(all_ + std::string(self) + ".>"),
          nobody_(all_ + std::string(self) + kNobody),
          hear_(hear),
          context_(context),
          on_message_([this](natsMsg *message) { take(message); }),
          connection_(
              place,
              [this](Connected &made) {
                  made.subscribe(mine_, on_message_);
                  // Otherwise the server may get a message to this gateway before the subscription.
                  (void)natsConnection_FlushTimeout(made.connection, kFlushMs);
              },
              [this] { notify(ACCP_BUS_BROKEN, {}); }) {}
    ~Bus() { (void)natsConnection_FlushTimeout(connection_.get()->connection, kFlushMs); }
    Bus(const Bus &) = delete;
    Bus &operator=(const Bus &) = delete;

    size_t max_message() const {
        return static_cast<size_t>(natsConnection_GetMaxPayload(connection_.get()->connection));
    }
    void send(std::string_view to, std::string_view message) {
        if (!is_name(to) || message.size() > max_message())
            throw Failure{ACCP_ERR_ARG,
                          "the gateway's name is malformed, or the message is too long"};
        const std::string subject = all_ + std::string(to) + kIn;
        const std::string reply = nobody_ + std::string(to);
        check_nats(natsConnection_PublishRequest(connection_.get()->connection, subject.c_str(),
                                                 reply.c_str(), message.data(),
                                                 static_cast<int>(message.size())),
                   kNoServer);
    }

private:
    void take(natsMsg *message) {
        const std::string_view subject = natsMsg_GetSubject(message);
        if (subject.starts_with(nobody_)) {
            if (natsMsg_IsNoResponders(message))
                notify(ACCP_BUS_NOBODY, subject.substr(nobody_.size()));
        } else {
            const int length = natsMsg_GetDataLength(message);
            notify(ACCP_BUS_MESSAGE, {natsMsg_GetData(message), static_cast<size_t>(length)});
        }
    }
    void notify(int32_t news, std::string_view text) {
        std::lock_guard<std::mutex> guard(hearing_);
        hear_(news, {text.data(), text.size()}, context_);
    }

    const std::string all_, mine_, nobody_;
    const accp_bus_hear_function hear_;
    void *const context_;
    std::mutex hearing_;  // one call at a time
    Callback on_message_;
    KeptConnection connection_;  // the last member: its threads use the others
};

Bus &bus_of(void *user) { return *static_cast<Bus *>(user); }

void close_bus(void *user) { delete static_cast<Bus *>(user); }

accp_status send(accp_text to, accp_text message, accp_error *err, void *user) {
    return run_guarded(err, [&] { bus_of(user).send(view_of(to), view_of(message)); });
}

size_t max_message(void *user) { return bus_of(user).max_message(); }

const accp_bus kBus = {sizeof(accp_bus), ACCP_BUS_VERSION, close_bus, send, max_message};

}  // namespace

}  // namespace accp_nats

extern "C" ACCP_API accp_status accp_bus_entry(accp_text place, accp_text self,
                                               accp_bus_hear_function hear, void *context,
                                               const accp_bus **out, void **user_out,
                                               accp_error *err) {
    using namespace accp_nats;
    return run_guarded(err, [&] {
        const Place read = read_place(view_of(place));
        if (!is_name(view_of(self)))
            throw Failure{ACCP_ERR_ARG, "a gateway's name has 1 to 64 letters and digits"};
        *user_out = new Bus(read, view_of(self), hear, context);
        *out = &kBus;
    });
}
