import { FullhouseError, type Handlers } from '../../contract/calls';
import type { prometheusCalls } from '../../contract/prometheusCalls';
import type { HandlerParts } from './handlerParts';
import { openPrometheus, placeOf, secretName } from '../prometheus/import/openPrometheus';
import { inspectPrometheus } from '../prometheus/import/inspect';

const done = { done: true } as const;

/** Implements the calls of `contract/prometheusCalls`. */
export function makePrometheusHandlers({
  imports,
  metrics,
  secrets,
  saved,
  clock,
}: Pick<HandlerParts, 'imports' | 'metrics' | 'secrets' | 'saved' | 'clock'>): Handlers<keyof typeof prometheusCalls> {
  /** The password that was typed, else the stored one, else that of the environment. */
  const passwordOf = (prometheus: string, typed: string | undefined): string | undefined =>
    typed ?? secrets.of(secretName(prometheus)).httpPassword ?? secrets.of('prometheus').httpPassword;
  const keep = (prometheus: string, typed: string | undefined): void => {
    if (typed !== undefined && typed !== secrets.of(secretName(prometheus)).httpPassword)
      secrets.change(secretName(prometheus), { httpPassword: typed });
  };
  return {
    'prometheus.inspect': async ({ password, ...access }) => {
      const open = openPrometheus({ ...access, password: passwordOf(access.prometheus, password), clock });
      try {
        const { targets, ...found } = await inspectPrometheus(open.api, clock.wall());
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
    'prometheus.resume': async ({ run, password, prometheus }) => {
      const { imported } = await saved.call('view', { run });
      if (!imported) return { id: await imports.resume(run, undefined) };
      const place = placeOf(imported.prometheus);
      if (prometheus !== undefined && placeOf(prometheus) !== place)
        throw new FullhouseError(
          'other-prometheus',
          `The run names the Prometheus at ${place}, not the one at ${placeOf(prometheus)}.`,
        );
      // A run file may come from others: the password of the environment is for a Prometheus that the person names.
      const stored = secrets.of(secretName(imported.prometheus)).httpPassword;
      const known = password ?? stored ?? (prometheus && passwordOf(prometheus, undefined));
      if (known === undefined && imported.user !== undefined)
        throw new FullhouseError(
          'no-password',
          `The run names the Prometheus at ${place} and the user "${imported.user}", and its file may come from others. Add --prometheus ${imported.prometheus} to send it the password, or enter its password.`,
        );
      return { id: await imports.resume(run, known) };
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
