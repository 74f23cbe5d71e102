// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The functions of libcurl that the proxy uses. libcurl is loaded when a proxy starts: it brings 25
// further libraries, and every start of the command would take 10 ms longer if it were linked.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

namespace proxy {

struct Libcurl {
    decltype(&::curl_global_init) global_init;
    decltype(&::curl_slist_append) slist_append;
    decltype(&::curl_slist_free_all) slist_free_all;
    decltype(&::curl_easy_init) easy_init;
    decltype(&::curl_easy_cleanup) easy_cleanup;
    decltype(&::curl_easy_setopt) easy_setopt;
    decltype(&::curl_easy_getinfo) easy_getinfo;
    decltype(&::curl_easy_pause) easy_pause;
    decltype(&::curl_easy_perform) easy_perform;
    decltype(&::curl_easy_strerror) easy_strerror;
    decltype(&::curl_multi_init) multi_init;
    decltype(&::curl_multi_cleanup) multi_cleanup;
    decltype(&::curl_multi_setopt) multi_setopt;
    decltype(&::curl_multi_add_handle) multi_add_handle;
    decltype(&::curl_multi_remove_handle) multi_remove_handle;
    decltype(&::curl_multi_socket_action) multi_socket_action;
    decltype(&::curl_multi_info_read) multi_info_read;

    // Loads the library at the first call. Throws Failure if the machine has none.
    static const Libcurl &get();
};

}  // namespace proxy
