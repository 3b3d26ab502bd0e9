import { describe, expect, it } from 'vitest';
import type { TestFacts } from '../../../../tests/support/preflightFacts';
import { judge, resultOf } from '../../../../tests/support/preflightRule';

const processes = (limit: string): TestFacts => ({
  processes: [
    {
      pid: 42,
      words: ['srs'],
      limits: `Max open files            ${limit}            200000               files`,
    },
  ],
});

describe('SRS', () => {
  const conf = (text: string): TestFacts => ({ configs: { 'srs.conf': text } });

  it('compares connections and open files', () => {
    expect(resultOf('srs.max-connections', conf('listen 1935; max_connections 5000;'))).toBe('pass');
    expect(judge('srs.max-connections', conf('# max_connections 5000;\nlisten 1935;'))).toMatchObject({
      result: 'fail',
      fix: expect.stringContaining('max_connections 3000;') as string,
    });
    expect(resultOf('srs.open-files', { ...conf('max_connections 5000;'), ...processes('1024') })).toBe('fail');
    expect(resultOf('srs.open-files', { ...conf('max_connections 5000;'), ...processes('65536') })).toBe('pass');
  });

  it('of its environment have precedence over those of its file', () => {
    const environment = (variables: Record<string, string>, text = ''): TestFacts => ({
      ...conf(text),
      environment: variables,
    });
    const few = environment({ SRS_MAX_CONNECTIONS: '200' }, 'max_connections 9000;');
    expect(judge('srs.max-connections', few, { server: 'srs' })).toMatchObject({
      result: 'fail',
      sentence: expect.stringContaining('is 200 (SRS_MAX_CONNECTIONS of its environment)') as string,
      fix: expect.stringMatching(/^# in the environment of SRS.*\nSRS_MAX_CONNECTIONS=\d+$/) as string,
    });
    expect(resultOf('srs.max-connections', environment({ SRS_MAX_CONNECTIONS: '9000' }, 'max_connections 200;'))).toBe(
      'pass',
    );
    expect(resultOf('srs.max-connections', environment({ SRS_MAX_CONNECTIONS: '' }, 'max_connections 200;'))).toBe(
      'fail',
    );
    const slow = 'vhost v { tcp_nodelay on; play { mw_latency 100; } }';
    const set = { SRS_VHOST_TCP_NODELAY: 'off', SRS_VHOST_PLAY_MW_LATENCY: '400' };
    expect(resultOf('srs.merged-write', { ...conf(slow) })).toBe('warn');
    expect(resultOf('srs.merged-write', environment(set, slow))).toBe('pass');
  });

  it('detects settings for latency instead of many viewers', () => {
    expect(resultOf('srs.merged-write', conf('vhost __defaultVhost__ { play { mw_latency 350; } }'))).toBe('pass');
    expect(
      resultOf('srs.merged-write', conf('vhost x { tcp_nodelay on; min_latency on; play { mw_latency 100; } }')),
    ).toBe('warn');
    expect(resultOf('srs.merged-read', conf('vhost x { publish { mr on; } }'), { publishers: 80 })).toBe('pass');
    expect(resultOf('srs.merged-read', conf(''), { publishers: 80 })).toBe('warn');
    expect(resultOf('srs.merged-read', conf(''))).toBe('pass');
  });
});
