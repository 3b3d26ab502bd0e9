import { parseWithoutEval } from '../../../../src/renderer/client/zodWithoutEval';
import { servePageEngine } from './pageEngine';
import { portWire } from './portWire';

parseWithoutEval();

/** The engine in a separate thread, like the app's separate process: its sorting must not load the window. */
self.onmessage = (event: MessageEvent<{ readonly count: number }>) => {
  const [port] = event.ports;
  if (port) servePageEngine(portWire(port), event.data.count);
};
