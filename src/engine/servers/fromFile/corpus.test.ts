import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { builtInFamilyNames, type BuiltInFamily } from '../../../domain/model/serverFamilies';
import { FullhouseError } from '../../../contract/calls';
import { VirtualTime } from '../../../../tests/support/virtualTime';
import type { PolledServer, ServerFound } from '../adapter';
import type { HttpLink, HttpRequest, HttpResponse } from '../../links/http/httpLink';
import { familyFromFile } from '.';
import { builtInRules, familyOf } from '../families';

/** One case a file: responses of a server, and what has to be read of them. Adding a case is adding a file. */
const folder = join(__dirname, '../../../../tests/fixtures/servers');
const response = z.strictObject({
  status: z.number().default(200),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(''),
});
const caseFile = z.strictObject({
  server: z.string(),
  family: z.enum(builtInFamilyNames as [BuiltInFamily, ...BuiltInFamily[]]),
  about: z.string(),
  /** Whether the responses were captured from a running server, or written after its documentation. */
  from: z.enum(['server', 'documentation']),
  atMs: z.number().optional(),
  /** Of its API, if the responses are those to a login. */
  password: z.string().optional(),
  /** By `PORT PATH`. Others are refused. */
  responses: z.record(z.string().regex(/^\d+ \//), response),
  reads: z.strictObject({
    found: z.string(),
    needs: z.array(z.string()).optional(),
    software: z.string().optional(),
    streams: z.array(z.record(z.string(), z.unknown())).optional(),
    figures: z.record(z.string(), z.number()).optional(),
    problem: z.string().optional(),
    /** Addresses by which it is found too, and the streams that they name. */
    names: z.record(z.string(), z.string()).optional(),
  }),
});
type Case = z.infer<typeof caseFile>;

/** A link that returns the responses of a case, and refuses connections to all other ports. */
function linkOf({ responses }: Case, usualPort = (port: string): string => port): HttpLink {
  const request = ({ url }: HttpRequest): Promise<HttpResponse> => {
    const { port: sent, pathname, search } = new URL(url);
    const port = usualPort(sent);
    const found = responses[`${port || '80'} ${pathname}${search}`] ?? responses[`${port || '80'} ${pathname}`];
    if (found) return Promise.resolve({ ...found, tookMs: 1 });
    const isOpen = Object.keys(responses).some((key) => key.startsWith(`${port || '80'} `));
    if (isOpen) return Promise.resolve({ status: 404, headers: {}, body: '', tookMs: 1 });
    return Promise.reject(new FullhouseError('refused', `Nothing listens on ${port}.`));
  };
  return {
    request,
    text: async (sent) => {
      const { status, body } = await request(sent);
      if (status < 200 || status > 299) throw new FullhouseError(`http-${status}`, `HTTP ${status}.`);
      return body;
    },
    json: () => Promise.reject(new Error('not used by families that are files')),
    close: () => undefined,
  };
}

const cases = readdirSync(folder).map((file) => ({
  file,
  content: caseFile.parse(parse(readFileSync(join(folder, file), 'utf8'))),
}));

describe.each(cases)('$file', ({ content }) => {
  const { family, reads } = content;
  const module = familyOf({ server: family });
  const http = linkOf(content);
  const secrets = content.password === undefined ? {} : { httpPassword: content.password };
  const startAt = (): VirtualTime => new VirtualTime(content.atMs);
  /** Ports of media are checked by real connections, whose limits are of this time. */
  const settled = async <T>(time: VirtualTime, pending: Promise<T>): Promise<T | Error> => {
    const result = pending.catch((error: Error) => error);
    await time.pass(10_000);
    return result;
  };
  const rules = builtInRules(family);
  /** On ports where nothing listens, from 1 on: the usual ones may be those of another server on this machine. */
  const places = Object.entries(rules.ports).map(([part, usual], index) => ({ part, usual, unused: index + 1 }));
  const elsewhere = { ...rules, ports: Object.fromEntries(places.map(({ part, unused }) => [part, unused])) };
  const usualPort = (port: string): string =>
    String(places.find(({ unused }) => String(unused) === port)?.usual ?? port);
  const open = (time: VirtualTime): PolledServer =>
    familyFromFile(elsewhere, { server: family }).open({
      who: 'node',
      settings: { server: family, url: 'http://127.0.0.1:1' },
      secrets: () => secrets,
      http: linkOf(content, usualPort),
      clock: time.clock,
    });

  it('is found by its bare host', async () => {
    const time = startAt();
    const found = await settled(time, module.look({ host: '127.0.0.1', secrets, http, clock: time.clock }));
    expect(found).toMatchObject({ software: reads.found });
    expect((found as ServerFound).needs).toEqual(reads.needs);
  });

  it.each(Object.entries(reads.names ?? {}))('is found by %s', async (address, stream) => {
    const time = startAt();
    const url = new URL(address);
    const found = await settled(time, module.look({ host: '127.0.0.1', url, secrets, http, clock: time.clock }));
    expect(found).toMatchObject({ software: reads.found, stream });
  });

  it('is no server of another family', async () => {
    for (const other of builtInFamilyNames.filter((name) => name !== family)) {
      const time = startAt();
      const look = familyOf({ server: other }).look;
      expect(await settled(time, look({ host: '127.0.0.1', secrets, http, clock: time.clock })), other).toBe(undefined);
    }
  });

  it('is read', async () => {
    const time = startAt();
    if (reads.problem !== undefined) {
      const fault = (await settled(time, open(time).poll())) as Error;
      expect(fault.message).toMatch(reads.problem);
      return;
    }
    const { streams, values } = await open(time).poll();
    expect(streams).toEqual(reads.streams ?? []);
    expect(values).toEqual(expect.objectContaining(reads.figures ?? {}));
    const identity = await settled(time, open(time).identify());
    expect(identity).toMatchObject({ software: reads.software });
  });
});
