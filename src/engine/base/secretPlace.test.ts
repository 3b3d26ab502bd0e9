import { afterEach, describe, expect, it } from 'vitest';
import { requireSecrets } from '../secrets/resolve';
import { SecretBox } from '../secrets/secretBox';
import { statusFault } from '../links/http/httpFaults';
import { noRoomToken } from '../fleet/publicationOrder';
import { refusal } from '../servers/livekit/refusals';
import { samplePlan } from '../../../tests/support/samplePlan';
import { takeSecretsFromVariables } from './secretPlace';

afterEach(() => takeSecretsFromVariables(false));

const url = new URL('https://10.0.0.5/api');
const faultOf = (act: () => void): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('Nothing was refused.');
};
const plan = samplePlan({}, { nodes: { origin: { server: 'livekit', url: '$env:ABSENT' }, a: { tester: 'local' } } });
const stored = samplePlan(
  {},
  { nodes: { origin: { server: 'livekit', url: '$secret:KEPT' }, a: { tester: 'local' } } },
);
const wrongSecret = {
  ...{ who: 'edge-1', method: 'ListRooms', grant: 'roomList', apiKey: 'k', nowMs: 0 },
  answer: { status: 401, headers: {}, body: 'invalid token: error in cryptographic primitive' },
} as unknown as Parameters<typeof refusal>[0];

const sentences = {
  'a login': () => statusFault('edge-1', url, { status: 401 }).message,
  'a refused login': () => statusFault('edge-1', url, { status: 401, hadCredentials: true }).message,
  'a room': () => noRoomToken('edge-1').message,
  'a wrong secret': () => refusal(wrongSecret).message,
  'a variable': () => faultOf(() => requireSecrets(plan, new SecretBox({}))),
  'a stored secret': () => faultOf(() => requireSecrets(stored, new SecretBox({}))),
};

describe.each(Object.entries(sentences))('the fix for %s', (_, sentence) => {
  it('is a variable on the command line, and the form in the window', () => {
    const inWindow = sentence();
    takeSecretsFromVariables(true);
    const onCommandLine = sentence();
    expect(onCommandLine).toMatch(/[Ss]et (FULLHOUSE_EDGE_1_(API_SECRET|HTTP_PASSWORD)|ABSENT|that variable)\b/);
    expect(onCommandLine).not.toMatch(/[Ee]nter|[Ee]dit |the app/);
    expect(inWindow).not.toContain('FULLHOUSE_EDGE_1');
  });
});
