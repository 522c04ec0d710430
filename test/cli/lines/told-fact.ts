import type { Fact, FactBody } from '../../../agent/protocol/facts/fact';
import { factLine } from '../../../cli/lines/facts/fact-line';

export const factOf = (body: FactBody): Fact => ({ ...body, seq: 7, time: 0, exchange: 3 });
export const lineOf = (body: FactBody) => factLine(factOf(body));
/** The line of a fact without its number and its type. */
export const told = (body: FactBody) => lineOf(body).replace(/^ +7 +\S+ +/, '');
