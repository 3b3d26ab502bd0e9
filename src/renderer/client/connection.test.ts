// @vitest-environment node
import { expect, it, vi } from 'vitest';
import { onEngine, type WindowClient } from './connection';

it('control characters in texts of servers and hosts reach the window as symbols', async () => {
  const listeners: Array<(event: unknown) => void> = [];
  const page = {
    addEventListener: (_: string, listener: (event: unknown) => void) => listeners.push(listener),
    removeEventListener: () => undefined,
  };
  vi.stubGlobal('window', page);
  const { port1, port2 } = new MessageChannel();
  try {
    const engine = await new Promise<WindowClient>((resolve) => {
      onEngine(resolve);
      listeners[0]?.({ source: page, data: 'fullhouse-engine-port', ports: [port1] });
    });
    const received = new Promise<string>((resolve) => engine.on('event', ({ sentence }) => resolve(sentence)));
    const payload = {
      id: 1,
      mark: 'note',
      timeMs: 1,
      who: 'origin',
      kind: 'note',
      sentence: 'refused \u001b[31m\u202e',
    };
    port2.postMessage({ kind: 'event', name: 'event', payload });
    expect(await received).toBe('refused ␛[31m<U+202E>');
  } finally {
    port1.close();
    port2.close();
    vi.unstubAllGlobals();
  }
});
