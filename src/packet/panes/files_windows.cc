// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files of a project are not supported on Windows yet: what files.cc does relative to an open
// directory, without following links, needs other calls there.
#include "packet/panes/files.h"

namespace accp::packet {

namespace {

Status not_supported() {
    return fail(ACCP_ERR_IO, 0, "the files of a project are not supported on Windows yet");
}

}  // namespace

void Descriptor::reset(int number) { number_ = number; }

Status ProjectFiles::open(std::string_view, Memory &) { return not_supported(); }
Status ProjectFiles::open_like(const ProjectFiles &) { return not_supported(); }
Status ProjectFiles::Lock::acquire(const ProjectFiles &, uint32_t) { return not_supported(); }
Status ProjectFiles::read(const FileName &, size_t, Buffer<char> &) const {
    return not_supported();
}
Status ProjectFiles::write(const FileName &, std::string_view) const { return not_supported(); }
Status ProjectFiles::written_at(const FileName &, int64_t &) const { return not_supported(); }
Status ProjectFiles::remove(const FileName &) const { return not_supported(); }

}  // namespace accp::packet
