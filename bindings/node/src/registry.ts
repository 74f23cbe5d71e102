// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { handleOf, jsonText, kHandle, MemoryHandle, type Json } from './handle.js';
import { wrongArgument } from './error.js';
import { native, type Native } from './native.js';

/** Profiles of the specification, each with a schema. */
export type Profile = 'chat' | 'tool' | 'transaction' | 'stream' | 'workflow';

/** What a registry contains. */
export interface RegistryInfo {
  /** The document, as it was given. */
  text: string;
  /** Everything that is in force, built-in schemas included, in its hash form. */
  canonical: string;
  /** The SHA-256 of canonical, in hexadecimal digits. */
  hash: string;
  /** The document's version; 0 if it has none. */
  version: number;
  schemaCount: number;
}

/** A field of a schema. */
export interface SchemaField {
  name: string;
  /** Its name in a frame. */
  wire: string;
  /** Its default as JSON; empty if it has none. */
  default: string;
  type: 'any' | 'string' | 'integer' | 'decimal' | 'number' | 'boolean' | 'array' | 'object';
  isRequired: boolean;
}

/** A schema of payloads. */
export interface Schema {
  name: string;
  /** Its code, such as "TA". */
  code: string;
  version: number;
  /** It comes from a profile, not from the document. */
  isBuiltIn: boolean;
  fields: SchemaField[];
}

const fieldTypes = ['any', 'string', 'integer', 'decimal', 'number', 'boolean', 'array', 'object'] as const;
const profileBits: Readonly<Record<Profile, number>> = { chat: 1, tool: 2, transaction: 4, stream: 8, workflow: 16 };

function bitsOf(profiles: readonly Profile[] | undefined): number {
  if (profiles === undefined) return 31;
  return profiles.reduce((sum, one) => {
    if (profileBits[one] === undefined) throw wrongArgument('registry_new', `there is no profile '${String(one)}'; there are ${Object.keys(profileBits).join(', ')}`);
    return sum | profileBits[one];
  }, 0);
}

/** Schemas of payloads, operations and short keys; docs/registry.md. It never changes. */
export class Registry extends MemoryHandle {
  /**
   * Makes a registry of a document and the schemas of profiles.
   *
   * @param document  `{"schemas":{NAME:{"code":…,"version":…,"fields":[…],"defaults":{…}}}}`; absent: none.
   * @param profiles  Default: all.
   */
  constructor(document?: Json, profiles?: readonly Profile[]) {
    super(native.registry_new!(document === undefined ? '' : jsonText(document), bitsOf(profiles), undefined) as Native);
  }

  /** @internal */
  static from(handle: Native): Registry {
    return Object.defineProperty(Object.create(Registry.prototype) as Registry, kHandle, { value: handle });
  }

  /** Returns a registry with the schemas of this one and of a document. */
  add(document: Json): Registry {
    return Registry.from(native.registry_add!(this[kHandle], jsonText(document)) as Native);
  }

  /** Returns the union of this registry and another one. E1004 if they conflict. */
  merge(other: Registry): Registry {
    return Registry.from(native.registry_merge!(this[kHandle], handleOf(other, Registry, 'other')) as Native);
  }

  /** Returns all schemas: those of the document, then the built-in ones. */
  schemas(): Schema[] {
    const list: Schema[] = [];
    for (let index = 0; index < this.describe().schemaCount; ++index) {
      const { fieldCount, ...schema } = native.registry_schema!(this[kHandle], index) as Omit<Schema, 'fields'> & { fieldCount: number };
      const fields = Array.from({ length: fieldCount }, (_, field) => {
        const { type, ...rest } = native.registry_field!(this[kHandle], index, field) as Omit<SchemaField, 'type'> & { type: number };
        return { ...rest, type: fieldTypes[type] ?? 'any' };
      });
      list.push({ ...schema, fields });
    }
    return list;
  }

  /** Describes the registry. */
  describe(): RegistryInfo {
    return native.registry_describe!(this[kHandle]) as RegistryInfo;
  }
}
