#!/usr/bin/env python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""Finds headers and libraries that a build took from where a fresh machine has none.

    packages.py BUILD-DIRECTORY [PACKAGE...]

Every file that the build read (Ninja keeps the list) is the project's own, or a file of one of
these Debian packages or of a package that they depend on. Without names: those that
script/bootstrap installs. A header that lies on the include path by chance makes a build pass here
and fail on the machine of somebody new. Exits 1 and names the file, or where there was nothing to
look at.
"""
import glob
import os
import re
import subprocess
import sys


def lines(*command, cwd=None, may_fail=False):
    ran = subprocess.run(command, cwd=cwd, text=True, capture_output=True)
    if ran.returncode and not may_fail:
        sys.exit(f"packages.py: {' '.join(command[:3])}: {ran.stderr.strip()}")
    return ran.stdout.splitlines()


def with_dependencies(names):
    """The names, and every installed package that they need, whichever alternative it is."""
    needs, providers = {}, {}
    form = "${Package}\t${Depends}, ${Pre-Depends}\t${Provides}\t${Essential}\n"
    for line in lines("dpkg-query", "-W", "-f", form):
        package, depends, provides, essential = line.split("\t")
        needs[package] = re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]*)", depends)
        for name in [package, *re.findall(r"(?:^|,)\s*([a-z0-9][a-z0-9+.-]*)", provides)]:
            providers.setdefault(name, set()).add(package)
        if essential == "yes":
            names = [*names, package]
    found, waiting = set(), list(names)
    while waiting:
        for package in providers.get(waiting.pop(), ()):
            if package not in found:
                found.add(package)
                waiting += needs[package]
    return found


def headers_read(build):
    for line in lines("ninja", "-t", "deps", cwd=build):
        if line.startswith(" "):
            yield os.path.join(build, line.strip())


def libraries_linked(build):
    text = open(os.path.join(build, "build.ninja"), encoding="utf-8").read()
    # The cache lacks it where a toolchain file sets it.
    (described,) = glob.glob(os.path.join(build, "CMakeFiles/*/CMakeCXXCompiler.cmake"))
    compiler = re.search(r'^set\(CMAKE_CXX_COMPILER "(.*)"\)$', open(described, encoding="utf-8").read(), re.M).group(1)
    for use in re.findall(r"LINK_LIBRARIES = (.*)", text):
        for word in use.split():
            if re.fullmatch(r"/.*\.(a|so[.0-9]*)", word):
                yield word
            elif word.startswith("-l"):
                for ending in ("so", "a"):
                    path = lines(compiler, f"-print-file-name=lib{word[2:]}.{ending}")[0]
                    if os.path.isabs(path):
                        yield path


def owners_of(paths):
    """Which packages each file is of; a file is listed under /usr/lib or under /lib."""
    owners = {path: set() for path in paths}
    spellings = {}
    for path in paths:
        for spelling in (path, path.removeprefix("/usr"), "/usr" + path):
            spellings[spelling] = path
    for line in lines("dpkg-query", "-S", *spellings, may_fail=True):
        packages, _, path = line.rpartition(": ")
        if path in spellings:
            owners[spellings[path]].update(name.split(":")[0] for name in packages.split(", "))
    return owners


def cached(build, name):
    text = open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8").read()
    return re.search(rf"^{name}:\w+=(.*)$", text, re.M).group(1)


def main(build, names):
    build = os.path.realpath(build)
    source = os.path.realpath(cached(build, "CMAKE_HOME_DIRECTORY"))
    deps = os.path.realpath(cached(build, "ACCP_DEPS_DIR") or os.path.join(source, ".deps"))
    files = {os.path.realpath(path) for path in (*headers_read(build), *libraries_linked(build))}
    outside = {f for f in files if not f.startswith((source + "/", build + "/", deps + "/"))}
    if not outside:
        sys.exit(f"packages.py: {build}: no build that Ninja made")
    allowed = with_dependencies(names or lines(os.path.join(source, "script/bootstrap"), "list"))
    owners = owners_of(outside)
    strays = {path: who for path, who in owners.items() if not who & allowed}
    for path, who in sorted(strays.items()):
        of = f"package {', '.join(sorted(who))}" if who else "no package"
        print(f"{path}: of {of}, which script/bootstrap does not install")
    print(f"{len(outside)} files of others were read, {len(strays)} of them strays")
    return 1 if strays else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
