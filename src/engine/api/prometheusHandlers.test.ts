import { describe, expect, it } from 'vitest';
import { systemClock } from '../base/clock';
import type { HandlerParts } from './handlerParts';
import { makePrometheusHandlers } from './prometheusHandlers';

type Parts = Pick<HandlerParts, 'imports' | 'metrics' | 'secrets' | 'saved' | 'clock'>;

/** The Prometheus that a run file names. */
const address = 'http://10.0.0.9:9090';

/** Passwords by the name under which they are stored; `prometheus` is that of the environment. */
function resumeOf(passwords: Readonly<Record<string, string>>) {
  const sent: Array<string | undefined> = [];
  const parts = {
    clock: systemClock,
    secrets: { of: (name: string) => ({ httpPassword: passwords[name] }), change: () => undefined },
    saved: { call: () => Promise.resolve({ imported: { prometheus: address, user: 'qa', missing: [{}] } }) },
    imports: {
      resume: (_run: string, password: string | undefined) => {
        sent.push(password);
        return Promise.resolve('r2');
      },
    },
  } as unknown as Parts;
  return { resume: makePrometheusHandlers(parts)['prometheus.resume'], sent };
}

describe('the rest of an imported run', () => {
  it('sends the password of the environment only to a Prometheus that the person names', async () => {
    const { resume, sent } = resumeOf({ prometheus: 'swift-17' });
    await expect(async () => resume({ run: 'r1' })).rejects.toThrow(
      `The run names the Prometheus at ${address.slice(7)} and the user "qa", and its file may come from others. Add --prometheus ${address} to send it the password, or enter its password.`,
    );
    await expect(async () => resume({ run: 'r1', prometheus: 'http://10.0.0.5:9090' })).rejects.toThrow(
      `The run names the Prometheus at ${address.slice(7)}, not the one at 10.0.0.5:9090.`,
    );
    expect(sent).toEqual([]);
    await resume({ run: 'r1', prometheus: address });
    expect(sent).toEqual(['swift-17']);
  });

  it('sends a password that was stored for this Prometheus, or typed', async () => {
    const { resume, sent } = resumeOf({ prometheus: 'swift-17', [`prometheus@${address.slice(7)}`]: 'own-8' });
    await resume({ run: 'r1' });
    await resume({ run: 'r1', password: 'typed-9' });
    expect(sent).toEqual(['own-8', 'typed-9']);
  });
});
