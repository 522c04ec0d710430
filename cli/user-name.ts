import os from 'node:os';
import { HoldfastError } from '../agent/errors/error';

/** The parts of the environment that name the user. Windows sets `USERNAME`. */
interface Environment {
  USER?: string;
  USERNAME?: string;
}

/** The option of commands that record who acts. */
export const BY_DEFAULT = 'default: $USER, or $USERNAME, or the user of this process';

/** Who acts: `--by`, or else the user of this machine. Containers have one that the environment often does not name. */
export function userName(by: string | undefined, env: Environment = process.env): string | undefined {
  return by || env.USER || env.USERNAME || processUser();
}

/** In a container the user of a process may have no name. */
function processUser(): string | undefined {
  try {
    return os.userInfo().username || undefined;
  } catch {
    return undefined;
  }
}

/** @throws HoldfastError `InvalidDecision` if there is no name */
export function requiredName(by: string | undefined, env: Environment = process.env): string {
  const name = userName(by, env);
  if (name === undefined) {
    const message =
      'Neither $USER nor $USERNAME says who decides, and the user of this process has no name: add `--by <name>`.';
    throw new HoldfastError('InvalidDecision', { problem: 'the decider has no name' }, { message });
  }
  return name;
}
