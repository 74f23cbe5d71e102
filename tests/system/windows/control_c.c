/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* Starts a program with a file as the first part of its input, and sends it Ctrl+C when it has
 * answered. Prints its output. control_c INPUT PROGRAM ARGUMENT... */
#include <stdio.h>
#include <string.h>
#include <windows.h>

static BOOL WINAPI go_on(DWORD event) {
    (void)event;
    return TRUE;
}

static int fail(const char *what) {
    fprintf(stderr, "%s: error %lu\n", what, GetLastError());
    return 2;
}

int main(int argc, char **argv) {
    char line[4096] = "", block[65536];
    HANDLE in_read, in_write, out_read, out_write;
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    STARTUPINFOA start = {sizeof start};
    PROCESS_INFORMATION child;
    DWORD got, wrote, status, seen = 0;
    FILE *input;
    if (argc < 3) return 2;
    if (!GetConsoleWindow() && !AllocConsole() && GetLastError() != ERROR_ACCESS_DENIED)
        return fail("AllocConsole");
    SetConsoleCtrlHandler(go_on, TRUE);
    for (int i = 2; i < argc; ++i) strcat(strcat(line, i > 2 ? " " : ""), argv[i]);
    CreatePipe(&in_read, &in_write, &inherited, 0);
    CreatePipe(&out_read, &out_write, &inherited, 0);
    SetHandleInformation(in_write, HANDLE_FLAG_INHERIT, 0);
    SetHandleInformation(out_read, HANDLE_FLAG_INHERIT, 0);
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = in_read;
    start.hStdOutput = out_write;
    start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child))
        return fail(line);
    CloseHandle(in_read);
    CloseHandle(out_write);
    input = fopen(argv[1], "rb");
    if (!input) return fail(argv[1]);
    got = (DWORD)fread(block, 1, sizeof block, input);
    WriteFile(in_write, block, got, &wrote, NULL);
    /* The input stays open: only Ctrl+C ends it. */
    while (ReadFile(out_read, block, sizeof block, &got, NULL) && got) {
        fwrite(block, 1, got, stdout);
        for (DWORD i = 0; i < got; ++i) seen += block[i] == '\n';
        if (seen == 2 && !GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0))
            return fail("GenerateConsoleCtrlEvent");
    }
    fflush(stdout);
    if (WaitForSingleObject(child.hProcess, 60000)) return fail("the program goes on");
    GetExitCodeProcess(child.hProcess, &status);
    return (int)status;
}
