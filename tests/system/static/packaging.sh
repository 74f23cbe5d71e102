#!/usr/bin/env bash
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#
# Tests the parts of script/release that need no build: each check can fail, and what rewrites archives makes equal bytes.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
export SOURCE_DATE_EPOCH=1700000000 PYTHONDONTWRITEBYTECODE=1

wrong() {
    printf 'packaging.sh: %s\n' "$*"
    failed=1
}

# needs: this machine's C library, a library of others, the shared C++ library, nothing at all, nothing for that processor.
mkdir "$work/plain" "$work/strange" "$work/cxx" "$work/empty"
printf '#include <stdlib.h>\nint main(void) { return getenv("x") != 0; }\n' >"$work/a.c"
printf '#include <string>\nint main(int argc, char **argv) { return std::string(argv[argc - 1]).find("x") == 0; }\n' >"$work/a.cc"
cc -o "$work/plain/program" "$work/a.c"
cc -o "$work/strange/program" "$work/a.c" -Wl,--no-as-needed -lyaml
g++ -o "$work/cxx/program" "$work/a.cc"
glibc=$(ldd --version | sed -n '1s/.* //p')
"$root/packaging/needs" "$work/plain" X86-64 "$glibc" >/dev/null || wrong "needs refuses glibc $glibc"
# A file for musl may need musl only: by the last argument, or by its path.
mkdir -p "$work/natives/linux-musl-x64" "$work/alone"
cp "$work/plain/program" "$work/natives/linux-musl-x64/"
printf 'int f(void) { return 1; }\n' | cc -shared -nostdlib -o "$work/alone/library" -x c -
"$root/packaging/needs" "$work/alone" X86-64 musl >/dev/null || wrong 'needs refuses a library without needs for musl'
for case in "plain X86-64 musl" "natives X86-64 $glibc" "plain X86-64 2.2" "strange X86-64 $glibc" "cxx X86-64 $glibc" "empty X86-64 $glibc" "plain AArch64 $glibc"; do
    # shellcheck disable=SC2086  # three words
    ! "$root/packaging/needs" "$work/"$case >/dev/null 2>&1 || wrong "needs accepts $case"
done

# settle_zip: the same content in another order, at another time, with other random names.
python3 - "$work" <<'END'
import sys, zipfile
for name, year, number, order in (("a", 2020, "0A", 1), ("b", 2021, "FF", -1)):
    core = f"package/services/metadata/core-properties/{number}.psmdcp"
    content = [("x.txt", "x"), (core, "<c/>"), ("_rels/.rels", f'<r Target="/{core}" Id="R{number}"/>')]
    with zipfile.ZipFile(f"{sys.argv[1]}/{name}.nupkg", "w") as archive:
        for entry, text in content[::order]:
            archive.writestr(zipfile.ZipInfo(entry, (year, 1, 1, 0, 0, 0)), text)
with zipfile.ZipFile(f"{sys.argv[1]}/other.zip", "w") as archive:
    archive.writestr("x", "x")
END
! cmp -s "$work/a.nupkg" "$work/b.nupkg" || wrong 'the two packages are equal before'
"$root/packaging/settle_zip" "$work/a.nupkg" "$work/b.nupkg"
cmp "$work/a.nupkg" "$work/b.nupkg" || wrong 'settle_zip leaves differences'
! "$root/packaging/settle_zip" "$work/other.zip" 2>/dev/null || wrong 'settle_zip takes any archive'

# The Go module, made twice: the files of the module, the licence, and no module in it.
for run in 1 2; do "$root/bindings/go/pack" "$work/go$run"; done
diff -r "$work/go1" "$work/go2" || wrong 'bindings/go/pack makes other bytes'
python3 -m zipfile -l "$(find "$work/go1" -name '*.zip')" >"$work/list"
grep -q '/LICENSE ' "$work/list" && grep -q '/doc.go ' "$work/list" || wrong 'the Go module lacks files'
! grep -q '/example/otel/' "$work/list" || wrong 'the Go module has another module in it'

# sbom --check: documents of one file, and what can be wrong with them.
python3 - "$work/out" <<'END'
import hashlib, json, pathlib, sys
out = pathlib.Path(sys.argv[1])
out.mkdir()
digest = lambda name: hashlib.sha256((out / name).read_bytes()).hexdigest()
(out / "a.deb").write_text("a")
documents = {"spdx": {"packages": [{"SPDXID": "SPDXRef-a", "name": "a.deb", "checksums": [{"checksumValue": digest("a.deb")}]}],
                      "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relatedSpdxElement": "SPDXRef-a"}]},
             "provenance": {"subject": [{"name": "a.deb", "digest": {"sha256": digest("a.deb")}}]}}
for name, content in documents.items():
    (out / f"libaccp-1.{name}.json").write_text(json.dumps(content))
(out / "SHA256SUMS").write_text("".join(f"{digest(path.name)}  {path.name}\n" for path in sorted(out.iterdir())))
END
"$root/packaging/sbom" --check 1 "$work/out" || wrong 'sbom --check refuses documents without a fault'
# refused FILE NAME COMMAND: after the command in a copy, it names a fault of NAME in FILE.
refused() {
    rm -rf "$work/copy"
    cp -r "$work/out" "$work/copy"
    (cd "$work/copy" && eval "$3")
    ! "$root/packaging/sbom" --check 1 "$work/copy" 2>"$work/said" || wrong "sbom --check accepts: $3"
    grep -q "^$1: $2: " "$work/said" || wrong "sbom --check after $3: $(cat "$work/said")"
}
for file in SHA256SUMS libaccp-1.spdx.json libaccp-1.provenance.json; do
    refused "$file" a.deb 'echo b >a.deb'
    refused "$file" b.deb 'echo b >b.deb'
    refused "$file" a.deb 'rm a.deb'
done
refused libaccp-1.spdx.json SPDXRef-b 'sed -i s/relatedSpdxElement.*SPDXRef-a/relatedSpdxElement\":\"SPDXRef-b/ libaccp-1.spdx.json'

# script/release refuses what it cannot do.
mkdir "$work/full"
touch "$work/full/file"
for arguments in '' "$work/out cobol" "$work/full"; do
    # shellcheck disable=SC2086  # words on purpose
    ! "$root/script/release" $arguments 2>"$work/said" || wrong "script/release accepts '$arguments'"
    grep -q '^release: ' "$work/said" || wrong "script/release $arguments: $(cat "$work/said")"
done
exit $failed
