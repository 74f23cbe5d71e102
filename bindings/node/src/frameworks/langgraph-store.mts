// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  BaseStore,
  getTextAtPath,
  validateNamespace,
  type GetOperation,
  type IndexConfig,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import { Engine, Store } from '../index.js';
import { checkKnown, type Known } from '../known.js';
import { storeHints } from './options.mjs';
import { ValueLog } from './value-log.mjs';

/** Options of {@link AccpStore}. */
export interface AccpStoreOptions {
  /** A store, which is borrowed and must stay open, or the URL of one, such as `sqlite:memories.db`. Default: `memory:`. */
  store?: Store | string | undefined;
  /** The name of this memory in the store. Default: `default`. */
  name?: string | undefined;
  /** Search by meaning: an embedding model of LangChain, and the fields whose texts it gets. Vectors are stored, and made once. */
  index?: IndexConfig | undefined;
}

const known: Known<AccpStoreOptions> = { store: true, name: true, index: true };

// One JSON array a record: all changes of one batch.
type Change =
  | { t: 'put'; ns: string[]; key: string; value: Record<string, unknown>; created: number; updated: number; texts?: string[] }
  | { t: 'delete'; ns: string[]; key: string }
  | { t: 'vector'; hash: string; vector: number[] };

interface Stored {
  item: Item;
  /** Hashes of the texts that are searched by meaning. */
  texts: string[];
}

const pathOf = (ns: readonly string[], key: string): string => JSON.stringify([ns, key]);
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const operators: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  $eq: (a, b) => isDeepStrictEqual(a, b),
  $ne: (a, b) => !isDeepStrictEqual(a, b),
  $gt: (a, b) => Number(a) > Number(b),
  $gte: (a, b) => Number(a) >= Number(b),
  $lt: (a, b) => Number(a) < Number(b),
  $lte: (a, b) => Number(a) <= Number(b),
  $in: (a, b) => Array.isArray(b) && b.some((one) => isDeepStrictEqual(a, one)),
  $nin: (a, b) => !Array.isArray(b) || !b.some((one) => isDeepStrictEqual(a, one)),
};

function matchesValue(value: unknown, filter: unknown): boolean {
  if (typeof filter === 'object' && filter !== null && !Array.isArray(filter)) {
    const entries = Object.entries(filter);
    if (entries.length > 0 && entries.every(([name]) => Object.hasOwn(operators, name)))
      return entries.every(([name, other]) => operators[name]!(value, other));
  }
  return isDeepStrictEqual(value, filter);
}

function matchesPath(ns: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (ns.length < path.length) return false;
  const start = matchType === 'prefix' ? 0 : ns.length - path.length;
  return path.every((one, i) => one === '*' || one === ns[start + i]);
}

