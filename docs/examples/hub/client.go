// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Command client posts the frame that its argument is to a hub, and prints the answer:
// go run client.go 'FRAME'
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	answer, err := http.Post("http://127.0.0.1:7117/accp/v1/frames", "application/accp", strings.NewReader(os.Args[1]))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer answer.Body.Close()
	frame, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, string(frame)) // 204: it has no answer
}
