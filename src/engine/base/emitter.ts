import { log } from './log';

/** Listeners of one kind of event. A listener that throws does not affect the others. */
export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        log.error(`A listener failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
    }
  }
}
