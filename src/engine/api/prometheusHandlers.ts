import type { Handlers } from '../../contract/calls';
import type { prometheusCalls } from '../../contract/prometheusCalls';
import type { HandlerParts } from './handlerParts';
import { openPrometheus, secretName } from '../prometheus/import/openPrometheus';
import { inspectPrometheus } from '../prometheus/import/inspect';
import { systemClock } from '../base/clock';

const done = { done: true } as const;

/** Implements the calls of `contract/prometheusCalls`. */
export function makePrometheusHandlers({
  imports,
  metrics,
  secrets,
  saved,
}: Pick<HandlerParts, 'imports' | 'metrics' | 'secrets' | 'saved'>): Handlers<keyof typeof prometheusCalls> {
  /** The password that was typed, else the stored one, else that of the environment. */
  const passwordOf = (prometheus: string, typed: string | undefined): string | undefined =>
    typed ?? secrets.of(secretName(prometheus)).httpPassword ?? secrets.of('prometheus').httpPassword;
  const keep = (prometheus: string, typed: string | undefined): void => {
    if (typed !== undefined && typed !== secrets.of(secretName(prometheus)).httpPassword)
      secrets.change(secretName(prometheus), { httpPassword: typed });
  };
  return {
    'prometheus.inspect': async ({ password, ...access }) => {
      const open = openPrometheus({ ...access, password: passwordOf(access.prometheus, password) });
      try {
        const { targets, ...found } = await inspectPrometheus(open.api, systemClock.wall());
        keep(access.prometheus, password);
        const hasPassword = passwordOf(access.prometheus, undefined) !== undefined;
        return { ...found, targets: [...targets], hasPassword };
      } finally {
        open.close();
      }
    },
    'prometheus.import': async ({ password, ...range }) => {
      const access = { ...range, password: passwordOf(range.prometheus, password) };
      const id = await imports.start(access, range);
      keep(range.prometheus, password);
      return { id };
    },
    'prometheus.resume': async ({ run, password }) => {
      const { imported } = await saved.call('view', { run });
      return {
        id: await imports.resume(run, imported ? passwordOf(imported.prometheus, password) : undefined),
      };
    },
    'prometheus.cancel': ({ id }) => {
      imports.cancel(id);
      return done;
    },
    'metrics.state': () => metrics.state,
    'metrics.start': (place) => metrics.start(place),
    'metrics.stop': async () => {
      await metrics.stop();
      return done;
    },
  };
}
