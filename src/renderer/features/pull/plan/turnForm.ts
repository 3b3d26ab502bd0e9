import type { PullProtocol } from '../../../../domain/model/protocols';
import { turnAddress, type PlanTurn } from '../../../../domain/model/turn';
import { turnFields } from '../../../../domain/plan/fields/turn';
import { turnFault } from '../../../../domain/plan/turnRules';
import type { FieldProblem } from '../../../ui/fieldProblem';
import { amountText, readAmount } from './amounts';

type Name = Exclude<keyof PlanTurn, 'selfSigned'>;
const numbers = ['share', 'bitrateKbps'] as const;
const texts = ['url', 'username', 'password', 'secret'] as const;

/** How viewers use a TURN server, as its fields show it. */
export interface TurnForm {
  /** `listed`: that of the origin. */
  readonly choice: 'none' | 'listed' | 'server';
  readonly texts: Readonly<Record<Name, string>>;
  readonly selfSigned: boolean;
}

export const noTurn: TurnForm = {
  choice: 'none',
  texts: { share: '100', bitrateKbps: '', url: '', username: '', password: '', secret: '' },
  selfSigned: false,
};

export const turnChoices: ReadonlyArray<{ readonly value: TurnForm['choice']; readonly text: string }> = [
  { value: 'none', text: 'Direct' },
  { value: 'listed', text: "Origin's TURN server" },
  { value: 'server', text: 'TURN server' },
];

const credentials = ['username', 'password', 'secret'] as const;

/** The fields of a choice; the protocol `turn` has the address of its origin. */
export function turnControls({ choice }: TurnForm, protocol: PullProtocol | undefined): readonly Name[] {
  if (protocol === 'turn') return ['bitrateKbps', ...credentials];
  if (choice === 'none') return [];
  return choice === 'listed' ? ['share'] : ['share', 'url', ...credentials];
}

/** Whether the server may have a certificate: one with a `turns:` address, or that of the origin. */
export const hasCertificate = ({ choice, texts: { url } }: TurnForm, protocol: PullProtocol | undefined): boolean =>
  protocol === 'turn' || (choice === 'server' && turnAddress(url.trim())?.transport === 'tls');

/** The fields that show a plan's TURN server. */
export function turnFormOf(turn: PlanTurn | undefined): TurnForm {
  if (turn === undefined) return noTurn;
  const { share, bitrateKbps, url, username = '', password = '', secret = '', selfSigned = false } = turn;
  return {
    choice: url === undefined ? 'listed' : 'server',
    texts: {
      share: amountText(turnFields.share.kind.bounds, share),
      bitrateKbps: bitrateKbps === undefined ? '' : amountText(turnFields.bitrateKbps.kind.bounds, bitrateKbps),
      ...{ url: url ?? '', username, password, secret },
    },
    selfSigned,
  };
}

/** The plan's TURN server, absent without one, or the first invalid field. */
export function readTurn(
  form: TurnForm,
  protocol: PullProtocol | undefined,
): { readonly turn?: PlanTurn; readonly problem?: FieldProblem } {
  const controls = new Set(turnControls(form, protocol));
  if (controls.size === 0) return {};
  const problem = (name: Name, sentence: string) => ({ problem: { path: `pull.turn.${name}`, sentence } });
  const values: { -readonly [Key in Name]?: PlanTurn[Key] } = {};
  for (const name of numbers) {
    if (!controls.has(name) || form.texts[name].trim() === '') continue;
    const value = readAmount(turnFields[name].kind.bounds, form.texts[name]);
    if (typeof value === 'string') return problem(name, value);
    values[name] = value;
  }
  for (const name of texts) {
    const value = form.texts[name].trim();
    if (!controls.has(name) || value === '') continue;
    const { bounds } = turnFields[name].kind;
    const fault = bounds?.is === 'text' ? bounds.faultOf?.(value) : undefined;
    if (fault !== undefined) return problem(name, fault);
    values[name] = value;
  }
  if (controls.has('url') && values.url === undefined) return problem('url', 'Enter the address, e.g. turn:host:3478.');
  const selfSigned = form.selfSigned && hasCertificate(form, protocol);
  const turn: PlanTurn = { share: 100, ...values, ...(selfSigned ? { selfSigned } : {}) };
  const fault = protocol && turnFault({ turn, protocol });
  return fault === undefined ? { turn } : problem(controls.has('url') ? 'url' : 'share', fault);
}
