import { HoldfastError } from '../agent/errors/error';

/** The parts of the environment that name the user. Windows sets `USERNAME`. */
interface Environment {
  USER?: string;
  USERNAME?: string;
}

/** The option of commands that record who acts. */
export const BY_DEFAULT = 'default: $USER, or $USERNAME';

/** Who acts: `--by`, or else the user of this machine, if the environment has the name. */
export function userName(by: string | undefined, env: Environment = process.env): string | undefined {
  return by || env.USER || env.USERNAME || undefined;
}

/** @throws HoldfastError `InvalidDecision` if there is no name */
export function requiredName(by: string | undefined, env: Environment = process.env): string {
  const name = userName(by, env);
  if (name === undefined) {
    const message = 'Neither $USER nor $USERNAME says who decides: add `--by <name>`.';
    throw new HoldfastError('InvalidDecision', { problem: 'the decider has no name' }, { message });
  }
  return name;
}
