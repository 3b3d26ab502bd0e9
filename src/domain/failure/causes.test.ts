import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failureStages } from '../model/run';
import { causes, causesPage, causeText, failedAt, failureTitle, isListed, listedCauses } from './causes';
import { numberedFamilies } from './families';

const root = join(__dirname, '..', '..', '..');
const texts = Object.entries(listedCauses).flatMap(([name, cause]) => [
  { name, text: cause },
  ...Object.values(cause.at ?? {}).map((text) => ({ name, text })),
]);
const numbered = numberedFamilies.flatMap(({ prefix, names = {}, beforeNumber = '', text }) =>
  [...Object.values(names), `${beforeNumber}999`].map((rest) => ({ name: prefix + rest, text: text(rest) })),
);

it.each([...texts, ...numbered])('$name has a title and one sentence of advice', ({ text }) => {
  expect(text.title).toMatch(/^[A-Z].*[^.]$/);
  expect(text.title.length).toBeLessThanOrEqual(75);
  expect(text.advice).toMatch(/^[A-Z`].*\.$/);
});

it('every cause of the list has words at every stage, and none is its own name', () => {
  for (const cause of [...Object.keys(causes), ...numbered.map(({ name }) => name), 'tcp-refused'])
    for (const stage of failureStages) {
      expect(causeText({ stage, cause }), `${stage} ${cause}`).toBeDefined();
      expect(failureTitle({ stage, cause })).not.toBe(cause);
    }
});

it('words differ by stage where the cause does', () => {
  expect(failureTitle({ stage: 'ice', cause: 'timeout' })).toBe('No candidate pair responded in time');
  expect(failureTitle({ stage: 'tcp', cause: 'timeout' })).toBe('Connect timed out');
  expect(failureTitle({ stage: 'turn', cause: 'tcp-timeout' })).toBe('TURN server: connect timed out');
  expect(failureTitle({ stage: 'ice', cause: 'tcp-refused' })).toBe(
    'Media over TCP: the server refused the connection',
  );
});

it('a missing stream is named within a sentence, not its status alone', () => {
  expect(failedAt({ stage: 'signalling', cause: 'http-404' })).toBe('signalling: the stream was not found (HTTP 404)');
  expect(failedAt({ stage: 'signalling', cause: 'rtsp-404' })).toBe('signalling: the stream was not found (RTSP 404)');
  expect(failedAt({ stage: 'tcp', cause: 'timeout' })).toBe('TCP: connect timed out');
});

it('names alerts and the reasons of LiveKit', () => {
  expect(failureTitle({ stage: 'dtls', cause: 'alert-handshake-failure' })).toBe(
    'The server ended DTLS with alert handshake failure',
  );
  expect(failureTitle({ stage: 'media', cause: 'left-reason-99' })).toBe('The server disconnected the participant: 99');
});

it.each(['ice-timeout-of-old', 'http-', 'http-abc', 'tcp-of-a-later-version', 'constructor', 'tester-new-thing'])(
  'a cause of another version is shown as it is: %s',
  (cause) => {
    expect(isListed(cause)).toBe(false);
    expect(causeText({ stage: 'media', cause })).toBeUndefined();
    expect(failureTitle({ stage: 'media', cause })).toBe(cause);
  },
);

it('docs/causes.md is the page of the causes; if not: npx vitest run --project unit src/domain/failure -u', async () => {
  await expect(causesPage()).toMatchFileSnapshot(join(root, 'docs', 'causes.md'));
});

it('each cause that agents can report is used by the agent', () => {
  const constants = readFileSync(join(root, 'agent', 'internal', 'protocol', 'causes_gen.go'), 'utf8');
  for (const [name, cause] of Object.entries(listedCauses))
    expect(constants.includes(`{"${name}"}`), name).toBe(!cause.isOutsideAgent);
});
