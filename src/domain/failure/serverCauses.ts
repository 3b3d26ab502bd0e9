import type { Cause } from './cause';

/** Causes of single servers: LiveKit, WCS as origin, and WCS as tester. */
export const serverCauses = {
  'no-publisher': {
    title: 'Too few participants published in the room',
    advice: 'Check the publishers of the room, and the load of the server.',
  },
  'streams-missing': {
    title: 'Some streams of the room were not received',
    advice: 'Check the load of the server, and its limit of subscribed streams.',
  },
  'not-subscribed': {
    title: 'The server refused the subscription to a track',
    advice: 'Check the permissions in the token of the viewer.',
    response: 'refusal',
  },
  'not-livekit': {
    title: 'The server does not speak the signalling of LiveKit',
    advice: 'Check the address of the server.',
    response: 'refusal',
  },
  'room-too-large': {
    title: 'The room has more participants than viewers support',
    advice: 'Use a smaller room.',
  },
  'not-wcs': {
    title: 'The server does not speak the signalling of WCS',
    advice: 'Check the port of the address: web clients usually use 8080.',
    response: 'refusal',
  },
  gone: {
    title: 'The tester no longer lists the pull',
    advice: 'See the log of the WCS that is the tester.',
    isOutsideAgent: true,
  },
  'pull-over': {
    title: 'The tester ended the pull',
    advice: 'See the log of the WCS that is the tester.',
    isOutsideAgent: true,
  },
  'pull-failed': {
    title: 'The pull failed on the tester',
    advice: 'See the log of the WCS that is the tester: it could not receive the stream.',
    isOutsideAgent: true,
  },
  'pull-stopped': {
    title: 'The pull was stopped on the tester',
    advice: 'Check what else uses the WCS that is the tester.',
    isOutsideAgent: true,
  },
  'pull-unpublished': {
    title: 'The tester reports that the stream is not published any more',
    advice: 'Check the publisher.',
    isOutsideAgent: true,
  },
  'not-json': {
    title: 'The tester responded without JSON',
    advice: 'Check the address of the WCS that is the tester: its REST API usually uses 8081.',
    response: 'refusal',
    isOutsideAgent: true,
  },
  'order-failed': {
    title: 'The REST request to the tester failed',
    advice: 'See the example, and the log of the WCS that is the tester.',
    isOutsideAgent: true,
  },
} as const satisfies Readonly<Record<string, Cause>>;

/** Resources of a tester that ran out, at whatever stage, and its end. */
export const testerCauses = {
  'tester-open-files': {
    title: 'The tester ran out of open files',
    advice: 'Raise its limit (`ulimit -n`), or use fewer viewers there.',
    testerLimit: 'open-files',
  },
  'tester-ports': {
    title: 'The tester ran out of local ports',
    advice: 'Widen `net.ipv4.ip_local_port_range`, or use fewer viewers there.',
    testerLimit: 'ports',
  },
  'tester-memory': {
    title: 'The tester ran out of memory',
    advice: 'Free memory there, or use fewer viewers there.',
    testerLimit: 'memory',
  },
  'tester-lost': {
    title: 'The tester ended with its viewers',
    advice: 'See the events of the run for the reason that the tester or its link ended.',
    isOutsideAgent: true,
  },
} as const satisfies Readonly<Record<string, Cause>>;
