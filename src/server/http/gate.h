// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks connections before libwebsockets reads from them. libwebsockets reads from a connection
// only when the gate has seen the head of the next request in the socket and accepted it
// (head.h). Over TLS a head may need several records; libwebsockets then reads each record
// after the gate has seen it. The gate also counts connections that have not shown a token, and
// closes the oldest if there are too many.
#pragma once

#include <libwebsockets.h>

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/http/head.h"
#include "server/http/metrics.h"

namespace server {

struct GateLimits {
    size_t per_address = 256;   // connections from one address that have shown no token
    size_t in_all = 1024;       // the same from all addresses
    int64_t head_ms = 10'000;   // for a whole head, from its first byte or the connection's start
    int64_t token_ms = 60'000;  // for showing a token
};

class WebGate {
public:
    // The metrics outlive it.
    WebGate(GateLimits limits, Metrics &metrics) : limits_(limits), metrics_(metrics) {}

    // Adds an accepted connection. Nothing is read from it before admit().
    void add(lws *wsi, int64_t now_ms);
    // Removes a connection that has ended.
    void remove(lws *wsi);
    // The connection has shown a token, or needs none.
    void mark_known(lws *wsi);
    // May libwebsockets read from this socket now? Call it when the socket has received data.
    bool admit(int socket, int64_t now_ms);
    // Call it after libwebsockets has read. True: call admit() again, because there may be more.
    bool after_read(int socket);
    // Call it when libwebsockets has read the head of a request. Returns false if the gate has not
    // accepted that head. Each accepted head is valid for one request.
    bool take_head(lws *wsi);
    // The reply to a request was sent, so the next request may arrive.
    void await_head(lws *wsi);
    // The connection is now a WebSocket. The gate checks its first frame before it is read.
    void await_frame(lws *wsi);
    // Something useful was read or written, so the count of bytes starts again (HTTP/2).
    void note_use(lws *wsi);
    // Did bytes arrive after the head that was taken?
    bool has_more_bytes(lws *wsi);
    bool is_unknown(lws *wsi);
    // Closes connections that have exceeded a time limit.
    void close_expired(int64_t now_ms);
    // Returns the sockets that the caller must close now.
    std::vector<int> take_ended(int64_t now_ms);

private:
    enum class State {
        kHandshake,  // of TLS
        kHead,       // waits for a head; nothing is read
        kSeen,       // its head was accepted and may be read
        kRequest,    // its request is read and answered
        kFrame,      // a WebSocket that has sent nothing
        kFree,       // a WebSocket
        kHttp2,
        kEnding  // received data is discarded
    };
    struct Entry {
        lws *wsi;
        int socket;
        State state;
        std::string address;
        int64_t since_ms;
        // When the connection was accepted, or the first byte of a later head arrived. 0: no head
        // is due.
        int64_t head_at_ms = 0;
        int64_t end_at_ms = 0;
        uint64_t base_bytes = 0;  // received when something useful was last seen (HTTP/2)
        std::string seen;         // the part of a head that arrived in several records of TLS
        std::list<Entry *>::iterator place;  // in unknown_
        bool is_unknown = true, has_more_bytes = false;
    };

    Entry *find(lws *wsi);
    Entry *find(int socket);
    void forget(Entry &entry);
    void evict(Entry &entry, ClosedFor reason);
    void end(Entry &entry, int64_t end_at_ms);
    bool end_handshake(Entry &entry);
    bool admit_head(Entry &entry, int64_t now_ms);
    bool admit_frame(Entry &entry, int64_t now_ms);
    bool admit_http2(Entry &entry);
    void refuse(Entry &entry, const HeadCheck &check, int64_t now_ms);

    GateLimits limits_;
    Metrics &metrics_;
    std::unordered_map<int, Entry> entries_;
    std::unordered_map<lws *, int> sockets_;
    std::list<Entry *> unknown_;            // the oldest first
    std::map<std::string, size_t> counts_;  // of unknown_, by address
    std::vector<int> ending_;               // sockets in kEnding
};

}  // namespace server
