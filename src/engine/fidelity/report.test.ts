import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordedViewer } from '../../contract/recordedViewer';
import { fidelityMarkdown } from './markdown';
import { readRecordedBrowser, type MeasuredViewer } from './recorded';
import { fidelityReport } from './report';
import { rowsOf } from './rows';

const shipped = join(__dirname, '..', '..', '..', 'assets', 'fidelity', 'chromium.json');
const recorded = readRecordedBrowser(shipped);
const chromium = (condition: string): MeasuredViewer => {
  const found = recorded.conditions[condition];
  if (!found) throw new Error(`${condition} was not recorded`);
  return structuredClone(found);
};
const changed = (change: (received: RecordedViewer) => void, condition = 'transport-cc'): MeasuredViewer => {
  const viewer = chromium(condition);
  change(viewer.received);
  return viewer;
};
const reportOf = (browser: MeasuredViewer, mediaOnly = chromium('transport-cc')) =>
  fidelityReport({ browser: recorded.browser, recordedOn: undefined, seconds: 12 }, [
    {
      title: 'Clean',
      meaning: 'No loss.',
      browser: chromium('transport-cc'),
      viewers: { browser, 'media-only': mediaOnly },
    },
  ]);
/** The cells of browser fidelity that are not equal. */
const cells = (viewer: MeasuredViewer) => {
  const { session, conditions } = reportOf(viewer);
  return [...session, ...conditions.flatMap(({ rows }) => rows)].flatMap(
    ({ group, name, viewers: { browser: cell } }) =>
      cell.mark === 'equal' ? [] : [`${group}: ${name} ${cell.mark} ${cell.text}${cell.isUnexplained ? ' ?' : ''}`],
  );
};
const section = (kind: string) => (received: RecordedViewer) => {
  const found = received.offer.sections.find((section) => section.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};
const [video, audio] = [section('video'), section('audio')];

describe('a report', () => {
  it('has nothing but equal rows for a browser beside itself', () => {
    expect(cells(chromium('transport-cc'))).toEqual([]);
    const { counts } = reportOf(chromium('transport-cc'));
    expect(counts['media-only']).toMatchObject({ close: 0, different: 0 });
    expect(counts.browser.equal).toBeGreaterThan(35);
  });

  it.each<[string, (received: RecordedViewer) => void, readonly string[]]>([
    [
      'a session attribute',
      (r) => void r.offer.attributes?.shift(),
      ['SDP offer: session attributes different 2: no group BUNDLE 0 1 ?'],
    ],
    ['setup', (r) => (audio(r).setup = 'active'), ['SDP offer: audio: setup different active ?']],
    [
      'a header extension',
      (r) => void video(r).extensions?.push('urn:x:new'),
      ['SDP offer: video: header extensions close 12: also new ?'],
    ],
    [
      'feedback of one format',
      (r) => (video(r).codecs[0]!.feedback = ['nack']),
      [
        'SDP offer: video: feedback different 5: no goog-remb, transport-cc, ccm fir, nack pli; also goog-remb (some formats), transport-cc (some formats), ccm fir (some formats), nack pli (some formats) ?',
      ],
    ],
    [
      'a format',
      (r) => void video(r).codecs.push({ name: 'H265/90000' }),
      ['SDP offer: video: formats close 19: also H265'],
    ],
    [
      'the DTLS role',
      (r) => delete r.clientHello,
      [
        'DTLS: role different server ?',
        ...[
          'versions',
          'cipher suites',
          'groups',
          'SRTP profiles',
          'signatures',
          'extensions',
          'records of the ClientHello',
          'version of its record',
        ].map((name) => expect.stringContaining(`DTLS: ${name} different –`) as string),
      ],
    ],
    [
      'an SRTP profile',
      (r) => r.clientHello!.srtpProfiles!.splice(2, 1),
      ['DTLS: SRTP profiles different 2: no AEAD_AES_128_GCM ?'],
    ],
    [
      'a kind of RTCP',
      (r) => r.rtcp!.push({ kind: 'XR', count: 12, firstMs: 1 }),
      ['RTCP: compound packets close 4: also XR ?', 'RTCP: XR different N /s ?'],
    ],
    ['the rate of feedback', (r) => (r.rtcp![0]!.count /= 10), ['RTCP: TWCC different N /s ?']],
    ['the end', (r) => r.end!.pop(), ['End: in order different DELETE ?']],
    ['bytes', (r) => (r.upstreamBytes! *= 3), ['Upstream: UDP payload different N bytes/s']],
  ])('shows another %s', (_what, change, want) => {
    const found = cells(changed(change));
    expect(found.map((each) => each.replace(/[\d.,]+ (\/s|bytes)/, 'N $1'))).toEqual(want);
  });

  it('has the reason of a difference on purpose once, and a question mark where there is none', () => {
    const mediaOnly = changed((r) => {
      video(r).setup = 'active';
      audio(r).setup = 'active';
      video(r).direction = 'sendrecv';
    });
    const report = reportOf(chromium('transport-cc'), mediaOnly);
    expect(report.reasons).toHaveLength(1);
    const text = fidelityMarkdown(report);
    expect(text).toContain('| SDP offer: video: setup | actpass | = actpass | ≠ active [1] |');
    expect(text).toContain('≠ UDP/TLS/RTP/SAVPF sendrecv **?** |');
    expect(text).toContain('1. the DTLS client role costs server and tester half');
    expect(text).not.toContain('recorded');
  });

  it('says so if the browser was recorded', () => {
    const { session, conditions, ...rest } = reportOf(chromium('transport-cc'));
    const text = fidelityMarkdown({ ...rest, session, conditions, recordedOn: recorded.recordedOn });
    expect(text).toContain(`${recorded.browser}, recorded on ${recorded.recordedOn}`);
    expect(text).toContain('**The figures of the browser are recorded ones**');
  });
});

it('has the same rows for every viewer and condition', () => {
  const names = (viewer: MeasuredViewer): string[] => rowsOf(viewer).map(({ group, name }) => `${group}: ${name}`);
  const all = Object.values(recorded.conditions).map(names);
  expect(new Set(all[0]).size).toBe(all[0]?.length);
  for (const each of all) expect(each).toEqual(all[0]);
});
