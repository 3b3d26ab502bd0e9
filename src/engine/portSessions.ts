import type { Handlers } from '../contract/calls';
import type { AnyCalls } from '../contract/engine';
import type { EngineParts } from './parts';

/**
 * Media sessions, player connections, VMAF measurements, delay tests and browser viewers of one port: they end with the port, since a
 * closed window can't end them.
 */
export class SessionsOf {
  private readonly sessions = new Set<string>();
  private readonly connections = new Set<string>();
  /** The current measurement of VMAF; one at a time. */
  private measurement: string | undefined;
  /** The delay test for which this port plays. */
  private test: string | undefined;

  constructor(
    private readonly parts: Pick<
      EngineParts,
      'publications' | 'playerConnections' | 'vmaf' | 'delayTests' | 'browserWindows' | 'log'
    >,
  ) {}

  hasSession(session: string): boolean {
    return this.sessions.has(session);
  }

  hasConnection(connection: string): boolean {
    return this.connections.has(connection);
  }

  /** The handlers, recording the sessions and connections that they create. */
  watching(handlers: Handlers<keyof AnyCalls>): Handlers<keyof AnyCalls> {
    const keep = <T extends { readonly session: string }>(made: T): T => {
      this.sessions.add(made.session);
      return made;
    };
    return {
      ...handlers,
      'signal.whep': async (input) => keep(await handlers['signal.whep'](input)),
      'signal.whip': async (input) => keep(await handlers['signal.whip'](input)),
      'publish.relay': async (input) => keep(await handlers['publish.relay'](input)),
      'browserViewers.offer': (input) => {
        this.parts.browserWindows.offer(this);
        return handlers['browserViewers.offer'](input);
      },
      'publish.room': async (input) => keep(await handlers['publish.room'](input)),
      'player.connect': (input) => {
        // Its id may be that of another port's connection, which is refused.
        if (!this.parts.playerConnections.has(input.connection)) this.connections.add(input.connection);
        return handlers['player.connect'](input);
      },
      'vmaf.open': (input) => {
        this.measurement = input.measurement;
        return handlers['vmaf.open'](input);
      },
      'delayDecoder.next': (input) => {
        this.test = input.test;
        return handlers['delayDecoder.next'](input);
      },
      'player.disconnect': (input) => {
        this.connections.delete(input.connection);
        return handlers['player.disconnect'](input);
      },
    };
  }

  end(): void {
    const { publications, playerConnections, vmaf, delayTests, browserWindows, log } = this.parts;
    browserWindows.withdraw(this);
    for (const session of this.sessions)
      publications.sessions.end(session).catch((error: unknown) => log((error as Error).message));
    this.sessions.clear();
    for (const connection of this.connections) playerConnections.close(connection);
    this.connections.clear();
    if (this.test !== undefined) delayTests.decoderLost(this.test);
    if (this.measurement !== undefined) void vmaf.cancel(this.measurement);
  }
}
