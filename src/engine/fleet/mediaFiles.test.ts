import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { sourceOn } from './mediaFiles';
import type { FleetNode } from './node';

const folder = mkdtempSync(join(tmpdir(), 'fullhouse-media-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('uploads a file of this machine with its audio, once per content', async () => {
  const uploaded: string[][] = [];
  const there = new Set<string>();
  const host = {
    run: (argv: readonly string[]) => {
      const isHome = argv[0] === 'sh' && argv.length === 3;
      const code = argv[0] === 'test' && !there.has(argv[2] ?? '') ? 1 : 0;
      return Promise.resolve({ code, stdout: isHome ? '/home/qa/.fullhouse' : '', stderr: '' });
    },
    upload: (from: string, to: string) => {
      uploaded.push([from, to]);
      there.add(to);
      return Promise.resolve();
    },
  };
  const remote = { id: 'tester', trustHostKey: () => undefined, shell: () => Promise.resolve(host) };
  const tester = remote as unknown as FleetNode;
  const video = join(folder, 'my talk.ivf');
  writeFileSync(video, 'video');
  writeFileSync(join(folder, 'my talk.ogg'), 'audio');

  const path = await sourceOn(tester, video);
  expect(path).toMatch(/^\/home\/qa\/\.fullhouse\/media\/my_talk-[0-9a-f]{12}\.ivf$/);
  expect(uploaded).toEqual([
    [video, path],
    [join(folder, 'my talk.ogg'), path.replace(/ivf$/, 'ogg')],
  ]);
  expect(await sourceOn(tester, video)).toBe(path);
  expect(uploaded).toHaveLength(2);

  writeFileSync(video, 'another video');
  expect(await sourceOn(tester, video)).not.toBe(path);

  expect(await sourceOn(tester, '/only/there.mp4')).toBe('/only/there.mp4');
  expect(await sourceOn(tester, 'sample-240p')).toBe('sample-240p');
  expect(await sourceOn({ id: 'local' } as unknown as FleetNode, video)).toBe(video);
});
