import { describe, expect, it } from 'vitest';
import { addressSecretsIn, maskAddresses } from './addressSecrets';
import { referencesIn, withReferences } from './references';
import { SecretMask } from './secretMask';

const secret = 'Pl4nted/S&cret"42';
const maskOf = (...secrets: string[]): SecretMask => {
  const mask = new SecretMask();
  for (const secret of secrets) mask.add(secret);
  return mask;
};

describe('an address masked for display', () => {
  it.each([
    ['https://host/whep/x?token=abc', 'https://host/whep/x?token=•••'],
    ['https://host/whep/{stream}?a=1&api_key=abc&b=2', 'https://host/whep/{stream}?a=1&api_key=•••&b=2'],
    ['https://me:pass@host/', 'https://me:•••@host/'],
    ['rtsp://USER:PASSWORD@HOST/STREAM', 'rtsp://USER:PASSWORD@HOST/STREAM'],
    ['rtsp://USER:PASSWORD1@HOST/STREAM', 'rtsp://USER:•••@HOST/STREAM'],
    ['https://ghp123@host/', 'https://•••@host/'],
    ['ssh://qa@host', 'ssh://qa@host'],
    ['see https://host/?sig=abc.', 'see https://host/?sig=•••.'],
    ['(https://host/?sig=abc), then', '(https://host/?sig=•••), then'],
    ['https://host/?token=$env:TOKEN', 'https://host/?token=$env:TOKEN'],
    ['https://me:$secret:PW@host/', 'https://me:$secret:PW@host/'],
    ['https://host/?key={stream}', 'https://host/?key={stream}'],
    ['https://host/?token=•••', 'https://host/?token=•••'],
    ['https://host/?token=(removed)', 'https://host/?token=(removed)'],
    ['https://host/?stream=cam&app=live', 'https://host/?stream=cam&app=live'],
  ])('%s', (text, expected) => {
    expect(maskAddresses(text)).toBe(expected);
    expect(maskAddresses(expected)).toBe(expected);
  });

  it('reports the secrets in it', () => {
    expect(addressSecretsIn('https://me:one@host/?token=two&key=three')).toEqual(['one', 'two', 'three']);
  });
});

describe('a reference', () => {
  it('is replaced by its value everywhere', () => {
    expect(
      withReferences('https://$env:HOST/?t=$secret:T&u=$env:NONE', ({ name }) => ({ HOST: 'h', T: '1' })[name]),
    ).toBe('https://h/?t=1&u=$env:NONE');
    expect(referencesIn('$env:A-$secret:B_2.')).toEqual([
      { kind: 'env', name: 'A' },
      { kind: 'secret', name: 'B_2' },
    ]);
    expect(referencesIn('$env: $secret:1 env:A')).toEqual([]);
  });
});

describe('a known secret', () => {
  it.each([
    ['as it is', `got ${secret}, no`],
    ['in an address', `GET /whep?t=${encodeURIComponent(secret)}`],
    [
      'in an address, in lower case',
      `GET /whep?t=${encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())}`,
    ],
    ['in an address within an address', `?next=${encodeURIComponent(encodeURIComponent(secret))}`],
    ['in JSON', JSON.stringify({ given: secret })],
    ['in HTML', '<p>Pl4nted/S&amp;cret&quot;42</p>'],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 behind a user', `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`],
    ['in base64 behind a longer user', `Basic ${Buffer.from(`mex:${secret}`).toString('base64')}`],
    ['in base64url', Buffer.from(`GET /?${secret}>`).toString('base64url')],
    ['cut off at the end', `refused: ${secret.slice(0, 9)}`],
    ['cut off with a mark', `refused: ${secret.slice(0, 9)}… (3 viewers)`],
  ])('is masked %s', (_what, text) => {
    const clean = maskOf(secret).text(text);
    expect(clean).toContain('•••');
    expect(clean).not.toContain('Pl4nted');
    expect(clean).not.toContain(Buffer.from(secret).toString('base64').slice(0, 8));
    expect(maskOf(secret).text(clean)).toBe(clean);
  });

  it('is masked in its decoded form if an address contained it encoded', () => {
    const mask = new SecretMask();
    mask.addAddresses('https://host/?token=a%2Fb%2Fc%2Fd');
    expect(mask.text('invalid: a/b/c/d or a%2fb%2fc%2fd')).toBe('invalid: ••• or •••');
  });

  it('leaves words that merely contain a short one', () => {
    expect(maskOf('cam').text('the camera of cam')).toBe('the camera of •••');
    expect(maskOf('1').text('1 viewer of 10')).toBe('1 viewer of 10');
  });

  it('is masked in every text of a value, but not in names that are references', () => {
    const view = {
      id: secret,
      nodes: [
        {
          id: secret,
          problem: `no ${secret}`,
          settings: { url: 'https://h/?token=abc', user: secret },
        },
      ],
      values: [1, 2, 3],
      data: new Uint8Array([1]),
    };
    const clean = maskOf(secret).value(view);
    expect(clean.id).toBe(secret);
    expect(clean.nodes[0]).toEqual({
      id: secret,
      problem: 'no •••',
      settings: { url: 'https://h/?token=•••', user: secret },
    });
    expect(clean.values).toBe(view.values);
    expect(clean.data).toBe(view.data);
  });

  it('returns the same value if it contains no secret', () => {
    const view = { run: { plan: { name: 'x' } }, list: [{ sentence: 'all good' }] };
    expect(maskOf(secret).value(view)).toBe(view);
  });
});

describe('unmasking settings', () => {
  const masked = 'https://h/?token=•••';
  it('restores the original', () => {
    const mask = new SecretMask();
    expect(mask.value({ settings: { url: 'https://h/?token=abc' } })).toEqual({ settings: { url: masked } });
    expect(mask.original(masked)).toBe('https://h/?token=abc');
    expect(mask.original('https://h/')).toBe('https://h/');
  });

  it('restores what a plan publishes, an address with a login', () => {
    const mask = new SecretMask();
    const source = 'rtsp://cam:abc123@cam.example/1';
    const clean = mask.value({ plan: { publish: [{ stream: 's', source }] } });
    expect(clean.plan.publish[0]?.source).toBe('rtsp://cam:•••@cam.example/1');
    expect(mask.original('rtsp://cam:•••@cam.example/1')).toBe(source);
    expect(mask.value({ plan: { publish: [{ source: 'sample-240p' }] } }).plan.publish[0]?.source).toBe('sample-240p');
  });

  it('is undefined for texts that were never masked, point elsewhere, or match two', () => {
    const mask = new SecretMask();
    mask.value({ settings: { url: 'https://h/?token=abc' } });
    expect(mask.original('https://elsewhere/?token=•••')).toBeUndefined();
    mask.value({ settings: { url: 'https://h/?token=def' } });
    expect(mask.original(masked)).toBeUndefined();
  });
});
