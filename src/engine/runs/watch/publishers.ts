import type { NodeState } from '../../../domain/model/node';
import type { PublisherOutage } from '../../../domain/model/publisherOutage';
import { asSentence } from '../../../domain/text/sentence';
import { formatDuration } from '../../../domain/text/timeFormat';
import type { TesterPublication } from '../../fleet/publications';
import { staleAfterMs, type NodeChange } from '../../fleet/node';
import type { NewEvent } from '../watchers';

/** A publication of this console to a node of the run, under the names of the run. */
export type WatchedPublication = Omit<TesterPublication, 'node' | 'by'> & {
  readonly node: string;
  readonly by: string;
};

interface State {
  readonly publication: WatchedPublication;
  /** The most publishers that were live at once. */
  live: number;
  open?: PublisherOutage;
  /** When the latest interruption was over. */
  resumedMs?: number;
}

interface Absence {
  readonly fromMs: number;
  toMs?: number;
}

/** The message of an agent about several publishers. */
const severalLost = /^(\d+) publishers were interrupted\. One of them: (.*)$/s;
/** A server that refuses connections has no process that listens: it is gone, not its publisher. */
const refused = /refused the connection/;

/** Detects publishers of a run that end, and are published again. */
export class PublisherWatch {
  private readonly jobs = new Map<string, State>();
  private readonly ended: PublisherOutage[] = [];
  /** When servers did not respond, by their name. */
  private readonly absences = new Map<string, Absence[]>();

  /** `hasViewers`: false where the load is publishers alone. */
  constructor(private readonly hasViewers = true) {}

  /** In order of time. */
  get all(): PublisherOutage[] {
    const open = [...this.jobs.values()].flatMap((state) => state.open ?? []);
    return [...this.ended, ...open]
      .map((publication) => this.withOrigin(publication))
      .sort((a, b) => a.fromMs - b.fromMs);
  }

  /** Once a second: what their testers report. */
  look(nowMs: number, publications: readonly WatchedPublication[]): NewEvent[] {
    const replaced = [...this.jobs].filter(
      ([job, { publication, open }]) => open && this.isReplaced(job, publication, publications),
    );
    const ends = replaced.flatMap(([job]) => this.end(job, nowMs));
    const changes = publications.flatMap((publication) => {
      const { job, latest } = publication;
      const state = this.jobs.get(job) ?? { publication, live: 0 };
      this.jobs.set(job, { ...state, publication });
      if (!latest) return [];
      if (latest.requested !== undefined) return this.several(nowMs, job, latest.live ?? 0, latest.requested);
      // The report may be older than the event that began the interval.
      const isNewer = latest.sinceMs === undefined || latest.sinceMs > (state.open?.fromMs ?? 0);
      if (latest.state === 'live') {
        this.set(job, { live: 1 });
        return state.open && isNewer ? this.end(job, Math.min(nowMs, latest.sinceMs ?? nowMs)) : [];
      }
      if (state.open) this.explain(job, latest.problem);
      const noticedMs = Math.min(nowMs, latest.sinceMs ?? nowMs);
      // A sample from before the message that it is live again is of the interruption that is over.
      const isLost = state.live > 0 && !state.open && noticedMs > (state.resumedMs ?? 0);
      return isLost ? this.begin(job, noticedMs - (latest.silentMs ?? 0), latest.problem) : [];
    });
    return [...ends, ...changes];
  }

  /** A message of a tester about one of its publications. */
  takeMessage({ name, job, timeMs, silentMs = 0, sentence }: Extract<NodeChange, { kind: 'message' }>): NewEvent[] {
    const state = job === undefined ? undefined : this.jobs.get(job);
    if (job === undefined || !state) return [];
    const of = state.publication.latest?.requested;
    // With several publishers the numbers in its reports are more precise, but do not show who was away between two.
    if (of !== undefined || state.live > 1)
      return name === 'publication-lost' && state.live > 0
        ? this.interrupted(job, timeMs - silentMs, sentence, of ?? state.live)
        : [];
    if (name === 'publication-live') return this.end(job, timeMs);
    if (name === 'publication-lost') return this.begin(job, timeMs - silentMs, reasonOf(sentence));
    if (name !== 'job-ended') return [];
    if (!state.open) return this.begin(job, timeMs, reasonOf(sentence));
    this.explain(job, reasonOf(sentence));
    return [];
  }

  /** A tester has ended, and its publications with it. */
  lose(by: string, nowMs: number, problem: string): NewEvent[] {
    return [...this.jobs].flatMap(([job, { publication, open }]) =>
      publication.by === by && !open ? this.begin(job, nowMs, problem) : [],
    );
  }

