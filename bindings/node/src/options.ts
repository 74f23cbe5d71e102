// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { wrongArgument } from './error.js';
import { handleOf } from './handle.js';
import { checkKnown, type Known } from './known.js';
import type { Limits, Rules } from './names.generated.js';
import { native, type Native } from './native.js';
import { Registry } from './registry.js';
import { Store } from './store.js';
import { Tokenizer } from './tokenizer.js';

/** Extensions of the specification; docs/wire.md. */
export type Extension = 'q1' | 't1' | 'u8' | 'p1' | 'w1';

/** Settings of new objects. Each object uses those that concern it; docs of accp/config.h list them. They are copied. */
export interface Options {
  /** Limits of texts and of memory. */
  limits?: Limits | undefined;
  /** Rules of codecs and sessions. */
  rules?: Rules | undefined;
  /** Extensions that are in force; default: q1. */
  extensions?: readonly Extension[] | undefined;
  /** Which frames are accepted; default: strict. */
  dialect?: 'strict' | 'compat' | 'u8' | undefined;
  /** The registry of schemas; default: an engine has the schemas of the specification, a codec none. */
  registry?: Registry | undefined;
  /** How tokens are counted; default: o200k_base. */
  tokenizer?: Tokenizer | undefined;
  /** The schema of a codec's messages that name none. */
  schema?: string | undefined;
  /** Members of messages that encoding ignores instead of rejecting them. */
  ignored?: readonly string[] | undefined;
  /** The host's own agents: no peer may send under these names. */
  ownAgents?: readonly string[] | undefined;
  /** Agents whose content is data and no instruction, whatever they send. */
  untrustedAgents?: readonly string[] | undefined;
}

/** Settings of an engine. */
export interface EngineOptions extends Options {
  /** Where sessions are kept; default: in the memory of the engine. */
  store?: Store | undefined;
}

const extensionBits: Readonly<Record<Extension, number>> = { q1: 1, t1: 2, u8: 4, p1: 8, w1: 16 };
const dialects = ['strict', 'compat', 'u8'];

const known: Known<Options> = {
  limits: true,
  rules: true,
  extensions: true,
  dialect: true,
  registry: true,
  tokenizer: true,
  schema: true,
  ignored: true,
  ownAgents: true,
  untrustedAgents: true,
};
const knownOfEngine: Known<EngineOptions> = { store: true, ...known };

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function number(name: string, find: 'rule_find' | 'limit_find', what: string): number {
  const found = native[find]!(snake(name)) as number;
  if (found < 0 || /_/.test(name)) throw wrongArgument('', `there is no ${what} '${name}'; the type ${what === 'rule' ? 'Rules' : 'Limits'} lists them in camelCase`);
  return found;
}

function has(find: 'rule_find' | 'limit_find', name: string): boolean {
  return !/_/.test(name) && (native[find]!(snake(name)) as number) >= 0;
}

// A rule or a limit beside the others instead of inside.
function hintOf(name: string): string | undefined {
  if (has('rule_find', name)) return `it is a rule, rules: { ${name} }`;
  return has('limit_find', name) ? `it is a limit, limits: { ${name} }` : undefined;
}

/** Calls make with a config of the options, which is freed afterwards. @internal */
export function withConfig<T>(options: EngineOptions | undefined, make: (config: Native | undefined) => T, call = ''): T {
  if (options === undefined) return make(undefined);
  if (typeof options !== 'object' || options === null) throw wrongArgument('', 'the options must be an object');
  checkKnown(call === '' ? 'the object' : call, options, call === 'new Engine()' ? knownOfEngine : known, hintOf);
  const config = native.config_new!() as Native;
  try {
    for (const [name, value] of Object.entries(options.limits ?? {})) {
      if (value !== undefined) native.config_set_limit!(config, number(name, 'limit_find', 'limit'), value);
    }
    for (const [name, value] of Object.entries(options.rules ?? {})) {
      if (value !== undefined) native.config_set_rule!(config, number(name, 'rule_find', 'rule'), Number(value));
    }
    if (options.extensions !== undefined) {
      let bits = 0;
      for (const one of options.extensions) {
        const bit = extensionBits[one];
        if (bit === undefined) throw wrongArgument('', `there is no extension '${String(one)}'; there are ${Object.keys(extensionBits).join(', ')}`);
        bits |= bit;
      }
      native.config_set_rule!(config, number('extensions', 'rule_find', 'rule'), bits);
    }
    if (options.dialect !== undefined) {
      const dialect = dialects.indexOf(options.dialect);
      if (dialect < 0) throw wrongArgument('', `there is no dialect '${String(options.dialect)}'; there are ${dialects.join(', ')}`);
      native.config_set_rule!(config, number('dialect', 'rule_find', 'rule'), dialect);
    }
    if (options.registry !== undefined) native.config_set_registry!(config, handleOf(options.registry, Registry, 'options.registry'));
    if (options.tokenizer !== undefined) native.config_set_tokenizer!(config, handleOf(options.tokenizer, Tokenizer, 'options.tokenizer'));
    if (options.store !== undefined) native.config_set_store!(config, handleOf(options.store, Store, 'options.store'));
    if (options.schema !== undefined) native.config_set_schema!(config, options.schema);
    for (const name of options.ignored ?? []) native.config_add_ignored!(config, name);
    for (const name of options.ownAgents ?? []) native.config_add_own_agent!(config, name);
    for (const name of options.untrustedAgents ?? []) native.config_set_agent_origin!(config, name, 1);
    return make(config);
  } finally {
    native.close(config);
  }
}
