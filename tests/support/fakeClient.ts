import type { CallInput, CallOutput, EngineCallName, EngineEventName, EngineEvents } from '../../src/contract/engine';
import type { WindowClient } from '../../src/renderer/client/connection';

type Answers = { [C in EngineCallName]?: (input: CallInput<C>) => CallOutput<C> | Promise<CallOutput<C>> };

/** An engine client for tests of the stores: returns prepared results and records its calls. */
export class FakeClient implements WindowClient {
  readonly asked: { readonly name: string; readonly input: unknown }[] = [];
  readonly #listeners = new Map<string, Set<(payload: never) => void>>();

  constructor(private readonly answers: Answers) {}

  async call<C extends EngineCallName>(name: C, input: CallInput<C>): Promise<CallOutput<C>> {
    this.asked.push({ name, input });
    const answer = this.answers[name];
    if (!answer) throw new Error(`No result prepared for ${name}.`);
    return answer(input);
  }

  on<E extends EngineEventName>(name: E, listener: (payload: EngineEvents[E]) => void): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set.add(listener));
    return () => set.delete(listener);
  }

  push<E extends EngineEventName>(name: E, payload: EngineEvents[E]): void {
    for (const listener of this.#listeners.get(name) ?? []) (listener as (payload: EngineEvents[E]) => void)(payload);
  }

  get listenerCount(): number {
    return [...this.#listeners.values()].reduce((sum, set) => sum + set.size, 0);
  }
}
