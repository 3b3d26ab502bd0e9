import { FullhouseError } from '../../contract/calls';
import { exampleSentence, isExampleAddress } from '../../domain/node/exampleAddress';

/** Throws the sentence about addresses of documentation, if there is one. Called before anything is contacted. */
export function requireReal(fault: string | undefined): void {
  if (fault !== undefined) throw new FullhouseError('example-address', fault);
}

/** Refuses an example address of something that is no node; `name` as in "the Prometheus". */
export function requireRealAddress(name: string, address: string): void {
  if (isExampleAddress(address)) requireReal(exampleSentence([{ name, address }]));
}
