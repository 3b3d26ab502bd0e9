import type { WindowClient } from '../../client/connection';
import type { Settings, ShellApi } from '../../../contract/shell';
import type { PlayerProtocol } from '../../../domain/model/playerProtocols';
import { ControlPlayer } from '../../player/controlPlayer.svelte';
import type { PlayTarget } from '../../player/protocols/playSession';
import { maxPlayers, playerCapacity, type PlayerCapacity } from './playerCapacity';
import { behindSlowestMs, syncChanges, type SyncedPlayer } from './syncPlayers';

/** What is played, as remembered between starts. */
export type Played = NonNullable<Settings['multiview']>[number];

const secondMs = 1000;

/** One player of several, with its stream and protocol. */
export class SidePlayer {
  readonly player: ControlPlayer;
  protocol = $state<PlayerProtocol>();
  heldMs = $state(0);
  heldSinceMs = Number.NEGATIVE_INFINITY;
  /** Whether its protocol can be delayed; unknown until it was tried. */
  canDelay = $state(true);

  constructor(
    engine: WindowClient,
    readonly id: number,
    readonly target: PlayTarget,
    protocol: PlayerProtocol | undefined,
  ) {
    this.player = new ControlPlayer({ engine, isRecorded: false });
    this.protocol = protocol;
  }

  /** Plays over this protocol, or again over the present one. */
  play(protocol = this.protocol): void {
    this.protocol = protocol;
    this.forgetDelay();
    this.player.watch(this.target, protocol);
  }

  /** A new connection has no delay of ours. */
  forgetDelay(): void {
    this.heldMs = 0;
    this.heldSinceMs = performance.now();
  }

  delayBy(changeMs: number): void {
    this.canDelay = this.player.delayBy(changeMs);
    if (this.canDelay) this.heldMs += changeMs;
    this.heldSinceMs = performance.now();
  }
}

interface MultiviewParts {
  readonly engine: WindowClient;
  readonly shell: ShellApi;
  readonly played: readonly Played[];
  /** The remembered players have changed. */
  readonly onChange: (played: Played[]) => void;
  readonly onProblem: (error: unknown) => void;
}

/** Up to nine players side by side; the sound of one is heard. */
export class Multiview {
  players = $state.raw<readonly SidePlayer[]>([]);
  /** The one that keys refer to. */
  selectedId = $state<number>();
  heardId = $state<number>();
  isSynchronised = $state(false);
  capacity = $state.raw<PlayerCapacity>();
  readonly #parts: MultiviewParts;
  readonly #timer: ReturnType<typeof setInterval>;
  #lastId = 0;
  #idleCpuPercent: number | undefined;
  #canMeasure = true;

  constructor(parts: MultiviewParts) {
    this.#parts = parts;
    this.players = parts.played.slice(0, maxPlayers).map((each) => this.#open(each));
    this.selectedId = this.players[0]?.id;
    // The first reading is of the time before there were players.
    void this.#measure();
    this.#timer = setInterval(() => this.#second(), secondMs);
  }

  get isFull(): boolean {
    return this.players.length >= maxPlayers;
  }

  get selected(): SidePlayer | undefined {
    return this.players.find(({ id }) => id === this.selectedId);
  }

  add(played: Played): void {
    if (this.isFull) return;
    const added = this.#open(played);
    this.#change([...this.players, added]);
    this.selectedId = added.id;
  }

  /** Adds a player for every protocol of a stream that is not played yet, as far as there is space. */
  async addProtocols(target: PlayTarget): Promise<void> {
    try {
      const { available } = await this.#parts.engine.call('player.address', target);
      const same = this.players.filter((player) => isSame(player.target, target));
      const played = same.map(({ protocol, player }) => protocol ?? player.address?.protocol);
      for (const protocol of available) if (!played.includes(protocol)) this.add({ ...target, protocol });
    } catch (error) {
      this.#parts.onProblem(error);
    }
  }

  remove(id: number | undefined): void {
    const at = this.players.findIndex((player) => player.id === id);
    const removed = this.players[at];
    if (!removed) return;
    removed.player.dispose();
    if (this.heardId === id) this.heardId = undefined;
    this.#change(this.players.filter((player) => player !== removed));
    if (this.selectedId === id) this.selectedId = (this.players[at] ?? this.players[at - 1])?.id;
  }

  /** Plays over another protocol. */
  choose(side: SidePlayer, protocol: PlayerProtocol): void {
    side.play(protocol);
    this.#change(this.players);
  }

  /** Makes one player heard instead of another, or none if it was heard. */
  hear(id: number | undefined): void {
    this.heardId = this.heardId === id ? undefined : id;
    if (id !== undefined) this.selectedId = id;
  }

  /** Delays all players to the slowest, or plays each as early as it can. */
  synchronise(isOn: boolean): void {
    this.isSynchronised = isOn;
    if (!isOn) for (const side of this.players) if (side.heldMs > 0) side.delayBy(-side.heldMs);
  }

  /** How much later a player would have to play to be synchronous, ms; undefined if that is unknown. */
  offsetMs(side: SidePlayer): number | undefined {
    const now = this.#synced();
    const player = now.find(({ id }) => id === side.id);
    return player && behindSlowestMs(player, now);
  }

  dispose(): void {
    clearInterval(this.#timer);
    for (const { player } of this.players) player.dispose();
  }

  #open({ node, stream, protocol }: Played): SidePlayer {
    return new SidePlayer(this.#parts.engine, (this.#lastId += 1), { node, stream }, protocol);
  }

  #change(players: readonly SidePlayer[]): void {
    this.players = players;
    this.#parts.onChange(
      players.map(({ target, protocol }) => ({ ...target, ...(protocol === undefined ? {} : { protocol }) })),
    );
  }

  #synced(): readonly SyncedPlayer[] {
    const nowMs = performance.now();
    return this.players.map(({ id, player, heldMs, heldSinceMs }) => ({
      ...{ id, heldMs, lag: player.lag },
      settledMs: nowMs - heldSinceMs,
    }));
  }

  #second(): void {
    void this.#measure();
    for (const side of this.players) if (side.player.state.kind !== 'playing' && side.heldMs > 0) side.forgetDelay();
    if (!this.isSynchronised) return;
    for (const { id, changeMs } of syncChanges(this.#synced()))
      this.players.find((side) => side.id === id)?.delayBy(changeMs);
  }

  async #measure(): Promise<void> {
    if (!this.#canMeasure) return;
    try {
      const load = await this.#parts.shell.call('shell.processLoad', {});
      if (this.#idleCpuPercent === undefined) this.#idleCpuPercent = load.windowCpuPercent;
      else this.capacity = playerCapacity(this.players.length, load, this.#idleCpuPercent);
    } catch (error) {
      this.#canMeasure = false;
      this.#parts.onProblem(error);
    }
  }
}

function isSame(a: PlayTarget, b: PlayTarget): boolean {
  return a.node === b.node && a.stream === b.stream;
}
