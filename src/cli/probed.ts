import type { ProbeView } from '../domain/model/probe';
import { pastedAddress } from '../domain/node/pastedAddress';
import type { Engine } from '../engine';
import type { NodeChoices } from './options';
import { probePassword } from './probePassword';

/** A server's address as typed, with the ways to reach it. */
export interface ProbeInput extends NodeChoices {
  readonly address: string;
  readonly user: string | undefined;
  readonly selfSigned: boolean;
}

/** Its password is a variable, or in a pasted curl line. */
export const typedPassword = ({ address }: Pick<ProbeInput, 'address'>): string | undefined =>
  pastedAddress(address)?.password ?? probePassword();

/**
 * Probes an address, and plays a second of what it finds with `play`. Login and certificate of a pasted curl line have
 * priority over the options.
 */
export function probed(engine: Engine, input: ProbeInput, play: boolean): Promise<ProbeView> {
  const { keyFile, jump } = input;
  const pasted = pastedAddress(input.address);
  const address = pasted?.address ?? input.address;
  const name = pasted?.user ?? input.user;
  const accepts = pasted?.selfSigned ?? input.selfSigned;
  const password = typedPassword(input);
  return new Promise((resolve, reject) => {
    engine.client.on('probe', (view) => {
      if (view.isDone) resolve(view);
    });
    engine.client
      .call('nodes.probe', {
        ...{ probe: 'cli', address, keyFile, jump },
        ...(name === undefined ? {} : { user: name }),
        ...(accepts ? { selfSigned: true } : {}),
        secrets: password === undefined ? {} : { httpPassword: password },
        play,
      })
      .catch(reject);
  });
}
