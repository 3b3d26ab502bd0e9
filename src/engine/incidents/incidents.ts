import { uptime } from 'node:os';
import { inOrder, isFiring, isSilent, type Incident, type IncidentChange } from '../../domain/incidents/incident';
import { Announcements, isEndPending } from '../../domain/incidents/announcements';
import { IncidentWatch } from '../../domain/incidents/incidentWatch';
import { actionsIn } from '../../domain/incidents/alertActions';
import { defaultRules, maskedRuleFault, type AlertRule } from '../../domain/incidents/rules';
import type { StreamFinding } from '../../domain/node/streamCheck';
import type { MachineFingerprint } from '../../domain/model/node';
import { FullhouseError } from '../../contract/calls';
import type { IncidentNews } from '../../contract/incidentCalls';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { log } from '../base/log';
import type { Fleet } from '../fleet/fleet';
import { thisMachine, type FleetNode, type NodeChange } from '../fleet/node';
import type { Publications } from '../fleet/publications';
import type { RunManager } from '../runs/runManager';
import { factsOf } from './factsOf';
import type { ConsentItem } from '../../domain/consent/consent';
import type { SecretBox } from '../secrets/secretBox';
import { AlertCaller } from './alertCaller';
import type { AllowedActions } from './allowedActions';
import type { IncidentFile } from './incidentFile';
import { OwnStreams } from './ownStreams';
import type { RuleFile } from './ruleFile';

export interface IncidentsParts {
  readonly clock: Clock;
  readonly fleet: Fleet;
  readonly publications: Publications;
  readonly runManager: RunManager;
  /** This machine. */
  readonly own: MachineFingerprint;
  readonly file: IncidentFile;
  readonly ruleFile: RuleFile;
  readonly secrets: Pick<SecretBox, 'value' | 'mask'>;
  /** The webhooks and commands that may be used. */
  readonly allowed: AllowedActions;
  /** Time since this machine was started, with the time that it slept, in ms; default: the system's. */
  readonly uptimeMs?: () => number;
}

/** A tick this late shows that the process did not run, or that the machine slept. */
const minPauseMs = 2500;
/** Changes are saved together. */
const saveAfterMs = 1000;
/** Worse values and the time until which was watched are saved this often. */
const saveEveryMs = 30_000;
/** Until when was watched, while something lasts and nothing changes. */
const saveLastingEveryMs = 300_000;

/** What happens to the fleet, as incidents; with and without a run. */
export class Incidents {
  readonly changed = new Emitter<IncidentNews>();
  /** A webhook or a command has failed. */
  readonly problem = new Emitter<{ readonly problem: string }>();
  private rulesNow: readonly AlertRule[];
  private readonly watch: IncidentWatch;
  private readonly ours = new OwnStreams();
  private readonly announcements = new Announcements();
  private readonly caller: AlertCaller;
  private last: { readonly nowMs: number; readonly monotonicMs: number; readonly uptimeMs: number } | undefined;
  private isSaving = false;
  private savedMs = -Infinity;
  private isChanged = false;

  constructor(private readonly parts: IncidentsParts) {
    const { file, ruleFile, clock, runManager, fleet } = parts;
    this.rulesNow = ruleFile.read();
    const { incidents, watchedMs } = file.read();
    this.watch = new IncidentWatch(this.rulesNow, incidents);
    const { secrets, allowed } = parts;
    const nowMs = clock.now();
    this.caller = new AlertCaller(
      {
        ...{ clock, secrets, isAllowed: (action) => allowed.has(action) },
        released: () => this.keepAllowed(),
        remark: (id, remark) => this.take(this.watch.remark(id, remark)),
        problem: (problem) => this.problem.emit({ problem }),
      },
      this.rulesNow,
      incidents.filter((each) => isFiring(each) || isEndPending(each, watchedMs ?? nowMs)),
    );
    // Without a file that can be read, nothing is known of what was allowed.
    if (this.rulesNow !== defaultRules) this.keepAllowed();
    if (watchedMs !== undefined && watchedMs < nowMs) this.watch.unwatched(watchedMs, nowMs);
    runManager.samplesById.on((samples) => this.take(this.watch.samples(samples)));
    fleet.changes.on(({ node, change }) => this.heard(node, change));
  }

