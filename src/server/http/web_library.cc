// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/web_library.h"

#include <dlfcn.h>

#include <string>

#include "server/library/failure.h"

namespace server {
namespace {

#ifdef ACCP_LWS_SONAME  // shared libraries

#define ACCP_OPEN(name) open_library(name)
#define ACCP_FIND(library, member, function) find(library, #function, made.member);

void *open_library(const char *name) {
    void *const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw host::Failure(std::string("sockets need ") + name + ", which cannot be loaded (" +
                            ::dlerror() + "); install libwebsockets and OpenSSL");
    return library;
}

template <typename Function>
void find(void *library, const char *name, Function &out) {
    out = reinterpret_cast<Function>(::dlsym(library, name));
    if (!out)
        throw host::Failure("the installed libwebsockets or OpenSSL has no " + std::string(name));
}

#else  // archives, which are linked

#define ACCP_OPEN(name) nullptr
#define ACCP_FIND(library, member, function) (void)library, made.member = ::function;

#endif

WebLibrary load() {
    void *const lws = ACCP_OPEN(ACCP_LWS_SONAME), *const ssl = ACCP_OPEN(ACCP_SSL_SONAME);
    WebLibrary made = {};
#define ACCP_LWS_FUNCTION(name) ACCP_FIND(lws, name, lws_##name)
#define ACCP_SSL_FUNCTION(member, function) ACCP_FIND(ssl, member, function)
#include "server/http/web_library.def"
    return made;
}

#undef ACCP_FIND
#undef ACCP_OPEN

}  // namespace

const WebLibrary &web() {
    static const WebLibrary loaded = load();
    return loaded;
}

}  // namespace server
