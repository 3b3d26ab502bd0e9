/** The parts of an address in a field: with or without a scheme, of any host. */
export interface AddressParts {
  readonly scheme: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly host: string;
  /** With its colon; may be empty. */
  readonly port: string;
  /** All that follows. */
  readonly path: string;
}

const address =
  /^([a-z][a-z0-9+.-]{0,30}:\/\/|turns?:|stuns?:)?(?:([^\s/:@?#]*)(?::([^\s/@]*))?@)?(\[[^\]\s]{1,60}\]|[^\s/:@?#[\]]+)((?::\d{1,5})?)([/?#][^\s]*|)$/i;

export function addressParts(text: string): AddressParts | undefined {
  const match = address.exec(text.trim());
  if (!match) return undefined;
  const [, scheme = '', user, password, host = '', port = '', path = ''] = match;
  return { scheme, user, password, host, port, path };
}

/** One of several logins separated by commas: `user@host:port`. */
export function loginParts(
  text: string,
):
  | { readonly before: string; readonly user?: string | undefined; readonly host: string; readonly after: string }
  | undefined {
  const match =
    /^(\s*(?:ssh:\/\/)?)(?:([^@\s]+)@)?(\[[0-9a-f:.%\w]+\]|[^:\s[\]/@]+|[0-9a-f:.]{3,}(?:%\w+)?)((?::\d{1,5})?\s*)$/i.exec(
      text,
    );
  if (!match) return undefined;
  const [, before = '', user, host = '', after = ''] = match;
  return { before, user, host, after };
}
