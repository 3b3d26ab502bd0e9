import { execFile } from 'node:child_process';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openHttpLink } from '../../src/engine/links/http/openHttpLink';
import { certificateMaker, type TestCertificate } from './servers/certificates';
import { cleanUp, root, temporaryFolder } from './support';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});
afterAll(cleanUp);

let make: ReturnType<typeof certificateMaker>;
beforeAll(() => {
  make = certificateMaker(temporaryFolder());
});

async function serve(certificate: TestCertificate): Promise<string> {
  const server = createServer(certificate, (_, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  ends.push(() => server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

describe('an untrusted certificate', () => {
  const asking = (base: string, acceptSelfSigned = false): Promise<string> => {
    const link = openHttpLink({ who: 'Edge 1', base, acceptSelfSigned });
    ends.push(() => link.close());
    return link.text({ url: '/' });
  };

  it('that is self-signed is explained, and accepted after confirmation', async () => {
    const base = await serve(make.selfSigned('localhost'));
    await expect(asking(base)).rejects.toMatchObject({
      code: 'tls',
      message: `Edge 1: the certificate of ${base} is self-signed; enable "accept this node's own certificate" if you trust it.`,
    });
    expect(await asking(base, true)).toBe('hello');
  });

  it('of an unknown authority is explained, and accepted likewise', async () => {
    const base = await serve(make.signed('localhost', 2));
    await expect(asking(base)).rejects.toMatchObject({
      code: 'tls',
      message: expect.stringMatching(/authority that this machine does not trust.*accept this node's own/) as string,
    });
    expect(await asking(base, true)).toBe('hello');
  });
});

describe('a certificate of a known authority', () => {
  let program: string;
  beforeAll(async () => {
    // Node reads additional authorities only at start, so the link runs in a separate process.
    const folder = temporaryFolder();
    await build({
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: {
        ssr: join(root, 'src', 'engine', 'links', 'http', 'openHttpLink.ts'),
        outDir: folder,
        emptyOutDir: false,
        target: 'node16',
        rollupOptions: { output: { format: 'cjs', entryFileNames: 'link.cjs' } },
      },
    });
    program = `
      const link = require(${JSON.stringify(join(folder, 'link.cjs'))}).openHttpLink({ who: 'Edge 1' });
      link.text({ url: process.argv[1] }).then(console.log, (error) => console.log(error.code + ' ' + error.message)).then(() => link.close());`;
  });

  const asking = async (base: string): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program, base], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: make.authorityFile },
      timeout: 20_000,
    });
    return stdout.trim();
  };

  it('is accepted', async () => {
    expect(await asking(await serve(make.signed('localhost', 2)))).toBe('hello');
  });

  it('that has expired is reported', async () => {
    const base = await serve(make.signed('localhost', -1));
    expect(await asking(base)).toBe(
      `tls Edge 1: the certificate of ${base} has expired; renew it, or enable "accept this node's own certificate" if you trust it.`,
    );
  });

  it('for another name is reported', async () => {
    const base = await serve(make.signed('media.example', 2));
    expect(await asking(base)).toBe(
      `tls Edge 1: the certificate of ${base} is issued for another name than localhost; use the name in the certificate, or enable "accept this node's own certificate" if you trust it.`,
    );
  });
});
