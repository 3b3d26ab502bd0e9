import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validParts } from './validParts';

const schema = z.object({
  streams: z.array(
    z.object({ name: z.string(), clients: z.number().default(0), video: z.object({ width: z.number() }).nullish() }),
  ),
  version: z.string().optional(),
});

describe('a response with invalid parts', () => {
  it.each<[string, unknown, unknown, readonly string[]]>([
    ['nothing invalid', { streams: [{ name: 'a', clients: 2 }] }, [{ name: 'a', clients: 2 }], []],
    [
      'an optional value of another type',
      {
        streams: [
          { name: 'a', clients: 'many' },
          { name: 'b', clients: 3 },
        ],
        version: 3,
      },
      [
        { name: 'a', clients: 0 },
        { name: 'b', clients: 3 },
      ],
      ['streams.*.clients', 'version'],
    ],
    [
      'an entry without its name, and one that is null',
      { streams: [{ name: 'a' }, { clients: 3 }, null, { name: 'd' }] },
      [
        { name: 'a', clients: 0 },
        { name: 'd', clients: 0 },
      ],
      ['streams.*.name', 'streams.*'],
    ],
    [
      'a part within an optional part',
      { streams: [{ name: 'a', clients: 1, video: { width: '?' } }] },
      [{ name: 'a', clients: 1 }],
      ['streams.*.video.width'],
    ],
  ])('has the others: %s', (_, raw, streams, invalid) => {
    const parts = validParts(schema, raw);
    expect(parts).toMatchObject({ isUsable: true, data: { streams } });
    expect(parts.isUsable && parts.invalid.map((text) => text.replace(/:.*/, ''))).toEqual(invalid);
  });

  it.each([[{ other: 1 }], [{ streams: {} }], [{ streams: 'none' }], [null], [[]], ['text'], [undefined]])(
    'is unusable without its list: %j',
    (raw) => {
      expect(validParts(schema, raw)).toMatchObject({ isUsable: false });
    },
  );

  it('is not changed', () => {
    const raw = { streams: [{ name: 1 }, { name: 'b' }] };
    validParts(schema, raw);
    expect(raw).toEqual({ streams: [{ name: 1 }, { name: 'b' }] });
  });
});
