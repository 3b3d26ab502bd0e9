import type { NodeCapabilities, NodeFix, NodeView } from '../../domain/model/node';
import type { TesterSettings } from '../../domain/model/nodeSettings';
import { errorText } from '../../domain/text/errorText';
import { FullhouseError } from '../../contract/calls';
import { openHttpLink } from '../links/http/openHttpLink';
import type { HttpLink } from '../links/http/httpLink';
import type { LoadDriver } from '../load/driver';
import { leftoverSentences } from '../load/wcs/leftovers';
import { WcsPusher } from '../load/wcs/pusher';
import { wcsDriver, type WcsDriver } from '../load/wcs/wcsDriver';
import type { ServerAdapter } from '../servers/adapter';
import { wcsRest } from '../servers/wcs/wcsRest';
import type { RemoteNodeOptions } from './fleetKit';
import { staleAfterMs, type RemoteNode } from './node';
import { RemoteBase } from './remoteBase';
import { serverFix } from './serverFix';

const capabilities: NodeCapabilities = {
  publish: [],
  pull: ['wcs', 'rtmp'],
  play: [],
  serves: [],
  measure: ['viewers', 'degraded'],
  terminate: false,
};
const askAgainMs = 5000;
/** Until the second look for leftovers. */
const leftoversMs = 5000;

/** A WCS that runs the audience with its own pulls: each viewer is a stream that it pulls from the origin. */
export class WcsTester extends RemoteBase implements RemoteNode {
  readonly role = 'tester';
  readonly streams = [];
  readonly running = true;
  readonly driver: LoadDriver;
  private readonly wcs: WcsDriver;
  private readonly pusher: WcsPusher;
  readonly http: HttpLink;
  private serverProblem: string | undefined;
  private serverFix: NodeFix = 'reconnect';
  private answered = false;
  private requestedMs = Number.NEGATIVE_INFINITY;

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
      proxy: settings.proxy,
      clock,
    });
    const rest = wcsRest({ http: this.http, who: id, url: settings.url ?? '' });
    this.wcs = wcsDriver({ rest, clock });
    this.pusher = new WcsPusher(rest, clock);
    this.driver = Object.assign(this.wcs, { publisher: this.pusher });
    this.wcs.onSample((samples) => {
      this.heard(clock.now());
      this.changes.emit({ kind: 'pulls', samples });
    });
    this.wcs.onProblem((sentence) => {
      this.serverProblem = sentence;
      this.review();
    });
    this.watch.start();
    void this.ask();
  }

  get server(): ServerAdapter {
    throw new FullhouseError('no-origin', `${this.id} is a tester; to test it, add it as an origin too.`);
  }

  get staying(): boolean {
    return !this.isClosed;
  }

  async start(): Promise<void> {
    await this.ask();
    if (this.serverProblem !== undefined) throw new FullhouseError('no-answer', this.serverProblem);
    await this.lookForLeftovers();
  }

  /** Ends the pulls that were started here; the server keeps running. */
  async stop(force = false): Promise<void> {
    await this.wcs.stopAll(force);
  }

  tick(nowMs: number): void {
    if (nowMs - this.requestedMs >= askAgainMs) void this.ask();
    if (this.lastSampleMs !== undefined && nowMs - this.lastSampleMs > staleAfterMs + askAgainMs) this.review();
  }

  override reconnect(): void {
    super.reconnect();
    void this.ask();
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.wcs.close();
    this.pusher.close();
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
      viewerLimit: this.wcs.portLimit,
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
      fix: base.fix ?? (this.serverProblem === undefined ? undefined : this.serverFix),
    };
  }

  protected review(): void {
    if (this.serverProblem !== undefined) return this.change(this.answered ? 'stale' : 'failed', this.serverProblem);
    this.change(this.answered ? 'live' : 'starting');
  }

  private async ask(): Promise<void> {
    this.requestedMs = this.options.clock.now();
    try {
      await this.wcs.refresh();
      this.answered = true;
      this.serverProblem = undefined;
      this.heard(this.options.clock.now());
    } catch (error) {
      this.serverProblem = (error as Error).message;
      this.serverFix = serverFix(error);
    }
    this.review();
  }

  /**
   * Ends the pulls left there by our consoles, also by a crashed one; resolves with the names of those that could not
   * be ended.
   */
  async removeLeftovers(): Promise<string[]> {
    const { left } = await this.wcs.terminateLeftovers();
    return left.map(({ localStreamName }) => localStreamName);
  }

  /**
   * Pulls of another console load the origin as viewers do. They may be a colleague's, so only the user may end them.
   */
  private async lookForLeftovers(): Promise<void> {
    const before = await this.wcs.leftovers();
    if (before.length === 0) return;
    this.options.clock.after(leftoversMs, () => {
      if (this.isClosed) return;
      this.wcs.leftovers().then(
        (now) => leftoverSentences(this.id, this.wcs.instance, [before, now]).forEach((sentence) => this.say(sentence)),
        (error: unknown) => this.say(`${this.id}: viewers left there can't be listed: ${errorText(error)}`),
      );
    });
  }

  private say(sentence: string): void {
    this.changes.emit({ kind: 'message', timeMs: this.options.clock.now(), name: 'warning', sentence });
  }
}
