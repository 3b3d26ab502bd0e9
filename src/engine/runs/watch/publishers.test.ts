import { beforeEach, describe, expect, it } from 'vitest';
import type { PublicationSample } from '../../load/driver';
import { PublisherWatch, type WatchedPublication } from './publishers';

const publication = (latest?: Omit<PublicationSample, 'job'>, job = 'publish-1'): WatchedPublication => ({
  ...{ job, stream: 'cam', node: 'origin', by: 'tester' },
  ...(latest ? { latest: { job, ...latest } } : {}),
});
const live = (sinceMs: number): WatchedPublication => publication({ state: 'live', sinceMs });
const message = (name: string, timeMs: number, sentence = 'x') =>
  ({ kind: 'message', name, timeMs, sentence, job: 'publish-1' }) as const;
const lost = (timeMs: number) =>
  message('publication-lost', timeMs, 'Publishing was interrupted: the server closed the session. Reconnecting.');

let watch: PublisherWatch;
beforeEach(() => {
  watch = new PublisherWatch();
  watch.look(1000, [publication({ state: 'connecting', sinceMs: 900 })]);
  watch.look(2000, [live(1500)]);
});

describe('a publisher', () => {
  it('that is interrupted and published again is two events, and an interval with its reason', () => {
    expect(watch.takeMessage(lost(10_200))).toEqual([
      {
        ...{ timeMs: 10_200, kind: 'stream', mark: 'lost', node: 'origin', who: 'origin' },
        sentence:
          'The publication of cam to origin ended: The server closed the session. Its viewers receive no media.',
      },
    ]);
    expect(watch.look(11_000, [publication({ state: 'connecting', sinceMs: 10_200, problem: 'Busy.' })])).toEqual([]);
    expect(watch.takeMessage(message('publication-live', 22_600))).toMatchObject([
      { timeMs: 22_600, mark: 'recovered', sentence: 'cam is published again after 12 s.' },
    ]);
    expect(watch.look(23_000, [live(22_600)])).toEqual([]);
    expect(watch.all).toEqual([
      {
        ...{ node: 'origin', by: 'tester', stream: 'cam', fromMs: 10_200, toMs: 22_600 },
        reason: 'The server closed the session.',
      },
    ]);
  });

  it('ended when its server stopped responding, which is noticed later', () => {
    const silent = { ...lost(41_900), silentMs: 27_000 };
    expect(watch.takeMessage(silent)).toMatchObject([{ timeMs: 14_900, mark: 'lost' }]);
    watch.look(42_000, [live(1500)]);
    watch.look(42_500, [live(42_400)]);
    expect(watch.all).toMatchObject([{ fromMs: 14_900, toMs: 42_400 }]);
  });

  it('is not lost again by a sample from before it was published again', () => {
    watch.takeMessage(lost(10_200));
    watch.takeMessage(message('publication-live', 10_700));
    const late = publication({ state: 'connecting', sinceMs: 10_200, problem: 'The server closed the session.' });
    expect(watch.look(11_000, [late])).toEqual([]);
    expect(watch.look(12_000, [live(10_700)])).toEqual([]);
    expect(watch.all).toMatchObject([{ fromMs: 10_200, toMs: 10_700 }]);
    expect(watch.look(14_000, [publication({ state: 'connecting', sinceMs: 13_500 })])).toHaveLength(1);
  });

  it('ended at that time by its samples alone, also of several publishers', () => {
    const problem = 'The server responded to no ICE check for 30 s.';
    const away = { sinceMs: 41_900, silentMs: 27_000, problem };
    expect(watch.look(42_000, [publication({ state: 'connecting', ...away })])).toMatchObject([{ timeMs: 14_900 }]);
    const several = { requested: 3, state: 'live' } as const;
    watch.look(50_000, [publication({ ...several, live: 3 }, 'publish-2')]);
    const fewer = publication({ ...several, ...away, live: 1, sinceMs: 50_000 }, 'publish-2');
    expect(watch.look(92_000, [fewer])).toMatchObject([
      { timeMs: 65_000, sentence: expect.stringMatching(/^2 of 3 publications of cam to origin ended/) as unknown },
    ]);
  });

  it('of several that was away between two reports is an interval too', () => {
    const several = publication({ requested: 12, state: 'live', live: 12 });
    watch.look(50_000, [several]);
    const sentence =
      '1 publishers were interrupted. One of them: Publishing was interrupted: the server closed the session. Reconnecting.';
    expect(watch.takeMessage(message('publication-lost', 50_900, sentence))).toMatchObject([
      {
        timeMs: 50_900,
        sentence: expect.stringMatching(/^1 of 12 publications of cam to origin ended: The server/) as unknown,
      },
    ]);
    expect(watch.look(51_000, [several])).toMatchObject([{ timeMs: 51_000, mark: 'recovered' }]);
    expect(watch.all).toMatchObject([{ fromMs: 50_900, toMs: 51_000, publishers: { lost: 1, of: 12 } }]);
  });

  it('whose server did not respond in that time was ended by it', () => {
    watch.origin('origin', 'failed', 15_000);
    watch.origin('origin', 'live', 23_000);
    watch.takeMessage({ ...lost(41_900), silentMs: 27_000 });
    expect(watch.all).toMatchObject([{ fromMs: 14_900, isOriginLost: true }]);
  });

  it('is not published again by a sample from before its end', () => {
    watch.takeMessage(lost(10_200));
    expect(watch.look(10_300, [live(1500)])).toEqual([]);
    expect(watch.all[0]?.toMs).toBeUndefined();
  });

  it('shows by its samples where its tester sends no messages', () => {
    const began = watch.look(12_000, [
      publication({ state: 'failed', problem: 'The server refused it.', sinceMs: 11_500 }),
    ]);
    expect(began).toMatchObject([{ timeMs: 11_500, mark: 'lost' }]);
    expect(watch.look(15_000, [live(14_800)])).toMatchObject([{ timeMs: 14_800, mark: 'recovered' }]);
  });

  it('that never was live is no interruption', () => {
    const other = new PublisherWatch();
    other.look(1000, [publication()]);
    other.look(2000, [publication({ state: 'failed', sinceMs: 1900, problem: 'No.' })]);
    expect(other.all).toEqual([]);
  });

  it('that gave up stays ended', () => {
    watch.takeMessage(lost(10_000));
    watch.takeMessage(message('job-ended', 130_000, 'Publishing failed: the server closed the session.'));
    expect(watch.all).toMatchObject([{ fromMs: 10_000, reason: 'The server closed the session.' }]);
    expect(watch.all[0]?.toMs).toBeUndefined();
  });

  it('ends with its tester', () => {
    expect(watch.lose('other', 9000, 'It was killed.')).toEqual([]);
    expect(watch.lose('tester', 9000, 'It was killed.')).toMatchObject([{ timeMs: 9000, mark: 'lost' }]);
    expect(watch.all).toMatchObject([{ fromMs: 9000, reason: 'It was killed.' }]);
  });

  it('is replaced by another publication of the stream', () => {
    watch.takeMessage(message('job-ended', 10_000, 'Publishing stopped.'));
    expect(watch.all[0]?.reason).toBe('Publishing stopped.');
    watch.look(15_000, [publication({ state: 'live', sinceMs: 14_000 }, 'publish-2')]);
    expect(watch.all).toMatchObject([{ fromMs: 10_000, toMs: 15_000 }]);
  });

  it('of many has the largest number that ended', () => {
    const many = (count: number) =>
      publication({ state: 'live', sinceMs: 1, requested: 10, live: count, problem: 'Gone.' });
    const counts = [2, 6, 10, 10, 9, 7, 8, 10, 10];
    const events = counts.flatMap((count, second) => watch.look(3000 + 1000 * second, [many(count)]));
    expect(events.map(({ sentence }) => sentence)).toEqual([
      '1 of 10 publications of cam to origin ended: Gone. Their viewers receive no media.',
      'cam is published again after 3 s.',
    ]);
    expect(watch.all).toMatchObject([{ fromMs: 7000, toMs: 10_000, publishers: { lost: 3, of: 10 } }]);
  });
});

describe('a server', () => {
  it('that refuses connections has ended the publication', () => {
    watch.takeMessage(lost(10_000));
    const problem = '127.0.0.1:1935 refused the connection; no RTMP server listens there.';
    watch.look(11_000, [publication({ state: 'connecting', sinceMs: 10_000, problem })]);
    expect(watch.all).toMatchObject([{ isOriginLost: true, reason: problem }]);
  });

  it('that does not respond at the same time has too, and one that did before has not', () => {
    watch.origin('origin', 'stale', 5000);
    watch.origin('origin', 'live', 6000);
    watch.takeMessage(lost(10_000));
    expect(watch.all[0]?.isOriginLost).toBeUndefined();
    watch.origin('origin', 'stale', 13_000);
    expect(watch.all[0]?.isOriginLost).toBe(true);
    watch.origin('origin', 'live', 14_000);
    expect(watch.all[0]?.isOriginLost).toBe(true);
  });
});
