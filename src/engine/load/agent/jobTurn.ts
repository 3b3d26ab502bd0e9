import type { JobTurn } from '../../../contract/turnProtocol';
import type { PlanTurn } from '../../../domain/model/turn';
import { withReferences } from '../../../domain/secrets/references';
import type { SecretBox } from '../../secrets/secretBox';

/** A plan's TURN server as an agent takes it, with its secrets. */
export function jobTurn(turn: PlanTurn, secrets: Pick<SecretBox, 'value'>): JobTurn {
  const { share, url, username, password, secret } = turn;
  if (url === undefined) return { sharePercent: share };
  const value = (text: string): string => withReferences(text, (each) => secrets.value(each));
  return {
    sharePercent: share,
    server: {
      url,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password: value(password) }),
      ...(secret === undefined ? {} : { secret: value(secret) }),
    },
  };
}
