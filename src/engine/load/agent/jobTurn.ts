import type { JobTurn } from '../../../contract/turnProtocol';
import type { Audience } from '../../../domain/model/plan';
import { withReferences } from '../../../domain/secrets/references';
import type { SecretBox } from '../../secrets/secretBox';

/**
 * The TURN server of an audience as an agent takes it, with its secrets; `address` is that of the origin, which is the
 * TURN server for the protocol `turn`, and `isOriginSelfSigned` its setting. Undefined if the audience uses none.
 */
export function jobTurn(
  { turn, protocol }: Pick<Audience, 'turn' | 'protocol'>,
  address: string,
  secrets: Pick<SecretBox, 'value'>,
  isOriginSelfSigned = false,
): JobTurn | undefined {
  const isTarget = protocol === 'turn';
  if (!turn && !isTarget) return undefined;
  const { share = 100, bitrateKbps, username, password, secret, selfSigned } = turn ?? {};
  const url = isTarget ? address : turn?.url;
  const value = (text: string): string => withReferences(text, (each) => secrets.value(each));
  return {
    sharePercent: share,
    ...(bitrateKbps === undefined ? {} : { bitrateKbps }),
    ...(url === undefined
      ? {}
      : {
          server: {
            url,
            ...(username === undefined ? {} : { username }),
            ...(password === undefined ? {} : { password: value(password) }),
            ...(secret === undefined ? {} : { secret: value(secret) }),
            ...(selfSigned || (isTarget && isOriginSelfSigned) ? { selfSigned: true } : {}),
          },
        }),
  };
}
