// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>Formats for messages or tools of providers and files.</summary>
public enum AccpInterface
{
    /// <summary>
    /// The messages and tools of OpenAI's chat completions and compatible interfaces.
    /// </summary>
    OpenAI = 1,
    /// <summary>Those of Anthropic's Messages.</summary>
    Anthropic = 2,
    /// <summary>Tools of the Model Context Protocol.</summary>
    Mcp = 3,
    /// <summary>A session file of Claude Code.</summary>
    ClaudeCode = 4,
    /// <summary>A trajectory of SWE-agent.</summary>
    SweAgent = 5,
    /// <summary>SpecStory's Markdown of Cursor and others.</summary>
    SpecStory = 6,
    /// <summary>The chat history of aider.</summary>
    Aider = 7,
    /// <summary>Text or Markdown with a name before each statement.</summary>
    Speakers = 8,
    /// <summary>A session file of Codex.</summary>
    Codex = 9,
    /// <summary>A session of opencode, as it exports it.</summary>
    OpenCode = 10,
    /// <summary>A session file of pi.</summary>
    Pi = 11,
    /// <summary>A chat file of Gemini CLI.</summary>
    Gemini = 12,
}

/// <summary>Names of interfaces, and the tool with which a model fetches omitted text.</summary>
public static unsafe class AccpInterfaces
{
    /// <summary>
    /// Returns the name of an interface: <c>openai</c>; empty for an unknown value.
    /// </summary>
    public static string ToName(this AccpInterface form) => Utf8.Static(Native.accp_interface_name((int)form));

    /// <summary>Returns the interface of a name; null: no interface has that name.</summary>
    public static AccpInterface? Find(string name)
    {
        Utf8Text text = Utf8Text.Of(name);
        fixed (byte* bytes = text)
        {
            int found = Native.accp_interface_find(bytes, text.Length);
            return found < 0 ? null : (AccpInterface)found;
        }
    }

    /// <summary>
    /// Detects the interface of a text's messages by its beginning; null: our own messages or an
    /// unknown format.
    /// </summary>
    public static AccpInterface? Detect(Utf8Text text)
    {
        fixed (byte* bytes = text)
        {
            int found = Native.accp_interface_detect(bytes, text.Length);
            return found < 0 ? null : (AccpInterface)found;
        }
    }

    /// <summary>
    /// Returns the definition of the tool <c>resolve</c>: JSON for the tools of a request or for
    /// <c>tools/list</c> of the Model Context Protocol; null for an interface without tools.
    /// <see cref="EngineSession.Answer(Utf8Text, System.DateTimeOffset?)"/> returns the results of
    /// its calls.
    /// </summary>
    public static string? Tool(this AccpInterface form)
    {
        byte* definition = Native.accp_interface_tool((int)form);
        return definition == null ? null : Utf8.Static(definition);
    }

    /// <summary>The same as JSON.</summary>
    public static JsonElement? ToolElement(this AccpInterface form) => form.Tool() is string definition ? Utf8Text.Element(Utf8.Encode(definition)) : null;
}
