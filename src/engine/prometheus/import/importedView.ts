import { exporterName, type ImportedRange, type TimeSpan } from '../../../domain/model/imported';
import type { NodeView } from '../../../domain/model/node';
import type { Plan } from '../../../domain/model/plan';
import type { RunView, Verdict } from '../../../domain/model/run';
import { planWithoutLoad } from '../../../domain/run/planWithoutLoad';
import { emptyFigures } from '../../runs/figures';
import { placeOf } from './openPrometheus';

function planOf(name: string, { prometheus, nodes }: ImportedRange): Plan {
  return planWithoutLoad(
    name,
    nodes.map(({ name: node, role, targets }) => {
      const instance = targets[0]?.labels['instance'];
      const host = { prometheus, ...(instance === undefined ? {} : { instance }) };
      const settings =
        role === 'tester' ? { tester: 'local' as const, ...host } : { server: 'generic' as const, ...host };
      return { name: node, role, settings };
    }),
  );
}

function nodeViews({ prometheus, nodes }: ImportedRange): NodeView[] {
  return nodes.map(({ name, role, targets }, index) => ({
    id: name,
    name,
    role,
    ...(role === 'origin' ? { server: 'generic' as const } : {}),
    colourSlot: index + 1,
    state: 'idle',
    software: targets.map(({ family }) => exporterName(family)).join(', '),
    reach: `Prometheus ${placeOf(prometheus)}`,
    // Its own: which of them share a machine is unknown, and figures of a host are the node's here.
    host: name,
    streams: [],
  }));
}

/** The run that a range becomes, while it is read and when it is complete. */
export function importedView(
  id: string,
  name: string,
  imported: ImportedRange,
  isReading: boolean,
  why?: string,
): RunView {
  return {
    id,
    name,
    state: isReading ? 'running' : 'ended',
    plan: planOf(name, imported),
    nodes: nodeViews(imported),
    startedMs: imported.fromMs,
    endedMs: imported.toMs,
    phases: [],
    figures: emptyFigures(imported.fromMs, 0),
    failures: [],
    verdict: isReading ? undefined : importedVerdict(imported, why),
    imported,
    readOnly: true,
  };
}

/** `why`: the error of the Prometheus where something is missing. */
function importedVerdict(imported: ImportedRange, why: string | undefined): Verdict {
  const isWhole = imported.missing.length === 0;
  return {
    verdict: 'inconclusive',
    sentence: isWhole
      ? 'Imported from a Prometheus: no load was requested, so there is no verdict.'
      : incomplete(imported, why),
    reasons: [],
    headroom: [],
  };
}

/** What is missing, in one sentence. */
export function incomplete({ missing, prometheus }: ImportedRange, why: string | undefined): string {
  const reason = why === undefined ? '' : ` (${why.replace(/^import: /, '').replace(/\.$/, '')})`;
  return `Partly imported: data of the Prometheus at ${placeOf(prometheus)} ${missing.map(spanText).join(' and ')} is missing${reason}; retry to import the rest.`;
}

/** In UTC, to the second: the same text in the window, in the report and on the command line. */
function spanText({ fromMs, toMs }: TimeSpan): string {
  const text = (timeMs: number): string => new Date(timeMs).toISOString().replace(/T(.*)\.\d+Z/, ' $1');
  const [from, to] = [text(fromMs), text(toMs)];
  return from.slice(0, 10) === to.slice(0, 10) ? `from ${from} to ${to.slice(11)} UTC` : `from ${from} to ${to} UTC`;
}
