import { HoldfastError } from '../agent/errors/error';
import { nearNames } from '../agent/model/names/name-table';
import type { Config } from '../runtime/config/config';

/** The error for a name that temporal.yaml has no agent for. `also` says what else was tried. */
export function unknownAgent(
  agent: string,
  names: readonly string[],
  { file }: Pick<Config, 'file'>,
  also?: string,
): HoldfastError<'UnknownAgent'> {
  const known = [...names].sort();
  const near = nearNames(agent, known);
  const listed = (near.length > 0 ? near : known).map((name) => `\`${name}\``).join(', ');
  const hint = known.length === 0 ? 'it names none' : near.length > 0 ? `did you mean ${listed}?` : `it has ${listed}`;
  const missing = `No agent of ${file ?? 'temporal.yaml'} is named \`${agent}\`; ${hint}`;
  const message = also === undefined ? missing : `${missing}${/\?$/.test(missing) ? '' : '.'} ${also}`;
  return new HoldfastError('UnknownAgent', { agent, known }, { message });
}
