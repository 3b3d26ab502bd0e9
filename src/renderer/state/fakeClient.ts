import type {
  CallInput,
  CallOutput,
  EngineCallName,
  EngineEventName,
  EngineEvents,
} from '../../contract/engine';
import type { Engine } from './connection';

type Answers = { [C in EngineCallName]?: (input: CallInput<C>) => CallOutput<C> | Promise<CallOutput<C>> };

/** An engine's client for tests of the stores: it answers what it is told to and notes what it was asked. */
export class FakeClient implements Engine {
  readonly asked: { readonly name: string; readonly input: unknown }[] = [];
  readonly #listeners = new Map<string, Set<(payload: never) => void>>();

  constructor(private readonly answers: Answers) {}

  async call<C extends EngineCallName>(name: C, input: CallInput<C>): Promise<CallOutput<C>> {
    this.asked.push({ name, input });
    const answer = this.answers[name];
    if (!answer) throw new Error(`${name} is not answered here.`);
    return answer(input);
  }

  on<E extends EngineEventName>(name: E, listener: (payload: EngineEvents[E]) => void): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set.add(listener));
    return () => set.delete(listener);
  }

  push<E extends EngineEventName>(name: E, payload: EngineEvents[E]): void {
    for (const listener of this.#listeners.get(name) ?? [])
      (listener as (payload: EngineEvents[E]) => void)(payload);
  }

  get listenerCount(): number {
    return [...this.#listeners.values()].reduce((sum, set) => sum + set.size, 0);
  }
}
