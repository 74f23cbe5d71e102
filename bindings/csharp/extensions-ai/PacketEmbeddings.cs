// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>Relevance of packets by the vectors of any embedding generator of Microsoft.Extensions.AI.</summary>
public static class PacketEmbeddings
{
    /// <summary>
    /// Removes items that are not about a task, and seals the packet; <c>not_included</c> then has the removed amounts.
    /// The generator is called once, with all texts. After an exception the packet is unchanged.
    /// </summary>
    /// <param name="packet">Not to be changed by others until the call has ended.</param>
    /// <param name="task">Empty: the packet's own.</param>
    /// <param name="generator">Borrowed.</param>
    /// <param name="threshold">The least cosine of a kept item, from 0 to 1; 0: the best items by rank. The cosines of models differ:
    /// measure yours.</param>
    /// <param name="cancellationToken">Cancels the call of the generator.</param>
    public static async Task FilterAsync(this ContextPacket packet, string task, IEmbeddingGenerator<string, Embedding<float>> generator, double threshold = 0,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(packet);
        ArgumentNullException.ThrowIfNull(task);
        ArgumentNullException.ThrowIfNull(generator);
        var texts = new List<string>();
        using (var copy = new ContextPacket())
        {
            copy.Read(packet.ToJson(), verify: false);
            copy.Filter(task, threshold, some =>
            {
                texts.AddRange(some);
                return new TextVectors([.. some.Select(_ => new ReadOnlyMemory<float>([1]))], "");
            });
        }
        TextVectors made = await generator.ToVectorsAsync(texts, cancellationToken).ConfigureAwait(false);
        int next = 0;
        packet.Filter(task, threshold, some =>
        {
            if (next + some.Count > texts.Count || !some.SequenceEqual(texts.Skip(next).Take(some.Count))) throw new InvalidOperationException("the packet was changed during the call");
            next += some.Count;
            return made with { Vectors = [.. made.Vectors.Skip(next - some.Count).Take(some.Count)] };
        });
    }
}
