import { defaultClaims, type PlanTokens } from '../../model/viewerTokens';
import { isReference } from '../../secrets/references';
import { claimsFault } from '../tokenRules';
import { mapKind, type FieldsOf } from './fields';
import { programKind } from './hooks';
import { text, type Kind } from './kind';

const maxText = 1000;
const checked = (faultOf: (value: string) => string | undefined): Kind<string> => ({
  ...text(maxText),
  read: (field, write) => {
    const value = text(maxText).read(field, write);
    const fault = faultOf(value);
    return fault === undefined ? value : field.fail(`${fault} ${write}`);
  },
  bounds: { is: 'text', max: maxText, faultOf },
});

const tokensFields: FieldsOf<PlanTokens> = {
  file: {
    key: 'file',
    kind: text(maxText),
    label: 'File',
    help: "A list on the console's machine, one token per line, at least as many as viewers; it needs [consent](plans.md#consent)",
    write: 'Write the path of the list.',
    isOptional: true,
    absent: 'none',
  },
  template: {
    key: 'template',
    kind: text(maxText),
    label: 'Template',
    help: 'A text in which `{n}` is the number of the viewer, for servers that accept any name',
    write: 'Write a text with {n}.',
    isOptional: true,
    absent: 'none',
  },
  command: {
    key: 'command',
    kind: programKind,
    label: 'Command',
    help: "A program on the console's machine with its arguments, which writes at least as many tokens as viewers, one per line; it needs [consent](plans.md#consent)",
    write: 'Write the program and its arguments as a list, e.g. [make-tokens, cam].',
    isOptional: true,
    absent: 'none',
  },
  secret: {
    key: 'secret',
    kind: checked((value) =>
      isReference(value) ? undefined : 'This is not a reference such as $env:NAME or $secret:NAME.',
    ),
    label: 'Secret',
    help: 'A reference to the secret that signs a JSON Web Token (HS256) for each viewer: `$env:NAME` or `$secret:NAME`',
    write: 'Secrets must not be written into a plan.',
    isOptional: true,
    absent: 'none',
  },
  claims: {
    key: 'claims',
    kind: checked(claimsFault),
    label: 'Claims',
    help: 'Claims of the signed tokens as a JSON object; `{n}` is the number of the viewer. `iat` and `exp` are added',
    write: 'Write it like \'{ "sub": "viewer-{n}" }\'.',
    isOptional: true,
    absent: `\`${defaultClaims}\``,
  },
};

export const tokensKind = mapKind(tokensFields);
