import type { StreamView } from '../../domain/node';
import type { Plan, PlanPull } from '../../domain/plan/plan';
import { audiencesOf, burdens, mostWithin } from '../../domain/shares';
import { pulledNameFault } from '../../domain/streamName';
import { neededNodes } from '../../domain/unreachable';
import { withDerived } from '../../domain/stages/derived';
import { searchFault, stageFault } from '../../domain/stages/faults';
import { spareFiles, strengthText, type TesterStrength } from '../../domain/tester/strength';
import { about, whole } from './sentences';

export interface PlanProblem {
  readonly path: string;
  readonly sentence: string;
  /** A value for the field that would do. */
  readonly suggestion?: number;
}

export interface PlanCheck {
  readonly problems: readonly PlanProblem[];
  readonly expectedMbps?: number;
  readonly expectedPacketsPerSecond?: number;
  readonly checks: readonly PlanFact[];
}

/** One thing that was looked at before the start. */
export interface PlanFact {
  /** It was checked, and the run can rely on it. */
  readonly good: boolean;
  /** It can't be checked from here: neither good nor bad. */
  readonly isUnknown?: true;
  readonly sentence: string;
  /** What would make it good. `publish`: the plan publishes a sample under the stream's name. */
  readonly fix?: 'publish';
}

/** What the host and the nodes can do, as far as it is known before they are started. */
export interface PlanFacts {
  /** The stream as its origin serves it now. */
  readonly stream?: StreamView;
  /** What people call a node, by the plan's name; the plan's own name where it is absent. */
  readonly names?: ReadonlyMap<string, string>;
  /** Most viewers of a tester by the plan's name, when its agent has told. */
  readonly viewerLimits: ReadonlyMap<string, number>;
  /** What a tester can play by what is known of it, by its name in the plan. */
  readonly strengths?: ReadonlyMap<string, TesterStrength>;
  /** Most open files that an agent may have, by the tester's name in the plan. */
  readonly openFiles: ReadonlyMap<string, number>;
  /** Ports that this system hands out by itself, when testers of this machine take part. */
  readonly ports?: number;
  /** Why nodes of the plan can't be used now, by the plan's name, each one sentence with what to do. */
  readonly unreachable?: ReadonlyMap<string, string>;
  /** A sample can be published to the origin, by itself or by a tester of the plan. */
  readonly canPublish?: boolean;
  /** The origin can't tell which streams it serves. */
  readonly isSilent?: boolean;
  /** What iperf3 measured last of what the origin can send. */
  readonly capacityMbps?: number;
}

/** What one viewer of the lab's own sample receives: the mean that 1,000 viewers measured over 15 s. */
export const sample240p = { bitrateKbps: 127, packetsPerSecond: 44 } as const;

/** Faults of a plan that no machine could mend; the same ones that reading its text finds. */
export function planProblems(plan: Plan): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const node = (name: string): 'origin' | 'tester' | undefined => {
    const found = plan.nodes[name];
    return found && ('server' in found ? 'origin' : 'tester');
  };
  const add = (path: string, sentence: string): void => void problems.push({ path, sentence });
  const audiences = audiencesOf(plan);
  audiences.forEach((pull, place) => {
    const path = place === 0 ? 'pull' : `also.${place - 1}`;
    if (node(pull.from) !== 'origin')
      add(`${path}.from`, `"${pull.from}" is no origin of this plan; name a node that has a server.`);
    pull.by.forEach((name, index) => {
      if (node(name) !== 'tester')
        add(`${path}.by.${index}`, `"${name}" is no tester of this plan; name a node that has a tester.`);
      if (pull.by.indexOf(name) !== index) add(`${path}.by.${index}`, `"${name}" is named twice.`);
    });
    for (const name of Object.keys(pull.weights ?? {}))
      if (!pull.by.includes(name))
        add(`${path}.weights`, `"${name}" has a weight and is no tester of this audience.`);
    if (pull.realism === 'full' && pull.protocol !== 'whep')
      add(
        `${path}.realism`,
        `Only viewers by WHEP can be as true as a browser, not those by ${pull.protocol}.`,
      );
    const inName = pulledNameFault(pull.stream, pull.protocol);
    if (inName !== undefined) add(`${path}.stream`, inName);
    const fault = courseFault(pull);
    if (fault) add(`${path}.${fault.path}`, fault.sentence);
  });
  if (audiences.filter(({ search }) => search !== undefined).length > 1)
    add('also', 'Two audiences search, and would find each other. Leave one of them out.');
  plan.publish.forEach(({ node: name, stream }, index) => {
    if (node(name) !== 'origin') add(`publish.${index}.node`, `"${name}" is no origin of this plan.`);
    const twice = plan.publish.findIndex((other) => other.stream === stream && other.node === name) !== index;
    if (twice) add(`publish.${index}.stream`, `"${stream}" is published twice.`);
  });
  for (const list of ['thresholds', 'stopWhen'] as const)
    plan[list]?.forEach((each, index) => {
      if (each.node !== undefined && !node(each.node))
        add(`${list}.${index}.node`, `There is no node "${each.node}" in this plan.`);
    });
  return problems;
}

