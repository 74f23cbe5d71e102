#!/usr/bin/python3
# Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
"""make_accounts.py FOLDER: writes server.conf of a node with accounts, user.creds of one of them, and other.creds of an unknown one."""
import base64
import hashlib
import json
import sys
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

SEED = 18 << 3
OPERATOR, ACCOUNT, USER = 14 << 3, 0, 20 << 3


def base32(raw):
    return base64.b32encode(raw).decode().rstrip("=")


def base64url(raw):
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def with_checksum(raw):
    crc = 0
    for byte in raw:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return base32(raw + crc.to_bytes(2, "little"))


class Key:
    def __init__(self, kind):
        self.private = Ed25519PrivateKey.generate()
        public = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        secret = self.private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        self.id = with_checksum(bytes([kind]) + public)
        self.seed = with_checksum(bytes([SEED | kind >> 5, (kind & 31) << 3]) + secret)

    def claim(self, subject, name, nats):
        claims = {"iat": int(time.time()), "iss": self.id, "name": name, "sub": subject.id, "nats": {**nats, "version": 2}}
        claims["jti"] = base32(hashlib.new("sha512_256", json.dumps(claims).encode()).digest())
        text = ".".join(base64url(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ed25519-nkey"}, claims))
        return text + "." + base64url(self.private.sign(text.encode()))


def credentials(account, user):
    limits = {"subs": -1, "data": -1, "payload": -1}
    token = account.claim(user, "user", {"type": "user", **limits})
    return (f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n")


def main(folder):
    def write(name, text):
        with open(f"{folder}/{name}", "w", encoding="ascii") as to:
            to.write(text)

    operator, system, account = Key(OPERATOR), Key(ACCOUNT), Key(ACCOUNT)
    rights = dict.fromkeys(("subs", "conn", "leaf", "imports", "exports", "data", "payload"), -1)
    streams = dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), -1)
    tokens = [f"{one.id}: " + operator.claim(one, name, {"type": "account", "limits": {**limits, "wildcards": True}})
              for one, name, limits in ((system, "system", rights), (account, "agents", {**rights, **streams}))]
    itself = operator.claim(operator, "operator", {"type": "operator"})
    write("server.conf", "\n".join([f"operator: {itself}", f"system_account: {system.id}", "resolver: MEMORY", "resolver_preload {", *tokens, "}", "jetstream {}", ""]))
    write("user.creds", credentials(account, Key(USER)))
    write("other.creds", credentials(Key(ACCOUNT), Key(USER)))


if __name__ == "__main__":
    main(sys.argv[1])
