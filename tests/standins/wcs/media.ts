import { answerTo } from './sdp';

/** How a session is answered, and how the stand-in knows that its media flows. */
export interface AnsweredOffer {
  readonly answerSdp: string;
  /** Asked again and again until it is true; until then the session stays PENDING. */
  readonly flows: () => boolean | Promise<boolean>;
}

/** What answers offers in place of the stand-in's own media. */
export type MediaPlane = (
  kind: 'play' | 'publish',
  stream: string,
  offerSdp: string,
) => AnsweredOffer | Promise<AnsweredOffer>;

const port = 31000;

/** Without real media: the other side reports its own (`standinMedia`), which only another stand-in does. */
export const noMedia: MediaPlane = (_kind, _stream, offer) => answered(offer, false);

/** Without real media, and taken as if it flowed at once: for tests of the signalling alone. */
export const assumedMedia: MediaPlane = (_kind, _stream, offer) => answered(offer, true);

function answered(offer: string, isAssumed: boolean): AnsweredOffer {
  const answerSdp = answerTo(offer, port);
  if (answerSdp === undefined) throw new Error('No common codecs');
  return { answerSdp, flows: () => isAssumed };
}
