import type { Cause } from './cause';

/** Causes of a connection to the server and of its first responses, whatever the protocol. */
export const connectionCauses = {
  timeout: {
    title: 'The server did not respond in time',
    advice: 'Check the load of the server and the network to it.',
    at: {
      name: {
        title: 'The name was not resolved in time',
        advice: 'Check the DNS server of the tester.',
      },
      tcp: {
        title: 'Connect timed out',
        advice: 'Check address, port and firewall, and the backlog of a server that accepts too slowly.',
      },
      tls: {
        title: 'TLS handshake timed out',
        advice: 'Check that the port speaks TLS, and the CPU of the server.',
      },
      signalling: {
        title: 'Signalling request timed out',
        advice: 'The server accepted the connection but did not answer: check its CPU, its log and its media ports.',
      },
      turn: {
        title: 'The TURN server did not respond in time',
        advice: 'Check its address, port and firewall, and its load.',
      },
      ice: {
        title: 'No candidate pair responded in time',
        advice: 'Open the UDP ports for media, and check the address that the server lists in its answer.',
      },
      dtls: {
        title: 'DTLS handshake timed out',
        advice: 'ICE is connected, but the server did not finish the handshake: check its CPU and lost UDP packets.',
      },
      'first-packet': {
        title: 'Connected, but no media received in time',
        advice: 'Check that the stream is published, and that the server sends it to the tester.',
      },
      'first-frame': {
        title: 'Media received, but no complete frame in time',
        advice: 'Check lost packets and the interval of keyframes of the publisher.',
      },
    },
  },
  refused: {
    title: 'The server refused the connection',
    advice: 'Check that the server is running and listens at that port.',
    response: 'refusal',
    at: {
      turn: {
        title: 'The port of the TURN server is closed',
        advice: 'Check that the TURN server is running and listens at that port.',
      },
      ice: {
        title: 'The media port of the server is closed',
        advice: 'Check the address and the range of ports that the server lists, and that the session still exists.',
      },
      dtls: {
        title: 'The server closed its media port during the DTLS handshake',
        advice: 'The session ended on the server: see its log.',
      },
      'first-packet': {
        title: 'The server closed its media port before any media',
        advice: 'The session ended on the server: see its log.',
      },
      media: {
        title: 'The server closed its media port during playback',
        advice: 'The session ended on the server, or the server did: see its log.',
      },
    },
  },
  unreachable: {
    title: 'The server is unreachable',
    advice: 'Check the address, and the route from the tester to it.',
    at: {
      turn: {
        title: 'The TURN server is unreachable',
        advice: 'Check its address, and the route from the tester to it.',
      },
      ice: {
        title: 'No media address of the server is reachable',
        advice: 'Check the addresses that the server lists in its answer, and the route from the tester to them.',
      },
    },
  },
  closed: {
    title: 'The server closed the connection',
    advice: 'See the log of the server, and check its limits of connections and open files.',
    at: {
      turn: {
        title: 'The TURN server closed the connection',
        advice: 'See the log of the TURN server.',
      },
      media: {
        title: 'The connection was closed during playback',
        advice: 'See the log of the server: it drops viewers that receive too slowly, or has ended.',
      },
    },
  },
  'not-found': {
    title: 'The stream was not found',
    advice: 'Check the name of the stream, and that it is published.',
    response: 'refusal',
    at: {
      name: {
        title: 'The name does not exist',
        advice: 'Check the name of the server, and the DNS server of the tester.',
      },
      turn: {
        title: 'The name of the TURN server does not exist',
        advice: 'Check the name, and the DNS server of the tester.',
      },
    },
  },
  unresolved: {
    title: 'The DNS server failed to resolve the name',
    advice: 'Check the DNS server of the tester.',
    response: 'late',
  },
  handshake: {
    title: 'The TLS handshake failed',
    advice: 'Check that the port speaks TLS, and the TLS versions of the server.',
    at: {
      dtls: {
        title: 'The DTLS handshake failed',
        advice: 'See the log of the server, and check its certificate and cipher suites.',
      },
    },
  },
  certificate: {
    title: 'The certificate of the server is not trusted',
    advice: 'Install a valid certificate for the name in the address, or set `selfSigned: true` on the node.',
    response: 'refusal',
  },
  cancelled: {
    title: 'The attempt was cancelled',
    advice: 'The run stopped while the viewer was connecting.',
  },
  'bad-url': {
    title: 'The address is invalid',
    advice: 'Check the address of the stream, and where the server redirects to.',
  },
  'no-socket': {
    title: 'The tester could not use a socket',
    advice: 'Check the limits and the network of the tester; the example has the error of its system.',
  },
  http: {
    title: 'The HTTP request failed',
    advice: 'Check that an HTTP server listens at the address; the example has the error.',
  },
  'not-http': {
    title: 'The response is not HTTP',
    advice: 'Check the port of the address, and whether it needs https.',
    response: 'refusal',
  },
  'not-websocket': {
    title: 'The server did not open a WebSocket',
    advice: 'Check port and path of the address.',
    response: 'refusal',
  },
  redirects: {
    title: 'Too many redirects',
    advice: 'Check where the server and the proxy in front of it redirect to.',
    response: 'refusal',
  },
  'cross-origin': {
    title: 'The server refers to another server',
    advice: 'If that is intended, set `allowCrossOrigin: true` on the node.',
    response: 'refusal',
  },
  unauthorized: {
    title: 'The server refused the credentials',
    advice: 'Check the key, token or password of the stream.',
    response: 'refusal',
  },
  rejected: {
    title: 'The server refused the stream',
    advice: 'See the reason in the example and the log of the server.',
    response: 'refusal',
  },
  unpublished: {
    title: 'The stream is not published any more',
    advice: 'Check the publisher: the server reported the end of the stream.',
    response: 'late',
  },
  stuck: {
    title: 'The server does not read responses',
    advice: 'The server requests responses without reading them: see its log.',
  },
} as const satisfies Readonly<Record<string, Cause>>;