  get rules(): readonly AlertRule[] {
    return this.rulesNow;
  }

  setRules(rules: readonly AlertRule[]): void {
    const fault = maskedRuleFault(rules);
    if (fault !== undefined) throw new FullhouseError('bad-input', fault);
    this.rulesNow = rules;
    this.parts.ruleFile.write(rules);
    this.caller.setRules(rules);
    this.take(this.watch.setRules(rules, this.parts.clock.now()));
    this.keepAllowed();
  }

  /** What no rule has and is not called any more is no longer allowed. */
  private keepAllowed(): void {
    this.parts.allowed.keep([...this.rulesNow.flatMap(actionsIn), ...this.caller.actions]);
  }

  /** Webhooks and commands of the rules that the person has not allowed yet. */
  get notAllowed(): readonly ConsentItem[] {
    return this.parts.allowed.missing(this.rulesNow);
  }

  /** Changes with what is not allowed yet. */
  get notAllowedDigest(): string {
    return this.parts.allowed.digest(this.rulesNow);
  }

  /** The person has read what is not allowed yet, which has this digest, and allowed it. */
  allow(digest: string): void {
    this.parts.allowed.grant(this.rulesNow, digest);
    for (const { id, remark } of this.watch.incidents)
      if (remark?.result === 'not-allowed') this.take(this.watch.remark(id, undefined));
  }

  /** Those that lasted in this time, Unix ms: firing ones first, then the newest. */
  list(fromMs = -Infinity, toMs = Infinity): readonly Incident[] {
    return inOrder(
      this.watch.incidents.filter(({ beganMs, endedMs = Infinity }) => beganMs <= toMs && endedMs >= fromMs),
    );
  }

  acknowledge(id: string): Incident {
    this.require(id);
    this.take(this.watch.acknowledge(id, this.parts.clock.now()));
    return this.require(id);
  }

  /** Without a time it is no longer muted. */
  mute(id: string, untilMs: number | undefined): Incident {
    this.require(id);
    this.take(this.watch.mute(id, untilMs));
    return this.require(id);
  }

  /** The control player has played a stream of a node for some seconds. */
  played(node: string, stream: string, finding: StreamFinding): void {
    this.take(this.watch.playedStream(node, stream, finding, this.parts.clock.now()));
  }

  /** To be called once a second; `stepMs`: by how much the clock of this machine was set since the last call. */
  tick(stepMs: number): void {
    const { clock, fleet, publications, own, uptimeMs = () => uptime() * 1000 } = this.parts;
    const now = { nowMs: clock.now(), monotonicMs: clock.monotonic(), uptimeMs: uptimeMs() };
    const { last = now } = this;
    this.last = now;
    const passedMs = now.monotonicMs - last.monotonicMs;
    // The monotonic clock may stand still while the machine sleeps; then its clock seems to be set forward.
    const sleptMs = Math.max(0, now.uptimeMs - last.uptimeMs - passedMs);
    const isAsleep = sleptMs >= minPauseMs;
    const isPaused = isAsleep || passedMs - 1000 >= minPauseMs;
    if (isPaused) this.take(this.watch.unwatched(Math.min(last.nowMs, now.nowMs), now.nowMs));
    const setMs = isAsleep ? stepMs - sleptMs : stepMs;
    if (Math.abs(setMs) >= minPauseMs || (!isAsleep && setMs !== 0))
      this.take(this.watch.ownClockStepped(fleet.machine.id, setMs, now.nowMs));
    // Messages that arrived meanwhile are read first: until then all nodes seem not to respond.
    if (isPaused) return;
    this.ours.take(
      publications.jobs((node) => node.id),
      now.nowMs,
    );
    const facts = fleet.nodes.map((node) => factsOf(node, own, (stream) => this.ours.has(node.id, stream)));
    this.take(this.watch.observe(facts, now.nowMs));
    this.announceEnds(now.nowMs);
    // An end that was announced is not announced again after a restart.
    if (this.caller.tick((id) => this.watch.find(id), now.nowMs)) this.isChanged = true;
    const everyMs = this.isChanged ? saveEveryMs : this.watch.isAnyFiring ? saveLastingEveryMs : Infinity;
    if (clock.monotonic() - this.savedMs >= everyMs) this.save();
  }

