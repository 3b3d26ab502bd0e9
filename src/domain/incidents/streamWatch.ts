import type { IncidentChange } from './incident';
import type { IncidentLines } from './incidentLines';
import type { NodeFacts } from './nodeFacts';
import type { AlertRule, RuleKind, RuleOf } from './rules';
import * as say from './sentences';

/** A server with more is not watched stream by stream. */
const maxStreams = 2000;
/** A stream that has no publisher for so long is not expected back: many servers have names that are used once. */
const forgottenAfterMs = 86_400_000;

/** Where rules about one stream meet. */
export const streamPlace = (node: string, stream: string): string => `stream|${node}|${stream}`;

interface Known {
  hasPublisher: boolean;
  goneSinceMs?: number | undefined;
  isReported: boolean;
}

/** The streams of one node: which are new, and which have lost their publisher. */
export class StreamWatch {
  private known: Map<string, Known> | undefined;

  constructor(private readonly lines: IncidentLines) {}

  take({ id, streams }: NodeFacts, rules: readonly AlertRule[], nowMs: number): readonly IncidentChange[] {
    // While they are not listed they neither appear nor are gone.
    if (!streams || streams.length > maxStreams) {
      this.known?.forEach((each) => (each.goneSinceMs = undefined));
      return [];
    }
    const others = streams.filter(({ isOurs }) => !isOurs);
    const now = new Map(others.map(({ stream, hasPublisher }) => [stream, hasPublisher]));
    // Of ours, those of others that were replaced by them too.
    const ours = new Set(streams.filter(({ isOurs }) => isOurs).map(({ stream }) => stream));
    const isFirst = this.known === undefined;
    const known = (this.known ??= new Map<string, Known>());
    const appeared: string[] = [];
    for (const [stream, hasPublisher] of now) {
      const before = known.get(stream);
      if (!before) {
        known.set(stream, { hasPublisher, isReported: false });
        if (hasPublisher && !isFirst) appeared.push(stream);
      } else if (hasPublisher) Object.assign(before, { hasPublisher, goneSinceMs: undefined, isReported: false });
    }
    for (const stream of ours) known.delete(stream);
    const pictureRules = of(rules, 'picture-fault');
    const pictures = (stream: string): readonly string[] => pictureRules.map(({ name }) => `${name}|${id}|${stream}`);
    return [
      ...of(rules, 'stream-appeared').flatMap((rule) => this.appeared(rule, id, appeared, nowMs)),
      ...of(rules, 'publisher-gone').flatMap((rule) => this.gone(rule, id, now, pictures, nowMs)),
    ];
  }

  /** What happened while nothing was watched is unknown: the next list is the first. */
  pause(): void {
    this.known = undefined;
  }

  private appeared(
    rule: RuleOf<'stream-appeared'>,
    node: string,
    streams: readonly string[],
    timeMs: number,
  ): readonly IncidentChange[] {
    return streams.flatMap((stream) =>
      this.lines.moment({
        ...{ rule, node, subject: stream, timeMs, places: [] },
        ...{
          cause: `${rule.name}|${node}|${stream}`,
          group: `${rule.name}|${node}`,
          sentence: say.streamAppeared(node),
        },
      }),
    );
  }

  private gone(
    rule: RuleOf<'publisher-gone'>,
    node: string,
    now: ReadonlyMap<string, boolean>,
    pictures: (stream: string) => readonly string[],
    nowMs: number,
  ): readonly IncidentChange[] {
    const changes: IncidentChange[] = [];
    const causeOf = (stream: string): string => `${rule.name}|${node}|${stream}`;
    for (const [stream, hasPublisher] of now)
      if (hasPublisher)
        changes.push(
          ...this.seenMeanwhile(causeOf(stream), pictures(stream), nowMs),
          ...this.lines.end(causeOf(stream), nowMs, say.publisherBack),
        );
    for (const [stream, each] of this.known ?? []) {
      if (now.get(stream) === true) continue;
      if (!each.hasPublisher) {
        if (!now.has(stream)) this.known?.delete(stream);
        continue;
      }
      each.goneSinceMs ??= nowMs;
      if (nowMs - each.goneSinceMs >= forgottenAfterMs) {
        this.known?.delete(stream);
        changes.push(...this.lines.end(causeOf(stream), nowMs, say.forgotten));
        continue;
      }
      if (each.isReported || nowMs - each.goneSinceMs < rule.forMs) continue;
      each.isReported = true;
      // Until it has one again; then it is a known stream still.
      changes.push(
        ...this.lines.begin({
          ...{ rule, node, subject: stream, timeMs: each.goneSinceMs, places: [streamPlace(node, stream)] },
          // A picture is seen well again, or not, whenever it is played: that may be hours later.
          apartFrom: 'picture-fault',
          ...{ cause: causeOf(stream), group: `${rule.name}|${node}`, sentence: say.publisherGone(node) },
        }),
      );
    }
    return changes;
  }

  /** Ends what was wrong with the picture only since the publisher was gone. */
  private seenMeanwhile(gone: string, pictures: readonly string[], nowMs: number): readonly IncidentChange[] {
    const { beganMs = Infinity } = this.lines.firingOf(gone) ?? {};
    return pictures
      .filter((cause) => (this.lines.firingOf(cause)?.beganMs ?? -Infinity) >= beganMs)
      .flatMap((cause) => this.lines.end(cause, nowMs, say.publisherBackAgain));
  }
}

const of = <Kind extends RuleKind>(rules: readonly AlertRule[], kind: Kind): readonly RuleOf<Kind>[] =>
  rules.filter((rule): rule is RuleOf<Kind> => rule.kind === kind);
