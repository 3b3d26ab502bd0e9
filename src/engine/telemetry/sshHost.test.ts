import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SshLink } from '../links/ssh/sshLink';
import type { HostSample } from './hostSource';
import { openSshHost } from './sshHost';
import { VirtualTime } from '../../../tests/support/virtualTime';

const proc = ['stat', 'loadavg', 'uptime', 'meminfo', 'net_sockstat', 'net_snmp', 'net_dev']
  .map((name) => readFileSync(join(__dirname, '../../../tests/fixtures/proc', `${name}.t0.txt`), 'utf8'))
  .join('')
  .split('\n');

/** A link whose remote end is simulated by the test. */
function fakeLink() {
  const sent: string[] = [];
  const begun: Array<(line: string) => void> = [];
  let ended = 0;
  const link: Pick<SshLink, 'state' | 'follow' | 'onState'> = {
    state: 'live',
    onState: () => () => undefined,
    follow: (_argv, listeners) => {
      begun.push(listeners.line);
      return Promise.resolve({
        write: (text: string) => void sent.push(text.trim()),
        end: () => {
          ended += 1;
        },
        ended: new Promise<never>(() => undefined),
      });
    },
  };
  return {
    link,
    sent,
    get channels() {
      return begun.length;
    },
    get ended() {
      return ended;
    },
    say: (...lines: string[]) => lines.forEach((line) => begun.at(-1)?.(line)),
  };
}

function open() {
  const { clock, pass } = new VirtualTime();
  const far = fakeLink();
  const host = openSshHost({ link: far.link, who: 'origin', clock });
  const samples: HostSample[] = [];
  const problems: Array<string | undefined> = [];
  host.onSample((sample) => samples.push(sample));
  host.onProblem((sentence) => problems.push(sentence));
  const answer = (id: number, remoteClockMs: number): void =>
    far.say(`@sample ${id} ${BigInt(remoteClockMs) * 1_000_000n}`, ...proc, `@end ${id}`);
  return { clock, pass, far, host, samples, problems, answer };
}

describe('a reading over SSH', () => {
  it("has the time of its reading by our clock, whatever the host's clock", async () => {
    const { clock, pass, far, host, samples, answer } = open();
    far.say('@kernel 6.1', '@ready');
    await pass(1000);
    expect(far.sent).toEqual(['sample 1 files']);
    const sentMs = clock.now();
    await pass(20);
    answer(1, sentMs + 10 + 3_600_000);
    expect(host.clock).toEqual({ offsetMs: 3_600_000, uncertaintyMs: 10.5 });
    expect(samples).toMatchObject([{ timeMs: sentMs + 10, values: { load1: 0.88 } }]);
    expect(samples[0]?.values).not.toHaveProperty('cpuPercent');
  });

  it('that is late skips the next and is reported, until one is in time', async () => {
    const { pass, far, samples, problems, clock, answer } = open();
    far.say('@ready');
    await pass(1000);
    await pass(2500);
    expect(far.sent.length).toBe(1);
    expect(problems).toEqual([
      "origin's host responds slowly: it takes more than a second, so some seconds have no figures.",
    ]);
    answer(1, clock.now());
    expect(samples.length).toBe(1);
    expect(problems.length).toBe(1);
    await pass(1000);
    answer(2, clock.now());
    expect(far.sent.length).toBe(2);
    expect(samples.length).toBe(2);
    expect(problems.at(-1)).toBeUndefined();
  });

  it('that never comes ends its channel, and another one is opened', async () => {
    const { pass, far, problems } = open();
    far.say('@ready');
    await pass(1000);
    await pass(15_000);
    expect(problems.at(-1)).toBe("origin's host has not responded for 15 s; retrying.");
    expect(far.ended).toBe(1);
    await pass(2000);
    expect(far.channels).toBe(2);
    far.say('@ready');
    await pass(1000);
    expect(far.sent.length).toBe(2);
  });

  it('with an unexpected response gives no sample', async () => {
    const { pass, far, samples, problems, answer } = open();
    far.say('Last login: today', '@ready');
    await pass(1000);
    answer(77, 0);
    expect(samples).toEqual([]);
    await pass(1000);
    far.say('@sample 2 +%s', ...proc, '@end 2');
    expect(samples).toEqual([]);
    expect(problems.at(-1)).toMatch(/^origin: its host's response is invalid/);
  });

  it('has our time where their clock has whole seconds', async () => {
    const { clock, pass, far, host, samples } = open();
    far.say('@ready');
    await pass(1000);
    const sentMs = clock.now();
    await pass(4);
    far.say(`@sample 1 ${Math.floor(sentMs / 1000)}%N`, ...proc, '@end 1');
    expect(samples[0]?.timeMs).toBe(sentMs + 2);
    expect(host.clock?.uncertaintyMs).toBeGreaterThanOrEqual(500);
  });

  it('that never starts or never ends is aborted with a message', async () => {
    const { pass, far, problems } = open();
    for (let second = 0; second < 16; second += 1) await pass(1000);
    expect(problems).toEqual(["origin's shell did not respond within 15 s; retrying."]);
    await pass(1000);
    expect(far.channels).toBe(2);
    const line = 'x'.repeat(100_000);
    for (let lines = 0; lines < 41; lines += 1) far.say(line);
    expect(problems.at(-1)).toBe("origin's host sends an endless response instead of its figures; retrying.");
    expect(far.ended).toBe(2);
  });
});
