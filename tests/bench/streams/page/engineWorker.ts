import '../../../../src/renderer/state/zodWithoutEval';
import { servePageEngine } from './pageEngine';
import { portWire } from './portWire';

/** The engine in a thread of its own, as it is in a process of its own in the app: the window must not pay for its sorting. */
self.onmessage = (event: MessageEvent<{ readonly count: number }>) => {
  const [port] = event.ports;
  if (port) servePageEngine(portWire(port), event.data.count);
};
