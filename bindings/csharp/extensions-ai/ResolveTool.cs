// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>
/// The tool with which a model fetches omitted text, for one request. A function-invoking client between this package
/// and the provider calls it like any other function.
/// </summary>
internal sealed class ResolveTool(string name, Conversations.View view) : AIFunction
{
    private static readonly JsonElement Definition = AccpInterface.OpenAI.ToolElement()!.Value.GetProperty("function");

    public override string Name => name;

    public override string Description => Definition.GetProperty("description").GetString()!;

    public override JsonElement JsonSchema => Definition.GetProperty("parameters");

    protected override async ValueTask<object?> InvokeCoreAsync(AIFunctionArguments arguments, CancellationToken cancellationToken) =>
        await AnswerAsync(arguments, cancellationToken).ConfigureAwait(false);

    internal Task<string> AnswerAsync(IEnumerable<KeyValuePair<string, object?>>? arguments, CancellationToken cancellationToken)
    {
        // The model's arguments are texts or JSON. Whatever has no JSON is an error that the model reads.
        var given = (arguments ?? []).ToDictionary(one => one.Key, one => one.Value);
        return view.AnswerAsync(MessageForm.Write(given, AIJsonUtilities.DefaultOptions) ?? "null", cancellationToken);
    }
}
