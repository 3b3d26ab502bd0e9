import { FullhouseError, type Handlers } from '../contract/calls';
import type { AnyCalls, CallInput, CallOutput, EngineEventName, EngineEvents } from '../contract/engine';
import type { ViewerPageCall } from '../contract/viewerPage';
import {
  browserViewersOf,
  isTarget,
  streamsOf,
  type BrowserViewersOrder,
} from '../domain/browserViewers/browserViewers';
import { playlistAddresses } from './browsers/playlistAddresses';
import { ReportBounds } from '../domain/browserViewers/reportBounds';
import { playedThrough, playerProtocols, type PlayerProtocol } from '../domain/model/playerProtocols';
import type { ViewerScope } from './browsers/viewerPageServer';
import type { EngineParts } from './parts';
import type { SessionsOf } from './portSessions';

/** Playlists of a live stream name new segments all the time; the oldest ones are forgotten. */
const maxKnownAddresses = 20_000;

type Calls = Pick<Handlers<keyof AnyCalls>, ViewerPageCall>;

/**
 * What the page of browser viewers may do: play the streams that they watch in one run, by the addresses of these
 * streams, and report figures that are possible. Everything else that its connection asks for is refused: it may not be
 * our page.
 */
export class ViewerDoor {
  /** Without their parameters, which servers and players add. */
  private readonly addresses = new Set<string>();
  private readonly bounds = new ReportBounds();
  private readonly openedMs: number;
  private hasToldOfFigures = false;

  constructor(
    private readonly parts: Pick<EngineParts, 'runManager' | 'fleet' | 'log' | 'clock'>,
    private readonly scope: ViewerScope,
    private readonly sessions: Pick<SessionsOf, 'hasSession' | 'hasConnection'>,
  ) {
    this.openedMs = parts.clock.now();
  }

  /** The handlers for the page. */
  guarding(handlers: Calls): Calls {
    return {
      'player.address': (input) => {
        const { node, stream, protocol } = input;
        if (protocol === undefined || !this.isWatched(node, stream, [protocol])) throw this.refusal('another stream');
        return handlers['player.address'](input);
      },
      'player.fetch': async (input) => {
        this.requireMedia(input.node, input.url);
        const answer = await handlers['player.fetch'](input);
        this.learn(input.node, input.url, answer);
        return answer;
      },
      'player.connect': (input) => {
        this.requireConnection(input);
        return handlers['player.connect'](input);
      },
      'player.send': (input) => {
        if (!this.sessions.hasConnection(input.connection)) throw this.refusal('another connection');
        return handlers['player.send'](input);
      },
      'player.disconnect': (input) =>
        this.sessions.hasConnection(input.connection) ? handlers['player.disconnect'](input) : { done: true },
      'player.mediaClock': (input) => {
        if (!this.isWatched(input.node, input.stream, playerProtocols)) throw this.refusal('another stream');
        return handlers['player.mediaClock'](input);
      },
      'signal.whep': (input) => {
        if (!this.isWatched(input.node, input.stream, [input.protocol ?? 'whep'])) throw this.refusal('another stream');
        return handlers['signal.whep'](input);
      },
      'signal.end': (input) =>
        this.sessions.hasSession(input.session) ? handlers['signal.end'](input) : { done: true },
      'browserViewers.report': (input) => {
        this.requireFigures(input);
        return handlers['browserViewers.report'](input);
      },
    };
  }

  /** What the page hears of an event; undefined for nothing. */
  heard<E extends EngineEventName>(name: E, payload: EngineEvents[E]): EngineEvents[E] | undefined {
    const about = payload as { readonly id?: string; readonly session?: string; readonly connection?: string } | null;
    if (name === 'run') return about?.id === this.scope.run ? payload : (null as EngineEvents[E]);
    const isOwn =
      (about?.session !== undefined && this.sessions.hasSession(about.session)) ||
      (about?.connection !== undefined && this.sessions.hasConnection(about.connection));
    return isOwn ? payload : undefined;
  }

