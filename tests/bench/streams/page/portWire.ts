import type { Wire } from '../../../../src/contract/wire';

/** A port copies its messages, like one between processes. */
export function portWire(port: MessagePort): Wire {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.onmessage = (event: MessageEvent<unknown>) => listener(event.data);
    },
  };
}
