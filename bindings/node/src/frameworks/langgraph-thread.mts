// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The checkpoints of one LangGraph thread in a log of records. A value that a checkpoint shares with its parent is not
// written again, and a changed one is the difference from it. Grammar, one JSON object a record:
//   thread     = {t:"thread", id}                         ; the first record
//   checkpoint = {t:"checkpoint", ns, id, parent?, ts, versions: {channel: version}, body: dump, metadata: dump, values: {channel: value}}
//   writes     = {t:"writes", ns, id, task, path, writes: [[index, channel, dump], …]}
//   removed    = {t:"removed", ns, ids: [id, …]}
//   value      = N                                        ; the value of this channel in record N
//              / {dump}                                   ; whole
//              / {type, base: N, prefix, suffix, text, depth, size}   ; a difference, after `depth` differences of `size` characters
//   dump       = {type, text, raw?: true}                 ; of the serializer; raw: each character is a byte
import { isUtf8 } from 'node:buffer';
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
import type { Engine } from '../index.js';
import { deltaOf, GrowingText, type TextDelta } from './text-delta.mjs';
import { ValueLog } from './value-log.mjs';

export interface Dump {
  type: string;
  text: string;
  raw?: true;
}

interface Difference {
  type: string;
  raw?: true;
  base: number;
  prefix: number;
  suffix: number;
  text: string;
  depth: number;
  size: number;
}

type StoredValue = number | Dump | Difference;

export interface CheckpointRecord {
  t: 'checkpoint';
  ns: string;
  id: string;
  parent?: string;
  ts: string;
  versions: Record<string, number | string>;
  body: Dump;
  metadata: Dump;
  values: Record<string, StoredValue>;
}

interface WritesRecord {
  t: 'writes';
  ns: string;
  id: string;
  task: string;
  path: string;
  writes: [index: number, channel: string, dump: Dump][];
}

type ThreadRecord = { t: 'thread'; id: string } | CheckpointRecord | WritesRecord | { t: 'removed'; ns: string; ids: string[] };

/** A write of a checkpoint: where it is, and its key of order. */
export interface StoredWrite {
  record: number;
  at: number;
  task: string;
  path: string;
  index: number;
  channel: string;
}

export interface StoredCheckpoint {
  record: number;
  ns: string;
  id: string;
  parent: string | undefined;
  ts: string;
  versions: Record<string, number | string>;
  /** The record that has the value of each channel. */
  values: Map<string, number>;
  writes: Map<string, StoredWrite>;
}

const maxDepth = 512;
const maxCachedChars = 4 << 20;

export async function dump(serde: SerializerProtocol, value: unknown): Promise<Dump> {
  const [type, bytes] = await serde.dumpsTyped(value);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { type, text: buffer.toString('utf8') } : { type, text: buffer.toString('latin1'), raw: true };
}

export function load(serde: SerializerProtocol, { type, text, raw }: Dump): Promise<unknown> {
  return serde.loadsTyped(type, !raw && type === 'json' ? text : new Uint8Array(Buffer.from(text, raw ? 'latin1' : 'utf8'))) as Promise<unknown>;
}

/** The texts that were used last, up to a number of characters. */
class TextCache<V> {
  private readonly map = new Map<string, { value: V; size: number }>();
  private size = 0;

  get(key: string): V | undefined {
    const found = this.map.get(key);
    if (!found) return undefined;
    this.map.delete(key);
    this.map.set(key, found);
    return found.value;
  }

  set(key: string, value: V, size: number): void {
    const old = this.map.get(key);
    if (old) this.size -= old.size;
    this.map.delete(key);
    this.map.set(key, { value, size });
    this.size += size;
    for (const [oldest, one] of this.map) {
      if (this.size <= maxCachedChars || this.map.size <= 1) break;
      this.map.delete(oldest);
      this.size -= one.size;
    }
  }

  clear(): void {
    this.map.clear();
    this.size = 0;
  }
}

/** A thread that is open. Use everything but `run()` within `run()`. */
export class Thread {
  private readonly log: ValueLog;
  private readonly spaces = new Map<string, Map<string, StoredCheckpoint>>();
  /** Records with the value of a version of a channel, by namespace, channel and version. */
  private readonly byVersion = new Map<string, number[]>();
  private readonly records = new TextCache<ThreadRecord>();
  private readonly texts = new TextCache<Dump>();
  private removed = 0;
  private live = 0;

  constructor(
    engine: Engine,
    sessionId: string,
    private readonly threadId: string,
  ) {
    this.log = new ValueLog(
      engine,
      sessionId,
      () => {
        this.spaces.clear();
        this.byVersion.clear();
        this.records.clear();
        this.texts.clear();
        this.removed = this.live = 0;
      },
      (text, number) => this.read(text, number),
    );
  }

  get isIdle(): boolean {
    return this.log.pending === 0;
  }