/** What is impossible about an audience's own course. */
function courseFault(pull: PlanPull): PlanProblem | undefined {
  const { stages, search } = pull;
  if (!stages && !search) return undefined;
  if (stages && search)
    return { path: 'search', sentence: 'An audience either goes through stages or looks for the limit.' };
  const inStages = stages && stageFault(stages);
  if (inStages) return { path: `stages.${inStages.stage ?? 0}`, sentence: inStages.sentence };
  const inSearch = search && searchFault(search);
  if (inSearch) return { path: 'search', sentence: inSearch.sentence };
  // Shares and bounds go by these fields: they must not tell of another course.
  const { viewers, ratePerSecond } = withDerived(pull);
  if (viewers === pull.viewers && Math.abs(ratePerSecond - pull.ratePerSecond) < 1e-6 * ratePerSecond)
    return undefined;
  return {
    path: 'viewers',
    sentence: `The course brings up to ${whole(viewers)} viewers at ${about(ratePerSecond)}/s, and the plan says ${whole(pull.viewers)} at ${about(pull.ratePerSecond)}/s.`,
  };
}

/** What is known of the stream to pull: a tick only where it is there, or where this plan itself publishes it. */
function streamFact(
  stream: string,
  origin: string,
  isPublished: boolean,
  { stream: served, isSilent, canPublish }: PlanFacts,
): PlanFact {
  if (served) {
    const rate = served.bitrateKbps;
    return {
      good: true,
      sentence:
        rate === undefined
          ? `Stream ${stream} is live on ${origin}.`
          : `Stream ${stream} is live on ${origin}: ${about(rate / 1000)} Mbit/s per viewer.`,
    };
  }
  if (isPublished) return { good: true, sentence: `This plan publishes ${stream} on ${origin} first.` };
  if (isSilent)
    return {
      good: false,
      isUnknown: true,
      sentence: `${origin} can't list its streams, so nothing shows whether ${stream} is live.`,
    };
  return {
    good: false,
    sentence: `No stream ${stream} on ${origin}, and this plan does not publish it.`,
    ...(canPublish ? { fix: 'publish' } : {}),
  };
}

/** What a plan would need and do, for somebody who is still typing it. */
export function checkPlan(plan: Plan, facts: PlanFacts): PlanCheck {
  const problems = planProblems(plan);
  const checks: PlanFact[] = [];
  const { viewers, stream, from } = plan.pull;
  const audiences = audiencesOf(plan);

  for (const { name, path } of neededNodes(plan)) {
    const sentence = facts.unreachable?.get(name);
    if (sentence !== undefined) problems.push({ path, sentence });
  }
  for (const [name, share] of burdens(plan)) {
    const told = facts.viewerLimits.get(name);
    const called = facts.names?.get(name) ?? name;
    const files = facts.openFiles.get(name);
    if (files !== undefined)
      checks.push({
        good: files >= share + spareFiles,
        sentence: `Open files on ${called}: ${whole(files)}; this job needs ${whole(share + spareFiles)}.`,
      });
    const strength = facts.strengths?.get(name);
    if (strength && strength.basis !== 'told')
      checks.push({
        good: share <= strength.viewers,
        sentence: `${called} ${strengthText(strength)}; this job gives it ${whole(share)}.`,
      });
    const limit = told ?? (files === undefined ? undefined : Math.max(0, files - spareFiles));
    if (limit !== undefined && share > limit)
      problems.push({
        path: 'pull.viewers',
        sentence:
          limit > 0
            ? `${called} can play at most ${whole(limit)} viewers and would get ${whole(share)}.`
            : `${called} can play nobody: its limit of open files is too low; raise it there.`,
        ...(limit > 0 && audiences.length === 1 ? { suggestion: mostWithin(limit, name, plan.pull) } : {}),
      });
  }
  const all = audiences.reduce((sum, audience) => sum + audience.viewers, 0);
  if (facts.ports !== undefined)
    checks.push({
      good: facts.ports > all,
      sentence: `Local ports of this machine: ${whole(facts.ports)}; this job needs ${whole(all)}, one per viewer.`,
    });

  const isPublished = plan.publish.some(
    (publication) =>
      publication.stream === stream && publication.node === from && publication.source === 'sample-240p',
  );
  const each = facts.stream?.bitrateKbps ? facts.stream : isPublished ? sample240p : undefined;
  checks.push(streamFact(stream, facts.names?.get(from) ?? from, isPublished, facts));
  const needMbps = each?.bitrateKbps === undefined ? undefined : (each.bitrateKbps * viewers) / 1000;
  if (facts.capacityMbps !== undefined && needMbps !== undefined)
    checks.push({
      good: needMbps <= facts.capacityMbps,
      sentence: `Link of ${plan.pull.from}: iperf3 measured ${about(facts.capacityMbps)} Mbit/s; this job needs ${about(needMbps)}.`,
    });
  return {
    problems,
    checks,
    ...(needMbps === undefined ? {} : { expectedMbps: needMbps }),
    ...(each?.packetsPerSecond
      ? { expectedPacketsPerSecond: Math.round(each.packetsPerSecond * viewers) }
      : {}),
  };
}
