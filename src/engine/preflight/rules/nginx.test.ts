import { describe, expect, it } from 'vitest';
import type { TestFacts } from '../../../../tests/support/preflightFacts';
import { resultOf } from '../../../../tests/support/preflightRule';

const processes = (limit: string): TestFacts => ({
  processes: [
    {
      pid: 42,
      words: ['srs'],
      limits: `Max open files            ${limit}            200000               files`,
    },
  ],
});

describe('nginx', () => {
  const conf = (text: string): TestFacts => ({ configs: { 'nginx.conf': text } });

  it('checks the limits of a worker', () => {
    expect(resultOf('nginx.worker-connections', conf('events { worker_connections 10240; }'))).toBe('pass');
    expect(resultOf('nginx.worker-connections', conf('events { }'))).toBe('fail');
    expect(resultOf('nginx.worker-files', { ...conf('worker_rlimit_nofile 20480;'), ...processes('1024') })).toBe(
      'pass',
    );
    expect(resultOf('nginx.worker-files', { ...conf(''), ...processes('1024') })).toBe('fail');
    expect(resultOf('nginx.worker-files', conf(''))).toBe('warn');
  });

  it('finds the rtmp block, and reports where it is missing', () => {
    expect(resultOf('nginx.chunk-size', conf('rtmp { server { listen 1935; chunk_size 4096; } }'))).toBe('pass');
    expect(resultOf('nginx.chunk-size', conf('rtmp { server { chunk_size 128; } }'))).toBe('warn');
    expect(resultOf('nginx.chunk-size', conf('include /etc/nginx/rtmp.conf;'))).toBe('unread');
    expect(resultOf('nginx.workers', conf('worker_processes auto;'))).toBe('warn');
    expect(resultOf('nginx.workers', conf('worker_processes 4; rtmp_auto_push on;'))).toBe('pass');
  });
});
