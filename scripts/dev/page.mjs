import { createServer } from 'vite';
import { inRoot } from '../setup/paths.mjs';

/** Every other page's address is a choice of its own, see `tests/scenario/index.ts`. */
const usualPage = '?scenario=pull742&player=playing';

/** Where a bookmark finds it again; the next free port when it is taken. */
const usualPort = 5199;

/**
 * What the window's policy has to allow so that a changed file is shown without a build: styles that Vite inserts, and
 * its connection to the page. Only the page that the development server sends has it.
 */
const relaxed = [
  ["style-src 'self'", "style-src 'self' 'unsafe-inline'"],
  ["connect-src 'none'", "connect-src 'self'"],
];

/** @returns {import('vite').Plugin} */
function relaxedPolicy() {
  return {
    name: 'relaxed-policy',
    transformIndexHtml: (html) =>
      relaxed.reduce((text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`The page's policy has no "${from}".`);
        return text.replace(from, to);
      }, html),
  };
}

/**
 * Serves the window on a fake engine to this machine only, with hot reload. `port`: 0 selects a free one. Returns the
 * function that ends it.
 */
export async function servePage(port = usualPort) {
  const server = await createServer({
    configFile: inRoot('tests', 'renderer', 'preview', 'vite.config.mts'),
    cacheDir: inRoot('build', '.cache', 'dev-page'),
    plugins: [relaxedPolicy()],
    logLevel: 'info',
    clearScreen: false,
    server: { host: '127.0.0.1', port, fs: { allow: [inRoot()] } },
  });
  await server.listen();
  const [url] = server.resolvedUrls?.local ?? [];
  console.log(`The window on a fake engine: ${url}${usualPage}`);
  console.log(
    `Other states: ?scenario=fail256, limitFound, fleet742, wide24 ... and &theme=light (tests/renderer/preview).`,
  );
  console.log('A saved file is shown at once. Ctrl+C ends it.');
  return () => server.close();
}
