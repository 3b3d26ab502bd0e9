import type { StreamFinding } from '../node/streamCheck';
import type { Sample } from '../series/series';
import type { Incident, IncidentChange, IncidentRemark } from './incident';
import { IncidentLines, type LinesOptions } from './incidentLines';
import { LevelWatch } from './levelWatch';
import type { NodeFacts } from './nodeFacts';
import { causeOf, hostPlace, NodeWatch } from './nodeWatch';
import { appliesTo, isOfHost, levelOf, type AlertRule, type RuleOf } from './rules';
import * as say from './sentences';
import { PlayedStreams } from './playedStreams';
import { TrendWatch, type TrendCrossing } from './trendWatch';

/** Nodes of an incident that are not in the fleet for this long were removed; a start needs some time to list them all. */
const removedAfterMs = 60_000;

/** What is watched of the series of one node by one rule. */
interface Watched {
  readonly rule: AlertRule;
  readonly level?: LevelWatch;
  readonly trend?: TrendWatch;
}

/** The memory of a machine is one thing, whichever rule is about it. */
const memoryPlaces = (facts: Pick<NodeFacts, 'id' | 'host'>): readonly string[] => [
  `memory|${facts.id}`,
  ...hostPlace('memory', facts),
];

/**
 * Turns what is known of the nodes into incidents. It has no clock: times are those of samples, or passed in. Returns
 * what changed.
 */
export class IncidentWatch {
  private readonly lines: IncidentLines;
  private readonly nodes = new Map<string, NodeWatch>();
  /** By node and series. */
  private readonly series = new Map<string, readonly Watched[]>();
  private readonly played: PlayedStreams;
  private missingSinceMs = new Map<string, number>();

  constructor(
    private rules: readonly AlertRule[],
    known: readonly Incident[] = [],
    options: LinesOptions = {},
  ) {
    this.lines = new IncidentLines(known, options);
    this.played = new PlayedStreams(this.lines);
  }

  get incidents(): readonly Incident[] {
    return this.lines.incidents;
  }

  get isAnyFiring(): boolean {
    return this.lines.isAnyFiring;
  }

  find(id: string): Incident | undefined {
    return this.lines.find(id);
  }

  /** What lasts by a rule that no longer exists, is off or has changed is over. */
  setRules(rules: readonly AlertRule[], nowMs: number): readonly IncidentChange[] {
    const same = new Set(
      rules
        .filter((rule) => !rule.isOff && this.rules.some((old) => JSON.stringify(old) === JSON.stringify(rule)))
        .map(({ name }) => name),
    );
    this.rules = rules;
    this.series.clear();
    return this.endAll((cause) => !same.has(cause.split('|')[0] ?? ''), nowMs, say.switchedOff);
  }

  /** Values of series, of nodes by their id in the fleet. */
  samples(samples: readonly Sample[]): readonly IncidentChange[] {
    return samples.flatMap((sample) => this.watched(sample).flatMap((each) => this.judge(each, sample)));
  }

  /** All nodes of the fleet as they are now. To be called once a second. */
  observe(nodes: readonly NodeFacts[], nowMs: number): readonly IncidentChange[] {
    const changes: IncidentChange[] = [];
    for (const facts of nodes) {
      const before = this.nodes.get(facts.id);
      if (before?.facts && before.facts.identity !== facts.identity)
        changes.push(...this.forget(facts.id, nowMs, say.changed));
      const known = this.nodes.get(facts.id) ?? new NodeWatch(facts.id, this.lines);
      this.nodes.set(facts.id, known);
      changes.push(...known.take(facts, this.rules, nowMs));
    }
    const present = new Set(nodes.map(({ id }) => id));
    for (const id of this.nodes.keys()) if (!present.has(id)) changes.push(...this.forget(id, nowMs));
    changes.push(...this.removeMissing(present, nowMs), ...this.played.tick(this.rules, this.lines.firing, nowMs));
    this.lines.tick(nowMs);
    return changes;
  }

