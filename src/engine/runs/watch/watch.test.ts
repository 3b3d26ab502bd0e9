import { describe, expect, it } from 'vitest';
import type { FailureGroup } from '../../../domain/model/run';
import { DisagreementWatch } from './disagreement';
import { FailureWatch } from './failures';
import { LimitWatch } from './limit';

describe('a limit', () => {
  const watch = (): LimitWatch => new LimitWatch({ limit: 80, comparison: '<=', overForMs: 3000, backForMs: 2000 });
  const feed = (limit: LimitWatch, values: ReadonlyArray<number | undefined>): Array<string | undefined> =>
    values.map((value, index) => limit.update(index * 1000, value));

  it('is crossed after three seconds beyond it, and once', () => {
    expect(feed(watch(), [90, 90, 90, 90, 90])).toEqual([undefined, undefined, undefined, 'over', undefined]);
  });

  it('is not crossed by a spike', () => {
    expect(feed(watch(), [90, 90, 70, 90, 90, 70]).filter(Boolean)).toEqual([]);
  });

  it('reports the return within the limit', () => {
    expect(feed(watch(), [90, 90, 90, 90, 70, 70, 70])).toContain('back');
  });

  it('is not crossed at the limit itself', () => {
    expect(feed(watch(), [80, 80, 80, 80, 80]).filter(Boolean)).toEqual([]);
  });

  it('ignores gaps', () => {
    expect(feed(watch(), [90, undefined, undefined, 90]).filter(Boolean)).toEqual(['over']);
  });
});

it('failures are reported at first, and at each tenfold', () => {
  const watch = new FailureWatch();
  const group = (count: number): FailureGroup => ({
    tester: 'a',
    stage: 'ice',
    cause: 'timeout',
    count,
    example: { viewer: 1, timeMs: 1, detail: '' },
  });
  const reported = [1, 2, 9, 10, 60, 250].map((count) => watch.update([group(count)]).map(({ first }) => first));
  expect(reported).toEqual([[true], [], [], [false], [], [false]]);
});

describe('two sources', () => {
  const steady = (
    watch: DisagreementWatch,
    audience: number,
    origin: number,
    fromS: number,
    seconds: number,
  ): string[] => {
    const reported: string[] = [];
    for (let second = fromS; second < fromS + seconds; second += 1) {
      watch.audience({ timeMs: second * 1000, connected: audience, arrived: audience });
      const found = watch.origin(second * 1000 + 400, origin);
      if (found) reported.push(found.state);
    }
    return reported;
  };

  it('disagree after five seconds more than 5 % apart, and agree again', () => {
    const watch = new DisagreementWatch();
    expect(steady(watch, 100, 90, 0, 8)).toEqual(['disagree']);
    expect(steady(watch, 100, 100, 8, 5)).toEqual(['agree']);
  });

  it('may be a few viewers apart', () => {
    expect(steady(new DisagreementWatch(), 20, 15, 0, 20)).toEqual([]);
    expect(steady(new DisagreementWatch(), 1000, 955, 0, 20)).toEqual([]);
  });

  it('agree on a steep ramp, whenever in the second each of them is sampled', () => {
    const watch = new DisagreementWatch();
    const reported: unknown[] = [];
    for (let second = 0; second < 20; second += 1) {
      const connected = second * 50;
      watch.audience({ timeMs: second * 1000, connected, arrived: connected + 20 });
      const found = watch.origin(second * 1000 + 900, connected + 45);
      if (found) reported.push(found);
    }
    expect(reported).toEqual([]);
  });

  it('report nothing without data of the audience', () => {
    const watch = new DisagreementWatch();
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((second) => watch.origin(second * 1000, 500)).filter(Boolean)).toEqual([]);
  });
});
