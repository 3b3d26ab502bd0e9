import { FigureSources } from '../../domain/node/figureSources';
import { figureSourceNames } from '../../domain/series/series';
import { unknownHost } from '../../domain/model/host';
import type { NodeRole, NodeState, NodeView } from '../../domain/model/node';
import { isOriginSettings, type NodeSettings } from '../../domain/model/nodeSettings';
import { turnAddress } from '../../domain/model/turn';
import { streamAddressKeys } from '../../domain/model/addressKeys';
import type { ProgramShare } from '../../domain/model/otherLoad';
import { Emitter } from '../base/emitter';
import type { SshLink } from '../links/ssh/sshLink';
import type { RemoteNodeOptions } from './fleetKit';
import { HostWatch } from './hostWatch';
import { thisMachine, type NodeChange, type ServerFacts } from './node';

/** What the nodes that are reached over the network have in common: their state, their host, and reporting both. */
export abstract class RemoteBase {
  readonly id: string;
  abstract readonly role: NodeRole;
  readonly changes = new Emitter<NodeChange>();
  readonly figures = new FigureSources();
  readonly pid = undefined;
  readonly host: string;
  state: NodeState = 'starting';
  protected problem: string | undefined;
  protected lastSampleMs: number | undefined;
  protected isClosed = false;
  protected readonly watch: HostWatch;

  constructor(
    protected readonly options: RemoteNodeOptions,
    readonly settings: NodeSettings,
    processName: () => string | undefined,
  ) {
    this.id = options.id;
    this.host = hostOf(settings);
    this.watch = new HostWatch({
      who: options.id,
      settings,
      secrets: options.secrets,
      hostKeys: options.hostKeys,
      clock: options.clock,
      processName,
      own: options.own,
      hasServer: isOriginSettings(settings),
    });
    this.watch.samples.on(({ timeMs, values, from }) => {
      this.heard(timeMs);
      this.changes.emit({ kind: 'host', timeMs, values: this.figures.take(from, values) });
      this.review();
    });
    this.watch.remarks.on((sentence) =>
      this.changes.emit({ kind: 'message', timeMs: options.clock.now(), name: 'warning', sentence }),
    );
    this.watch.changed.on(() => {
      this.review();
      this.changes.emit({ kind: 'view' });
    });
  }

  get serverFacts(): ServerFacts {
    return { boot: this.watch.machineKey, processes: this.watch.processes };
  }

  reconnect(): void {
    this.watch.reconnect();
    this.changes.emit({ kind: 'view' });
  }

  /** The largest other programs on its host now; empty without a source of processes. */
  programs(): Promise<readonly ProgramShare[]> {
    return this.watch.programs();
  }

  shell(): Promise<SshLink> {
    return this.watch.link();
  }

  trustHostKey(fingerprint: string): void {
    this.watch.trust(fingerprint);
  }

  /** Updates the state from what is known of the node's links. */
  protected abstract review(): void;

  protected heard(timeMs: number): void {
    this.lastSampleMs = Math.max(this.lastSampleMs ?? 0, timeMs);
  }

  protected change(state: NodeState, problem?: string): void {
    if (this.isClosed || (state === this.state && problem === this.problem)) return;
    const before = this.state;
    this.state = state;
    this.problem = problem;
    this.changes.emit(state === before ? { kind: 'view' } : { kind: 'state', state, before, problem });
  }

  protected baseView(name: string): Omit<NodeView, 'reach' | 'streams'> {
    const { watch, options } = this;
    return {
      id: this.id,
      name,
      role: this.role,
      colourSlot: options.colourSlot,
      state: this.state,
      problem: options.lacking ?? this.problem,
      host: this.host,
      lastSampleMs: this.lastSampleMs,
      machine: watch.machine && {
        ...watch.machine,
        versions: { ...options.versions, ...watch.machine.versions },
      },
      settings: options.written,
      builtIn: false,
      clock: watch.clock,
      figureSources: this.figures.view((source) => watch.labelOf(source) ?? figureSourceNames[source]),
      fix: options.lacking === undefined ? watch.fix : 'enter-secret',
      hostKey: watch.hostKey,
      secrets: options.secretKinds(),
    };
  }
}

/** A name of the machine, equal for nodes that share it. */
export function hostOf(settings: NodeSettings): string {
  // Another port may be forwarded to another machine, ours included; port 22 is the machine itself.
  if (settings.ssh !== undefined) return `host ${settings.ssh.replace(/^.*@/, '').replace(/:22$/, '')}`;
  const address = addressOf(settings);
  if (address === undefined) return unknownHost;
  const name = hostNameOf(address);
  if (name === undefined || !isLoopback(name)) return `host ${name ?? address}`;
  // Its port here may be forwarded: the machine configured for its figures is its machine.
  const exporter = settings.nodeExporter === undefined ? undefined : hostNameOf(settings.nodeExporter);
  if (exporter !== undefined && !isLoopback(exporter)) return `host ${exporter}`;
  // What listens on our own loopback runs here, and this host's figures are its own.
  return thisMachine;
}

/** The first address of the node. */
export function addressOf(settings: NodeSettings): string | undefined {
  const { url } = settings;
  if (url !== undefined) return url;
  if ('tester' in settings) return settings.ssh;
  const stream = streamAddressKeys.find((key) => settings[key] !== undefined);
  return (stream && settings[stream]) ?? settings.metrics ?? settings.ssh;
}

export function hostNameOf(address: string): string | undefined {
  const turn = turnAddress(address);
  if (turn) return turn.host;
  try {
    return new URL(address.includes('://') ? address : `http://${address}`).hostname;
  } catch {
    return undefined;
  }
}

export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127\./.test(name);
}
