import type { Wire } from '../../../../src/contract/wire';

/** A port copies what it carries, as one between processes does. */
export function portWire(port: MessagePort): Wire {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.onmessage = (event: MessageEvent<unknown>) => listener(event.data);
    },
  };
}
