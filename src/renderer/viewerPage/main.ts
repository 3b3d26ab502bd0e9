import { parseWithoutEval } from '../client/zodWithoutEval';
import { decoded, encoded } from '../../contract/bytesInJson';
import { connectEngine } from '../../contract/calls';
import { engineCalls } from '../../contract/engine';
import { WindowBrowserViewers } from '../player/browserViewers/windowBrowserViewers';

/**
 * The page of a browser without a window of Fullhouse, on this machine or on a tester: it runs the browser viewers of
 * runs that name it. The engine serves it with a token in its path, and allows it the calls of a player only.
 */
const [, name = ''] = /[?&]by=([^&]+)/.exec(location.search) ?? [];
parseWithoutEval();
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
const viewers = new WindowBrowserViewers({ engine, onProblem: problem }, decodeURIComponent(name));
engine.on('run', (run) => viewers.follow(run));
// Without the engine there is nothing to play.
socket.addEventListener('close', () => viewers.end());
