import type { EngineClient } from '../../contract/calls';
import type { CallOutput, EngineCallName } from '../../contract/engine';
import type { StreamSortKey } from '../../contract/nodeCalls';
import type { StreamView } from '../../domain/node';
import { follow, inPlace, type Chosen, type HeldStreams } from './heldStreams';
import { firstDirection } from './streamColumns';
import { covers, rowsToAsk, type RowRange } from './rowWindow';

type Engine = Pick<EngineClient<EngineCallName>, 'call'>;
type Answer = CallOutput<'nodes.streams'>;

const beatMs = 1000;

/**
 * The streams of a node through a window: the engine sorts and filters, only the rows near those in sight are asked for,
 * once a second and when scrolling leads out of what is held. One question at a time: a slow engine skips beats.
 */
export class StreamList {
  filter = $state('');
  sortBy = $state<StreamSortKey>('viewers');
  isDescending = $state(true);
  total = $state(0);
  matching = $state(0);
  held = $state.raw<HeldStreams>({ offset: 0, streams: [] });
  /** Something was answered for the present filter and order. */
  isLoaded = $state(false);
  /** Why the last question was not answered; the rows shown are those of the last answer. */
  problem = $state<string>();
  chosen = $state.raw<Chosen>();

  readonly #engine: Engine;
  readonly #node: string;
  #wanted: RowRange = { first: 0, count: 32 };
  #askedFirst = 0;
  #isAsking = false;
  #askAgain = false;
  #question = 0;
  #isHeld = false;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(engine: Engine, node: string) {
    this.#engine = engine;
    this.#node = node;
  }

  start(): void {
    void this.#ask();
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** The rows in the page are others now. */
  show(range: RowRange): void {
    this.#wanted = range;
    const held = { first: this.held.offset, count: this.held.streams.length };
    if (this.isLoaded && !covers(held, range, this.matching)) void this.#ask();
  }

  find(filter: string): void {
    this.filter = filter;
    this.#askAnew();
  }

  sort(column: StreamSortKey): void {
    this.isDescending = this.sortBy === column ? !this.isDescending : firstDirection(column) === 'down';
    this.sortBy = column;
    this.#askAnew();
  }

  /** Asks at once, e.g. after streams were ended. */
  refresh(): void {
    void this.#ask();
  }

  /** While held, figures go on but no row changes its place: nobody may hit another stream than the one they aimed at. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (!isHeld) void this.#ask();
  }

  at(index: number): StreamView | undefined {
    return this.held.streams[index - this.held.offset];
  }

  choose(index: number): void {
    this.chosen = { index, stream: this.at(index)?.stream };
  }

  #askAnew(): void {
    this.#question += 1;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) {
      this.#askAgain = true;
      return;
    }
    this.#isAsking = true;
    this.#askAgain = false;
    clearTimeout(this.#timer);
    const question = this.#question;
    const rows = rowsToAsk(this.#wanted, this.#wanted.first - this.#askedFirst);
    this.#askedFirst = this.#wanted.first;
    try {
      const answer = await this.#engine.call('nodes.streams', {
        node: this.#node,
        filter: this.filter.trim(),
        sortBy: this.sortBy,
        descending: this.isDescending,
        ...rows,
      });
      // An answer to what was asked before the filter changed is of no use; the next is on its way.
      if (question === this.#question) this.#take(answer, rows.offset);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.#isAsking = false;
    if (this.#isOver) return;
    if (this.#askAgain) void this.#ask();
    else this.#timer = setTimeout(() => void this.#ask(), beatMs);
  }

  #take(answer: Answer, offset: number): void {
    this.problem = undefined;
    this.isLoaded = true;
    this.total = answer.total;
    if (this.#isHeld) {
      this.held = { ...this.held, streams: inPlace(this.held.streams, answer.streams) };
      return;
    }
    this.matching = answer.matching;
    this.held = { offset, streams: answer.streams };
    this.chosen = follow(this.chosen, this.held, answer.matching);
  }
}
