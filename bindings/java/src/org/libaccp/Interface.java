// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_interface;

/**
 * Formats for messages or tools of providers and files: for {@link Session#contextMessages},
 * {@link Session#appendMessages} and {@link #tool()}.
 */
public enum Interface {
    /** The messages and tools of OpenAI's chat completions and compatible interfaces. */
    OPENAI(accp_interface.ACCP_INTERFACE_OPENAI),
    /** Those of Anthropic's Messages. */
    ANTHROPIC(accp_interface.ACCP_INTERFACE_ANTHROPIC),
    /** Tools of the Model Context Protocol. */
    MCP(accp_interface.ACCP_INTERFACE_MCP),
    /** A session file of Claude Code. */
    CLAUDE_CODE(accp_interface.ACCP_INTERFACE_CLAUDE_CODE),
    /** A trajectory of SWE-agent. */
    SWE_AGENT(accp_interface.ACCP_INTERFACE_SWE_AGENT),
    /** SpecStory's Markdown of Cursor and others. */
    SPECSTORY(accp_interface.ACCP_INTERFACE_SPECSTORY),
    /** The chat history of aider. */
    AIDER(accp_interface.ACCP_INTERFACE_AIDER),
    /** Text or Markdown with a name before each statement. */
    SPEAKERS(accp_interface.ACCP_INTERFACE_SPEAKERS),
    /** A session file of Codex. */
    CODEX(accp_interface.ACCP_INTERFACE_CODEX),
    /** A session of opencode, as it exports it. */
    OPENCODE(accp_interface.ACCP_INTERFACE_OPENCODE),
    /** A session file of pi. */
    PI(accp_interface.ACCP_INTERFACE_PI),
    /** A chat file of Gemini CLI. */
    GEMINI(accp_interface.ACCP_INTERFACE_GEMINI);

    final int number;

    Interface(int number) {
        this.number = number;
    }

    /** {@return its name: {@code "claude-code"}} */
    @Override
    public String toString() {
        return Texts.out(Raw.accp_interface_name(number));
    }

    /**
     * The interface of a name.
     *
     * @param name such as {@code "openai"}
     * @return the interface; null: no interface has that name
     */
    public static Interface of(String name) {
        Objects.requireNonNull(name, "name");
        for (Interface one : values()) {
            if (one.toString().equals(name)) {
                return one;
            }
        }
        return null;
    }

    /**
     * Detects the interface of a text's messages by its beginning.
     *
     * @param text of a file or a provider's messages
     * @return the interface; null: our own messages or an unknown format
     */
    public static Interface detect(String text) {
        int found = Raw.accp_interface_detect(Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8));
        for (Interface one : values()) {
            if (one.number == found) {
                return one;
            }
        }
        return null;
    }

    /**
     * Returns the definition of the tool {@code resolve}, with which a model fetches omitted text;
     * {@link Session#answer} returns the results of its calls.
     *
     * @return JSON for the tools of a request or for {@code tools/list} of the Model Context
     *     Protocol; null for an interface without tools
     */
    public String tool() {
        return Texts.out(Raw.accp_interface_tool(number));
    }
}
