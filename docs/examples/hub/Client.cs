// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Posts the frame that its argument is to a hub, and prints the answer: dotnet run Client.cs -- 'FRAME'
using System.Net.Http.Headers;
using System.Text;

using var http = new HttpClient { BaseAddress = new Uri("http://127.0.0.1:7117") };
var body = new ByteArrayContent(Encoding.UTF8.GetBytes(args[0]));
body.Headers.ContentType = new MediaTypeHeaderValue("application/accp");
using var answer = await http.PostAsync("/accp/v1/frames", body);
Console.WriteLine($"{(int)answer.StatusCode} {await answer.Content.ReadAsStringAsync()}"); // 204: it has no answer
