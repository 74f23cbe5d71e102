// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>Any embedding generator of Microsoft.Extensions.AI as an embedder of the library.</summary>
public static class TextEmbeddings
{
    /// <summary>
    /// Returns the generator as a function for <see cref="AccpConfig.Embedder"/>. It waits for the generator on the
    /// thread of the library's call.
    /// </summary>
    /// <param name="generator">Borrowed. It must live as long as the objects that are made with the config.</param>
    public static TextEmbedder ToEmbedder(this IEmbeddingGenerator<string, Embedding<float>> generator)
    {
        ArgumentNullException.ThrowIfNull(generator);
        return texts => Task.Run(() => generator.ToVectorsAsync(texts, default)).GetAwaiter().GetResult();
    }

    internal static async Task<TextVectors> ToVectorsAsync(this IEmbeddingGenerator<string, Embedding<float>> generator, IReadOnlyList<string> texts, CancellationToken cancellationToken)
    {
        GeneratedEmbeddings<Embedding<float>> made = await generator.GenerateAsync(texts, cancellationToken: cancellationToken).ConfigureAwait(false);
        if (made.Count != texts.Count) throw new InvalidOperationException($"the generator returned {made.Count} vectors for {texts.Count} texts");
        string? model = made.Count == 0 ? null : made[0].ModelId;
        return new TextVectors([.. made.Select(one => one.Vector)], model ?? generator.GetService<EmbeddingGeneratorMetadata>()?.DefaultModelId ?? "");
    }
}
