import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Audience } from '../../domain/model/plan';
import type { PlanTokens } from '../../domain/model/viewerTokens';
import { SecretMask } from '../../domain/secrets/secretMask';
import { withAudienceTokens } from './audienceTokens';

const folder = mkdtempSync(join(tmpdir(), 'fullhouse-tokens-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sources = {
  secrets: { value: ({ name }: { name: string }) => `value of ${name}`, mask: new SecretMask() },
  nowMs: () => 1_000_000_000,
};
const whep = async (tokens: PlanTokens) =>
  (await withAudienceTokens({ url: 'http://o/whep/cam' }, { tokens, protocol: 'whep', from: 'o', viewers: 3 }, sources))
    .tokens;

it('numbers the viewers of all testers, and of viewers that arrive later', async () => {
  const next = await whep({ template: 'viewer-{n}' });
  expect(next?.(2, 0)).toEqual(['viewer-1', 'viewer-2']);
  expect(next?.(1, 0)).toEqual(['viewer-3']);
});

it('takes each line of a list once', async () => {
  const file = join(folder, 'tokens.txt');
  writeFileSync(file, 'a\r\n\nb\nc\n');
  const next = await whep({ file });
  expect(next?.(2, 0)).toEqual(['a', 'b']);
  expect(() => next?.(2, 0)).toThrow(/has 3 tokens, and viewer 4 needs one more/);
  await expect(whep({ file: `${file}.gone` })).rejects.toThrow(/can't be read \(ENOENT\)/);
});

it('signs a token for each viewer with the secret of a reference', async () => {
  const [token = ''] = (await whep({ secret: '$env:KEY', claims: '{"sub":"v{n}","room":"x"}' }))?.(1, 5000) ?? [];
  const [head, body, signature] = token.split('.');
  expect(createHmac('sha256', 'value of KEY').update(`${head}.${body}`).digest('base64url')).toBe(signature);
  expect(JSON.parse(Buffer.from(body ?? '', 'base64url').toString())).toEqual({
    ...{ sub: 'v1', room: 'x' },
    ...{ iat: 999_400, exp: 1_000_605 },
  });
});

it('puts the token into addresses that have a place for it, else WHEP alone can send it', async () => {
  const of = (url: string, protocol: 'hls' | 'whep') =>
    withAudienceTokens({ url }, { tokens: { template: 't/{n}' }, protocol, from: 'origin-1', viewers: 2 }, sources);
  const { urls, tokens } = await of('http://o/live/cam.m3u8?key={token}', 'hls');
  expect(urls?.(2)).toEqual(['http://o/live/cam.m3u8?key=t%2F1', 'http://o/live/cam.m3u8?key=t%2F2']);
  expect(tokens).toBeUndefined();
  expect((await of('http://o/%7Btoken%7D/whep', 'whep')).urls?.(1)).toEqual(['http://o/t%2F1/whep']);
  await expect(of('http://o/live/cam.m3u8', 'hls')).rejects.toThrow(
    /The address of origin-1 over HLS has no \{token\}/,
  );
});

it('leaves the token to a header that has a place for it', async () => {
  const of = (url: string) =>
    withAudienceTokens(
      { url },
      {
        ...{ tokens: { template: 't{n}' }, headers: { 'X-Token': '{token}' } },
        ...({ protocol: 'hls', from: 'origin-1', viewers: 2 } as const),
      },
      sources,
    );
  expect((await of('http://o/cam.m3u8')).tokens?.(2, 0)).toEqual(['t1', 't2']);
  await expect(of('http://o/cam.m3u8?key={token}')).rejects.toThrow(/^Both the address of origin-1 and the headers/);
});

it('takes the lines that a program writes', async () => {
  const node = (script: string, ...args: string[]): PlanTokens => ({
    command: [process.execPath, '-e', script, ...args],
  });
  // A secret is on standard input: arguments can be read by every user of the machine.
  const lists = `const keys = JSON.parse(require('fs').readFileSync(0, 'utf8')); const name = process.argv[1];
    for (let n = 1; n <= process.env.FULLHOUSE_VIEWERS; n += 1) console.log(keys[name] + '-' + n)`;
  const next = await whep(node(lists, '$env:KEY'));
  expect(next?.(2, 0)).toEqual(['value of KEY-1', 'value of KEY-2']);
  expect(next?.(1, 0)).toEqual(['value of KEY-3']);
  expect(() => next?.(1, 0)).toThrow(/has 3 tokens, and viewer 4 needs one more/);
  await expect(whep(node('console.error("no database"); process.exit(3)'))).rejects.toThrow(
    /failed: it ended with 3: no database\. Correct "tokens\.command"/,
  );
  await expect(whep({ command: [join(folder, 'gone')] })).rejects.toThrow(/the program does not exist/);
});

it('refuses a list that is too short for its audience before the first viewer; a search may need fewer', async () => {
  const file = join(folder, 'short.txt');
  writeFileSync(file, 'a\nb\n');
  const given = { tokens: { file }, protocol: 'whep', from: 'o', viewers: 5 } as const;
  await expect(withAudienceTokens({ url: 'http://o' }, given, sources)).rejects.toThrow(
    /has 2 tokens, and viewer 3 needs one more/,
  );
  const search = {
    ...{ fromViewers: 1, maxViewers: 5, settleMs: 0, measureMs: 1, repeats: 1, precisionPercent: 5 },
  } satisfies Audience['search'];
  expect((await withAudienceTokens({ url: 'http://o' }, { ...given, search }, sources)).tokens?.(2, 0)).toEqual([
    'a',
    'b',
  ]);
});
