module github.com/libaccp/libaccp/bindings/go/example/otel

go 1.19

require (
	github.com/libaccp/libaccp/bindings/go v1.0.0
	go.opentelemetry.io/otel v1.1.0
)

replace github.com/libaccp/libaccp/bindings/go => ../..
