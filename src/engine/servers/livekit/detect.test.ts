import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import { systemClock } from '../../base/clock';
import type { HttpResponse, HttpLink } from '../../links/http/httpLink';
import type { ProbeTarget } from '../adapter';
import { look } from './detect';

/** Responds at these addresses only. */
function linkTo(answers: Readonly<Record<string, readonly [status: number, body: string]>>): {
  readonly http: HttpLink;
  readonly requests: string[];
} {
  const requests: string[] = [];
  const refuse = (): Promise<never> => Promise.reject(new FullhouseError('refused', 'silence'));
  const http: HttpLink = {
    request: ({ url }) => {
      requests.push(url);
      const [status, body] = answers[url] ?? [];
      return status === undefined
        ? refuse()
        : Promise.resolve({ status, body: body ?? '', headers: {}, tookMs: 1 } satisfies HttpResponse);
    },
    json: refuse,
    text: refuse,
    close: () => undefined,
  };
  return { http, requests };
}
const target = (http: HttpLink, over: Partial<ProbeTarget> = {}): ProbeTarget => ({
  host: 'sfu',
  secrets: {},
  http,
  clock: systemClock,
  ...over,
});
const noToken = 'no permissions to access the room';

describe('probing a host', () => {
  it('tries LiveKit on 7880 and 443, and its metrics on 6789', async () => {
    const { http, requests } = linkTo({
      'https://sfu/rtc/validate': [401, noToken],
      'https://sfu/': [200, 'OK'],
      'https://sfu/twirp/health': [404, '404 page not found'],
      'http://sfu:6789/metrics': [200, '# HELP x\nlivekit_room_total{node_id="ND_1"} 0\n'],
    });
    expect(await look(target(http))).toEqual({
      certainty: 0.95,
      software: 'LiveKit',
      detail: 'API on 443, metrics on 6789',
      settings: { server: 'livekit', url: 'https://sfu', metrics: 'http://sfu:6789/metrics' },
      needs: ['apiKey', 'apiSecret'],
    });
    expect(requests).toContain('http://sfu:7880/rtc/validate');
  });

  it('recognises OpenVidu 3 by the call that only its build has, also while it is not ready', async () => {
    for (const health of [
      [200, 'OK'],
      [406, 'Not Ready\nNode Updated At 0001'],
    ] as const) {
      const { http } = linkTo({
        'https://sfu/rtc/validate': [401, noToken],
        'https://sfu/': [200, '<html><head><title>Welcome</title></head></html>'],
        'https://sfu/twirp/health': health,
      });
      expect(await look(target(http))).toMatchObject({
        software: 'OpenVidu 3',
        settings: { server: 'livekit' },
      });
    }
  });

  it('recognises an older OpenVidu 3 by its page', async () => {
    const { http } = linkTo({
      'http://sfu:7880/rtc/validate': [401, noToken],
      'http://sfu:7880/': [200, '<!doctype html><title>OpenVidu Local</title>'],
      'http://sfu:7880/twirp/health': [404, ''],
    });
    expect(await look(target(http))).toMatchObject({ software: 'OpenVidu 3' });
  });

  it('probes only the entered port, over http and https', async () => {
    const { http, requests } = linkTo({});
    expect(await look(target(http, { port: 8443 }))).toBeUndefined();
    expect(requests.sort()).toEqual([
      'http://sfu:6789/metrics',
      'http://sfu:8443/rtc/validate',
      'https://sfu:8443/rtc/validate',
    ]);
  });

  it('puts IPv6 addresses in brackets', async () => {
    const { http, requests } = linkTo({});
    await look(target(http, { host: 'fe80::1', port: 7880 }));
    expect(requests).toContain('http://[fe80::1]:7880/rtc/validate');
  });

  it('does not take another server that requires a password everywhere for LiveKit', async () => {
    const { http } = linkTo({
      'http://sfu:7880/rtc/validate': [401, 'Unauthorized'],
      'http://sfu:7880/': [401, 'Unauthorized'],
      'http://sfu:7880/twirp/health': [401, 'Unauthorized'],
      'http://sfu:6789/metrics': [200, 'node_load1 0.5\n'],
    });
    expect(await look(target(http))).toBeUndefined();
  });
});
