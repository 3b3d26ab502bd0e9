import type { Plan, PlanNode, Audience } from '../model/plan';
import { sharedVariableFault } from '../secrets/secretVariable';
import { suggestion } from '../text/closestMatch';
import { headersFault } from './headerRules';
import { tokensFault } from './tokenRules';
import { testerFault } from './optionRules';
import { numberedName, withoutMediaFault } from './pullRules';
import { rtspFault } from './rtspSource';
import { loadFault, publishedStreams, publishFault } from './publishRules';
import { viewerExpectations } from './viewerExpectations';
import type { PlanField } from './planField';
import { imageFault } from './fields/kubernetes';
import { isStopShare } from './fields/stops';
import { seriesDefinition } from '../series/series';
import { audiencesOf } from '../model/distribution';
import { publisherGroups } from '../model/publisherGroup';
import { processFault } from './processRules';
import { turnFault } from './turnRules';
import { roleOfName } from '../node/observedNodes';

type Role = 'origin' | 'tester';

/**
 * Names must match roles: an origin serves, a tester pulls. Throws a `PlanError`; `fields` are those of the plan's
 * text.
 */
export function checkReferences(plan: Plan, fields: ReadonlyMap<string, PlanField>): void {
  const check = checkOf(plan);
  const remote = Object.keys(plan.nodes).filter((name) => mayHaveSecrets(plan.nodes[name]));
  for (const name of remote) {
    const fault = sharedVariableFault(remote, name);
    if (fault !== undefined) fields.get('nodes')?.map().get(name)?.fail(fault);
  }
  for (const [name, node] of Object.entries(plan.nodes)) {
    const fault = 'tester' in node ? imageFault(node) : undefined;
    if (fault !== undefined) fields.get('nodes')?.map().get(name)?.fail(fault);
  }
  const pulls = fieldsOf(fields.get('pull'));
  audiencesOf(plan).forEach((pull, place) => {
    checkPull(pull, pulls[place], check);
    const ofTokens = tokensFault(pull);
    if (ofTokens !== undefined) pulls[place]?.map().get('tokens')?.fail(ofTokens);
    const ofHeaders = headersFault(pull);
    if (ofHeaders !== undefined) pulls[place]?.map().get('headers')?.fail(ofHeaders);
    const ofMedia = withoutMediaFault(pull);
    if (ofMedia !== undefined) pulls[place]?.map().get('withoutMedia')?.fail(ofMedia);
    const fault = testerFault(pull, plan.nodes);
    if (fault) pulls[place]?.map().get(fault.field)?.fail(fault.sentence);
    const ofProcesses = processFault(pull);
    if (ofProcesses) (pulls[place]?.map().get(ofProcesses.field) ?? pulls[place])?.fail(ofProcesses.sentence);
    const ofTurn = turnFault(pull);
    if (ofTurn !== undefined) pulls[place]?.map().get('turn')?.fail(ofTurn);
  });
  const published = fields.get('publish')?.list('') ?? [];
  plan.publish.forEach((publication, i) => {
    const { node, stream, by } = publication;
    const ofRtsp = rtspFault(publication);
    if (ofRtsp !== undefined) published[i]?.map().get('source')?.fail(ofRtsp);
    const fault = publishFault(publication, plan.nodes);
    if (fault) published[i]?.map().get(fault.field)?.fail(fault.sentence);
    const ofLoad = loadFault(publication, plan);
    if (ofLoad) (published[i]?.map().get(ofLoad.field) ?? published[i])?.fail(ofLoad.sentence);
    check(published[i]?.map().get('node'), node, 'origin');
    if (by !== undefined) check(published[i]?.map().get('by'), by, 'tester');
    const first = plan.publish.findIndex((other) => other.node === node && other.stream === stream);
    if (first !== i) published[i]?.fail(`"${stream}" is published on "${node}" twice. Remove one of them.`);
  });
  const expected = fields.get('expect')?.map();
  const stops = fields.get('stop')?.list('') ?? [];
  for (const { key, place, sentence } of viewerExpectations(plan)) {
    if (place === undefined) expected?.get(key)?.fail(sentence);
    else stops[place]?.fail(sentence);
  }
  for (const series of new Set(plan.thresholds?.map((threshold) => threshold.series)))
    for (const field of fieldsOf(expected?.get(series))) {
      const node = field.isMap ? field.map().get('node') : undefined;
      if (node) check(node, node.text(''));
    }
  plan.stopWhen?.forEach(({ node }, i) => node !== undefined && check(stops[i], node));
}

/** The lab and the tester of this machine have none. */
const mayHaveSecrets = (node: PlanNode | undefined): boolean =>
  node !== undefined && !('server' in node ? node.server === 'lab' : node.tester === 'local');

/** One value, or a list of several. */
function fieldsOf(field: PlanField | undefined): readonly PlanField[] {
  if (!field) return [];
  return field.isList ? field.list('') : [field];
}

type Check = (field: PlanField | undefined, name: string, role?: Role) => void;

