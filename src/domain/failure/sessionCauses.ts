import type { Cause } from './cause';

/** Causes of setting up and keeping a WebRTC session: SDP, TURN, ICE and DTLS. */
export const sessionCauses = {
  'not-sdp': {
    title: 'The answer is not SDP',
    advice: 'Check that the address is a WHEP endpoint.',
    response: 'refusal',
  },
  'answer-too-large': {
    title: 'The SDP answer is too large',
    advice: 'Check that the address is a WHEP endpoint; answers have at most 2,000 lines.',
  },
  'no-codec': {
    title: 'No common video codec',
    advice: 'Publish a codec that viewers offer, or set `codecs` or `tracks` of the audience.',
    response: 'refusal',
  },
  'no-h264': {
    title: 'The server offers no H.264',
    advice: 'Publish H.264: viewers of older versions support nothing else.',
    response: 'refusal',
    isOutsideAgent: true,
  },
  'no-ice': {
    title: 'The SDP answer has no ICE credentials',
    advice: 'See the log of the server: its answer lacks the user fragment or the password.',
  },
  'no-fingerprint': {
    title: 'The SDP answer has no certificate fingerprint',
    advice: "See the log of the server: without it the DTLS peer can't be verified.",
  },
  'setup-active': {
    title: 'The SDP answer makes both sides the DTLS client',
    advice: 'Report it to the vendor of the server: its answer has to be setup:passive.',
    response: 'refusal',
  },
  'setup-actpass': {
    title: 'The SDP answer does not define the DTLS client',
    advice: 'Report it to the vendor of the server: setup:actpass is for offers only (RFC 8842).',
  },
  'setup-holdconn': {
    title: 'The server put the DTLS connection on hold',
    advice: 'Report it to the vendor of the server: its answer has setup:holdconn.',
  },
  'counter-offer': {
    title: 'The server sent an offer instead of an answer',
    advice: 'Set the server to answer the offers of players, as WHEP requires; viewers do not answer its offer.',
    response: 'refusal',
  },
  'no-candidate': {
    title: 'The server lists no usable media address',
    advice: 'Check the external address and the transports (UDP, TCP) that the server is configured for.',
    response: 'late',
  },
  'other-host': {
    title: 'The server names only other hosts for media',
    advice: 'If that is intended, set `allowCrossOrigin: true` on the node.',
    response: 'refusal',
    at: {
      turn: {
        title: 'The server lists a TURN server on another host',
        advice: 'If that is intended, set `allowCrossOrigin: true` on the node.',
      },
    },
  },
  'consent-lost': {
    title: 'The server stopped responding to ICE checks',
    advice:
      'Check whether the server or the network to it failed: after 30 s without a response ICE consent has expired.',
  },
  'consent-revoked': {
    title: 'The server revoked ICE consent',
    advice: 'The server ended the session (403 to an ICE check): see its log.',
  },
  fingerprint: {
    title: 'The certificate does not match the SDP answer',
    advice: 'Check that signalling and media reach one server, not several behind a load balancer.',
    response: 'refusal',
  },
  keys: {
    title: 'The SRTP keys are not usable',
    advice: 'Check the SRTP profiles of the server; the example has the one that it selected.',
  },
  alert: {
    title: 'The server ended the session with an encrypted DTLS alert',
    advice: 'See the log of the server: its reason is encrypted, usually it closed the session.',
  },
  'tcp-closed': {
    title: 'The TCP connection for media ended',
    advice: 'See the log of the server, and check proxies and firewalls between.',
  },
  'no-server': {
    title: 'The origin lists no TURN server',
    advice: 'Give the address of one under `turn`.',
    response: 'refusal',
  },
  'not-turn': {
    title: 'The server does not speak TURN',
    advice: 'Check the address and the port of the TURN server.',
    response: 'refusal',
  },
  'no-code': {
    title: 'The TURN server refused without a code',
    advice: 'See the log of the TURN server.',
  },
  'no-address': {
    title: 'The TURN server allocated no address',
    advice: 'Check the relay address of the TURN server.',
    at: {
      signalling: {
        title: 'The tester has no address for web clients',
        advice: 'Edit the node.',
      },
    },
  },
  credentials: {
    title: 'The TURN credentials are not usable',
    advice: 'Check user, password or secret under `turn`.',
  },
  'tls-certificate': {
    title: 'The certificate of the TURN server is not trusted',
    advice: 'Install a valid certificate, or write `selfSigned: true` under `turn`.',
  },
  expired: {
    title: 'The allocation at the TURN server expired',
    advice: 'Check whether the TURN server or the network to it failed: it did not respond to refreshes.',
  },
} as const satisfies Readonly<Record<string, Cause>>;
