import type { NodeCapabilities, NodeRemedy, NodeView } from '../../domain/node';
import type { TesterSettings } from '../../domain/nodeSettings';
import { FullhouseError } from '../../contract/calls';
import { openHttpLink } from '../links/http/openHttpLink';
import type { HttpLink } from '../links/http/httpLink';
import type { LoadDriver } from '../load/driver';
import { wcsDriver, type WcsDriver } from '../load/wcs/wcsDriver';
import type { ServerAdapter } from '../servers/adapter';
import { wcsRest } from '../servers/wcs/wcsRest';
import type { RemoteNodeOptions } from './fleetKit';
import { staleAfterMs, type RemoteNode } from './node';
import { RemoteBase } from './remoteBase';
import { serverRemedy } from './serverRemedy';

const capabilities: NodeCapabilities = {
  publish: [],
  pull: ['wcs', 'rtmp'],
  play: [],
  serves: [],
  measure: ['viewers', 'degraded'],
  terminate: false,
};
const askAgainMs = 5000;

/** A WCS that plays the audience with its own pulls: each viewer is a stream that it takes from the origin. */
export class WcsTester extends RemoteBase implements RemoteNode {
  readonly role = 'tester';
  readonly streams = [];
  readonly running = true;
  readonly driver: LoadDriver;
  private readonly wcs: WcsDriver;
  private readonly http: HttpLink;
  private serverProblem: string | undefined;
  private serverRemedy: NodeRemedy = 'reconnect';
  private answered = false;
  private askedMs = Number.NEGATIVE_INFINITY;

  constructor(
    options: RemoteNodeOptions,
    override readonly settings: TesterSettings,
  ) {
    super(options, settings, () => 'java');
    const { id, clock } = options;
    this.http = openHttpLink({
      who: id,
      base: settings.url,
      acceptSelfSigned: settings.selfSigned,
      allowCrossOrigin: settings.allowCrossOrigin,
    });
    const rest = wcsRest({ http: this.http, who: id, url: settings.url ?? '' });
    this.wcs = wcsDriver({ rest, clock });
    this.driver = this.wcs;
    this.wcs.onSample((samples) => {
      this.heard(clock.now());
      this.news.emit({ kind: 'pulls', samples });
    });
    this.wcs.onProblem((sentence) => {
      this.serverProblem = sentence;
      this.review();
    });
    this.watch.start();
    void this.ask();
  }

  get server(): ServerAdapter {
    throw new FullhouseError('no-origin', `${this.id} is a tester; add it as an origin too to test it.`);
  }

  get staying(): boolean {
    return !this.isClosed;
  }

  async start(): Promise<void> {
    await this.ask();
    if (this.serverProblem !== undefined) throw new FullhouseError('no-answer', this.serverProblem);
    await this.lookForLeftovers();
  }

  /** Ends the pulls that were begun here; the server goes on. */
  async stop(force = false): Promise<void> {
    await this.wcs.stopAll(force);
  }

  tick(nowMs: number): void {
    if (nowMs - this.askedMs >= askAgainMs) void this.ask();
    if (this.lastSampleMs !== undefined && nowMs - this.lastSampleMs > staleAfterMs + askAgainMs)
      this.review();
  }

  override reconnect(): void {
    super.reconnect();
    void this.ask();
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.wcs.close();
    this.http.close();
    this.watch.close();
    return Promise.resolve();
  }

  view(name = this.id): NodeView {
    const base = this.baseView(name);
    const { settings, watch } = this;
    return {
      ...base,
      software: this.answered ? 'WCS' : undefined,
      reach: settings.url ?? '',
      streams: [],
      viewerLimit: this.driver.viewerLimit,
      links: [
        {
          kind: 'api',
          label: 'REST',
          state: this.serverProblem === undefined ? (this.answered ? 'live' : 'connecting') : 'lost',
          problem: this.serverProblem,
          selfSigned: settings.selfSigned,
        },
        ...watch.links(),
      ],
      can: {
        ...capabilities,
        measure: [...(watch.isWanted ? ['CPU', 'load', 'memory', 'network'] : []), ...capabilities.measure],
      },
      problem: base.problem ?? watch.problem,
      remedy: base.remedy ?? (this.serverProblem === undefined ? undefined : this.serverRemedy),
    };
  }

  protected review(): void {
    if (this.serverProblem !== undefined)
      return this.change(this.answered ? 'stale' : 'failed', this.serverProblem);
    this.change(this.answered ? 'live' : 'starting');
  }

  private async ask(): Promise<void> {
    this.askedMs = this.options.clock.now();
    try {
      await this.wcs.refresh();
      this.answered = true;
      this.serverProblem = undefined;
      this.heard(this.options.clock.now());
    } catch (error) {
      this.serverProblem = (error as Error).message;
      this.serverRemedy = serverRemedy(error);
    }
    this.review();
  }

  /** Ends the pulls that consoles of ours left there, also those of one that crashed; resolves with the names of those that would not end. */
  async removeLeftovers(): Promise<string[]> {
    const { left } = await this.wcs.terminateLeftovers();
    return left.map(({ localStreamName }) => localStreamName);
  }

  /** Pulls of another console burden the origin as viewers do. They may be a colleague's, so a person has to end them. */
  private async lookForLeftovers(): Promise<void> {
    const { length } = await this.wcs.leftovers();
    if (length === 0) return;
    this.news.emit({
      kind: 'said',
      timeMs: this.options.clock.now(),
      name: 'warning',
      sentence: `${this.id} plays ${length} viewers of another console, or of one that crashed; "Remove agent" in its menu ends them.`,
    });
  }
}
