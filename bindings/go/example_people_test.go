// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp_test

import (
	"context"
	"fmt"

	accp "github.com/libaccp/libaccp/bindings/go"
)

// A person's request becomes a message that can be run, or a question.
func ExamplePhrases() {
	library, err := accp.NewLibrary([]byte(`{"verbs":[{"name":"search","description":"Looks for hotels.","inputs":{"city":"string"},"outputs":"hotels","required":["city"]}],
		"tools":[{"id":"H_API","description":"Hotels.","supported_verbs":["search"]}]}`))
	check(err)
	phrases, err := accp.NewPhrases([]byte(`{"ignore":["please"],"phrases":[{"say":["[find] hotels[ in {city}]"],"slots":{"city":{"type":"text"}},
		"message":{"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"{city}"}]]}}]}`), library)
	check(err)
	defer phrases.Close()
	for _, prompt := range []string{"Find hotels in Paris, please!", "hotels"} {
		message, verdict, err := phrases.Ask(context.Background(), prompt)
		check(err)
		fmt.Println(string(message), verdict.Needs)
	}
	// Output:
	// {"g":"FIND_HOTEL","plan":[["search","H_API",{"city":"Paris"}]]} []
	//  [ctx.city]
}

// Data for people, as their locale has it.
func ExamplePresenter() {
	presenter, err := accp.NewPresenter("{hotels, each, by price asc {{@}. {name}: {price, currency, EUR}\n}}", accp.Locale{Tag: "en-US"})
	check(err)
	defer presenter.Close()
	text, err := presenter.Print([]byte(`{"hotels":[{"name":"Ritz","price":1234.5},{"name":"Nord","price":99}]}`))
	check(err)
	fmt.Print(text)
	// Output:
	// 1. Nord: €99.00
	// 2. Ritz: €1,234.50
}
