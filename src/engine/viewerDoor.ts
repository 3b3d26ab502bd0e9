import { FullhouseError, type Handlers } from '../contract/calls';
import type { AnyCalls, CallInput, EngineEventName, EngineEvents } from '../contract/engine';
import type { ViewerPageCall } from '../contract/viewerPage';
import {
  browserViewersOf,
  isTarget,
  streamsOf,
  type BrowserViewersOrder,
} from '../domain/browserViewers/browserViewers';
import { ReportBounds } from '../domain/browserViewers/reportBounds';
import type { ViewerScope } from './browsers/viewerPageServer';
import { MediaDoor } from './mediaDoor';
import type { EngineParts } from './parts';
import type { SessionsOf } from './portSessions';

type Calls = Pick<Handlers<keyof AnyCalls>, ViewerPageCall>;

/**
 * What the page of browser viewers may do: play the streams that they watch in one run, and report figures that are
 * possible. Everything else that its connection asks for is refused: it may not be our page.
 */
export class ViewerDoor {
  private readonly media: MediaDoor;
  private readonly bounds = new ReportBounds();
  private readonly openedMs: number;
  private hasToldOfFigures = false;

  constructor(
    private readonly parts: Pick<EngineParts, 'runManager' | 'fleet' | 'log' | 'clock'>,
    private readonly scope: ViewerScope,
    sessions: Pick<SessionsOf, 'hasSession' | 'hasConnection'>,
  ) {
    this.openedMs = parts.clock.now();
    this.media = new MediaDoor(
      parts,
      {
        who: `The browser on ${scope.by}`,
        forWhat: 'its browser viewers',
        isWatched: (node, stream, protocols) => {
          const { pulls } = this.order;
          return protocols.some((protocol) => isTarget({ node, stream, protocol }, pulls));
        },
        streamsOf: (node) => this.order.pulls.filter(({ from }) => from === node).flatMap(streamsOf),
        publishes: false,
      },
      sessions,
    );
  }

  /** The handlers for the page. */
  guarding(handlers: Calls): Calls {
    return {
      ...this.media.guarding(handlers),
      'browserViewers.report': (input) => {
        this.requireFigures(input);
        return handlers['browserViewers.report'](input);
      },
    };
  }

  /** What the page hears of an event; undefined for nothing. */
  heard<E extends EngineEventName>(name: E, payload: EngineEvents[E]): EngineEvents[E] | undefined {
    if (name !== 'run') return this.media.heard(name, payload);
    const run = payload as { readonly id?: string } | null;
    return run?.id === this.scope.run ? payload : (null as EngineEvents[E]);
  }

  /** What they watch, as long as the run is active and this browser runs them. */
  private get order(): BrowserViewersOrder {
    const { activeRun } = this.parts.runManager;
    const run = activeRun?.id === this.scope.run ? this.parts.runManager.view() : undefined;
    return run ? browserViewersOf(run.plan, true) : { count: 0, pulls: [] };
  }

  private requireFigures({ run, viewers }: CallInput<'browserViewers.report'>): void {
    if (run !== this.scope.run) throw this.media.refusal('to report figures of another run');
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
}
