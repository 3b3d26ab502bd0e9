import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NodeSecrets, OriginSettings } from '../../src/domain/model/nodeSettings';
import { systemClock } from '../../src/engine/base/clock';
import { openHttpLink } from '../../src/engine/links/http/openHttpLink';
import type { PolledServer, ServerFound } from '../../src/engine/servers/adapter';
import { openviduFamily } from '../../src/engine/servers/openvidu';
import { startOpenvidu, type OpenviduStandIn } from '../standins/openvidu';
import { certificateMaker, type TestCertificate } from './servers/certificates';

const folder = mkdtempSync(join(tmpdir(), 'fullhouse-openvidu-'));
let certificate: TestCertificate;
let server: OpenviduStandIn;
const ends: Array<() => void> = [];

beforeAll(() => {
  // As created by OpenVidu's own installation.
  certificate = certificateMaker(folder).selfSigned('openvidu');
});
beforeEach(async () => {
  server = await startOpenvidu(certificate);
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await server.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(
  settings: Partial<OriginSettings> = {},
  secrets: NodeSecrets = { httpPassword: server.secret },
): PolledServer {
  const all: OriginSettings = { server: 'openvidu', url: server.url, selfSigned: true, ...settings };
  const http = openHttpLink({ who: 'calls', acceptSelfSigned: all.selfSigned === true });
  ends.push(() => http.close());
  return openviduFamily.open({
    who: 'calls',
    settings: all,
    secrets: () => secrets,
    http,
    clock: systemClock,
  });
}

async function look(port: number, secrets: NodeSecrets, acceptSelfSigned = true): Promise<ServerFound | undefined> {
  const http = openHttpLink({ who: '127.0.0.1', acceptSelfSigned });
  ends.push(() => http.close());
  return openviduFamily.look({ host: '127.0.0.1', port, secrets, http, clock: systemClock });
}

describe('sessions of OpenVidu 2', () => {
  it('are streams with publishers and subscribers', async () => {
    server.sessions.open('empty');
    server.sessions.open('class 7', Date.now() - 60_000);
    const teacher = server.sessions.join('class 7', {
      clientData: '{"clientData":"Ann"}',
      publish: { width: 640, height: 480 },
    });
    const screen = server.sessions.join('class 7', {
      publish: { width: 1920, height: 1080, typeOfVideo: 'SCREEN' },
      watches: [teacher],
    });
    server.sessions.join('class 7', { watches: [teacher, screen] });
    server.sessions.join('class 7', { clientData: 'just arrived' });

    const node = open();
    expect(await node.identify()).toEqual({ software: 'OpenVidu 2.30.0', process: 'kurento-media-server' });
    const { streams, values } = await node.poll();
    expect(streams).toEqual([
      {
        stream: 'empty',
        source: 'no publisher',
        viewers: 0,
        videoCodec: 'VP8',
        ageMs: expect.any(Number) as number,
      },
      {
        stream: 'class 7',
        source: `Ann, ${screen} (screen)`,
        viewers: 2,
        videoCodec: 'VP8',
        width: 1920,
        height: 1080,
        ageMs: expect.any(Number) as number,
      },
    ]);
    expect(streams[1]?.ageMs).toBeGreaterThanOrEqual(60_000);
    expect(values).toEqual({
      originStreams: 2,
      originViewers: 2,
      originConnections: 4,
      'server:publishers': 2,
      'server:subscriptions': 3,
    });
  });

  it('end on request', async () => {
    server.sessions.open('class 7');
    const node = open();
    await node.terminate?.('class 7');
    expect(server.asked).toContain('DELETE /openvidu/api/sessions/class%207');
    expect((await node.poll()).streams).toEqual([]);
    await expect(node.terminate?.('class 7')).rejects.toMatchObject({
      code: 'no-stream',
      message: 'calls: session "class 7" no longer exists.',
    });
  });
});

describe('a probe of OpenVidu 2', () => {
  it('detects it by the one call that needs no secret', async () => {
    const found = await look(Number(new URL(server.url).port), {});
    expect(found).toEqual({
      certainty: 0.95,
      software: 'OpenVidu 2',
      detail: `REST API at ${server.url}`,
      settings: { server: 'openvidu', url: server.url },
      needs: ['httpPassword'],
    });
  });

  it('reports the version with the secret, and a refused secret', async () => {
    const port = Number(new URL(server.url).port);
    const known = await look(port, { httpPassword: server.secret });
    expect(known).toMatchObject({ software: 'OpenVidu 2.30.0' });
    expect(known).not.toHaveProperty('needs');
    expect(await look(port, { httpPassword: 'wrong' })).toMatchObject({
      needs: ['httpPassword'],
      detail: `REST API at ${server.url}, secret rejected`,
    });
  });

  it('detects nothing behind an untrusted certificate, nor in a web page', async () => {
    const port = Number(new URL(server.url).port);
    expect(await look(port, {}, false)).toBeUndefined();
    server.answerInstead = '<!doctype html><title>Hello</title>';
    expect(await look(port, {})).toBeUndefined();
  });
});

describe('errors of OpenVidu 2', () => {
  const failure = async (node: PolledServer): Promise<{ code: string; message: string }> => {
    const error: unknown = await node.poll().catch((each: unknown) => each);
    return error as { code: string; message: string };
  };

  it('names the option for a self-signed certificate', async () => {
    const { code, message } = await failure(open({ selfSigned: false }));
    expect(code).toBe('tls');
    expect(message).toMatch(/^calls: the certificate of https:\/\/127\.0\.0\.1:\d+ is self-signed/);
  });

  it('reports a wrong or missing secret, without showing it', async () => {
    const wrong = await failure(open({}, { httpPassword: 'top-secret' }));
    expect(wrong).toMatchObject({
      code: 'openvidu-secret',
      message: 'calls: OpenVidu rejected the secret of the user OPENVIDUAPP; enter OPENVIDU_SECRET again.',
    });
    expect(await failure(open({}, {}))).toMatchObject({ code: 'needs-secret' });
    expect(await failure(open({ user: 'ann' }))).toMatchObject({
      code: 'openvidu-secret',
      message: expect.stringContaining('of the user ann;') as string,
    });
  });

  it.each([
    ['<html><body>Welcome</body></html>', 'not-json', 'an HTML page'],
    ['{"numberOfElements":1,"content":[{"id":"cla', 'not-json', 'incomplete JSON'],
    ['{"content":7}', 'bad-answer', 'content'],
  ])('with response %s', async (body, code, part) => {
    server.answerInstead = body;
    const trouble = await failure(open());
    expect(trouble.code).toBe(code);
    expect(trouble.message).toContain(part);
    expect(trouble.message).toMatch(/^calls: /);
  });

  it('reports a missing address', async () => {
    expect(await failure(open({ url: undefined }))).toMatchObject({ code: 'bad-address' });
  });
});