  run<T>(operation: () => Promise<T>): Promise<T> {
    return this.log.run(operation);
  }

  /** Closes the session after what waits. */
  close(): Promise<void> {
    return this.log.end();
  }

  private read(text: string, number: number): void {
    const record = JSON.parse(text) as ThreadRecord;
    this.records.set(String(number), record, text.length);
    switch (record.t) {
      case 'checkpoint':
        this.readCheckpoint(record, number);
        break;
      case 'writes': {
        const of = this.spaces.get(record.ns)?.get(record.id) ?? this.hold(record.ns, record.id);
        record.writes.forEach(([index, channel], at) =>
          of.writes.set(`${record.task},${index}`, { record: number, at, task: record.task, path: record.path, index, channel }),
        );
        break;
      }
      case 'removed':
        for (const id of record.ids) {
          if (this.spaces.get(record.ns)?.delete(id)) {
            ++this.removed;
            --this.live;
          }
        }
        break;
      case 'thread':
        break;
    }
  }

  // Writes may come before their checkpoint.
  private hold(ns: string, id: string): StoredCheckpoint {
    const made: StoredCheckpoint = { record: 0, ns, id, parent: undefined, ts: '', versions: {}, values: new Map(), writes: new Map() };
    let space = this.spaces.get(ns);
    if (!space) this.spaces.set(ns, (space = new Map()));
    space.set(id, made);
    ++this.live;
    return made;
  }

  private readCheckpoint(record: CheckpointRecord, number: number): void {
    const of = this.spaces.get(record.ns)?.get(record.id) ?? this.hold(record.ns, record.id);
    of.record = number;
    of.parent = record.parent;
    of.ts = record.ts;
    of.versions = record.versions;
    of.values = new Map();
    for (const [channel, value] of Object.entries(record.values)) {
      const at = typeof value === 'number' ? value : number;
      of.values.set(channel, at);
      const key = versionKey(record.ns, channel, record.versions[channel]);
      const known = this.byVersion.get(key);
      if (!known) this.byVersion.set(key, [at]);
      else if (!known.includes(at)) known.push(at);
    }
  }

  get namespaces(): string[] {
    return [...this.spaces.keys()];
  }

