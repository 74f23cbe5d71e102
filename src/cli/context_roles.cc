// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp context roles: what to add to the instructions of an orchestrator and of a worker.
#include "cli/context_panes.h"
#include "cli/host.h"

namespace cli {
namespace {

constexpr const char *kOrchestrator =
    R"(## Handing over context

Before you start a worker, make a context packet for it.

1. Judge the task: simple, standard or complex.
2. Choose the depth by that:
   - simple (minimal): goal and constraints
   - standard (standard): and decisions, files and patterns
   - complex (deep): and failed attempts and open questions
   `agentwire context advise --kind KIND` says what has been enough for such tasks.
3. Write the packet of the worker's pane, here of pane 1:
   `agentwire context generate "TASK" --depth standard --pane 1 --conversation FILE`
   Look at it with `agentwire context preview --pane 1`, and correct it with `edit`.
4. Begin the worker's task with this line:
   Read your context packet first: .agentwire/context/pane-1.yaml

When something changes, `agentwire context push --pane 1 FILE` replaces the packet and prints the
frame that tells the worker. When the task is over, say how it went:
`agentwire context record --pane 1 --kind KIND --success` (or `--fail`).
)";

constexpr const char *kWorker =
    R"(## Your context packet

When you begin:
1. Read your packet: `.agentwire/context/pane-{N}.yaml`, or with what all share:
   `agentwire context read`.
2. Its decisions are made. Do not decide them again.
3. Follow its constraints exactly.
4. If it is out of date or not enough, say so and ask, before you look for everything yourself.

When you are done, say what the packet was like:
- What context would have helped?
- What context was provided but unused?

`agentwire context feedback --gap "Needed: ..." --unused "Received: ..."` writes it to
`.agentwire/feedback/pane-{N}.md`. If nothing was missing: `--gap "No context gaps"`.
)";

}  // namespace

int print_role(const Arguments &arguments, Streams &io) {
    if (arguments.orchestrator == arguments.worker)
        throw Failure("context roles takes --orchestrator or --worker");
    const char *text = arguments.worker ? kWorker : kOrchestrator;
    if (!arguments.json) {
        io.out.text.append(text);
        return 0;
    }
    io.out.text.append(arguments.worker ? R"({"role":"worker","text":)"
                                        : R"({"role":"orchestrator","text":)");
    append_json_string(text, io.out.text);
    io.out.text.append("}\n");
    return 0;
}

}  // namespace cli
