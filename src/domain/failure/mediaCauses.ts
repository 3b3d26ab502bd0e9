import { streamAddresses, streamAddressKeys, type OtherFormatCause } from '../model/addressKeys';
import type { Cause } from './cause';

/** The response is not of the format of the address. */
const otherFormats = Object.fromEntries(
  streamAddressKeys.flatMap((key) => {
    const { name, otherFormat } = streamAddresses[key];
    const cause: Cause = {
      title: `The response is not ${name}`,
      advice: 'Check the address of the stream.',
      response: 'refusal',
    };
    return otherFormat === undefined ? [] : [[otherFormat, cause]];
  }),
) as Readonly<Record<OtherFormatCause, Cause>>;

/** Causes of missing and of unusable media. */
export const mediaCauses = {
  silent: {
    title: 'Media stopped during playback',
    advice: 'Check the publisher and the load of the server: the connection is open, but nothing arrives.',
    at: {
      signalling: {
        title: 'The server stopped responding to pings',
        advice: 'Check whether the server hangs: the connection is open.',
      },
      'first-packet': {
        title: 'Connected, but no media received',
        advice: 'Check that the stream is published: not every server reports that it is not.',
      },
    },
  },
  undecryptable: {
    title: "The media can't be decrypted with the session's keys",
    advice: 'Report it to the vendor of the server: it uses other SRTP keys than those of the DTLS handshake.',
  },
  'payload-type': {
    title: 'The media has a payload type that was not negotiated',
    advice: 'Report it to the vendor of the server: its packets do not match its SDP answer.',
    response: 'refusal',
  },
  'rtcp-bye': {
    title: 'The server ended the stream (RTCP BYE)',
    advice: 'Check the publisher, and see the log of the server.',
  },
  'no-video': {
    title: 'Audio received, but no video',
    advice: 'Check the publisher; for a stream without video use `tracks: audio`.',
  },
  'no-audio': {
    title: 'The stream has no audio',
    advice: 'Check the publisher, or remove `tracks: audio`.',
  },
  'no-keyframe': {
    title: 'Video received, but no keyframe',
    advice: 'Set the interval of keyframes of the publisher to a few seconds, and check that the server requests them.',
  },
  'no-media': {
    title: 'The recording is too short',
    advice: 'Choose a stream with more media.',
  },
  'not-media': {
    title: 'The response is not media of a known format',
    advice: 'Check the address: the server may speak another protocol there.',
    response: 'refusal',
  },
  ...otherFormats,
  'not-hls': {
    title: 'The response is not a playlist of HLS or a manifest of MPEG-DASH',
    advice: 'Check the address of the stream.',
    response: 'refusal',
  },
  'not-mp4': {
    title: 'A segment is not valid MP4',
    advice: 'Check the packager of the stream.',
    response: 'refusal',
  },
  encrypted: {
    title: 'The stream is encrypted by a method that viewers do not support',
    advice: 'Test with AES-128 or without encryption.',
  },
  'no-key': {
    title: 'The address of the AES-128 key returned no key',
    advice: 'Check the server of the keys: a key has 16 bytes.',
  },
  'no-ranges': {
    title: 'The server ignores byte ranges, which its playlist uses',
    advice: 'Check the HTTP server or the CDN in front of it.',
    response: 'refusal',
  },
  'too-large': {
    title: 'The response is too large',
    advice: 'Check the address of the stream; the example has the limit.',
  },
  connections: {
    title: 'All connections of the viewer are busy',
    advice: 'Check the load of the server: its responses take longer than the segments last.',
  },
  'not-rtmp': {
    title: 'The server does not speak RTMP correctly',
    advice: 'Check the port of the address, and whether it needs rtmps.',
    response: 'refusal',
  },
  'no-process': {
    title: 'The tester could not start ffmpeg',
    advice: 'Check ffmpeg and the limit of processes on the tester.',
  },
  ffmpeg: {
    title: "The tester's ffmpeg lacks this protocol",
    advice: 'Install a newer ffmpeg with this protocol on the tester.',
  },
  'srt-rejected': {
    title: 'The server refused the SRT connection',
    advice:
      'Check the streamid (name of the stream, and user and password if the server requires them), that the stream is published, and the passphrase.',
    response: 'refusal',
  },
  'srt-timeout': {
    title: 'SRT connect timed out',
    advice: 'Check that the server listens for SRT at that port, and that no firewall drops UDP.',
  },
} as const satisfies Readonly<Record<string, Cause>>;