function similarity(a: readonly number[], b: readonly number[]): number {
  let product = 0,
    lengthA = 0,
    lengthB = 0;
  for (let i = 0; i < Math.min(a.length, b.length); ++i) {
    product += a[i]! * b[i]!;
    lengthA += a[i]! ** 2;
    lengthB += b[i]! ** 2;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : product / Math.sqrt(lengthA * lengthB);
}

/**
 * LangGraph's long-term memory in a store of libaccp. Everything is in memory too, so it is for thousands of items, not for
 * millions. A batch is stored whole or not at all.
 *
 * @example
 * const store = new AccpStore('sqlite:memories.db');
 * const graph = builder.compile({ checkpointer, store });
 */
export class AccpStore extends BaseStore {
  private readonly base: Store;
  private readonly ownsStore: boolean;
  private readonly engine: Engine;
  private readonly log: ValueLog;
  private readonly index: IndexConfig | undefined;
  /** By namespace, then by key, each in the order of their first items. */
  private items = new Map<string, Map<string, Stored>>();
  private vectors = new Map<string, number[]>();
  private changes = 0;

  /** Opens the store if it is a URL. Throws `AccpError` if that fails. */
  constructor(options: AccpStoreOptions | string = {}) {
    if (typeof options !== 'string') checkKnown('new AccpStore()', options, known, (name) => storeHints[name]);
    const { store = 'memory:', name = 'default', index } = typeof options === 'string' ? { store: options } : options;
    super();
    this.index = index;
    this.ownsStore = typeof store === 'string';
    this.base = typeof store === 'string' ? Store.openSync(store) : store;
    this.engine = new Engine({ store: this.base });
    this.log = new ValueLog(
      this.engine,
      `langgraph_store-${name}`,
      () => {
        this.items = new Map();
        this.vectors = new Map();
        this.changes = 0;
      },
      (text) => {
        for (const change of JSON.parse(text) as Change[]) this.read(change);
      },
    );
  }

  private read(change: Change): void {
    ++this.changes;
    switch (change.t) {
      case 'put': {
        const { ns, key, value, created, updated, texts = [] } = change;
        let space = this.items.get(JSON.stringify(ns));
        if (!space) this.items.set(JSON.stringify(ns), (space = new Map()));
        space.set(key, { item: { namespace: ns, key, value, createdAt: new Date(created), updatedAt: new Date(updated) }, texts });
        break;
      }
      case 'delete':
        this.items.get(JSON.stringify(change.ns))?.delete(change.key);
        break;
      case 'vector':
        this.vectors.set(change.hash, change.vector);
        break;
    }
  }

  /** Runs operations: reads see what was stored before the batch, and its changes are stored together. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) if ('value' in operation) checkPut(operation);
    return (await this.log.run(async () => {
      // reads see what was stored before the batch
      const results: unknown[] = [];
      const puts = new Map<string, PutOperation>();
      for (const operation of operations) {
        if ('namespacePrefix' in operation) results.push(await this.find(operation));
        else if ('value' in operation) results.push(void puts.set(pathOf(operation.namespace, operation.key), operation));
        else if ('key' in operation) results.push(this.one(operation));
        else results.push(this.namespaces(operation));
      }
      if (puts.size > 0) await this.write([...puts.values()]);
      return results;
    })) as OperationResults<Op>;
  }

  private all(): Stored[] {
    return [...this.items.values()].flatMap((space) => [...space.values()]);
  }

  private stored(namespace: readonly string[], key: string): Stored | undefined {
    return this.items.get(JSON.stringify(namespace))?.get(key);
  }

  private one({ namespace, key }: GetOperation): Item | null {
    const found = this.stored(namespace, key);
    return found ? structuredClone(found.item) : null;
  }

  private async find({ namespacePrefix, filter, limit = 10, offset = 0, query }: SearchOperation): Promise<SearchItem[]> {
    validateNamespace(namespacePrefix, { allowEmpty: true, allowReservedRoot: true });
    const found = this.all().filter(
      ({ item }) =>
        matchesPath(item.namespace, { matchType: 'prefix', path: namespacePrefix }) &&
        Object.entries(filter ?? {}).every(([name, value]) => matchesValue(item.value[name], value)),
    );
    if (!query || !this.index) return found.slice(offset, offset + limit).map(({ item }) => structuredClone(item));
    const vector = await this.index.embeddings.embedQuery(query);
    const scored = found.map((one) => ({ one, score: Math.max(...one.texts.map((hash) => similarity(vector, this.vectors.get(hash) ?? []))) }));
    scored.sort((a, b) => b.score - a.score);
    return scored.slice(offset, offset + limit).map(({ one, score }) => ({ ...structuredClone(one.item), ...(Number.isFinite(score) && { score }) }));
  }

  private namespaces({ matchConditions, maxDepth, limit, offset }: ListNamespacesOperation): string[][] {
    const found = new Map<string, string[]>();
    for (const { item } of this.all()) {
      if (matchConditions && !matchConditions.every((one) => matchesPath(item.namespace, one))) continue;
      const namespace = maxDepth === undefined ? item.namespace : item.namespace.slice(0, maxDepth);
      found.set(JSON.stringify(namespace), namespace);
    }
    const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, namespace]) => [...namespace]);
    return sorted.slice(offset, offset + (limit ?? Infinity));
  }

  private async write(puts: readonly PutOperation[]): Promise<void> {
    const changes: Change[] = [],
      missing = new Map<string, string>(),
      now = Date.now();
    for (const { namespace: ns, key, value, index } of puts) {
      const before = this.stored(ns, key);
      if (value === null) {
        if (before) changes.push({ t: 'delete', ns, key });
        continue;
      }
      const texts = new Map<string, string>();
      if (this.index && index !== false)
        for (const path of index ?? this.index.fields ?? ['$'])
          for (const text of getTextAtPath(value, path)) if (text) texts.set(hashOf(text), text);
      for (const [hash, text] of texts) if (!this.vectors.has(hash)) missing.set(hash, text);
      changes.push({
        t: 'put',
        ns,
        key,
        value,
        created: before?.item.createdAt.getTime() ?? now,
        updated: now,
        ...(texts.size > 0 && { texts: [...texts.keys()] }),
      });
    }
    if (missing.size > 0) {
      const made = await this.index!.embeddings.embedDocuments([...missing.values()]);
      changes.unshift(...[...missing.keys()].map((hash, i): Change => ({ t: 'vector', hash, vector: made[i]! })));
    }
    if (changes.length === 0) return;
    await this.log.append(JSON.stringify(changes));
    if (this.changes > 1000 && this.changes > 4 * (this.all().length + this.vectors.size)) await this.compact();
  }

  private async compact(): Promise<void> {
    const used = new Set<string>(),
      texts: string[] = [];
    for (const { item, texts: hashes } of this.all()) {
      const changes: Change[] = hashes.filter((hash) => !used.has(hash)).map((hash) => ({ t: 'vector', hash, vector: this.vectors.get(hash)! }));
      for (const hash of hashes) used.add(hash);
      changes.push({
        t: 'put',
        ns: item.namespace,
        key: item.key,
        value: item.value,
        created: item.createdAt.getTime(),
        updated: item.updatedAt.getTime(),
        ...(hashes.length > 0 && { texts: hashes }),
      });
      texts.push(JSON.stringify(changes));
    }
    await this.log.replace(texts);
  }

  /** Closes the memory, and the store if this object opened it. */
  async close(): Promise<void> {
    await this.log.end();
    this.engine.close();
    if (this.ownsStore) await this.base.close();
  }

  /** As {@link close}. */
  override async stop(): Promise<void> {
    await this.close();
  }

  /** As {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function checkPut({ namespace, key, value }: PutOperation): void {
  validateNamespace(namespace, { allowReservedRoot: true });
  if (typeof key !== 'string') throw new TypeError(`libaccp: the key of an item is of the type ${typeof key}: it must be a string.`);
  if (typeof value !== 'object' || Array.isArray(value))
    throw new TypeError('libaccp: the value of an item must be an object, or null to delete it.');
}
