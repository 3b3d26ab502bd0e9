import { type z } from 'zod';
import {
  engineEvents,
  type AnyCalls,
  type CallInput,
  type CallOutput,
  type EngineEventName,
  type EngineEvents,
} from './engine';
import { wireMessage, type Wire } from './wire';
import { errorText } from '../domain/text/errorText';

/**
 * An error with a sentence for the user; `code` is for programs. Any other error that crosses a process is `internal`.
 */
export class FullhouseError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'FullhouseError';
  }
}

/** The engine as seen by its shells. */
export interface EngineClient<Names extends keyof AnyCalls> {
  /** Rejects with a `FullhouseError`. */
  call<C extends Names>(name: C, input: CallInput<C>): Promise<CallOutput<C>>;
  /** Returns the function that ends the subscription. */
  on<E extends EngineEventName>(name: E, listener: (payload: EngineEvents[E]) => void): () => void;
}

export type Handlers<Names extends keyof AnyCalls> = {
  [C in Names]: (input: CallInput<C>) => Promise<CallOutput<C>> | CallOutput<C>;
};

type Schemas<Names extends keyof AnyCalls> = {
  readonly [C in Names]: { readonly input: z.ZodType; readonly output: z.ZodType };
};

/**
 * Describes invalid input of a call. A custom rule has a complete sentence. A message of the schema library needs
 * the name of its field.
 */
export function inputFault(call: string, error: z.ZodError): FullhouseError {
  const own = error.issues.flatMap(({ message }) => (isSentence(message) ? message : []));
  const sentence = own.length > 0 ? [...new Set(own)].join(' ') : `Invalid input for ${call}: ${fieldsOf(error)}.`;
  return new FullhouseError('bad-input', sentence);
}

const isSentence = (text: string): boolean => /^\p{Lu}.*[.!?]$/su.test(text);

function fieldsOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ');
}

/**
 * Serves the calls that arrive on a wire. Input is parsed before a handler runs. Returns the function that pushes
 * events.
 */
export function serveEngine<Names extends keyof AnyCalls>(
  wire: Wire,
  schemas: Schemas<Names>,
  handlers: Handlers<Names>,
): { push<E extends EngineEventName>(name: E, payload: EngineEvents[E]): void } {
  const answer = async (id: number, name: string, input: unknown): Promise<void> => {
    try {
      if (!Object.hasOwn(schemas, name)) throw new FullhouseError('unknown-call', `The engine has no call "${name}".`);
      const known = name as Names;
      const parsed = schemas[known].input.safeParse(input);
      if (!parsed.success) throw inputFault(name, parsed.error);
      wire.send({ kind: 'result', id, value: await handlers[known](parsed.data as CallInput<Names>) });
    } catch (error) {
      const code = error instanceof FullhouseError ? error.code : 'internal';
      wire.send({ kind: 'error', id, code, message: errorText(error) });
    }
  };
  wire.onMessage((raw) => {
    const message = wireMessage.safeParse(raw);
    if (message.success && message.data.kind === 'call')
      void answer(message.data.id, message.data.name, message.data.input);
  });
  return { push: (name, payload) => wire.send({ kind: 'event', name, payload }) };
}

/** The client end of `serveEngine`. It parses results and events too, and reports those that violate the contract. */
export function connectEngine<Names extends keyof AnyCalls>(wire: Wire, schemas: Schemas<Names>): EngineClient<Names> {
  const waiting = new Map<number, { name: Names; resolve(value: unknown): void; reject(error: Error): void }>();
  const listeners = new Map<EngineEventName, Set<(payload: never) => void>>();
  let lastId = 0;

  const settle = (id: number, act: (call: NonNullable<ReturnType<typeof waiting.get>>) => void): void => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (call) act(call);
  };
  const deliver = (name: string, payload: unknown): void => {
    if (!Object.hasOwn(engineEvents, name)) return;
    const event = name as EngineEventName;
    // No subscriber: otherwise the main process would parse every sample that only the window draws.
    if (!listeners.get(event)?.size) return;
    const parsed = engineEvents[event].safeParse(payload);
    if (!parsed.success) {
      console.error(`The engine sent a "${name}" event that does not fit the contract: ${fieldsOf(parsed.error)}`);
      return;
    }
    for (const listener of listeners.get(event) ?? []) (listener as (payload: unknown) => void)(parsed.data);
  };

  wire.onMessage((raw) => {
    const parsed = wireMessage.safeParse(raw);
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.kind === 'event') deliver(message.name, message.payload);
    if (message.kind === 'error')
      settle(message.id, (call) => call.reject(new FullhouseError(message.code, message.message)));
    if (message.kind === 'result')
      settle(message.id, (call) => {
        const value = schemas[call.name].output.safeParse(message.value);
        if (value.success) call.resolve(value.data);
        else call.reject(new FullhouseError('bad-answer', `Invalid result of ${call.name}: ${fieldsOf(value.error)}.`));
      });
  });

  return {
    call: <C extends Names>(name: C, input: CallInput<C>) =>
      new Promise<CallOutput<C>>((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { name, resolve, reject });
        wire.send({ kind: 'call', id: lastId, name, input });
      }),
    on: (name, listener) => {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      set.add(listener);
      return () => set.delete(listener);
    },
  };
}
