import type { Handlers } from '../../src/contract/calls';
import type { ClockPageState, clockPageCalls } from '../../src/contract/clockPageCalls';

const off: ClockPageState = { urls: [], isLan: false, pages: [] };
const secret = 'lK2v0pJ8Yb1QzN6tXc4sEw9RuAfHd3Go';

/** A clock page that two browsers have open while it is served. Each picture shows both screens. */
export function clockPageHandlers(): Handlers<keyof typeof clockPageCalls> {
  let state = off;
  return {
    'clockPage.state': () => state,
    'clockPage.start': ({ address }) => {
      const isLan = address === '0.0.0.0';
      const hosts = isLan ? ['192.168.1.20', '127.0.0.1'] : ['127.0.0.1'];
      const nowMs = Date.now();
      const page = { sinceMs: nowMs - 95_000, untilMs: nowMs, isOpen: true };
      state = {
        isLan,
        urls: hosts.map((host) => `http://${host}:40123/${secret}/`),
        pages: [
          { ...page, source: 52, from: isLan ? '192.168.1.31' : '127.0.0.1', uncertaintyMs: 1.3 },
          { ...page, source: 57, from: '127.0.0.1', uncertaintyMs: 0, sinceMs: nowMs, untilMs: nowMs },
        ],
      };
      return state;
    },
    'clockPage.stop': () => (state = off),
    'clockPage.readPicture': ({ width }) => {
      const timeMs = 1_795_260_764_000;
      const code = (left: number, slot: 0 | 1, each: number) => {
        const [from, to, top, bottom] = [left, left + width / 10, 0, width / 10];
        const corners = [
          ...[
            { x: from, y: top },
            { x: to, y: top },
          ],
          ...[
            { x: to, y: bottom },
            { x: from, y: bottom },
          ],
        ] as [{ x: number; y: number }, { x: number; y: number }, { x: number; y: number }, { x: number; y: number }];
        return { source: 52, slot, timeMs: each, refreshMs: 17, corners };
      };
      return { codes: [code(0, 0, timeMs), code(width / 2, 0, timeMs - 742)] };
    },
  };
}
