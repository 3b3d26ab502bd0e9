import type { Handlers } from '../contract/calls';
import type { AnyCalls } from '../contract/engine';
import type { Publications } from './fleet/publications';

/** The media sessions that one port has signalled: they end with the port, since a closed window can't end them. */
export class SessionsOf {
  private readonly sessions = new Set<string>();

  constructor(
    private readonly publications: Publications,
    private readonly log: (sentence: string) => void,
  ) {}

  /** The handlers, recording the sessions that they create. */
  watching(handlers: Handlers<keyof AnyCalls>): Handlers<keyof AnyCalls> {
    const keep = <T extends { readonly session: string }>(made: T): T => {
      this.sessions.add(made.session);
      return made;
    };
    return {
      ...handlers,
      'signal.whep': async (input) => keep(await handlers['signal.whep'](input)),
      'signal.whip': async (input) => keep(await handlers['signal.whip'](input)),
    };
  }

  end(): void {
    for (const session of this.sessions)
      this.publications.endSession(session).catch((error: unknown) => this.log((error as Error).message));
    this.sessions.clear();
  }
}
