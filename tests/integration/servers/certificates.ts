import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Creates certificates with openssl in `folder`: from a separate CA, or self-signed, each by name and validity. */
export function certificateMaker(folder: string): {
  readonly authorityFile: string;
  selfSigned(name: string): TestCertificate;
  signed(name: string, days: number): TestCertificate;
} {
  const run = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const read = (name: string): TestCertificate => ({
    cert: readFileSync(join(folder, `${name}.pem`), 'utf8'),
    key: readFileSync(join(folder, `${name}.key`), 'utf8'),
  });
  run('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority');
  let made = 0;
  const file = (): string => `made${(made += 1)}`;
  return {
    authorityFile: join(folder, 'ca.pem'),
    selfSigned: (name) => {
      const out = file();
      run(
        'req',
        '-x509',
        ...newKey,
        '-keyout',
        `${out}.key`,
        '-out',
        `${out}.pem`,
        '-days',
        '2',
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=DNS:${name}`,
      );
      return read(out);
    },
    /** `days` may be -1: it expired yesterday. */
    signed: (name, days) => {
      const out = file();
      run(
        'req',
        ...newKey,
        '-keyout',
        `${out}.key`,
        '-out',
        `${out}.csr`,
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=DNS:${name}`,
      );
      run(
        'x509',
        '-req',
        '-in',
        `${out}.csr`,
        '-CA',
        'ca.pem',
        '-CAkey',
        'ca.key',
        '-CAcreateserial',
        '-copy_extensions',
        'copy',
        '-days',
        String(days),
        '-out',
        `${out}.pem`,
      );
      return read(out);
    },
  };
}
