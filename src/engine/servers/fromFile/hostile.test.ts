import { describe, expect, it } from 'vitest';
import { checkFamily, type FamilyFile } from '../../../domain/family/familyFile';
import { matchAll } from '../../../domain/family/pattern';
import { FullhouseError } from '../../../contract/calls';
import { VirtualTime } from '../../../../tests/support/virtualTime';
import type { PolledServer } from '../adapter';
import { parseForeignXml } from '../foreignXml';
import type { HttpRequest } from '../../links/http/httpLink';
import { familyFromFile } from '.';
import { streamOf } from './detect';

const base = {
  title: 'Edge',
  ports: { api: 8000, media: 9000 },
  recognise: [{ get: 'http://{api}/' }],
  requests: { list: { get: 'http://{api}/list' } },
  streams: { from: 'list', each: '/*', name: '/name', viewers: '/viewers', bytesOut: '/out' },
};

function rulesOf(over: object): FamilyFile {
  const checked = checkFamily({ ...base, ...over });
  if ('fault' in checked) throw new Error(checked.fault);
  return { ...checked.rules, family: 'edge' };
}

interface Opened {
  readonly server: PolledServer;
  readonly sent: HttpRequest[];
  readonly remarks: string[];
}

function opened(over: object, answer: (path: string) => unknown, url = 'http://10.0.0.7:8000'): Opened {
  const sent: HttpRequest[] = [];
  const remarks: string[] = [];
  const server = familyFromFile(rulesOf(over), { server: 'file', familyFile: 'edge' }).open({
    who: 'edge',
    settings: { server: 'file', familyFile: 'edge', url },
    secrets: () => ({ httpPassword: 'secret' }),
    clock: new VirtualTime().clock,
    remark: (sentence) => remarks.push(sentence),
    http: {
      request: () => Promise.reject(new Error('not used')),
      json: () => Promise.reject(new Error('not used')),
      text: (request) => {
        sent.push(request);
        const { pathname, search } = new URL(request.url);
        const result = answer(pathname + search);
        return result instanceof Error ? Promise.reject(result) : Promise.resolve(JSON.stringify(result));
      },
      close: () => undefined,
    },
  });
  return { server, sent, remarks };
}

const oneStream = (name: unknown): unknown => [{ name, viewers: 1, out: 1, id: 'x y/z' }];

describe('a family file', () => {
  it.each(['app', 'stream'])('has no port called %s, which names streams in addresses', (part) => {
    const checked = checkFamily({ ...base, ports: { [part]: 80 }, recognise: [{ get: `http://{${part}}/` }] });
    expect(checked).toEqual({ fault: `ports: "${part}" can't be the name of a port.` });
  });

  it('sends what ends a stream to the host of its node only', async () => {
    const end = [{ method: 'DELETE', address: 'http://{media}/kick/{app}/{stream}/{/id}' }];
    const { server, sent } = opened({ end, app: 'evil.example' }, () => oneStream('cam'));
    await server.terminate?.('cam');
    expect(sent.at(-1)).toMatchObject({ method: 'DELETE', url: 'http://10.0.0.7:9000/kick/evil.example/cam/x%20y/z' });
  });

  it.each(['..', 'a/../b', '.'])('ends no stream called %s, which is another place in an address', async (name) => {
    const end = [{ method: 'DELETE', address: 'http://{api}/streams/{stream}' }];
    const { server, sent } = opened({ end }, () => oneStream(name));
    await expect(server.terminate?.(name)).rejects.toMatchObject({ code: 'not-possible' });
    expect(sent.filter(({ method }) => method !== undefined)).toEqual([]);
  });

  it('ends nothing with a body that lacks a value', async () => {
    const end = [{ method: 'POST', address: 'http://{api}/kick', json: { session: '{/session}' } }];
    const { server, sent } = opened({ end }, () => oneStream('cam'));
    await expect(server.terminate?.('cam')).rejects.toMatchObject({ code: 'not-possible' });
    expect(sent.filter(({ method }) => method !== undefined)).toEqual([]);
  });

  it('has a bounded number of requests', () => {
    const requests = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`r${n}`, { get: 'http://{api}/x' }]));
    expect(checkFamily({ ...base, requests: { ...requests, ...base.requests } })).toEqual({
      fault: 'requests: at most 20 are allowed.',
    });
  });
});

describe('odd answers', () => {
  it.each([
    ['\ud800', '\ufffd'],
    [7, '7'],
  ])('have the stream %j', async (name, stream) => {
    const { server } = opened({}, () => oneStream(name));
    expect((await server.poll()).streams).toMatchObject([{ stream }]);
  });

  it.each([null, 7, 'x', [[[]]], { a: null }])('%j have no streams', async (tree) => {
    const { server } = opened({}, () => tree);
    expect((await server.poll()).streams).toEqual([]);
  });

  it('without streams have no traffic, which is 0', async () => {
    const { server } = opened({}, () => []);
    expect((await server.poll()).values).toEqual({ originStreams: 0, originViewers: 0, originOutMbps: 0 });
  });

  const each = {
    requests: {
      names: { get: 'http://{api}/names' },
      list: { get: 'http://{api}/s/{/}', each: { from: 'names', at: '/*' } },
    },
    streams: { from: 'list', each: '/*', name: '/item', viewers: '/response/viewers' },
  };

  it('of some elements only are no figures of the server', async () => {
    const timeout = new FullhouseError('timeout', 'edge did not respond.');
    const { server } = opened(each, (path) =>
      path === '/names' ? ['a', 'b'] : path === '/s/a' ? { viewers: 3 } : timeout,
    );
    await expect(server.poll()).rejects.toThrow('edge did not respond.');
  });

  it('lack elements that are gone, and a long list is cut with a remark', async () => {
    const gone = new FullhouseError('http-404', 'gone');
    const { server } = opened(each, (path) =>
      path === '/names' ? ['a', 'b'] : path === '/s/a' ? { viewers: 3 } : gone,
    );
    expect((await server.poll()).values).toMatchObject({ originViewers: 3 });
    const long = opened(each, (path) =>
      path === '/names' ? Array.from({ length: 120 }, (_, n) => `s${n}`) : { viewers: 1 },
    );
    expect((await long.server.poll()).values).toMatchObject({ originViewers: 100 });
    expect(long.remarks).toEqual([expect.stringContaining('of 120 elements only the first 100 are read')]);
  });
});

it('an address keeps its path, but not a query', async () => {
  const { server, sent } = opened({}, () => [], 'http://10.0.0.7:8000/edge/?k=1');
  await server.poll();
  expect(sent[0]?.url).toBe('http://10.0.0.7:8000/edge/list');
});

it('the stream of a WebSocket address is known, secure or not', () => {
  const rules = rulesOf({ play: { 'ws-flv': 'ws://{media}/live/{stream}.flv' } });
  for (const scheme of ['ws', 'wss']) expect(streamOf(rules, new URL(`${scheme}://h:9000/live/cam.flv`))).toBe('cam');
});

it('a pattern is looked for in time that does not depend on what repeats', () => {
  const text = 'a'.repeat(100_000);
  expect(matchAll(text, 'a*a*a*b')).toBeUndefined();
  expect(matchAll(`x\nEdge one two/3.4`, 'edge*two/{version}')).toBe('3.4');
  expect(matchAll('Edge\ntwo', 'edge*two')).toBeUndefined();
});

it.each(['<_/>', '<é/>', '<a></a>'])('XML of too many %s is not parsed', (element) => {
  expect(parseForeignXml(`<x>${element.repeat(400_000)}</x>`, new Set())).toBeUndefined();
});
