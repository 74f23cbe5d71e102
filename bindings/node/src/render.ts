// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import { jsonText, kHandle, MemoryHandle, type Json, type Text } from './handle.js';
import { native, type Native } from './native.js';
import { withConfig, type Options } from './options.js';

/** How a text is rendered. */
export interface RenderOptions {
  /** The text comes from outside: it gets a mark, is one line, and has no invisible characters. */
  untrusted?: boolean | undefined;
  /** A table never has one row per line. */
  oneLine?: boolean | undefined;
  /** Also write the envelope of a message. */
  envelope?: boolean | undefined;
}

function flags(options: RenderOptions): number {
  return (options.untrusted ? 1 : 0) | (options.oneLine ? 2 : 0) | (options.envelope ? 4 : 0);
}

/** Converts JSON and frames to the compact text that a model reads instead, and back; docs/render.md. */
export class Renderer extends MemoryHandle {
  /** Makes a renderer. It uses limits, ignored, and what frames are decoded with. */
  constructor(options?: Options) {
    super(withConfig(options, (config) => native.render_new!(config) as Native, 'new Renderer()'));
  }

  /** Renders a value or message. E1001: not JSON. */
  render(value: Json, options: RenderOptions = {}): string {
    return native.render_json!(this[kHandle], jsonText(value), flags(options)) as string;
  }

  /** Renders a frame. */
  renderFrame(frame: Text, options: RenderOptions = {}): string {
    return native.render_frame!(this[kHandle], frame, flags(options)) as string;
  }

  /** Parses a rendered text: the exact inverse, except for the order of keys and an omitted envelope. */
  parse(text: Text): unknown {
    return JSON.parse(this.parseText(text)) as unknown;
  }

  /** As {@link parse}, as JSON text: exact for every number. */
  parseText(text: Text): string {
    return native.render_parse!(this[kHandle], text) as string;
  }
}
