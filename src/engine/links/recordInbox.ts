import {
  agentProtocolVersion,
  agentCalls,
  agentRecord,
  type AgentRecord,
} from '../../contract/agentProtocol';
import { Emitter } from '../emitter';
import type { BestOffset } from '../telemetry/bestOffset';
import { RecordGate } from './recordGate';
import { recordWithoutTokens } from './withoutTokens';

/** Where the records of one agent come in: each once and in order, with its time in our clock. */
export class RecordInbox {
  private readonly gate = new RecordGate();
  private readonly records = new Emitter<AgentRecord>();
  /** What came before anybody listened; given out once those who listen have had a turn to say so. */
  private held: AgentRecord[] | undefined = [];
  private admitting = false;
  private greetedBefore = false;

  constructor(
    private readonly who: string,
    private readonly clock: BestOffset,
    private readonly problem: (sentence: string) => void,
  ) {}

  /** After which record an agent that is greeted now should go on. */
  get resumeAfter(): number {
    return this.gate.resumeAfter;
  }

  on(listener: (record: AgentRecord) => void): () => void {
    if (this.held) setImmediate(() => this.release());
    return this.records.on(listener);
  }

  /** Nothing is taken until the next greeting, e.g. because the link is made anew. */
  shut(): void {
    this.admitting = false;
  }

  /** Runs in step with the socket: records that follow a greeting in the same packet must find it taken. */
  greet(result: unknown): void {
    const hello = agentCalls.hello.result.safeParse(result);
    if (!hello.success || hello.data.protocol !== agentProtocolVersion) return;
    const { restart, lost } = this.gate.greet(hello.data.instance, hello.data.oldestSequence);
    this.admitting = !restart;
    if (restart) this.problem(`${this.who} was restarted.`);
    if (lost > 0 && this.greetedBefore)
      this.problem(
        `${this.who} no longer keeps ${lost} records from before the link came back; their figures are missing.`,
      );
    this.greetedBefore = true;
  }

  take(raw: unknown, text: string): void {
    if (!this.admitting) return;
    const record = agentRecord.safeParse(raw);
    if (!record.success)
      return this.problem(`${this.who} sent a message that can't be read: ${text.slice(0, 120)}`);
    const { news, missing } = this.gate.admit(record.data.sequence);
    if (missing > 0) this.problem(`${missing} records of ${this.who} are missing.`);
    if (!news) return;
    const ours = recordWithoutTokens(inOurTime(record.data, (theirsMs) => this.clock.toOurs(theirsMs)));
    if (this.held) this.held.push(ours);
    else this.records.emit(ours);
  }

  private release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const record of held) this.records.emit(record);
  }
}

/** A record with all of its times by our clock. */
function inOurTime(record: AgentRecord, toOurs: (theirsMs: number) => number): AgentRecord {
  const timeMs = toOurs(record.timeMs);
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
          example: { ...failure.example, timeMs: toOurs(failure.example.timeMs) },
        })),
      })),
      publications: publications?.map((each) => ({ ...each, sinceMs: toOurs(each.sinceMs) })),
    },
  };
}
