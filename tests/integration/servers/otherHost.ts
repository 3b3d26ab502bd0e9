import { execFileSync } from 'node:child_process';

/** Another machine, linked by a virtual cable: a network namespace. Requires root. */
export interface OtherHost {
  readonly namespace: string;
  /** Of the other machine. */
  readonly address: string;
  remove(): void;
}

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8' });

/** Addresses from a block unlikely to be in use: two hosts of 10.214.N.0/30. */
export function makeOtherHost(): OtherHost {
  const id = `${process.pid % 100_000}`;
  const net = `10.214.${process.pid % 250}`;
  const namespace = `fh-other-${id}`;
  const [near, far] = [`fhn${id}`, `fhf${id}`];
  ip('netns', 'add', namespace);
  try {
    ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', namespace);
    ip('address', 'add', `${net}.1/30`, 'dev', near);
    ip('link', 'set', near, 'up');
    ip('-n', namespace, 'address', 'add', `${net}.2/30`, 'dev', far);
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
    ip('-n', namespace, 'link', 'set', far, 'up');
  } catch (error) {
    ip('netns', 'delete', namespace);
    throw error;
  }
  // The cable is removed with the namespace of one end.
  return { namespace, address: `${net}.2`, remove: () => void ip('netns', 'delete', namespace) };
}
