import { isOriginSettings } from '../../domain/nodeSettings';
import type { Plan, PlanPull } from '../../domain/plan/plan';
import { audiencesOf, burdens, sharesOf } from '../../domain/shares';
import { courseOf, wholeTimeMs } from '../../domain/stages/course';
import type { TesterMeasured } from '../../domain/tester/strength';
import type { FleetNode } from '../fleet/node';
import { sample240p } from '../runs/planCheck';
import type { Look } from './rule';

/** The nodes that a plan gives something to do, origins first. */
export function nodesOf(plan: Plan): readonly string[] {
  const audiences = audiencesOf(plan);
  const publications = plan.publish.flatMap(({ node, by }) => (by === undefined ? [node] : [node, by]));
  const names = [...audiences.map(({ from }) => from), ...publications, ...audiences.flatMap(({ by }) => by)];
  const all = [...new Set(names)];
  const isOrigin = (name: string): boolean => {
    const settings = plan.nodes[name];
    return settings !== undefined && isOriginSettings(settings);
  };
  return [...all.filter(isOrigin), ...all.filter((name) => !isOrigin(name))];
}

/** What each node of a plan is to do. */
export function looksOf(
  plan: Plan,
  nodes: ReadonlyMap<string, FleetNode>,
  measuredOf?: (node: FleetNode) => TesterMeasured | undefined,
): ReadonlyMap<string, Look> {
  const names = nodesOf(plan).filter((name) => nodes.has(name));
  return new Map(
    names.flatMap((name): Array<[string, Look]> => {
      const node = nodes.get(name);
      if (!node) return [];
      const measured = node.role === 'tester' ? measuredOf?.(node) : undefined;
      return [[name, { ...lookOf(plan, nodes, name, node), ...(measured ? { measured } : {}) }]];
    }),
  );
}

function lookOf(plan: Plan, nodes: ReadonlyMap<string, FleetNode>, name: string, node: FleetNode): Look {
  const { settings } = node;
  const isOrigin = isOriginSettings(settings);
  const audiences = audiencesOf(plan);
  const mine = audiences.filter(({ from, by }) => (isOrigin ? from === name : by.includes(name)));
  const share = (pull: PlanPull): number =>
    isOrigin ? pull.viewers : (sharesOf(pull.viewers, pull.by, pull.weights)[pull.by.indexOf(name)] ?? 0);
  const perStream = new Map<string, number>();
  for (const pull of mine)
    perStream.set(
      `${pull.from} ${pull.stream}`,
      (perStream.get(`${pull.from} ${pull.stream}`) ?? 0) + share(pull),
    );
  const rates = mine.map((pull) => kbpsOf(plan, nodes, pull));
  const [firstOrigin] = mine.map(({ from }) => from);
  const clock = node.view().clock;
  return {
    node: name,
    role: node.role,
    ...(isOrigin ? { server: settings.server } : { tester: settings.tester }),
    viewers: isOrigin ? mine.reduce((sum, pull) => sum + pull.viewers, 0) : (burdens(plan).get(name) ?? 0),
    viewersOfOneStream: Math.max(0, ...perStream.values()),
    publishers: plan.publish.filter((publication) => publication.node === name).length,
    protocols: [...new Set(mine.map(({ protocol }) => protocol))],
    ...lengthOf(mine),
    ...(rates.length > 0 && rates.every((kbps): kbps is number => kbps !== undefined)
      ? { mbps: mine.reduce((sum, pull, index) => sum + ((rates[index] ?? 0) * share(pull)) / 1000, 0) }
      : {}),
    ...(clock ? { clock } : {}),
    // It is told once more is read of them; see `look.ts`.
    together: [],
    ...(!isOrigin && firstOrigin !== undefined ? { origin: { node: firstOrigin } } : {}),
    testers: new Set(audiences.flatMap(({ by }) => by)).size,
  };
}

/** What one viewer receives, as the origin tells or the lab's own sample has it. */
function kbpsOf(plan: Plan, nodes: ReadonlyMap<string, FleetNode>, pull: PlanPull): number | undefined {
  const served = nodes.get(pull.from)?.streams.find(({ stream }) => stream === pull.stream)?.bitrateKbps;
  if (served) return served;
  const isSample = plan.publish.some(
    ({ node, stream, source }) => node === pull.from && stream === pull.stream && source === 'sample-240p',
  );
  return isSample ? sample240p.bitrateKbps : undefined;
}

function lengthOf(audiences: readonly PlanPull[]): Pick<Look, 'lengthMs'> {
  const lengths = audiences.map(({ stages, viewers, ratePerSecond, holdMs, search }) => {
    if (stages) return wholeTimeMs(courseOf(stages));
    if (search) return search.repeats * 12 * (search.settleMs + search.measureMs);
    return holdMs === 0 ? undefined : (viewers / ratePerSecond) * 1000 + holdMs;
  });
  const known = lengths.filter((ms): ms is number => ms !== undefined);
  return known.length === lengths.length && known.length > 0 ? { lengthMs: Math.max(...known) } : {};
}
