import type { EngineClient } from '../../../src/contract/calls';
import type {
  CallInput,
  CallOutput,
  EngineCallName,
  EngineEventName,
  EngineEvents,
} from '../../../src/contract/engine';
import { decoded, encoded } from '../../../src/contract/bytesInJson';

declare global {
  interface Window {
    /** Exposed by the test: makes a call of its engine. Input and output are JSON. */
    callEngine(name: string, input: string): Promise<string>;
  }
}

/** The client of the engine in the test's own process. Bytes cross as base64. */
export class RealEngine {
  readonly #listeners = new Set<(name: string, payload: unknown) => void>();

  readonly client: EngineClient<EngineCallName> = {
    call: async <C extends EngineCallName>(name: C, input: CallInput<C>): Promise<CallOutput<C>> => {
      const { output, error } = decoded(await window.callEngine(name, encoded(input))) as {
        output?: CallOutput<C>;
        error?: string;
      };
      if (error !== undefined) throw new Error(error);
      return output as CallOutput<C>;
    },
    on: <E extends EngineEventName>(name: E, listener: (payload: EngineEvents[E]) => void): (() => void) => {
      const take = (from: string, payload: unknown): void => {
        if (from === name) listener(payload as EngineEvents[E]);
      };
      this.#listeners.add(take);
      return () => this.#listeners.delete(take);
    },
  };

  /** Called by the test with an event of its engine. */
  event(name: string, payload: string): void {
    const content = decoded(payload);
    for (const listener of this.#listeners) listener(name, content);
  }
}
