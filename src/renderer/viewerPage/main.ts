import { parseWithoutEval } from '../client/zodWithoutEval';
import { decoded, encoded } from '../../contract/bytesInJson';
import { connectEngine } from '../../contract/calls';
import { engineCalls } from '../../contract/engine';
import { decode } from '../player/delay/decoder';
import { loadWorkers } from '../player/workers';
import { WindowBrowserViewers } from '../player/browserViewers/windowBrowserViewers';

/**
 * The page of a browser without a window of Fullhouse, on this machine or on a tester: it runs the browser viewers of
 * runs that name it (`by`), or publishes and plays for a delay test (`test`). The engine serves it with a token in its
 * path, and allows it the calls that it needs for that.
 */
const parameters = new URLSearchParams(location.search);
parseWithoutEval();
// Once the page is connected, nothing more is served.
await loadWorkers();
const socket = new WebSocket(new URL('engine', location.href.replace(/^http/, 'ws')));
const engine = connectEngine(
  {
    send: (message) => socket.send(encoded(message)),
    onMessage: (listener) =>
      socket.addEventListener('message', ({ data }: MessageEvent<string>) => listener(decoded(data))),
  },
  engineCalls,
);
const problem = (error: unknown): void => console.error(String(error));
const test = parameters.get('test');
if (test === null) {
  const viewers = new WindowBrowserViewers({ engine, onProblem: problem }, parameters.get('by') ?? '');
  engine.on('run', (run) => viewers.follow(run));
  // Without the engine there is nothing to play.
  socket.addEventListener('close', () => viewers.end());
} else {
  const place = document.createElement('div');
  // Small: without a graphics card a large picture costs more to draw than to decode.
  place.style.cssText = 'width: 320px; height: 180px';
  document.body.append(place);
  socket.addEventListener('open', () => void decode(engine, test, place).catch(problem));
}
