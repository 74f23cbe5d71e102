// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.libaccp.AccpException;
import org.libaccp.Json;
import org.libaccp.Library;
import org.libaccp.PlanDriver;
import org.libaccp.PlanRequest;
import org.libaccp.Sacp;
import org.libaccp.Tool;

/** The specification's FIND_HOTEL: made whole, and run with three programs as its tools. The argument is the folder with message, library and programs: docs/examples/hotel. */
public final class Hotel {
    private Hotel() {}

    /** Prints what the last step wrote. */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]).toAbsolutePath();
        String message = Files.readString(folder.resolve("request.json")), verbs = Files.readString(folder.resolve("library.json"));
        // README begin
        Sacp.Planned whole;  // what is missing comes from the context, and from the steps before
        try (Library library = new Library(verbs); Sacp sacp = new Sacp(library)) {
            whole = sacp.plan(message);
        }
        if (!whole.verdict().isValid()) {
            throw whole.verdict().toException();
        }
        Map<String, Tool> tools = Map.of("H_API", program(folder.resolve("search")), "RANK", program(folder.resolve("rank")), "PRES", program(folder.resolve("present")));
        try (PlanDriver driver = PlanDriver.start(new PlanRequest(whole.message()).library(verbs), tools)) {
            System.out.println(driver.await().orThrow().asString());
        }
        // README end
    }

    /** A program as a tool: params on its standard input, the result on its standard output. */
    private static Tool program(Path path) {
        return call -> {
            Process process = new ProcessBuilder(path.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            call.stopped().thenRun(process::destroy);
            try (var in = process.getOutputStream()) {
                in.write(call.json().toBytes());
            }
            byte[] answer = process.getInputStream().readAllBytes();
            if (process.waitFor() != 0) {
                throw new AccpException.ToolExecFailed("exit status " + process.exitValue());
            }
            return Json.parse(answer);
        };
    }
}