  /** The control player has played a stream of a node for some seconds. */
  playedStream(node: string, stream: string, finding: StreamFinding, nowMs: number): readonly IncidentChange[] {
    const facts = this.nodes.get(node)?.facts;
    return facts ? this.played.take(this.rules, facts, stream, finding, nowMs) : [];
  }

  /** The clock of this machine was set: those of all others seem to have been set too. */
  ownClockStepped(machine: string, stepMs: number, nowMs: number): readonly IncidentChange[] {
    for (const node of this.nodes.values()) node.forgetOffset(nowMs);
    return this.clockStepped(machine, stepMs, nowMs);
  }

  /** The clock of a node's machine was set, by its own report; a measured offset shows it anyway. */
  clockStepped(node: string, stepMs: number, nowMs: number): readonly IncidentChange[] {
    const watch = this.nodes.get(node);
    const facts = watch?.facts;
    if (!watch || !facts || facts.clockOffsetMs !== undefined) return [];
    return this.rules
      .filter((rule): rule is RuleOf<'clock-stepped'> => rule.kind === 'clock-stepped' && appliesTo(rule, facts))
      .flatMap((rule) => watch.stepped(rule, stepMs, nowMs));
  }

  /** Nothing was watched: the console was closed, or its machine slept. Nothing is concluded from that time. */
  unwatched(fromMs: number, toMs: number): readonly IncidentChange[] {
    for (const node of this.nodes.values()) node.pause(toMs);
    for (const all of this.series.values())
      for (const { level, trend } of all) {
        level?.pause();
        trend?.pause();
      }
    return this.lines.unwatched(fromMs, toMs);
  }

  /** A stream that is not expected back is no longer waited for. */
  acknowledge(id: string, nowMs: number): readonly IncidentChange[] {
    const changes = this.lines.acknowledge(id, nowMs);
    const known = this.lines.find(id);
    if (known?.kind !== 'publisher-gone') return changes;
    return [...changes, ...known.firing.flatMap((cause) => this.lines.end(cause, nowMs, say.notExpected))];
  }

  /** Without a time it is no longer muted. */
  mute(id: string, untilMs: number | undefined): readonly IncidentChange[] {
    return this.lines.mute(id, untilMs);
  }

  /** Says something about an incident on its line, or no longer. */
  remark(id: string, remark: IncidentRemark | undefined): readonly IncidentChange[] {
    return this.lines.remark(id, remark);
  }

  private watched({ node, series }: Sample): readonly Watched[] {
    const key = `${node}|${series}`;
    const known = this.series.get(key);
    if (known) return known;
    const facts = this.nodes.get(node)?.facts;
    // Samples of a node may arrive before it is known which one it is.
    if (!facts) return [];
    const all = this.rules
      .filter((rule) => appliesTo(rule, facts))
      .flatMap((rule): readonly Watched[] => {
        const isOver = this.lines.isFiring(causeOf(rule, node));
        if (rule.kind === 'level')
          return rule.series === series ? [{ rule, level: new LevelWatch(levelOf(rule), isOver) }] : [];
        if (rule.kind === 'gc-pause') return series === 'gcPauseMs' ? [{ rule }] : [];
        if (rule.kind === 'disk-running-out' && series === 'diskFreeBytes')
          return [{ rule, trend: new TrendWatch(rule.withinMs, isOver) }];
        if (series !== 'memoryUsedBytes') return [];
        if (rule.kind === 'memory') return [{ rule, level: new LevelWatch(levelOf(rule), isOver) }];
        return rule.kind === 'memory-running-out' ? [{ rule, trend: new TrendWatch(rule.withinMs, isOver) }] : [];
      });
    this.series.set(key, all);
    return all;
  }

