import { z } from 'zod';

/**
 * What the agent protocol's schemas are made of. The Go types are generated from them (`npm run protocol`), so their
 * metadata also states how Go holds a value:
 *
 * - `id`: the name of the Go type;
 * - `goType`: its type, where `int`, `float64`, `string` … do not fit;
 * - `go`: how an optional field is sent, if not as usual. Usual is: a number or an object is a pointer, anything else is
 *   left out when empty.
 */
export const count = z.number().int().nonnegative();
/** Packets, bytes and the like: may exceed 32 bits. */
export const counter = count.meta({ goType: 'uint64' });
/** Unix time in milliseconds, UTC. */
export const timeMs = count.meta({ goType: 'int64' });
/** A whole number that is not checked to be one: figures of servers have been fractions. */
export const loose = (goType: 'int' | 'int64' | 'uint64') => z.number().meta({ goType });

/** Left out when 0. */
export const unlessZero = <Schema extends z.ZodType>(schema: Schema) => z.optional(schema).meta({ go: 'unless zero' });
/** Sent by every agent of today; older ones and other sources may lack it. */
export const alwaysSent = <Schema extends z.ZodType>(schema: Schema) => z.optional(schema).meta({ go: 'always' });
/** For a flag whose absence is not the same as false. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) => z.optional(schema).meta({ go: 'pointer' });
