import { variableOf } from '../domain/secrets/secretVariable';

/** Has the password for the API of a server that is only probed. */
export const passwordVariable = variableOf('probe', 'httpPassword');

export const probePassword = (): string | undefined => process.env[passwordVariable];
