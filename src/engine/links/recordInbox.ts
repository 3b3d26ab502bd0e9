import { agentProtocolVersion } from '../../contract/agentProtocol';
import { agentCalls } from '../../contract/agentCalls';
import { agentRecord, type AgentRecord } from '../../contract/agentSample';
import { nextTurn } from '../base/clock';
import { Emitter } from '../base/emitter';
import { histogramProblem } from '../base/sampleHistograms';
import type { BestOffset } from './bestOffset';
import { RecordGate } from './recordGate';
import { recordWithoutTokens } from './withoutTokens';

/** Receives the records of one agent: each once and in order, with its time in our clock. */
export class RecordInbox {
  private readonly gate: RecordGate;
  private readonly records = new Emitter<AgentRecord>();
  /** Received before there was a listener; delivered once listeners had a chance to subscribe. */
  private held: AgentRecord[] | undefined = [];
  private admitting = false;
  private greetedBefore = false;

  constructor(
    private readonly who: string,
    private readonly clock: BestOffset,
    private readonly problem: (sentence: string) => void,
    ranBefore = false,
  ) {
    this.gate = new RecordGate(ranBefore);
  }

  /** The last record received: an agent continues after it. */
  get resumeAfter(): number | undefined {
    return this.gate.resumeAfter;
  }

  on(listener: (record: AgentRecord) => void): () => void {
    if (this.held) void nextTurn().then(() => this.release());
    return this.records.on(listener);
  }

  /** Takes nothing until the next `hello`, e.g. while the link reconnects. */
  shut(): void {
    this.admitting = false;
  }

  /** Runs synchronously with the socket: records that follow `hello` in the same packet need it processed. */
  greet(result: unknown): void {
    const hello = agentCalls.hello.result.safeParse(result);
    if (!hello.success || hello.data.protocol !== agentProtocolVersion) return;
    const { instance, oldestSequence, latestSequence } = hello.data;
    const { restart, lost } = this.gate.greet(instance, oldestSequence, latestSequence);
    this.admitting = !restart;
    if (restart) this.problem(`${this.who} was restarted.`);
    if (lost > 0 && this.greetedBefore)
      this.problem(`${this.who} no longer has ${lost} records from before the reconnect; their figures are missing.`);
    this.greetedBefore = true;
  }

  take(raw: unknown, text: string): void {
    if (!this.admitting) return;
    const record = agentRecord.safeParse(raw);
    if (!record.success) return this.problem(`${this.who} sent a message that can't be read: ${text.slice(0, 120)}`);
    const unreadable = histogramProblem(record.data);
    if (unreadable !== undefined) return this.problem(`${this.who} sent a sample that can't be read: ${unreadable}`);
    const { isNew, missing } = this.gate.admit(record.data.sequence);
    if (missing > 0) this.problem(`${missing} records from ${this.who} are missing.`);
    if (!isNew) return;
    const ours = recordWithoutTokens(inOurTime(record.data, (theirsMs) => this.clock.toLocal(theirsMs)));
    if (this.held) this.held.push(ours);
    else this.records.emit(ours);
  }

  private release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const record of held) this.records.emit(record);
  }
}

/** A record with all of its times in our clock. */
function inOurTime(record: AgentRecord, toLocal: (theirsMs: number) => number): AgentRecord {
  const timeMs = toLocal(record.timeMs);
  if (record.kind === 'event') return { ...record, timeMs };
  const { jobs, publications } = record.sample;
  return {
    ...record,
    timeMs,
    sample: {
      ...record.sample,
      jobs: jobs?.map((job) => ({
        ...job,
        failures: job.failures.map((failure) => ({
          ...failure,
          example: { ...failure.example, timeMs: toLocal(failure.example.timeMs) },
        })),
      })),
      publications: publications?.map(({ mediaClock, ...each }) => ({
        ...each,
        sinceMs: toLocal(each.sinceMs),
        ...(mediaClock && {
          mediaClock: { ...mediaClock, startMs: toLocal(mediaClock.startMs), sinceMs: toLocal(mediaClock.sinceMs) },
        }),
      })),
    },
  };
}
