import type { RunView } from '../../domain/model/run';

interface HookVariable {
  readonly meaning: string;
  readonly value: (view: RunView) => string;
}

/** What a hook receives: enough to find the run and to act on its verdict, and nothing of its nodes. */
export const hookVariables: Readonly<Record<string, HookVariable>> = {
  FULLHOUSE_RUN: { meaning: 'id of the run', value: ({ id }) => id },
  FULLHOUSE_NAME: { meaning: 'name of the run', value: ({ name }) => name },
  FULLHOUSE_STATE: { meaning: 'state of the run, e.g. `running` or `ended`', value: ({ state }) => state },
  FULLHOUSE_VERDICT: {
    meaning: '`pass`, `fail`, `inconclusive`, `stopped` or `not-started`; empty before the end',
    value: ({ verdict }) => verdict?.verdict ?? '',
  },
  FULLHOUSE_SENTENCE: {
    meaning: 'the sentence of the verdict; empty before the end',
    value: ({ verdict }) => verdict?.sentence ?? '',
  },
  FULLHOUSE_CONNECTED: { meaning: 'connected viewers', value: ({ figures }) => String(figures.connected) },
  FULLHOUSE_REQUESTED: { meaning: 'requested viewers', value: ({ figures }) => String(figures.requested) },
};

/** Their values for a run. */
export const hookValues = (view: RunView): Record<string, string> =>
  Object.fromEntries(Object.entries(hookVariables).map(([name, { value }]) => [name, value(view)]));

/** What the program of a token list receives (`tokens: { command: … }`). */
export const tokenVariables = { FULLHOUSE_VIEWERS: 'peak number of viewers of the audience' } as const;

export const tokenValues = (viewers: number): Record<keyof typeof tokenVariables, string> => ({
  FULLHOUSE_VIEWERS: String(viewers),
});
