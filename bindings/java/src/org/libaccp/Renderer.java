// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.Raw;

/**
 * Converts JSON to the render form for a model, with an exact inverse:
 * {@code @planner req:schedule task:impl_auth ids:[7,"7"]}. One thread at a time.
 */
public final class Renderer extends Handle {
    /**
     * Makes a renderer with all defaults.
     *
     * @throws AccpException ERR_NOMEM
     */
    public Renderer() throws AccpException {
        this(null);
    }

    /**
     * Makes a renderer.
     *
     * @param options may be null
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public Renderer(Options options) throws AccpException {
        super(new State(Config.make(options, Raw::accp_render_new), false, Raw::accp_render_free));
    }

    /**
     * Renders a message, or any other value. Equal values and flags give equal bytes.
     *
     * @param json JSON
     * @param flags options
     * @return render text
     * @throws AccpException as {@link Json#parse(String)}
     */
    public String json(String json, RenderFlag... flags) throws AccpException {
        Objects.requireNonNull(flags, "flags");
        byte[] text = Texts.in(json, "json");
        return Texts.out(ask(handle -> Raw.accp_render_json(handle, text, RenderFlag.bits(flags))));
    }

    /**
     * Renders a frame; references are not resolved.
     *
     * @param frame the frame
     * @param flags options
     * @return render text
     * @throws AccpException as {@link FrameCodec#decodeMessage(String)}
     */
    public String frame(String frame, RenderFlag... flags) throws AccpException {
        Objects.requireNonNull(flags, "flags");
        byte[] text = Texts.in(frame, "frame");
        return Texts.out(ask(handle -> Raw.accp_render_frame(handle, text, RenderFlag.bits(flags))));
    }

    /**
     * Reads one rendered text. It is the exact inverse except for the order of keys and an omitted
     * envelope.
     *
     * @param text the whole record
     * @return compact JSON
     * @throws AccpException E1001: another grammar, a duplicate key, or over a limit; E1004: a lone
     *     surrogate, or too deep
     */
    public String parse(String text) throws AccpException {
        byte[] bytes = Texts.in(text, "text");
        return Texts.out(ask(handle -> Raw.accp_render_parse(handle, bytes)));
    }

    /**
     * For reading records from a stream: returns how many lines after this one have rows of the
     * table at its end.
     *
     * @param line the line
     * @return the number
     * @throws AccpException E1004 for a lone surrogate
     */
    public static long rows(String line) throws AccpException {
        return Raw.accp_render_row_count(Texts.in(line, "line"));
    }
}
