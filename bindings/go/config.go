// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package accp

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/libaccp/libaccp/bindings/go/internal/capi"
)

// config is made from the options of one New function: a config of C, and the objects that must
// outlive its handle.
type config struct {
	ptr       unsafe.Pointer // nil without options
	scratch   *capi.Scratch
	uses      []*shared
	store     *shared // or nil
	callsBack bool    // a call may run a function of the host
	clock     func() time.Time
}

// constructor is a C function that makes a handle.
type constructor func(config, out, err unsafe.Pointer) int

// create makes a C handle with options, and leaves it in scratch.Handle.
func create(options []Option, uses []*shared, construct constructor) (*config, error) {
	c := &config{scratch: capi.NewScratch(), clock: time.Now}
	err := c.create(options, uses, construct)
	if err != nil {
		release(c.uses)
		c.dropStore()
		c.scratch.Free()
		return nil, err
	}
	return c, nil
}

func (c *config) create(options []Option, uses []*shared, construct constructor) error {
	s := c.scratch
	for _, used := range uses {
		if err := c.use(used); err != nil {
			return err
		}
	}
	if len(options) > 0 {
		if err := c.done(capi.Accp_config_new(s.HandleOut(), s.Err())); err != nil {
			return err
		}
		c.ptr, s.Handle = s.Handle, nil
		defer capi.Accp_config_free(c.ptr)
	}
	for i, option := range options {
		if option == nil {
			return newError(CodeArgument, fmt.Sprintf("option %d of %d is nil: leave it out", i+1, len(options)))
		}
		if err := option(c); err != nil {
			return err
		}
	}
	return c.done(construct(c.ptr, s.HandleOut(), s.Err()))
}

// done makes an error from the status of a call on the config.
func (c *config) done(status int) error { return failure(status, c.scratch) }

// use keeps an object alive as long as the handle.
func (c *config) use(used *shared) error {
	if err := used.acquire(); err != nil {
		return err
	}
	c.uses = append(c.uses, used)
	return nil
}

func (c *config) dropStore() {
	if c.store != nil {
		c.store.release()
	}
}

func release(uses []*shared) {
	for _, used := range uses {
		used.release()
	}
}
