import type { RunRecorder } from './types';

/** A recorder whose runs begin with another function. */
export function withCreate(recorder: RunRecorder, create: RunRecorder['create']): RunRecorder {
  return new Proxy(recorder, {
    get: (_recorder, name): unknown => {
      if (name === 'create') return create;
      const value: unknown = Reflect.get(recorder, name);
      return typeof value === 'function' ? (value.bind(recorder) as unknown) : value;
    },
  });
}
