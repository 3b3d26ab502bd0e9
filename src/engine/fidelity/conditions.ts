import type { RecordConditions } from '../../contract/recordedViewer';

/** A network and a server under which viewers are compared. */
export interface FidelityCondition {
  readonly title: string;
  readonly meaning: string;
  readonly record: RecordConditions;
}

/** 2 % of the packets of video. */
const withholdEvery = 50;

/** Those of the report. */
export const reportedConditions = {
  clean: {
    title: 'Clean',
    meaning: 'No loss. The server offers neither RTX nor transport-wide feedback, but REMB.',
    record: {},
  },
  loss: {
    title: '2 % loss',
    meaning: `Every ${withholdEvery}th packet of video is withheld until it is requested (NACK) and then sent as RTX, one in four of these never. With transport-wide feedback.`,
    record: { transportCc: true, rtx: true, withholdEvery },
  },
  'transport-cc': {
    title: 'Transport-wide feedback',
    meaning: 'No loss. The server negotiates transport-wide feedback and RTX.',
    record: { transportCc: true, rtx: true },
  },
} as const satisfies Readonly<Record<string, FidelityCondition>>;

/** Further ones, in which tests compare viewers with Chromium. */
export const testedConditions = {
  'full-ice': {
    title: 'Full ICE',
    meaning: 'The server sends checks too.',
    record: { transportCc: true, rtx: true, fullIce: true },
  },
  'repair-without-rtx': {
    title: '2 % loss without RTX',
    meaning: 'Withheld packets are sent again on the stream itself.',
    record: { withholdEvery },
  },
  midway: {
    title: 'Joined midway',
    meaning: 'The stream starts with a picture that is no keyframe.',
    record: { transportCc: true, rtx: true, joinMidway: true },
  },
} as const satisfies Readonly<Record<string, FidelityCondition>>;
