import { defaultTurnKbps, maxTurnKbps, maxTurnText, turnAddress, type PlanTurn } from '../../model/turn';
import { writeBitrate } from '../quantity';
import { isReference } from '../../secrets/references';
import { mapKind, type FieldsOf } from './fields';
import { bitrate, flag, percent, text, type Kind } from './kind';

/** A text of which only some are valid. */
const checked = (faultOf: (text: string) => string | undefined): Kind<string> => ({
  ...text(maxTurnText),
  read: (field, write) => {
    const value = text(maxTurnText).read(field, write);
    const fault = faultOf(value);
    return fault === undefined ? value : field.fail(`${fault} ${write}`);
  },
  bounds: { is: 'text', max: maxTurnText, faultOf },
});

const address = checked((value) =>
  turnAddress(value)
    ? undefined
    : `"${value}" is not a TURN address; expected turn:HOST:PORT, turn:HOST:PORT?transport=tcp or turns:HOST:PORT.`,
);
const reference = checked((value) =>
  isReference(value) ? undefined : 'This is not a reference such as $env:NAME or $secret:NAME.',
);
const writeReference = 'Secrets must not be written into a plan.';

export const turnFields: FieldsOf<PlanTurn> = {
  share: {
    key: 'share',
    kind: percent({ max: 100 }),
    label: 'Relayed',
    placeholder: '100',
    help: 'Share of the viewers that use the TURN server, with relayed candidates only; the others are direct',
    write: 'Write it with its unit, e.g. 10%.',
    default: 100,
  },
  bitrateKbps: {
    key: 'bitrate',
    kind: bitrate(maxTurnKbps),
    label: 'Bitrate',
    placeholder: '500 kbit/s',
    help: 'For the protocol `turn`: what each viewer sends through the relay',
    write: 'Write it with its unit, e.g. 1Mbit/s.',
    isOptional: true,
    absent: writeBitrate(defaultTurnKbps),
  },
  url: {
    key: 'url',
    kind: address,
    label: 'TURN server',
    placeholder: 'turn:host:3478',
    help: '`turn:HOST:PORT` (UDP), `turn:HOST:PORT?transport=tcp` or `turns:HOST:PORT` (TLS)',
    write: 'Correct the address.',
    isOptional: true,
    absent:
      'the first one that the origin lists (WHEP: Link headers; LiveKit: its join response); for the protocol `turn` the address of the origin',
  },
  username: {
    key: 'username',
    kind: text(maxTurnText),
    label: 'User name',
    placeholder: 'none',
    help: 'User of the TURN server; with `secret` the part after the time of expiry',
    write: 'Write the user name.',
    isOptional: true,
    absent: 'none',
  },
  password: {
    key: 'password',
    kind: reference,
    label: 'Password',
    placeholder: '$secret:NAME',
    help: 'A reference to the password: `$env:NAME` or `$secret:NAME`',
    write: writeReference,
    isOptional: true,
    absent: 'none',
  },
  secret: {
    key: 'secret',
    kind: reference,
    label: 'Shared secret',
    placeholder: '$secret:NAME',
    help: "A reference to the secret shared with the server, from which temporary credentials are made (coturn's `static-auth-secret`)",
    write: writeReference,
    isOptional: true,
    absent: 'none',
  },
  selfSigned: {
    key: 'selfSigned',
    kind: flag,
    label: 'Accept a self-signed certificate',
    help: '`true`: the certificate of a `turns:` server is not verified',
    write: 'Write true to accept its self-signed certificate.',
    isOptional: true,
    absent: 'the certificate is verified',
  },
};

export const turnKind = mapKind(turnFields);
