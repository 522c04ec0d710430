import { createJiti } from 'jiti';
import { HoldfastError } from '../../agent/errors/error';
import type { Config } from '../../runtime/config/config';
import { loadFailure } from './load-failure';

/**
 * What a module of the user exports. TypeScript is loaded directly. A module that was loaded before is the same one.
 * @param place what names it in temporal.yaml, for errors
 * @throws HoldfastError `InvalidDefinition` and `ModuleNotLoaded`, with file and line, and `InvalidConfig`
 */
export async function importModule(
  path: string,
  place: string,
  config: Config,
): Promise<{ readonly [name: string]: unknown }> {
  try {
    return await createJiti(__filename).import(path);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    if (missing && error.message.includes(`'${path}'`)) {
      throw invalidConfig(config, `${place}: There is no module ${path}`);
    }
    throw loadFailure(error, path);
  }
}

/** The error of a setting of temporal.yaml that is wrong beyond the file itself. */
export function invalidConfig({ file = 'temporal.yaml' }: Pick<Config, 'file'>, problem: string): HoldfastError {
  return new HoldfastError('InvalidConfig', { file, problem });
}
