import { Emitter } from '../../src/engine/base/emitter';
import type { GroupMember, GroupReadiness, GroupSource } from '../../src/engine/fleet/group/groupSource';
import { eachOf } from '../../src/engine/base/eachOf';
import type { AgentLink } from '../../src/engine/links/agentLink';
import { localAgentBinary, startLocalAgent, type LocalAgent } from '../../src/engine/links/localAgent';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { startCuttableProxy, type CuttableProxy } from '../standins/cuttableProxy';

interface Place {
  readonly index: number;
  agent?: LocalAgent;
  proxy?: CuttableProxy;
  link?: AgentLink;
}

/** A tester group of agents of this machine, each behind a proxy that can cut its link. */
export class LocalGroupSource implements GroupSource {
  private readonly places: readonly Place[];
  private readonly joined = new Emitter<GroupMember>();
  private readonly lost = new Emitter<{ readonly index: number; readonly reason: string; readonly timeMs: number }>();
  private readonly changed = new Emitter<void>();
  private isWanted = false;

  constructor(
    private readonly options: {
      readonly agentFolder: string;
      readonly samplesFolder: string;
      readonly size: number;
      /** An ended member is started again. */
      readonly isReplacing?: boolean;
      /** Places that never become ready. */
      readonly broken?: ReadonlyMap<number, string>;
    },
  ) {
    this.places = Array.from({ length: options.size }, (_, index) => ({ index }));
  }

  get readiness(): GroupReadiness {
    const missing = this.places.filter(({ link }) => link === undefined);
    return {
      size: this.places.length,
      ready: this.places.length - missing.length,
      missing: missing.map(({ index }) => {
        const reason = this.options.broken?.get(index);
        return { index, name: nameOf(index), ...(reason === undefined ? {} : { reason, isFinal: true }) };
      }),
    };
  }

  /** The agent's process of a member. */
  pidOf(index: number): number {
    return this.places[index]?.agent?.pid ?? 0;
  }

  cut(index: number): void {
    this.places[index]?.proxy?.cut();
  }

  restore(index: number): void {
    this.places[index]?.proxy?.restore();
  }

  async start(signal: AbortSignal): Promise<void> {
    this.isWanted = true;
    const missing = this.places.filter(({ index, link }) => !link && !this.options.broken?.has(index));
    await eachOf(missing, 8, (place) => this.begin(place), signal);
  }

  async stop(): Promise<void> {
    this.isWanted = false;
    await Promise.all(
      this.places.map(async (place) => {
        const { link, agent, proxy } = place;
        delete place.link;
        await agent?.end(link?.state === 'live' ? () => link.request('shutdown', {}, 5000) : undefined, true);
        link?.close();
        await proxy?.close();
      }),
    );
    this.changed.emit();
  }

  onMember(listener: (member: GroupMember) => void): () => void {
    return this.joined.on(listener);
  }
  onLost(listener: (index: number, reason: string, timeMs: number) => void): () => void {
    return this.lost.on(({ index, reason, timeMs }) => listener(index, reason, timeMs));
  }
  onReadiness(listener: () => void): () => void {
    return this.changed.on(listener);
  }

  close(): Promise<void> {
    return this.stop();
  }

  private async begin(place: Place): Promise<void> {
    const { agentFolder, samplesFolder } = this.options;
    const name = nameOf(place.index);
    const agent = await startLocalAgent({
      binary: localAgentBinary(agentFolder),
      role: 'audience',
      args: ['--idle-timeout', '60s', '--samples', samplesFolder],
    });
    const proxy = await startCuttableProxy(agent.listening.address);
    const link = await openAgentLink({
      address: () => proxy.address,
      token: agent.token,
      who: `The agent on ${name}`,
      version: '0.1.0',
    });
    Object.assign(place, { agent, proxy, link });
    void agent.exited.then(({ sentence }) => {
      if (place.agent !== agent || !this.isWanted) return;
      link.close();
      void proxy.close();
      delete place.link;
      this.lost.emit({
        index: place.index,
        reason: `${name} ended: ${sentence.replace(/\.$/, '')}`,
        timeMs: Date.now(),
      });
      this.changed.emit();
      if (this.options.isReplacing) void this.begin(place);
    });
    this.joined.emit({ index: place.index, name, link });
    this.changed.emit();
  }
}

const nameOf = (index: number): string => `load-${index + 1}`;
