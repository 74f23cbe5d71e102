// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import org.libaccp.Engine;
import org.libaccp.Message;
import org.libaccp.Session;

/** Two agents: the planner sends a message, the worker receives its frame, and has a context for its model. */
public final class Ten {
    private Ten() {}

    /** Prints the frame, the message, and the context with its tokens. */
    public static void main(String[] args) throws Exception {
        Message message = Message.parse("{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"schedule\",\"payload\":{\"task\":\"impl_auth\",\"priority\":\"high\"}}");

        // README begin
        try (Engine here = Engine.open(); Engine there = Engine.open();
                Session planner = here.session("planner"); Session worker = there.session("worker")) {
            String frame = planner.send(message);
            System.out.println(frame);
            worker.receive(frame);
            for (Session.Delivery in; (in = worker.nextDelivery()) != null;) {
                System.out.println(in.message());
            }
            Session.Context context = worker.context();
            System.out.println(context.text() + "(" + context.tokens() + " tokens)");
        }
        // README end
    }
}
