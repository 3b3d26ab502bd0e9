import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z as zod } from 'zod/v4';
import { builtSchemas, z } from './deferredSchemas';

/** How many schemas an act builds. */
async function builtBy(act: () => void | Promise<void>): Promise<number> {
  const before = builtSchemas();
  await act();
  return builtSchemas() - before;
}

describe('schemas that are built when they are first used', () => {
  it('builds none of the contract when it is loaded', async () => {
    // Modules may have been loaded by another test of this process: then nothing is built either.
    expect(
      await builtBy(async () => {
        await import('./engine');
        await import('./shell');
        await import('./agentProtocol');
      }),
    ).toBe(0);
  });

  it('builds what an object contains when such an object first occurs', async () => {
    const inner = z.object({ name: z.string().min(2), size: z.number().int().optional() });
    const outer = z.object({ one: inner.nullable(), all: z.array(inner) });
    expect(await builtBy(() => void outer.array())).toBe(0);
    const whenEmpty = await builtBy(() => void outer.parse({ one: null, all: [] }));
    const whenFull = await builtBy(() => void outer.parse({ one: null, all: [{ name: 'ab' }] }));
    expect(whenFull).toBeGreaterThan(0);
    expect(await builtBy(() => void outer.parse({ one: { name: 'ab', size: 1 }, all: [] }))).toBe(0);
    expect(whenEmpty).toBeLessThan(5);
  });

  it('accepts and refuses what zod does, with the same words', () => {
    const of = ({
      object,
      strictObject,
      string,
      number,
      array,
      union,
      literal,
      discriminatedUnion,
      record,
    }: typeof zod) => {
      const base = object({ id: string().trim().min(1, 'Give it a name.'), at: number().default(3) });
      return strictObject({
        base: base.extend({ more: array(string()).max(1) }),
        part: base.partial().optional(),
        either: union([literal('a'), number()]).optional(),
        kind: discriminatedUnion('kind', [object({ kind: literal('x'), v: number() }), object({ kind: literal('y') })]),
        map: record(
          string(),
          number().refine((each) => each > 0),
        ).optional(),
        shaped: object({ ...base.shape }).optional(),
      });
    };
    const deferred = of(z as unknown as typeof zod);
    const usual = of(zod);
    const good = { base: { id: ' a ', more: [] }, kind: { kind: 'x', v: 1 }, shaped: { id: 'b' } };
    for (const value of [
      good,
      { ...good, part: {}, either: 'a', map: { a: 1 } },
      { ...good, base: { id: '', more: ['a', 'b'] } },
      { ...good, kind: { kind: 'z' } },
      { ...good, map: { a: -1 }, extra: 1 },
      null,
    ]) {
      const [ours, theirs] = [deferred, usual].map((schema) => schema.safeParse(value));
      expect(ours?.success).toBe(theirs?.success);
      expect(ours?.data).toEqual(theirs?.data);
      expect(ours?.error?.issues).toEqual(theirs?.error?.issues);
    }
    expect(deferred).toBeInstanceOf(zod.ZodObject);
  });

  it('has all of zod that the product calls', () => {
    const root = join(import.meta.dirname, '..');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(ts|svelte)$/.test(file),
    );
    const called = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/(?<![\w.])z\.(\w+)(?:\.\w+)*\(/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(called.length).toBeGreaterThan(500);
    expect([...new Set(called)].filter((name) => !(name in z))).toEqual([]);
  });
});
