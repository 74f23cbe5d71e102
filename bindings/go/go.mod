module github.com/libaccp/libaccp/bindings/go

go 1.19