  /** Ends what is being called; resolves when nothing is. */
  close(): Promise<void> {
    return this.caller.close();
  }

  /** Resolves when all changes are saved, or that has failed. */
  async whenSaved(): Promise<void> {
    if (this.isChanged || this.watch.isAnyFiring) this.save();
    const { file, ruleFile, allowed } = this.parts;
    await Promise.all([file.whenSaved(), ruleFile.whenSaved(), allowed.whenSaved()]);
  }

  private require(id: string): Incident {
    const known = this.watch.find(id);
    if (known) return known;
    throw new FullhouseError('no-incident', 'This incident is no longer in the list.');
  }

  private heard({ id, host }: FleetNode, change: NodeChange): void {
    // The engine itself detects steps of its machine's clock.
    if (host === thisMachine) return;
    if (change.kind === 'message' && change.name === 'clock-stepped' && change.stepMs !== undefined)
      this.take(this.watch.clockStepped(id, change.stepMs, change.timeMs));
  }

  private take(changes: readonly IncidentChange[]): void {
    if (changes.length === 0) return;
    for (const { change, incident } of changes)
      if (change !== 'updated') log.info(`Incident ${change}: ${incident.ended ?? incident.began}`);
    const nowMs = this.parts.clock.now();
    const latest = latestOf(changes);
    this.changed.emit({
      changes: latest.map((each) => {
        const { change, incident } = each;
        return { change, incident, notifies: this.notifies(each, nowMs) };
      }),
    });
    this.isChanged = true;
    this.caller.take(latest, nowMs);
    if (
      this.isSaving ||
      changes.every(({ change, incident }) => change === 'updated' && incident.endedMs === undefined)
    )
      return;
    this.isSaving = true;
    this.parts.clock.after(saveAfterMs, () => this.save(), 'background');
  }

  private notifies(change: IncidentChange, nowMs: number): boolean {
    const { incident } = change;
    const wants = (rule: string): boolean =>
      !isSilent(incident, nowMs) && this.rulesNow.some(({ name, notifies }) => name === rule && notifies === true);
    return this.announcements.takes(change, wants, nowMs) !== undefined && !isSilent(incident, nowMs);
  }

  /** The ends of what came and went, once it rests. */
  private announceEnds(nowMs: number): void {
    const ended = this.announcements.due((id) => this.watch.find(id), nowMs);
    const wanted = ended.filter(({ incident }) => !isSilent(incident, nowMs));
    if (wanted.length === 0) return;
    this.changed.emit({ changes: wanted.map(({ incident }) => ({ change: 'resolved', incident, notifies: true })) });
  }

  private save(): void {
    this.isSaving = false;
    this.isChanged = false;
    this.savedMs = this.parts.clock.monotonic();
    this.parts.file.write(this.parts.clock.now(), this.watch.incidents);
  }
}

/** The last state of each incident, with the most important change. */
function latestOf(changes: readonly IncidentChange[]): readonly IncidentChange[] {
  const latest = new Map<string, IncidentChange>();
  for (const each of changes) {
    const before = latest.get(each.incident.id);
    const change = each.change === 'updated' && before ? before.change : each.change;
    // Each of the rules may have a webhook of its own.
    const by = [...(before?.by ?? []), ...(each.by ?? [])];
    latest.set(each.incident.id, { change, ...(by.length === 0 ? {} : { by }), incident: each.incident });
  }
  return [...latest.values()];
}