function checkOf({ nodes }: Plan): Check {
  const origins = Object.keys(nodes).filter((name) => isOrigin(nodes[name]));
  const testers = Object.keys(nodes).filter((name) => !isOrigin(nodes[name]));
  return (field, name, role) => {
    const fitting = role === 'origin' ? origins : role === 'tester' ? testers : Object.keys(nodes);
    if (fitting.includes(name)) return;
    if (role && Object.hasOwn(nodes, name))
      field?.fail(
        `"${name}" is ${role === 'origin' ? 'a tester' : 'an origin'}; here ${role === 'origin' ? 'an origin' : 'a tester'} is needed. ${listed(fitting, role)}`,
      );
    const instead = fitting.length > 0 || !role ? suggestion(name, fitting) : listed([], role);
    field?.fail(`This plan has no node "${name}". ${instead}`);
  };
}

function checkPull({ from, by }: Audience, field: PlanField | undefined, check: Check): void {
  const pull = field?.map();
  check(pull?.get('from'), from, 'origin');
  const byFields = (pull?.get('by')?.list('') ?? []).map((entry) => (entry.isMap ? entry.map().get('tester') : entry));
  by.forEach((name, i) => {
    check(byFields[i], name, 'tester');
    if (by.indexOf(name) !== i) byFields[i]?.fail(`"${name}" is named twice. Remove one of them.`);
  });
}

function isOrigin(node: PlanNode | undefined): boolean {
  return node !== undefined && 'server' in node;
}

function listed(names: readonly string[], role: Role): string {
  if (names.length > 0) return `Available: ${names.join(', ')}.`;
  const example = role === 'origin' ? 'origin: { server: lab }' : 'audience: { tester: local }';
  return `Add one to "nodes", e.g. "${example}".`;
}

/**
 * Warnings: allowed, but probably a mistake. `nowMs` (Unix ms) is compared with the schedule; without it nothing is in
 * the past.
 */
export function warningsOf(plan: Plan, nowMs?: number): string[] {
  return [
    ...Object.keys(plan.nodes)
      .filter((name) => roleOfName(plan, name) === 'observed')
      .map((name) => `Node "${name}" is only observed: this plan does not pull from it or with it.`),
    ...audiencesOf(plan).flatMap((pull) => warningsOfPull(plan, pull)),
    ...measuredElsewhere(plan),
    ...scheduleWarnings(plan, nowMs),
  ];
}

function warningsOfPull(
  { publish }: Plan,
  { from, stream, protocol, by, viewers, stages = [], rooms, streams: several, withoutMedia }: Audience,
): string[] {
  const streams = publish.filter(({ node }) => node === from).flatMap(publishedStreams);
  const warnings: string[] = [];
  const isPublished = streams.includes(several === undefined ? stream : numberedName(stream, several));
  if (!rooms && !withoutMedia && !isPublished && protocol !== 'turn')
    warnings.push(
      `This plan does not publish "${stream}" on "${from}", so the stream must already exist.` +
        (streams.length > 0 ? ` ${suggestion(stream, streams.slice(0, 20))}` : ''),
    );
  if (by.length > viewers) warnings.push(`${by.length} testers share ${viewers} viewers, so some have none.`);
  let level = 0;
  for (const stage of stages) {
    if (stage.kind === 'step' && stage.by > Math.abs(stage.viewers - level))
      warnings.push(`A step by ${stage.by} from ${level} to ${stage.viewers} viewers makes a single, smaller step.`);
    if (stage.kind === 'ramp' || stage.kind === 'step') level = stage.viewers;
  }
  return warnings;
}

/** Which series testers measure, and which origins report. */
function measuredElsewhere({ nodes, thresholds = [], stopWhen = [] }: Plan): string[] {
  const named = [
    ...thresholds.map(({ series, node }) => ({ series, node })),
    ...stopWhen.flatMap(({ what, node }) => (isStopShare(what) ? [] : [{ series: what, node }])),
  ];
  return named.flatMap(({ series, node }) => {
    const source = seriesDefinition(series)?.source;
    if (node === undefined || (source !== 'audience' && source !== 'origin')) return [];
    const fits = isOrigin(nodes[node]) === (source === 'origin');
    const who = source === 'origin' ? 'an origin' : 'a tester';
    return fits ? [] : [`${series} is measured by ${who}; "${node}" is not one, so it will be missing there.`];
  });
}

function scheduleWarnings(plan: Plan, nowMs: number | undefined): string[] {
  const { schedule } = plan;
  if (!schedule) return [];
  const { atMs, repeat = 1, everyMs } = schedule;
  const warnings: string[] = [];
  if (atMs !== undefined && nowMs !== undefined && atMs < nowMs)
    warnings.push(`The schedule's start, ${new Date(atMs).toISOString()}, is in the past: it starts immediately.`);
  if (everyMs !== undefined && repeat === 1)
    warnings.push('The schedule has an interval but no "repeat", so the plan runs once. Add "repeat".');
  if (repeat > 1 && [...audiencesOf(plan), ...publisherGroups(plan)].some(({ holdMs }) => holdMs === 0))
    warnings.push('A run until stopped repeats only after it was stopped.');
  return warnings;
}
