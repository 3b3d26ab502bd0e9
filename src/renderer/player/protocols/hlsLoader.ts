import type { Loader, LoaderCallbacks, LoaderConfiguration, LoaderContext, LoaderStats } from 'hls.js';
import { errorText } from '../../../domain/text/errorText';

/** A fetched playlist or segment; rejects with a sentence without a response. */
export type FetchPiece = (
  url: string,
) => Promise<{ readonly status: number; readonly url: string; readonly data: Uint8Array }>;

export interface PieceListener {
  /** Bytes received. */
  received(bytes: number): void;
  /** Failure: one sentence, or the HTTP status. */
  failed(url: string, why: string | number): void;
}

function freshStats(): LoaderStats {
  return {
    aborted: false,
    loaded: 0,
    retry: 0,
    total: 0,
    chunkCount: 0,
    bwEstimate: 0,
    loading: { start: 0, first: 0, end: 0 },
    parsing: { start: 0, end: 0 },
    buffering: { start: 0, first: 0, end: 0 },
  };
}

/** The requested range of a piece. The engine fetches entire pieces. */
function rangeOf(data: Uint8Array, { rangeStart, rangeEnd }: LoaderContext): Uint8Array {
  return rangeEnd ? data.subarray(rangeStart ?? 0, rangeEnd) : data;
}

function contentOf(data: Uint8Array, responseType: string): ArrayBuffer | string {
  if (responseType === 'arraybuffer') return data.slice().buffer;
  return new TextDecoder().decode(data);
}

/** Creates the loader for hls.js; its default one would open connections from the window. */
export function loaderThrough(fetchPiece: FetchPiece, listener: PieceListener): new () => Loader<LoaderContext> {
  return class PieceLoader implements Loader<LoaderContext> {
    context: LoaderContext | null = null;
    stats: LoaderStats = freshStats();
    #callbacks: LoaderCallbacks<LoaderContext> | undefined;
    #limit: ReturnType<typeof setTimeout> | undefined;

    load(context: LoaderContext, config: LoaderConfiguration, callbacks: LoaderCallbacks<LoaderContext>): void {
      this.context = context;
      this.#callbacks = callbacks;
      this.stats.loading.start = performance.now();
      const { maxLoadTimeMs } = config.loadPolicy;
      this.#limit = setTimeout(() => {
        listener.failed(context.url, `No response within ${Math.round(maxLoadTimeMs / 1000)} s.`);
        this.#settle()?.onTimeout(this.stats, context, null);
      }, maxLoadTimeMs);
      fetchPiece(context.url).then(
        ({ status, url, data }) => {
          const waiting = this.#settle();
          if (!waiting) return;
          if (status < 200 || status > 299) {
            listener.failed(url, status);
            waiting.onError({ code: status, text: String(status) }, context, null, this.stats);
            return;
          }
          const piece = rangeOf(data, context);
          this.#count(piece.length);
          listener.received(piece.length);
          const content = contentOf(piece, context.responseType);
          waiting.onSuccess({ url, data: content, code: status }, this.stats, context, null);
        },
        (error: unknown) => {
          const waiting = this.#settle();
          if (!waiting) return;
          listener.failed(context.url, errorText(error));
          waiting.onError({ code: 0, text: errorText(error) }, context, null, this.stats);
        },
      );
    }

    abort(): void {
      const waiting = this.#settle();
      if (!waiting || !this.context) return;
      this.stats.aborted = true;
      waiting.onAbort?.(this.stats, this.context, null);
    }

    destroy(): void {
      this.#settle();
      this.context = null;
    }

    getCacheAge(): number | null {
      return null;
    }

    getResponseHeader(): string | null {
      return null;
    }

    #count(bytes: number): void {
      const { loading } = this.stats;
      // The engine returns entire pieces, so first and last byte arrive together; hls.js needs them in order.
      loading.end = performance.now();
      loading.first = Math.max(loading.start, loading.end - 1);
      this.stats.loaded = bytes;
      this.stats.total = bytes;
    }

    /** Only one end is reported. */
    #settle(): LoaderCallbacks<LoaderContext> | undefined {
      clearTimeout(this.#limit);
      const waiting = this.#callbacks;
      this.#callbacks = undefined;
      return waiting;
    }
  };
}
