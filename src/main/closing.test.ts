import { describe, expect, it } from 'vitest';
import type { RunView } from '../domain/model/run';
import { Closing, type ClosingAnswer, type ClosingAction, type ActiveWork } from './closing';

/** An app whose user gives the answers of `answers`, each when `answer` is called. */
function appWith(first: ActiveWork | undefined) {
  let work = first;
  const did: string[] = [];
  const asked: ClosingAction[] = [];
  let give: (answer: ClosingAnswer) => void = () => undefined;
  const closing = new Closing({
    work: () => work,
    ask: (_work, action) => {
      asked.push(action);
      return new Promise((resolve) => (give = resolve));
    },
    hide: () => void did.push('hide'),
    show: () => void did.push('show'),
    quit: () => {
      did.push('quit');
      closing.ending();
    },
  });
  const answer = async (given: ClosingAnswer): Promise<void> => {
    give(given);
    await new Promise((resolve) => setTimeout(resolve));
  };
  const end = (): void => {
    work = undefined;
    closing.workChanged();
  };
  return { closing, did, asked, answer, end };
}

const running: ActiveWork = { run: { name: 'Pull 100' } as RunView, schedules: [] };

describe('closing the window', () => {
  it('does not ask while nothing runs', () => {
    const { closing, asked } = appWith(undefined);
    expect(closing.mayClose()).toBe(true);
    expect(asked).toEqual([]);
  });

  it('asks during a run, once', async () => {
    const { closing, asked, answer, did } = appWith(running);
    expect([closing.mayClose(), closing.mayClose()]).toEqual([false, false]);
    expect(asked).toEqual(['close']);
    await answer('cancel');
    expect(did).toEqual([]);
    expect(closing.mayClose()).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it('hides the window until the run has ended, then ends the app', async () => {
    const { closing, answer, did, end } = appWith(running);
    closing.mayClose();
    await answer('background');
    closing.workChanged();
    expect(did).toEqual(['hide']);
    end();
    expect(did).toEqual(['hide', 'quit']);
  });

  it('stays open after the run when the window was shown again', async () => {
    const { closing, answer, did, end } = appWith(running);
    closing.mayClose();
    await answer('background');
    closing.comeBack();
    end();
    expect(did).toEqual(['hide', 'show']);
  });

  it('ends the app when the run ended while the question was open', async () => {
    const { closing, answer, did, end } = appWith(running);
    closing.mayClose();
    end();
    await answer('background');
    expect(did).toEqual(['hide', 'quit']);
  });

  it('stops and closes', async () => {
    const { closing, answer, did } = appWith(running);
    closing.mayClose();
    await answer('stop');
    expect(did).toEqual(['quit']);
    expect(closing.mayClose()).toBe(true);
  });

  it('asks on Quit too, but never when the system or a signal ends the app', async () => {
    const { closing, asked, answer, did } = appWith(running);
    closing.quit();
    expect(asked).toEqual(['quit']);
    await answer('cancel');
    closing.ending();
    expect(closing.mayClose()).toBe(true);
    closing.quit();
    expect([asked, did]).toEqual([['quit'], ['quit']]);
  });

  it('asks about scheduled plans', () => {
    const schedule = { id: 'a', name: 'Nightly', runs: 1, done: 0, state: 'waiting' } as const;
    const { closing, asked } = appWith({ schedules: [schedule] });
    expect(closing.mayClose()).toBe(false);
    expect(asked).toEqual(['close']);
  });
});
