import { connectEngine, type EngineClient } from '../../contract/calls';
import { engineCalls, type EngineCallName } from '../../contract/engine';
import { makeVisible } from '../../domain/text/visibleText';
import type { Wire } from '../../contract/wire';

/** The engine client of the window's stores. */
export type WindowClient = EngineClient<EngineCallName>;

/** Name of the message that transfers the engine's port to the window. */
const portMessage = 'fullhouse-engine-port';

function portWire(port: MessagePort): Wire {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      // Untrusted text of servers and files is shown throughout the window, so it is sanitised here, once.
      port.onmessage = (event: MessageEvent<unknown>) => listener(makeVisible(event.data));
    },
  };
}

/**
 * Waits for the engine's port from the preload script, and creates a client for it. A restarted engine comes with
 * a new port and so with a new client. Returns the function that stops waiting.
 */
export function onEngine(listener: (engine: WindowClient) => void): () => void {
  const receive = (event: MessageEvent<unknown>): void => {
    const [port] = event.ports;
    if (event.source !== window || event.data !== portMessage || !port) return;
    listener(connectEngine(portWire(port), engineCalls));
  };
  window.addEventListener('message', receive);
  return () => window.removeEventListener('message', receive);
}
