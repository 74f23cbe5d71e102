// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Connections before libwebsockets may read them. It reads nothing of a connection until the gate
// has seen the whole head of the next request in the socket, and found it good (http_head.h). The
// gate also counts connections that have not shown a token yet, and ends the oldest of them where
// there are too many.
#pragma once

#include <libwebsockets.h>

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/http_head.h"

namespace server {

struct GateLimits {
    size_t per_address = 256;   // connections of one address that have shown no token
    size_t in_all = 1024;       // the same of all addresses
    int64_t head_ms = 10'000;   // in which a head must be whole, from its first byte
    int64_t token_ms = 60'000;  // in which a token must be shown
};

class WebGate {
public:
    explicit WebGate(GateLimits limits) : limits_(limits) {}

    // A connection was accepted; nothing of it is read before admit().
    void add(lws *wsi, int64_t now_ms);
    // It has ended.
    void remove(lws *wsi);
    // It has shown a token, or needs none.
    void know(lws *wsi);
    // May libwebsockets read from this socket now? To be asked when something has come on it.
    bool admit(int socket, int64_t now_ms);
    // After libwebsockets has read. True: ask admit() again, there may be more.
    bool settle(int socket);
    // A request is read: was its head seen? Each head counts for one request.
    bool take_head(lws *wsi);
    // The reply to a request has gone, and the next may come.
    void await_head(lws *wsi);
    // It is a WebSocket from now on. Its first frame is looked at before it is read.
    void await_frame(lws *wsi);
    // Something of use was read or written: what is read next is counted anew (HTTP/2).
    void note_use(lws *wsi);
    // Did bytes come behind the head that was taken?
    bool has_behind(lws *wsi);
    bool is_unknown(lws *wsi);
    // Ends those whose time is over.
    void end_late(int64_t now_ms);
    // Sockets to be closed now; whoever takes the list closes them.
    std::vector<int> take_ended(int64_t now_ms);

    size_t unknown_count() const { return unknown_.size(); }
    uint64_t refused_heads() const { return refused_heads_; }
    uint64_t evicted() const { return evicted_; }

private:
    enum class State {
        kHandshake,  // of TLS
        kHead,       // nothing is read
        kSeen,       // its head may be read
        kRequest,    // its request is read and answered
        kFrame,      // a WebSocket that has said nothing
        kFree,       // a WebSocket
        kHttp2,
        kEnding  // what it says is thrown away
    };
    struct Entry {
        lws *wsi;
        int socket;
        State state;
        std::string address;
        int64_t since_ms;
        int64_t head_at_ms = 0;  // when the first byte of a head came
        int64_t end_at_ms = 0;
        uint64_t base_bytes = 0;  // that had come when something of use was seen (HTTP/2)
        std::string seen;         // of a head in several records of TLS
        std::list<Entry *>::iterator place;  // in unknown_
        bool is_unknown = true, has_behind = false;
    };

    Entry *find(lws *wsi);
    Entry *find(int socket);
    void forget(Entry &entry);
    void evict(Entry &entry);
    void end(Entry &entry, int64_t end_at_ms);
    bool end_handshake(Entry &entry);
    bool admit_head(Entry &entry, int64_t now_ms);
    bool admit_frame(Entry &entry, int64_t now_ms);
    bool admit_http2(Entry &entry);
    void refuse(Entry &entry, const HeadCheck &check, int64_t now_ms);

    GateLimits limits_;
    std::unordered_map<int, Entry> entries_;
    std::unordered_map<lws *, int> sockets_;
    std::list<Entry *> unknown_;            // the oldest first
    std::map<std::string, size_t> counts_;  // of unknown_, by address
    std::vector<int> ending_;               // sockets in kEnding
    uint64_t refused_heads_ = 0, evicted_ = 0;
};

}  // namespace server
