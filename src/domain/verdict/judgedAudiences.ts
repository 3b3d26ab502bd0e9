import type { Judged } from '../evidence/evidence';
import { isTesterOf } from '../model/audience';
import type { Audience } from '../model/plan';
import { severalAudiences } from '../plan/audiences';
import type { Counted } from './lostViewers';

/** An audience whose connected viewers are judged. */
export interface JudgedAudience extends Omit<Counted, 'connected'> {
  readonly pull: Audience;
}

/** The audiences of a run, each with its own end; of several those that have ended. */
export function judgedAudiences(judged: Judged): readonly JudgedAudience[] {
  const { view, time, testers, origins, audienceEnds = {} } = judged;
  const several = severalAudiences(view.plan).flatMap(({ id, name, pull }): JudgedAudience[] => {
    const toMs = audienceEnds[id];
    if (toMs === undefined) return [];
    return [
      {
        audience: name,
        pull,
        sources: [{ id, name }],
        testers: testers.filter((node) => isTesterOf(pull, node)),
        origins: origins.filter((node) => pull.from === node.name || pull.from === node.id),
        reconnects: pull.reconnect,
        requested: pull.viewers,
        toMs,
        failures: view.failures.filter(({ audience }) => audience === name),
      },
    ];
  });
  if (several.length > 0) return several;
  const { pull } = view.plan;
  return [
    {
      pull,
      sources: testers,
      testers,
      ...(pull.reconnect === undefined ? {} : { reconnects: pull.reconnect }),
      requested: view.figures.requested,
      toMs: time.toMs,
      failures: view.failures,
    },
  ];
}
