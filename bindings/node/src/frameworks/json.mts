// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON of values that may have bytes: files and images in messages. {"$accp_bytes": TEXT} is base64, {"$accp_bytes": OBJECT} an object that has such a member itself.
const bytesKey = '$accp_bytes';

type Members = Record<string, unknown>;

function mapMembers(value: Members, map: (one: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]));
}

function encode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { [bytesKey]: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  if (Array.isArray(value)) return value.map(encode);
  if ('toJSON' in value && typeof value.toJSON === 'function') return encode(value.toJSON());
  const made = mapMembers(value as Members, encode);
  return Object.hasOwn(value, bytesKey) ? { [bytesKey]: made } : made;
}

function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  const bytes = Object.hasOwn(value, bytesKey) ? (value as Members)[bytesKey] : value;
  return typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : mapMembers(bytes as Members, decode);
}

/** Writes a value as JSON. */
export function toJson(value: unknown): string {
  return JSON.stringify(encode(value));
}

/** Reads what {@link toJson} wrote. */
export function fromJson(text: string): unknown {
  return decode(JSON.parse(text));
}
