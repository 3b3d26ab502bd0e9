import { describe, expect, it } from 'vitest';
import { FullhouseError, type Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import { SecretMask } from '../../domain/secrets/secretMask';
import { MaskingBoundary } from './maskingBoundary';

const secret = 'Pl4nted-secret';
const masked = '•••';

/** The call `nodes.add` with this handler, as the window makes it. */
function guarded(handler: (input: unknown) => unknown): (input: unknown) => Promise<unknown> {
  const border = new MaskingBoundary(new SecretMask(), () => undefined);
  const handlers = border.handlers({ 'nodes.add': handler } as unknown as Handlers<keyof AnyCalls>);
  return handlers['nodes.add'] as (input: unknown) => Promise<unknown>;
}

const input = { name: 'origin', settings: { server: 'lab' }, secrets: { password: secret } };

describe('a secret that the user has entered', () => {
  it('reaches the engine, and is masked in its result', async () => {
    let given: unknown;
    const call = guarded((each) => {
      given = each;
      return { detail: `The server returned ${secret}.` };
    });
    expect(await call(input)).toEqual({ detail: `The server returned ${masked}.` });
    expect(given).toEqual(input);
  });

  it('is masked in an error, which keeps its code', async () => {
    const call = guarded(() => {
      throw new FullhouseError('login-refused', `The server refused ${secret}.`);
    });
    const error = await call(input).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FullhouseError);
    expect(error).toMatchObject({ code: 'login-refused', message: `The server refused ${masked}.` });
  });

  it('is masked in any other error, and in none of its causes', async () => {
    const call = guarded(() => {
      throw new Error(`connect ${secret}`, { cause: new Error(secret) });
    });
    const error = await call(input).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: `connect ${masked}` });
    expect((error as Error).cause).toBeUndefined();
  });
});

it('a secret is masked in events', () => {
  const mask = new SecretMask();
  mask.add(secret);
  const received: unknown[] = [];
  const border = new MaskingBoundary(mask, () => undefined);
  const listener = border.listener('run', (run) => received.push(run));
  listener({ headline: `Login with ${secret} failed.` } as never);
  expect(received).toEqual([{ headline: `Login with ${masked} failed.` }]);
});

it('an address with a secret that comes back masked is the original again', async () => {
  const whep = `http://origin/whep?token=${secret}`;
  const given: unknown[] = [];
  const border = new MaskingBoundary(new SecretMask(), () => ({ server: 'generic', whep }) as never);
  const handlers = border.handlers({
    'nodes.add': (each: unknown) => void given.push(each),
  } as unknown as Handlers<keyof AnyCalls>);
  const call = handlers['nodes.add'] as (each: unknown) => Promise<unknown>;
  await call({ node: 'origin', settings: { server: 'generic', whep: `http://origin/whep?token=${masked}` } });
  expect(given).toEqual([{ node: 'origin', settings: { server: 'generic', whep } }]);
});
