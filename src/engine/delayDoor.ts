import type { Handlers } from '../contract/calls';
import type { AnyCalls, EngineEventName, EngineEvents } from '../contract/engine';
import type { DelayPageCall } from '../contract/viewerPage';
import type { TestScope } from './delay/delayTest';
import { MediaDoor } from './mediaDoor';
import type { EngineParts } from './parts';
import type { SessionsOf } from './portSessions';

type Calls = Pick<Handlers<keyof AnyCalls>, DelayPageCall>;

/**
 * What the page of a browser that plays for one delay test may do: publish and play the streams of that test, and report
 * what it measured. Everything else that its connection asks for is refused: it may not be our page.
 */
export class DelayDoor {
  private readonly media: MediaDoor;

  constructor(
    parts: Pick<EngineParts, 'runManager' | 'fleet' | 'delayTests'>,
    private readonly test: string,
    private readonly sessions: Pick<SessionsOf, 'hasSession' | 'hasConnection'>,
  ) {
    const scope = (): TestScope => parts.delayTests.scope(test) ?? { node: '', streams: [] };
    const isOwn = (node: string, stream: string): boolean => scope().node === node && scope().streams.includes(stream);
    this.isOwn = isOwn;
    this.media = new MediaDoor(
      parts,
      {
        who: 'The browser of the delay test',
        forWhat: 'its measurements',
        isWatched: isOwn,
        streamsOf: (node) => (scope().node === node ? scope().streams : []),
        publishes: true,
      },
      sessions,
    );
  }

  private readonly isOwn: (node: string, stream: string) => boolean;

  /** The handlers for the page. */
  guarding(handlers: Calls): Calls {
    const ofTest = <T extends { readonly test: string }>(input: T): T => {
      if (input.test !== this.test) throw this.media.refusal('another test');
      return input;
    };
    const published = <T extends { readonly node: string; readonly stream: string }>(input: T): T => {
      if (!this.isOwn(input.node, input.stream)) throw this.media.refusal('to publish another stream');
      return input;
    };
    const ofSession = <T extends { readonly session: string }>(input: T): T => {
      if (!this.sessions.hasSession(input.session)) throw this.media.refusal('another session');
      return input;
    };
    return {
      ...this.media.guarding(handlers),
      'signal.whip': (input) => handlers['signal.whip'](published(input)),
      'publish.relay': (input) => handlers['publish.relay'](published(input)),
      'publish.room': (input) => handlers['publish.room'](published(input)),
      'publish.relayData': (input) => handlers['publish.relayData'](ofSession(input)),
      'publish.figures': (input) => handlers['publish.figures'](ofSession(input)),
      'delayDecoder.next': (input) => handlers['delayDecoder.next'](ofTest(input)),
      'delayDecoder.progress': (input) => handlers['delayDecoder.progress'](ofTest(input)),
    };
  }

  /** What the page hears of an event; undefined for nothing. */
  heard<E extends EngineEventName>(name: E, payload: EngineEvents[E]): EngineEvents[E] | undefined {
    return this.media.heard(name, payload);
  }
}
