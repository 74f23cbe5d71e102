/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* Runs a program with the bytes of a file as the first part of its input, which stays open. Ends
 * with its status. open_input INPUT PROGRAM ARGUMENT... */
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
    HANDLE in_read, in_write;
    STARTUPINFOA start = {sizeof start};
    PROCESS_INFORMATION child;
    DWORD wrote, status;
    FILE *input = argc < 3 ? NULL : fopen(argv[1], "rb");
    if (!input) return fail("the input");
    SetConsoleCtrlHandler(go_on, TRUE);
    for (int i = 2; i < argc; ++i) strcat(strcat(line, i > 2 ? " " : ""), argv[i]);
    if (!CreatePipe(&in_read, &in_write, NULL, 0)) return fail("a pipe");
    SetHandleInformation(in_read, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = in_read;
    start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
    start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child))
        return fail(line);
    CloseHandle(in_read);
    WriteFile(in_write, block, (DWORD)fread(block, 1, sizeof block, input), &wrote, NULL);
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &status);
    return (int)status;
}
