import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, temporaryFolder } from '../support';
import { freePort } from './freePort';
import { startHttpProgram, type RealProgram } from './nodeExporter';

/** A real Node-Media-Server with RTMP, HTTP-FLV and WebSocket-FLV, whose API has a login. */
export interface NodeMediaServer extends RealProgram {
  readonly rtmpPort: number;
  readonly user: string;
  readonly password: string;
}

/** Starts it on free ports of loopback; its files are in a temporary folder. */
export async function startNodeMediaServer(): Promise<NodeMediaServer> {
  const folder = temporaryFolder();
  const [httpPort, rtmpPort] = [await freePort(), await freePort()];
  const [user, password] = ['admin', 'pass-word'];
  const secret = (): string => randomBytes(32).toString('hex');
  const config = join(folder, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({
      bind: '127.0.0.1',
      notify: { url: '' },
      store: { path: join(folder, 'data'), maxHistory: 100 },
      auth: {
        ...{ play: false, publish: false, secret: secret() },
        jwt: {
          secret: secret(),
          expiresIn: '1h',
          refreshExpiresIn: '1d',
          algorithm: 'HS256',
          users: [{ username: user, password, role: 'admin' }],
        },
      },
      rtmp: { port: rtmpPort },
      http: { port: httpPort },
      record: { auto: false, path: join(folder, 'record') },
    }),
  );
  const program = join(root, 'node_modules', 'node-media-server', 'bin', 'app.js');
  const url = `http://127.0.0.1:${httpPort}`;
  const started = await startHttpProgram(
    process.execPath,
    [program, '--no-admin', '-c', config],
    url,
    '/api/v1/health',
  );
  return { ...started, rtmpPort, user, password };
}
