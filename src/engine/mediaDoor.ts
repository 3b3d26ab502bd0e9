import { FullhouseError, type Handlers } from '../contract/calls';
import type { AnyCalls, CallInput, CallOutput, EngineEventName, EngineEvents } from '../contract/engine';
import type { MediaPageCall } from '../contract/viewerPage';
import { parsedUrl } from './base/parsedUrl';
import { playlistAddresses } from './browsers/playlistAddresses';
import { playedThrough, playerProtocols, type PlayerProtocol } from '../domain/model/playerProtocols';
import type { EngineParts } from './parts';
import type { SessionsOf } from './portSessions';

/** Playlists of a live stream name new segments all the time; the oldest ones are forgotten. */
const maxKnownAddresses = 20_000;

type Calls = Pick<Handlers<keyof AnyCalls>, MediaPageCall>;

/** What a page is for. */
export interface MediaPurpose {
  /** The page, for messages: "The browser on local". */
  readonly who: string;
  /** In words: "its browser viewers". */
  readonly forWhat: string;
  isWatched(node: string, stream: string, protocols: readonly PlayerProtocol[]): boolean;
  /** The streams of a node that are watched. */
  streamsOf(node: string): readonly string[];
  /** Sessions of `publish.room` may be signalled over WebSockets. */
  readonly publishes: boolean;
}

/**
 * What a page of a browser that we started may do: play the streams of its purpose, by their addresses. Everything else
 * that its connection asks for is refused: it may not be our page.
 */
export class MediaDoor {
  /** Without their parameters, which servers and players add. */
  private readonly addresses = new Set<string>();

  constructor(
    private readonly parts: Pick<EngineParts, 'runManager' | 'fleet'>,
    private readonly purpose: MediaPurpose,
    private readonly sessions: Pick<SessionsOf, 'hasSession' | 'hasConnection'>,
  ) {}

  /** The handlers for the page. */
  guarding(handlers: Calls): Calls {
    const { purpose } = this;
    return {
      'player.address': (input) => {
        const { node, stream, protocol } = input;
        if (protocol === undefined || !purpose.isWatched(node, stream, [protocol]))
          throw this.refusal('another stream');
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
        if (!purpose.isWatched(input.node, input.stream, playerProtocols)) throw this.refusal('another stream');
        return handlers['player.mediaClock'](input);
      },
      'signal.whep': (input) => {
        if (!purpose.isWatched(input.node, input.stream, [input.protocol ?? 'whep']))
          throw this.refusal('another stream');
        return handlers['signal.whep'](input);
      },
      'signal.end': (input) =>
        this.sessions.hasSession(input.session) ? handlers['signal.end'](input) : { done: true },
    };
  }

  /** What the page hears of an event about its own sessions and connections; undefined for nothing. */
  heard<E extends EngineEventName>(_name: E, payload: EngineEvents[E]): EngineEvents[E] | undefined {
    const about = payload as { readonly session?: string; readonly connection?: string } | null;
    const isOwn =
      (about?.session !== undefined && this.sessions.hasSession(about.session)) ||
      (about?.connection !== undefined && this.sessions.hasConnection(about.connection));
    return isOwn ? payload : undefined;
  }

  refusal(what: string): FullhouseError {
    const { who, forWhat } = this.purpose;
    return new FullhouseError(
      'other-purpose',
      `${who} asked for ${what}, which ${forWhat} do not need; it was refused.`,
    );
  }

  /** The addresses of a watched stream; none for another one. */
  private own(node: string, stream: string, protocols: readonly PlayerProtocol[]): URL[] {
    const { runManager, fleet } = this.parts;
    const known = runManager.activeRun?.boundNodes.get(node) ?? fleet.find(node);
    const play = known?.server.addresses(stream).play;
    return protocols.flatMap((protocol) => {
      const address = play?.[protocol];
      return address !== undefined && this.purpose.isWatched(node, stream, [protocol]) ? [new URL(address)] : [];
    });
  }

  private requireConnection({ node, stream, kind, url, session }: CallInput<'player.connect'>): void {
    if (session !== undefined) {
      if (!this.purpose.publishes || !this.sessions.hasSession(session)) throw this.refusal('to publish');
      // The server of the room, which the engine checks against the session's node.
      return;
    }
    const wanted = parsedUrl(url);
    const isOwn = this.own(node, stream, playedThrough(kind)).some(
      (own) => own.href === wanted?.href || (wanted !== undefined && isOfRoom(own, wanted)),
    );
    if (!isOwn) throw this.refusal(`${wanted?.host ?? 'an address'} of ${node}`);
  }

  private requireMedia(node: string, url: string): void {
    const wanted = parsedUrl(url);
    const streams = this.purpose.streamsOf(node);
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
