import { inOrder, isFiring, isMuted, type Incident } from '../../../domain/incidents/incident';
import type { StreamFinding } from '../../../domain/node/streamCheck';
import type { WindowClient } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';

/** Older ones are no longer listed. */
const listedMs = 7 * 86_400_000;

/** The incidents of the last days, kept current by events. */
export class IncidentList {
  /** Firing ones first, then the newest. */
  all = $state.raw<readonly Incident[]>([]);
  readonly #engine: WindowClient;
  readonly #notices: Notices;
  readonly #unsubscribe: () => void;

  constructor(engine: WindowClient, notices: Notices, onOpened: (incident: Incident) => void = () => undefined) {
    this.#engine = engine;
    this.#notices = notices;
    this.#unsubscribe = engine.on('incidents', ({ changes }) => {
      this.#take(changes.map(({ incident }) => incident));
      for (const { change, incident } of changes) if (change === 'opened') onOpened(incident);
    });
  }

  async load(nowMs: number): Promise<void> {
    const found = await this.#notices.attempt(() =>
      this.#engine.call('incidents.list', { fromMs: Math.max(0, nowMs - listedMs) }),
    );
    if (!found) return;
    // What an event has brought meanwhile is newer.
    const newer = this.all;
    this.all = inOrder(found.incidents);
    this.#take(newer);
  }

  /** Those that last, and were neither acknowledged nor muted. */
  open(nowMs: number): readonly Incident[] {
    return this.all.filter((each) => isFiring(each) && each.acknowledgedMs === undefined && !isMuted(each, nowMs));
  }

  async acknowledge({ id }: Incident): Promise<void> {
    const changed = await this.#notices.attempt(() => this.#engine.call('incidents.acknowledge', { id }));
    if (changed) this.#take([changed]);
  }

  /** Without a time it is no longer muted. */
  async mute({ id }: Incident, untilMs?: number): Promise<void> {
    const input = { id, ...(untilMs === undefined ? {} : { untilMs }) };
    const changed = await this.#notices.attempt(() => this.#engine.call('incidents.mute', input));
    if (changed) this.#take([changed]);
  }

  /** What the control player found as it rotated through streams. */
  played(node: string, stream: string, finding: StreamFinding): void {
    void this.#notices.attempt(() => this.#engine.call('incidents.played', { node, stream, finding }));
  }

  dispose(): void {
    this.#unsubscribe();
  }

  #take(changed: readonly Incident[]): void {
    if (changed.length === 0) return;
    const ids = changed.map(({ id }) => id);
    this.all = inOrder([...this.all.filter(({ id }) => !ids.includes(id)), ...changed]);
  }
}
