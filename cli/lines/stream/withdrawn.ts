import type { FactBody } from '../../../agent/protocol/facts/fact';

/** Why the text of an answer was withdrawn, in words. */
export const WITHDRAWN: { readonly [Why in Extract<FactBody, { type: 'text.withdrawn' }>['why']]: string } = {
  steered: 'a new message arrived',
  interrupted: 'it was stopped',
  deadline: 'its deadline has passed',
};
