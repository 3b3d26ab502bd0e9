import { ClockOffset, type ClockEstimate } from '../../../domain/clock/clockOffset';
import type { FromPage, ToPage } from '../messages';
import { whyUnknown } from './whyUnknown';

/** A burst of requests, of which the shortest round trip counts, and how often. */
const burst = { requests: 8, apartMs: 50, everyMs: 3000 } as const;
const reportEveryMs = 1000;
const reconnectMs = 2000;
const connecting = 'Connecting to the console';
/** The engine rounds by half a ms. */
const engineRoundingMs = 0.5;
/** A page whose timers and frames stopped for longer than this was suspended, perhaps with its clock. */
const suspendedMs = 5000;

/** Coarsest step of `performance.now()`: browsers round it differently. */
function resolutionMs(): number {
  let step = 0;
  for (let change = 0; change < 5; change += 1) {
    const startMs = performance.now();
    let nowMs = startMs;
    while (nowMs === startMs) nowMs = performance.now();
    step = Math.max(step, Math.min(100, nowMs - startMs));
  }
  return step;
}

/** The console's clock as measured by this page, over a WebSocket that is opened again when it is lost. */
export class ConsoleClock {
  /** Number of this page's clock. */
  source: number | undefined;
  #socket: WebSocket | undefined;
  readonly #offset = new ClockOffset(engineRoundingMs + resolutionMs());
  readonly #sent = new Map<number, number>();
  #lastId = 0;
  #heardMs = Number.NEGATIVE_INFINITY;
  #seenMs = performance.now();
  #isRefused = false;
  /** Of what was drawn since the last report. */
  #drawn: { uncertaintyMs: number; isKnown: boolean } | undefined;

  constructor() {
    this.#connect();
    setInterval(() => this.#measure(), burst.everyMs);
    setInterval(() => this.#report(), reportEveryMs);
  }

  /** What to draw now, or the sentence why the console's time is not known. To be called for each frame. */
  now(): (ClockEstimate & { readonly source: number; readonly timeMs: number }) | string {
    const nowMs = performance.now();
    if (nowMs - this.#seenMs > suspendedMs) this.#suspended();
    this.#seenMs = nowMs;
    const estimate = this.#offset.at(nowMs);
    const why = whyUnknown({ estimate, silentMs: nowMs - this.#heardMs, isRefused: this.#isRefused });
    const isKnown = why === undefined;
    this.#drawn = {
      uncertaintyMs: Math.max(this.#drawn?.uncertaintyMs ?? 0, estimate?.uncertaintyMs ?? 0),
      isKnown: isKnown && (this.#drawn?.isKnown ?? true),
    };
    if (why !== undefined) return why;
    if (!estimate || this.source === undefined) return connecting;
    return { ...estimate, source: this.source, timeMs: nowMs + estimate.offsetMs };
  }

  #suspended(): void {
    this.#offset.clear();
    this.#sent.clear();
    this.#drawn = { uncertaintyMs: 0, isKnown: false };
    this.#measure();
  }

  #connect(): void {
    const address = new URL('clock', location.href.replace(/^http/, 'ws'));
    if (this.source !== undefined) address.search = `source=${this.source}`;
    const socket = new WebSocket(address);
    this.#socket = socket;
    let isTaken = false;
    socket.addEventListener('open', () => this.#measure());
    socket.addEventListener('message', () => (isTaken = true));
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => this.#take(JSON.parse(data) as ToPage));
    socket.addEventListener('close', () => {
      this.#sent.clear();
      if (!isTaken) void this.#findOutWhy();
      setTimeout(() => this.#connect(), reconnectMs);
    });
  }

  /** The console refuses a connection without a reason; the page itself is not served any more when it has ended. */
  async #findOutWhy(): Promise<void> {
    this.#isRefused = await fetch(location.href, { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  #take(message: ToPage): void {
    const nowMs = performance.now();
    if (message.kind === 'source') {
      this.#isRefused = false;
      // Another number: what was drawn so far was not of this clock.
      if (message.source !== this.source) this.#drawn = undefined;
      this.source = message.source;
      return;
    }
    const sentMs = this.#sent.get(message.id);
    this.#sent.delete(message.id);
    if (sentMs === undefined) return;
    this.#heardMs = nowMs;
    this.#offset.note({ sentMs, receivedMs: nowMs, otherMs: message.nowMs });
  }

  #measure(): void {
    for (let request = 0; request < burst.requests; request += 1)
      setTimeout(() => {
        this.#lastId += 1;
        this.#sent.set(this.#lastId, performance.now());
        this.#send({ kind: 'time', id: this.#lastId });
      }, request * burst.apartMs);
  }

  #report(): void {
    const drawn = this.#drawn;
    if (!drawn || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#drawn = undefined;
    this.#send(drawn.isKnown ? { kind: 'drawn', uncertaintyMs: drawn.uncertaintyMs } : { kind: 'unknown' });
  }

  #send(message: FromPage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