  /** What they watch, as long as the run is active and this browser runs them. */
  private get order(): BrowserViewersOrder {
    const { activeRun } = this.parts.runManager;
    const run = activeRun?.id === this.scope.run ? this.parts.runManager.view() : undefined;
    return run ? browserViewersOf(run.plan, true) : { count: 0, pulls: [] };
  }

  private isWatched(node: string, stream: string, protocols: readonly PlayerProtocol[]): boolean {
    const { pulls } = this.order;
    return protocols.some((protocol) => isTarget({ node, stream, protocol }, pulls));
  }

  /** The addresses of a watched stream; none for another one. */
  private own(node: string, stream: string, protocols: readonly PlayerProtocol[]): URL[] {
    const { runManager, fleet } = this.parts;
    const known = runManager.activeRun?.boundNodes.get(node) ?? fleet.find(node);
    const play = known?.server.addresses(stream).play;
    return protocols.flatMap((protocol) => {
      const address = play?.[protocol];
      return address !== undefined && this.isWatched(node, stream, [protocol]) ? [new URL(address)] : [];
    });
  }

  private requireConnection({ node, stream, kind, url, session }: CallInput<'player.connect'>): void {
    if (session !== undefined) throw this.refusal('to publish');
    const wanted = parsed(url);
    const isOwn = this.own(node, stream, playedThrough(kind)).some(
      (own) => own.href === wanted?.href || (wanted !== undefined && isOfRoom(own, wanted)),
    );
    if (!isOwn) throw this.refusal(`${wanted?.host ?? 'an address'} of ${node}`);
  }

  private requireMedia(node: string, url: string): void {
    const wanted = parsed(url);
    const streams = this.order.pulls.filter(({ from }) => from === node).flatMap(streamsOf);
    const isMedia =
      wanted !== undefined &&
      streams.length > 0 &&
      (this.addresses.has(`${node} ${withoutParameters(wanted)}`) ||
        streams
          .flatMap((stream) => this.own(node, stream, playedThrough('fetch')))
          .some((own) => withoutParameters(own) === withoutParameters(wanted) || isOfRoom(own, wanted)));
    if (!isMedia) throw this.refusal(`${wanted?.host ?? 'an address'} of ${node}`);
  }

  private learn(node: string, url: string, answer: CallOutput<'player.fetch'>): void {
    if (answer.status !== 200) return;
    for (const address of playlistAddresses(Buffer.from(answer.data).toString('utf8'), url)) {
      const known = `${node} ${withoutParameters(new URL(address))}`;
      this.addresses.delete(known);
      this.addresses.add(known);
    }
    for (const oldest of this.addresses) {
      if (this.addresses.size <= maxKnownAddresses) return;
      this.addresses.delete(oldest);
    }
  }

  private requireFigures({ run, viewers }: CallInput<'browserViewers.report'>): void {
    if (run !== this.scope.run) throw this.refusal('to report figures of another run');
    const { count, pulls } = this.order;
    const fault = viewers.every((viewer) => isTarget(viewer, pulls))
      ? this.bounds.take(viewers, count, this.parts.clock.now() - this.openedMs)
      : 'a stream that they do not watch';
    if (fault === undefined) return;
    const sentence = `The browser on ${this.scope.by} reported figures that are not possible (${fault}); they are not recorded.`;
    if (!this.hasToldOfFigures) this.parts.log(sentence);
    this.hasToldOfFigures = true;
    throw new FullhouseError('bad-figures', sentence);
  }

  private refusal(what: string): FullhouseError {
    return new FullhouseError(
      'other-purpose',
      `The browser on ${this.scope.by} asked for ${what}, which its browser viewers do not need; it was refused.`,
    );
  }
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

const withoutParameters = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;

/** LiveKit's client makes its addresses itself: those of its signalling, below the server's. */
function isOfRoom(server: URL, wanted: URL): boolean {
  const isSignalling = /^wss?:$/.test(server.protocol) && /^(?:ws|http)s?:$/.test(wanted.protocol);
  const path = `${server.pathname.replace(/\/$/, '')}/rtc`;
  return (
    isSignalling && server.host === wanted.host && (wanted.pathname === path || wanted.pathname.startsWith(`${path}/`))
  );
}