  /** The checkpoints of a namespace, the newest first. */
  checkpoints(ns: string): StoredCheckpoint[] {
    return [...(this.spaces.get(ns)?.values() ?? [])].filter((one) => one.record > 0).sort((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
  }

  newest(ns: string): StoredCheckpoint | undefined {
    let found: StoredCheckpoint | undefined;
    for (const one of this.spaces.get(ns)?.values() ?? []) if (one.record > 0 && (!found || one.id > found.id)) found = one;
    return found;
  }

  find(ns: string, id: string): StoredCheckpoint | undefined {
    const found = this.spaces.get(ns)?.get(id);
    return found && found.record > 0 ? found : undefined;
  }

  /** The writes of a checkpoint that has not come yet. */
  held(ns: string, id: string): ReadonlyMap<string, StoredWrite> | undefined {
    return this.spaces.get(ns)?.get(id)?.writes;
  }

  private async record(number: number): Promise<ThreadRecord> {
    let record = this.records.get(String(number));
    if (!record) {
      const text = await this.log.record(number);
      record = JSON.parse(text) as ThreadRecord;
      this.records.set(String(number), record, text.length);
    }
    return record;
  }

  async checkpointRecord(of: StoredCheckpoint): Promise<CheckpointRecord> {
    return (await this.record(of.record)) as CheckpointRecord;
  }

  async write(of: StoredWrite): Promise<Dump> {
    return ((await this.record(of.record)) as WritesRecord).writes[of.at]![2];
  }

  /** Returns the value of a channel that a record has. */
  async value(number: number, channel: string): Promise<Dump> {
    const key = `${number}:${channel}`,
      deltas: TextDelta[] = [];
    let known = this.texts.get(key),
      last: { type: string; raw?: true } | undefined;
    for (let at = number; !known;) {
      const value = ((await this.record(at)) as CheckpointRecord).values[channel];
      if (value === undefined) throw new Error(`libaccp: record ${at} of the thread ${this.threadId} has no value of the channel ${channel}.`);
      if (typeof value === 'number') at = value;
      else if ('base' in value) {
        last ??= value;
        deltas.push({ prefix: value.prefix, suffix: value.suffix, middle: value.text });
        at = value.base;
        known = this.texts.get(`${at}:${channel}`);
      } else known = value;
    }
    if (deltas.length === 0) return known;
    const text = new GrowingText(known.text);
    for (const delta of deltas.reverse()) text.apply(delta);
    const made: Dump = { type: last!.type, text: text.toString(), ...(last!.raw && { raw: true }) };
    this.texts.set(key, made, made.text.length);
    return made;
  }

  /** Returns the record that has a version of a channel. `dumped` decides if there are several, as after a fork. */
  async findVersion(
    ns: string,
    channel: string,
    version: number | string | undefined,
    parent: StoredCheckpoint | undefined,
    dumped: () => Promise<Dump>,
  ): Promise<number | undefined> {
    if (version === undefined) return undefined;
    const all = this.byVersion.get(versionKey(ns, channel, version)) ?? [];
    const ofParent = parent?.versions[channel] === version ? parent.values.get(channel) : undefined;
    if (all.length <= 1) return ofParent ?? all[0];
    const { text } = await dumped();
    for (const one of ofParent === undefined ? all : [ofParent, ...all]) if ((await this.value(one, channel)).text === text) return one;
    return undefined;
  }

  /** Returns what to store for the value of a channel, given the record that has the value before it. */
  async encode(channel: string, value: Dump, base: number | undefined): Promise<StoredValue> {
    if (base === undefined) return value;
    const before = await this.value(base, channel);
    if (before.type !== value.type || before.raw !== value.raw) return value;
    if (before.text === value.text) return base;
    const delta = deltaOf(before.text, value.text);
    const stored = ((await this.record(base)) as CheckpointRecord).values[channel];
    const [depth, size] = typeof stored === 'object' && 'base' in stored ? [stored.depth, stored.size] : [0, 0];
    const sum = size + delta.middle.length;
    if (depth >= maxDepth || sum > value.text.length || delta.middle.length > value.text.length / 2) return value;
    return {
      type: value.type,
      ...(value.raw && { raw: true }),
      base,
      prefix: delta.prefix,
      suffix: delta.suffix,
      text: delta.middle,
      depth: depth + 1,
      size: sum,
    };
  }

  async append(record: ThreadRecord, values?: ReadonlyMap<string, Dump>): Promise<void> {
    if (this.log.length === 0) await this.log.append(JSON.stringify({ t: 'thread', id: this.threadId }));
    const number = await this.log.append(JSON.stringify(record));
    for (const [channel, value] of values ?? []) this.texts.set(`${number}:${channel}`, value, value.text.length);
  }

  /** The texts of all records. */
  async export(): Promise<string[]> {
    const texts: string[] = [];
    for (let number = 2; number <= this.log.length; ++number) texts.push(await this.log.record(number));
    return texts;
  }

  async import(texts: readonly string[]): Promise<void> {
    await this.log.append(JSON.stringify({ t: 'thread', id: this.threadId }));
    for (const text of texts) await this.log.append(text);
  }

  /** Removes checkpoints. The log is rewritten when most of it is removed. */
  async remove(ns: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.append({ t: 'removed', ns, ids: [...ids] });
    if (this.removed > Math.max(this.live, 16)) await this.compact();
  }

  private async compact(): Promise<void> {
    const texts = [JSON.stringify({ t: 'thread', id: this.threadId })];
    const moved = new Map<string, { number: number; value: Dump; depth: number; size: number }>();
    const all = [...this.spaces.values()].flatMap((space) => [...space.values()]).sort((a, b) => a.record - b.record);
    const newest = new Map<string, string>(); // of each channel, the key in moved
    for (const one of all) {
      if (one.record > 0) {
        const record = await this.checkpointRecord(one),
          number = texts.length + 1;
        const values: Record<string, StoredValue> = {};
        for (const [channel, at] of one.values) {
          const key = `${at}:${channel}`,
            known = moved.get(key);
          if (known) {
            values[channel] = known.number;
            continue;
          }
          const value = await this.value(at, channel),
            base = moved.get(newest.get(`${one.ns}\0${channel}`) ?? '');
          const delta =
            base && base.value.type === value.type && base.value.raw === value.raw && base.depth < maxDepth
              ? deltaOf(base.value.text, value.text)
              : undefined;
          const size = (base?.size ?? 0) + (delta?.middle.length ?? 0);
          if (base && delta && size <= value.text.length && delta.middle.length <= value.text.length / 2) {
            values[channel] = {
              type: value.type,
              ...(value.raw && { raw: true }),
              base: base.number,
              prefix: delta.prefix,
              suffix: delta.suffix,
              text: delta.middle,
              depth: base.depth + 1,
              size,
            };
            moved.set(key, { number, value, depth: base.depth + 1, size });
          } else {
            values[channel] = value;
            moved.set(key, { number, value, depth: 0, size: 0 });
          }
          newest.set(`${one.ns}\0${channel}`, key);
        }
        texts.push(JSON.stringify({ ...record, values }));
      }
      for (const write of one.writes.values()) {
        const record: WritesRecord = {
          t: 'writes',
          ns: one.ns,
          id: one.id,
          task: write.task,
          path: write.path,
          writes: [[write.index, write.channel, await this.write(write)]],
        };
        texts.push(JSON.stringify(record));
      }
    }
    await this.log.replace(texts);
  }
}

function versionKey(ns: string, channel: string, version: number | string | undefined): string {
  return JSON.stringify([ns, channel, version]);
}
