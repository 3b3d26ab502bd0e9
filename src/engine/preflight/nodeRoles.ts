import { isOriginSettings } from '../../domain/model/nodeSettings';
import type { Plan, Audience } from '../../domain/model/plan';
import { audiencesOf, viewersPerTester, distributeViewers } from '../../domain/model/distribution';
import { loadTesters, publisherGroups } from '../../domain/model/publisherGroup';
import { publishesSample } from '../../domain/plan/pullRules';
import { segmentsOf, totalTimeMs } from '../../domain/stages/loadProfile';
import type { TesterMeasured } from '../../domain/model/testerMeasured';
import type { FleetNode } from '../fleet/node';
import { sample240p } from '../runs/planCheck';
import type { CheckContext } from './rule';

/** The nodes with a role in a plan, origins first. */
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

/** Role of each node of a plan. */
export function rolesOf(
  plan: Plan,
  nodes: ReadonlyMap<string, FleetNode>,
  measuredOf?: (node: FleetNode) => TesterMeasured | undefined,
): ReadonlyMap<string, CheckContext> {
  const names = nodesOf(plan).filter((name) => nodes.has(name));
  return new Map(
    names.flatMap((name): Array<[string, CheckContext]> => {
      const node = nodes.get(name);
      if (!node) return [];
      const measured = node.role === 'tester' ? measuredOf?.(node) : undefined;
      return [[name, { ...contextOf(plan, nodes, name, node), ...(measured ? { measured } : {}) }]];
    }),
  );
}

function contextOf(plan: Plan, nodes: ReadonlyMap<string, FleetNode>, name: string, node: FleetNode): CheckContext {
  const { settings } = node;
  const isOrigin = isOriginSettings(settings);
  const audiences = audiencesOf(plan);
  const ownAudiences = audiences.filter(({ from, by }) => (isOrigin ? from === name : by.includes(name)));
  const share = (pull: Audience): number =>
    isOrigin ? pull.viewers : (distributeViewers(pull.viewers, pull.by, pull.weights)[pull.by.indexOf(name)] ?? 0);
  const perStream = new Map<string, number>();
  for (const pull of ownAudiences)
    perStream.set(`${pull.from} ${pull.stream}`, (perStream.get(`${pull.from} ${pull.stream}`) ?? 0) + share(pull));
  const rates = ownAudiences.map((pull) => kbpsOf(plan, nodes, pull));
  const groups = publisherGroups(plan).filter(({ by, publication }) => (isOrigin ? publication.node : by) === name);
  const [firstOrigin] = [...ownAudiences.map(({ from }) => from), ...groups.map(({ publication }) => publication.node)];
  const clock = node.view().clock;
  return {
    node: name,
    role: node.role,
    ...(isOrigin ? { server: settings.server } : { tester: settings.tester }),
    ...(!isOrigin && settings.tester === 'kubernetes' ? { pods: settings } : {}),
    viewers: isOrigin
      ? ownAudiences.reduce((sum, pull) => sum + pull.viewers, 0)
      : (viewersPerTester(plan).get(name) ?? 0),
    viewersOfOneStream: Math.max(0, ...perStream.values()),
    publishers: plan.publish
      .filter((publication) => publication.node === name)
      .reduce((sum, { publishers = 1 }) => sum + publishers, 0),
    protocols: [...new Set(ownAudiences.map(({ protocol }) => protocol))],
    ...lengthOf([...ownAudiences, ...groups.map(({ publishers, ...group }) => ({ ...group, viewers: publishers }))]),
    ...(rates.length > 0 && rates.every((kbps): kbps is number => kbps !== undefined)
      ? { mbps: ownAudiences.reduce((sum, pull, index) => sum + ((rates[index] ?? 0) * share(pull)) / 1000, 0) }
      : {}),
    ...(clock ? { clock } : {}),
    // Set once more of them is read; see `check.ts`.
    sharedWith: [],
    ...(!isOrigin && firstOrigin !== undefined ? { origin: { node: firstOrigin } } : {}),
    testers: loadTesters(plan).length,
  };
}

/** Bitrate of one viewer, as reported by the origin or known of the lab's own sample. */
function kbpsOf(plan: Plan, nodes: ReadonlyMap<string, FleetNode>, pull: Audience): number | undefined {
  const served = nodes.get(pull.from)?.streams.find(({ stream }) => stream === pull.stream)?.bitrateKbps;
  if (served) return served;
  return publishesSample(plan, pull) ? sample240p.bitrateKbps : undefined;
}

function lengthOf(
  audiences: ReadonlyArray<Pick<Audience, 'viewers' | 'ratePerSecond' | 'holdMs' | 'stages' | 'search'>>,
): Pick<CheckContext, 'lengthMs'> {
  const lengths = audiences.map(({ stages, viewers, ratePerSecond, holdMs, search }) => {
    if (stages) return totalTimeMs(segmentsOf(stages));
    if (search) return search.repeats * 12 * (search.settleMs + search.measureMs);
    return holdMs === 0 ? undefined : (viewers / ratePerSecond) * 1000 + holdMs;
  });
  const known = lengths.filter((ms): ms is number => ms !== undefined);
  return known.length === lengths.length && known.length > 0 ? { lengthMs: Math.max(...known) } : {};
}