  /** The state of a server. */
  origin(node: string, state: NodeState, nowMs: number): void {
    const known = this.absences.get(node) ?? [];
    const last = known.at(-1);
    const isOpen = last !== undefined && last.toMs === undefined;
    const isAbsent = state === 'failed' || state === 'stale' || state === 'idle';
    // A server without a response for this long is noticed only then.
    if (isAbsent && !isOpen) known.push({ fromMs: state === 'stale' ? nowMs - staleAfterMs : nowMs });
    if (state === 'live' && isOpen) last.toMs = nowMs;
    this.absences.set(node, known);
  }

  /** Whether the stream of a job that has ended is published by another one, as after a stop by the user. */
  private isReplaced(job: string, { node, stream }: WatchedPublication, now: readonly WatchedPublication[]): boolean {
    const isOver = now.every((publication) => publication.job !== job);
    return (
      isOver &&
      now.some(
        (publication) =>
          publication.node === node && publication.stream === stream && publication.latest?.state === 'live',
      )
    );
  }

  /** Some of several publishers were interrupted since the last report, which ends it if they are live again. */
  private interrupted(job: string, timeMs: number, sentence: string, of: number): NewEvent[] {
    const [, lost = '1', example = sentence] = severalLost.exec(sentence) ?? [];
    return this.begin(job, timeMs, reasonOf(example), { lost: Number(lost), of });
  }

  private several(nowMs: number, job: string, live: number, of: number): NewEvent[] {
    const state = this.jobs.get(job);
    if (!state) return [];
    const before = state.open?.publishers?.lost ?? 0;
    if (live >= state.live) {
      this.set(job, { live });
      return state.open ? this.end(job, nowMs) : [];
    }
    const lost = state.live - live;
    const { problem, silentMs = 0 } = state.publication.latest ?? {};
    if (!state.open) return this.begin(job, nowMs - silentMs, problem, { lost, of });
    if (lost > before) this.set(job, { open: { ...state.open, publishers: { lost, of } } });
    return [];
  }

  private begin(
    job: string,
    timeMs: number,
    reason = 'The reason is unknown.',
    publishers?: PublisherOutage['publishers'],
  ): NewEvent[] {
    const state = this.jobs.get(job);
    if (!state || state.open) return [];
    const { node, stream, by } = state.publication;
    const fromMs = Math.round(timeMs);
    this.set(job, { open: { node, by, stream, fromMs, reason, ...(publishers ? { publishers } : {}) } });
    const what = publishers
      ? `${publishers.lost} of ${publishers.of} publications of ${stream} to ${node} ended`
      : `The publication of ${stream} to ${node} ended`;
    const viewers = this.hasViewers ? ` ${publishers ? 'Their' : 'Its'} viewers receive no media.` : '';
    const sentence = `${what}: ${reason}${viewers}`;
    return [{ timeMs: fromMs, kind: 'stream', mark: 'lost', node, who: node, sentence }];
  }

  private end(job: string, timeMs: number): NewEvent[] {
    const state = this.jobs.get(job);
    if (!state?.open) return [];
    const outage = { ...state.open, toMs: Math.max(state.open.fromMs, Math.round(timeMs)) };
    this.ended.push(outage);
    this.jobs.set(job, { publication: state.publication, live: state.live, resumedMs: outage.toMs });
    const { node, stream, fromMs, toMs } = outage;
    const sentence = `${stream} is published again after ${formatDuration(toMs - fromMs)}.`;
    return [{ timeMs: toMs, kind: 'stream', mark: 'recovered', node, who: node, sentence }];
  }

  /** While a server refuses connections, or where the publisher gave up, its tester has a better reason. */
  private explain(job: string, problem: string | undefined): void {
    const open = this.jobs.get(job)?.open;
    if (!open || problem === undefined || problem === open.reason) return;
    if (refused.test(problem)) this.set(job, { open: { ...open, reason: problem, isOriginLost: true } });
  }

  private set(job: string, change: Partial<State>): void {
    const state = this.jobs.get(job);
    if (state) this.jobs.set(job, { ...state, ...change });
  }

  /** A server that did not respond meanwhile has ended the publication. */
  private withOrigin(outage: PublisherOutage): PublisherOutage {
    const { node, fromMs, toMs = Infinity } = outage;
    const isAbsent = (this.absences.get(node) ?? []).some(
      (absence) => absence.fromMs <= toMs && (absence.toMs ?? Infinity) >= fromMs,
    );
    return isAbsent || refused.test(outage.reason) ? { ...outage, isOriginLost: true } : outage;
  }
}

/** The reason in a message of an agent, as a sentence. */
function reasonOf(sentence: string): string {
  const [, reason = sentence] =
    /^Publishing (?:was interrupted|failed): (.*?)\.?(?: Reconnecting\.)?$/.exec(sentence) ?? [];
  return asSentence(reason === sentence ? reason : `${reason}.`);
}
