import { describe, expect, it } from 'vitest';
import { secretsWarning } from './planSecrets';
import { parsePlan, planToYaml } from './planYaml';

const text = (origin: string): string => `name: x
nodes: { origin: ${origin}, audience: { tester: local } }
pull: { stream: cam, from: origin, by: [audience], viewers: 1, rate: 1/s, hold: 1s }
`;
const planOf = (origin: string) => parsePlan(text(origin)).plan;

describe('references in a plan', () => {
  const origin = '{ server: generic, whep: "https://h/{stream}?token=$env:TOKEN", user: me, httpPassword: $secret:PW }';

  it('survive a round trip unchanged', () => {
    const plan = planOf(origin);
    expect(plan.nodes['origin']).toMatchObject({
      whep: 'https://h/{stream}?token=$env:TOKEN',
      httpPassword: '$secret:PW',
    });
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
  });

  it.each(['hunter2', 'my-$env:PW', '$env:', '$other:PW'])(
    'are the only values allowed for a password: %s',
    (value) => {
      expect(() => planOf(`{ server: generic, whep: "https://h/x", httpPassword: "${value}" }`)).toThrow(
        /Secrets must not be written into a plan or fleet file.*"\$env:NAME" or "\$secret:NAME"/,
      );
    },
  );
});

describe('an address with a secret in it', () => {
  it('warns once for all of them, and names none', () => {
    const warning = secretsWarning(
      planOf('{ server: generic, whep: "https://me:hunter2@h/x?token=abcdef", metrics: "https://h/?key=ghijkl" }'),
    );
    expect(warning).toMatch(/^nodes\.origin\.whep, nodes\.origin\.metrics: the address contains a secret\./);
    expect(warning).not.toMatch(/hunter2|abcdef|ghijkl/);
  });

  it('does not warn about a reference', () => {
    expect(
      secretsWarning(planOf('{ server: generic, whep: "https://me:$env:PW@h/{stream}?token=$secret:T" }')),
    ).toBeUndefined();
  });
});
