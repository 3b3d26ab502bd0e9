import { createHmac } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PlanTokens } from '../../domain/model/viewerTokens';
import { withAudienceTokens } from './audienceTokens';

const sources = { secrets: { value: ({ name }: { name: string }) => `value of ${name}` }, nowMs: () => 1_000_000_000 };
const whep = (tokens: PlanTokens) =>
  withAudienceTokens({ url: 'http://o/whep/cam' }, { tokens, protocol: 'whep', from: 'o' }, sources).tokens;

it('numbers the viewers of all testers, and of viewers that arrive later', () => {
  const next = whep({ template: 'viewer-{n}' });
  expect(next?.(2, 0)).toEqual(['viewer-1', 'viewer-2']);
  expect(next?.(1, 0)).toEqual(['viewer-3']);
});

it('takes each line of a list once', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'fullhouse-tokens-')), 'tokens.txt');
  writeFileSync(file, 'a\r\n\nb\nc\n');
  const next = whep({ file });
  expect(next?.(2, 0)).toEqual(['a', 'b']);
  expect(() => next?.(2, 0)).toThrow(/has 3 tokens, and viewer 4 needs one more/);
  expect(() => whep({ file: `${file}.gone` })).toThrow(/can't be read \(ENOENT\)/);
});

it('signs a token for each viewer with the secret of a reference', () => {
  const [token = ''] = whep({ secret: '$env:KEY', claims: '{"sub":"v{n}","room":"x"}' })?.(1, 5000) ?? [];
  const [head, body, signature] = token.split('.');
  expect(createHmac('sha256', 'value of KEY').update(`${head}.${body}`).digest('base64url')).toBe(signature);
  expect(JSON.parse(Buffer.from(body ?? '', 'base64url').toString())).toEqual({
    ...{ sub: 'v1', room: 'x' },
    ...{ iat: 999_400, exp: 1_000_605 },
  });
});

it('puts the token into addresses that have a place for it, else WHEP alone can send it', () => {
  const of = (url: string, protocol: 'hls' | 'whep') =>
    withAudienceTokens({ url }, { tokens: { template: 't/{n}' }, protocol, from: 'origin-1' }, sources);
  const { urls, tokens } = of('http://o/live/cam.m3u8?key={token}', 'hls');
  expect(urls?.(2)).toEqual(['http://o/live/cam.m3u8?key=t%2F1', 'http://o/live/cam.m3u8?key=t%2F2']);
  expect(tokens).toBeUndefined();
  expect(of('http://o/%7Btoken%7D/whep', 'whep').urls?.(1)).toEqual(['http://o/t%2F1/whep']);
  expect(() => of('http://o/live/cam.m3u8', 'hls')).toThrow(/The address of origin-1 over HLS has no \{token\}/);
});
