import type { Handlers } from '../contract/calls';
import type { AnyCalls } from '../contract/engine';
import type { PlayerConnections } from './fleet/playerConnections';
import type { Publications } from './fleet/publications';

/** Media sessions and player connections of one port: they end with the port, since a closed window can't end them. */
export class SessionsOf {
  private readonly sessions = new Set<string>();
  private readonly connections = new Set<string>();

  constructor(
    private readonly publications: Publications,
    private readonly playerConnections: PlayerConnections,
    private readonly log: (sentence: string) => void,
  ) {}

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
      'publish.room': async (input) => keep(await handlers['publish.room'](input)),
      'player.connect': (input) => {
        this.connections.add(input.connection);
        return handlers['player.connect'](input);
      },
      'player.disconnect': (input) => {
        this.connections.delete(input.connection);
        return handlers['player.disconnect'](input);
      },
    };
  }

  end(): void {
    for (const session of this.sessions)
      this.publications.sessions.end(session).catch((error: unknown) => this.log((error as Error).message));
    this.sessions.clear();
    for (const connection of this.connections) this.playerConnections.close(connection);
    this.connections.clear();
  }
}
