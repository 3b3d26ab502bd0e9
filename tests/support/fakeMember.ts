import type { AgentCallName, HelloResult } from '../../src/contract/agentCalls';
import type { JobSample, AgentRecord } from '../../src/contract/agentSample';
import type { FullhouseError } from '../../src/contract/calls';
import { Emitter } from '../../src/engine/base/emitter';
import type { GroupMember } from '../../src/engine/fleet/group/groupSource';
import type { AgentLink, LinkState } from '../../src/engine/links/agentLink';

export interface Asked {
  readonly call: AgentCallName;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A member whose agent reports what a test says. */
export class FakeMember {
  readonly asked: Asked[] = [];
  /** Answer of the next request instead of success. */
  refusal: FullhouseError | undefined;
  readonly member: GroupMember;
  private readonly records = new Emitter<AgentRecord>();
  private readonly states = new Emitter<LinkState>();
  private state: LinkState = 'live';
  private sequence = 0;

  constructor(index: number, limit = 10_000, remoteClock?: AgentLink['remoteClock']) {
    const request = (call: AgentCallName, params: unknown): Promise<unknown> => {
      this.asked.push({ call, params: params as Asked['params'] });
      const { refusal } = this;
      this.refusal = undefined;
      if (refusal) return Promise.reject(refusal);
      if (call === 'audience.viewers') return Promise.resolve(this.page(params as { offset: number; limit: number }));
      return Promise.resolve({ present: 5, warnings: ['The limit of open files is low.'] });
    };
    const link = {
      hello: { protocols: ['whep', 'rtmp'], limits: { viewers: limit, openFiles: 0 } } as unknown as HelloResult,
      remoteClock,
      request,
      onRecord: (listener: (record: AgentRecord) => void) => this.records.on(listener),
      onState: (listener: (state: LinkState) => void) => this.states.on(listener),
      onProblem: () => () => undefined,
    } as unknown as AgentLink;
    Object.defineProperty(link, 'state', { get: () => this.state });
    this.member = { index, name: `load-${index}`, link };
  }

  /** Orders of a kind, with their params. */
  orders(call: AgentCallName): ReadonlyArray<Asked['params']> {
    return this.asked.filter((each) => each.call === call).map(({ params }) => params);
  }

  become(state: LinkState): void {
    this.state = state;
    this.states.emit(state);
  }

  report(timeMs: number, jobs: ReadonlyArray<Partial<JobSample> & Pick<JobSample, 'job'>>, tester?: object): void {
    this.sequence += 1;
    this.records.emit({
      type: 'record',
      sequence: this.sequence,
      timeMs,
      kind: 'sample',
      sample: { process: {}, jobs: jobs.map(jobWith), ...(tester ? { tester } : {}) },
    } as unknown as AgentRecord);
  }

  private page({ offset, limit }: { offset: number; limit: number }): unknown {
    const total = (this.orders('audience.start').at(-1)?.['viewers'] ?? 0) as number;
    const viewers = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, i) => ({
      viewer: offset + i + 1,
      state: 'connected',
      packets: this.member.index,
    }));
    return { total, viewers };
  }
}

function jobWith(over: Partial<JobSample> & Pick<JobSample, 'job'>): JobSample {
  return {
    state: 'holding',
    requested: 0,
    waiting: 0,
    connecting: 0,
    connected: 0,
    failed: 0,
    disconnected: 0,
    present: 0,
    degraded: 0,
    arrivalRateTarget: 0,
    arrivalRateAchieved: 0,
    bitrateKbps: 0,
    packetsPerSecond: 0,
    stalls: 0,
    failures: [],
    ...over,
  };
}
