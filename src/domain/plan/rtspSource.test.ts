import { expect, it } from 'vitest';
import { rtspFault } from './rtspSource';
import { parsePlan } from './planYaml';

const camera = 'rtsp://camera:554/1';

it('accepts a camera whose address is the name of the stream', () => {
  expect(rtspFault({ stream: camera, source: camera })).toBeUndefined();
  expect(rtspFault({ stream: 'cam', source: 'sample-240p' })).toBeUndefined();
});

it('refuses what a server can’t pull', () => {
  const usual = { stream: camera, source: camera };
  for (const [wrong, word] of [
    [{ stream: 'cam' }, 'as its name too'],
    [{ by: 'audience' }, '"by"'],
    [{ publishers: 2 }, '"publishers"'],
    [{ protocol: 'rtmp' as const }, '"protocol"'],
    [{ source: 'rtsp://user:secret@camera/1' }, 'password'],
    [{ source: 'rtsp://[' }, 'not an RTSP address'],
  ] as const)
    expect(rtspFault({ ...usual, ...wrong })).toContain(word);
});

it('reports it at the source of a plan', () => {
  const text = `
name: camera
nodes: { origin: { server: wcs, url: "http://origin:8081" }, audience: { tester: local } }
publish: [{ stream: cam, node: origin, source: "${camera}" }]
pull: { stream: cam, from: origin, by: [audience], protocol: wcs, viewers: 1, rate: 1/s, hold: 1s }
`;
  expect(() => parsePlan(text)).toThrow(/publish\.0\.source.*as its name too/);
});
