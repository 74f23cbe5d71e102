// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/libcurl.h"

#include <dlfcn.h>

#include <string>

#include "server/library/failure.h"

namespace proxy {
namespace {

template <typename Function>
void find(void *library, const char *name, Function &out) {
    out = reinterpret_cast<Function>(::dlsym(library, name));
    if (!out)
        throw host::Failure(std::string("libcurl has no ") + name +
                            "; install libcurl 7.85 or newer");
}

Libcurl load() {
    void *library = nullptr;
    for (const char *name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
        if (!library) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw host::Failure("libcurl.so.4 cannot be loaded; install libcurl (Debian: libcurl4)");
    Libcurl made = {};
    find(library, "curl_global_init", made.global_init);
    find(library, "curl_slist_append", made.slist_append);
    find(library, "curl_slist_free_all", made.slist_free_all);
    find(library, "curl_easy_init", made.easy_init);
    find(library, "curl_easy_cleanup", made.easy_cleanup);
    find(library, "curl_easy_setopt", made.easy_setopt);
    find(library, "curl_easy_getinfo", made.easy_getinfo);
    find(library, "curl_easy_pause", made.easy_pause);
    find(library, "curl_easy_perform", made.easy_perform);
    find(library, "curl_easy_strerror", made.easy_strerror);
    find(library, "curl_multi_init", made.multi_init);
    find(library, "curl_multi_cleanup", made.multi_cleanup);
    find(library, "curl_multi_setopt", made.multi_setopt);
    find(library, "curl_multi_add_handle", made.multi_add_handle);
    find(library, "curl_multi_remove_handle", made.multi_remove_handle);
    find(library, "curl_multi_socket_action", made.multi_socket_action);
    find(library, "curl_multi_info_read", made.multi_info_read);
    if (made.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        throw host::Failure("libcurl cannot be initialised");
    return made;
}

}  // namespace

const Libcurl &Libcurl::get() {
    static const Libcurl loaded = load();
    return loaded;
}

}  // namespace proxy
