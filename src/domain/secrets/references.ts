/** A reference to a secret: `$env:NAME` is a variable, `$secret:NAME` is stored in the keychain. */
export interface SecretReference {
  readonly kind: 'env' | 'secret';
  readonly name: string;
}

const reference = /\$(env|secret):([A-Za-z_][A-Za-z0-9_]*)/g;
const onlyReference = /^\$(?:env|secret):[A-Za-z_][A-Za-z0-9_]*$/;

export function referencesIn(text: string): SecretReference[] {
  return [...text.matchAll(reference)].map(([, kind, name]) => ({
    kind: kind as SecretReference['kind'],
    name: name ?? '',
  }));
}

/** Whether a text is exactly one reference. */
export function isReference(text: string): boolean {
  return onlyReference.test(text);
}

/** The text with each reference replaced by its value; one without a value stays. */
export function withReferences(text: string, value: (reference: SecretReference) => string | undefined): string {
  return text.replace(
    reference,
    (written, kind: SecretReference['kind'], name: string) => value({ kind, name }) ?? written,
  );
}

export function referenceText({ kind, name }: SecretReference): string {
  return `$${kind}:${name}`;
}