  private judge({ rule, level, trend }: Watched, sample: Sample): readonly IncidentChange[] {
    const { node, value } = sample;
    const facts = this.nodes.get(node)?.facts;
    if (!facts) return [];
    if (rule.kind === 'gc-pause') return this.pause(rule, sample);
    if (rule.kind === 'level' && level) return this.crossed(rule, level, sample, value, facts);
    if (rule.kind === 'disk-running-out' && trend) {
      const places = hostPlace(rule.name, facts);
      return this.running(rule, sample, places, 'Disk', trend.take(sample.timeMs, -value, 0));
    }
    const { memoryBytes } = facts;
    if (memoryBytes === undefined || memoryBytes <= 0) return [];
    if (rule.kind === 'memory' && level) return this.crossed(rule, level, sample, (100 * value) / memoryBytes, facts);
    const places = memoryPlaces(facts);
    return trend ? this.running(rule, sample, places, 'Memory', trend.take(sample.timeMs, value, memoryBytes)) : [];
  }

  private pause(rule: RuleOf<'gc-pause'>, { node, timeMs, value }: Sample): readonly IncidentChange[] {
    if (value <= rule.aboveMs) return [];
    return this.lines.moment({
      ...{ rule, node, cause: causeOf(rule, node), subject: node, places: [], timeMs, value },
      ...{ series: 'gcPauseMs', sentence: say.paused(value) },
    });
  }

  private crossed(
    rule: RuleOf<'level'> | RuleOf<'memory'>,
    watch: LevelWatch,
    { node, timeMs }: Sample,
    value: number,
    facts: NodeFacts,
  ): readonly IncidentChange[] {
    const cause = causeOf(rule, node);
    const { level } = watch;
    const what = rule.kind === 'memory' ? 'memory' : rule.series;
    const crossing = watch.take(timeMs, value);
    if (crossing?.crossing === 'back') return this.lines.end(cause, crossing.sinceMs, say.levelEnded(what, level));
    if (!crossing) return watch.isOver ? this.lines.worsen(cause, value, level.isUpper) : [];
    const shared = rule.kind === 'level' && isOfHost(rule.series) ? hostPlace(rule.name, facts) : [];
    return this.lines.begin({
      ...{ rule, node, cause, subject: node, timeMs: crossing.sinceMs, value: crossing.worst },
      ...(rule.kind === 'level' ? { series: rule.series } : {}),
      places: rule.kind === 'memory' ? memoryPlaces(facts) : shared,
      sentence: say.levelBegan(what, level, crossing.worst),
    });
  }

  private running(
    rule: AlertRule,
    { node }: Sample,
    places: readonly string[],
    what: say.Resource,
    crossing: TrendCrossing | undefined,
  ): readonly IncidentChange[] {
    if (!crossing) return [];
    const cause = causeOf(rule, node);
    if (crossing.crossing === 'back') return this.lines.end(cause, crossing.sinceMs, say.trendEnded(what));
    return this.lines.begin({
      ...{ rule, node, cause, subject: node, places, timeMs: crossing.sinceMs },
      sentence: say.trendBegan(what, crossing.leftMs),
    });
  }

  private forget(id: string, nowMs: number, sentence = say.removed): readonly IncidentChange[] {
    this.nodes.delete(id);
    for (const key of this.series.keys()) if (key.startsWith(`${id}|`)) this.series.delete(key);
    return this.endAll((cause) => cause.split('|')[1] === id, nowMs, sentence);
  }

  /** Nodes of earlier incidents that this fleet does not have. */
  private removeMissing(present: ReadonlySet<string>, nowMs: number): readonly IncidentChange[] {
    const missing = new Set(this.lines.firing.flatMap(({ nodes }) => nodes).filter((node) => !present.has(node)));
    this.missingSinceMs = new Map([...missing].map((node) => [node, this.missingSinceMs.get(node) ?? nowMs]));
    return [...this.missingSinceMs]
      .filter(([, sinceMs]) => nowMs - sinceMs >= removedAfterMs)
      .flatMap(([node]) => this.endAll((cause) => cause.split('|')[1] === node, nowMs, say.removed));
  }

  private endAll(
    isOver: (cause: string) => boolean,
    nowMs: number,
    sentence: (incident: Incident) => string,
  ): readonly IncidentChange[] {
    return this.lines.firing
      .flatMap(({ firing }) => firing.filter(isOver))
      .flatMap((cause) => this.lines.end(cause, nowMs, sentence));
  }
}
