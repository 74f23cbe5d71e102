// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/**
 * Wraps a host's functions as callbacks: converts their arguments to Java and their results to the
 * library's form.
 */
final class Hooks {
    private Hooks() {}

    static Upcall resolving(Codec.Resolver resolver) {
        return new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) throws Exception {
                byte[] json = resolver.resolve(Texts.out(texts[0]));
                if (json == null) {
                    numbers[0] = 2001;
                }
                return json;
            }
        };
    }

    static Upcall keeping(Codec.Keeper keeper) {
        return new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) throws Exception {
                return Texts.orEmpty(keeper.keep(texts[0]));
            }
        };
    }

    static Upcall splitting(Codec.NextEnvelope next) {
        return new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) throws Exception {
                Envelope made = next.next(Envelope.of(texts, numbers, 1));
                System.arraycopy(made.texts(), 0, texts, 0, 4);
                System.arraycopy(made.numbers(), 0, numbers, 1, 4);
                return null;
            }
        };
    }

    static Upcall lookingUp(Codec.Tools tools) {
        return new Upcall(Upcall.INTERNAL) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) throws Exception {
                tools.check(Texts.out(texts[0]), texts[1].length == 0 ? null : Json.parse(texts[1]));
                return null;
            }
        };
    }

    static Upcall asking(Codec.Policy policy) {
        return new Upcall(Upcall.INTERNAL) {
            @Override
            byte[] answer(byte[][] t, long[] numbers) throws Exception {
                policy.check(new Codec.PolicyCase(numbers[1] != 0, numbers[2] != 0, Texts.out(t[0]), Texts.out(t[1]), Texts.out(t[2]), Texts.orNull(t[3]),
                        Texts.out(t[4])));
                return null;
            }
        };
    }

    static Upcall logging(Codec.Log log) {
        return new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) {
                try {
                    String line = Texts.out(texts[0]);
                    log.line(numbers[1] != 0, (int) numbers[2], numbers[2] == 0 ? line : Spelling.of(line));
                } catch (Throwable e) {
                    uncaught(e);
                }
                return null;
            }
        };
    }

    static Upcall telling(Engine.Events events) {
        return new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] t, long[] numbers) {
                try {
                    events.event(new Engine.Event(Engine.EventKind.values()[(int) numbers[1]], (int) numbers[2], numbers[3] != 0, numbers[4], numbers[5], numbers[6],
                            Texts.out(t[0]), Texts.out(t[1]), Texts.out(t[2]), Texts.out(t[3]), Texts.out(t[4]), numbers[7], numbers[8], numbers[9], numbers[10]));
                } catch (Throwable e) {
                    uncaught(e);
                }
                return null;
            }
        };
    }

    static Upcall summarising(Engine.Summariser summariser) {
        return new Upcall(0) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) {
                try {
                    byte[] summary = Texts.orEmpty(summariser.summarise(Texts.out(texts[0]), (int) numbers[1]));
                    numbers[0] = summary.length == 0 ? 0 : 1;
                    return summary;
                } catch (Throwable e) {
                    uncaught(e);
                    return null;
                }
            }
        };
    }

    static Upcall extracting(ContextPacket.Extractor extractor) {
        return new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) throws Exception {
                return Texts.orEmpty(extractor.extract(Texts.out(texts[0])));
            }
        };
    }

    static Upcall writing(Phrases.Model model) {
        return new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) throws Exception {
                try {
                    return Texts.orEmpty(model.answer(new Phrases.ModelRequest(Texts.out(texts[0]), Texts.out(texts[1]), Texts.orNull(texts[2]))));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw e;
                }
            }
        };
    }

    static Upcall keeping(ColdStore store) {
        return new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) throws Exception {
                String key = Texts.out(texts[0]);
                if (texts.length == 2) {
                    store.put(key, texts[1]);
                    return null;
                }
                byte[] text = store.get(key);
                if (text == null) {
                    numbers[0] = 2001;
                }
                return text;
            }
        };
    }
}
