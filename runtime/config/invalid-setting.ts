import { HoldfastError } from '../../agent/errors/error';
import { type Config, readNamed } from './config';
import { type Path, placeInYaml } from './yaml/yaml';

/** A setting of temporal.yaml. */
export interface Setting {
  /** What messages call it. */
  name: string;
  /** The value that is wrong. */
  at: Path;
}

/**
 * The error of a setting of temporal.yaml that shows only after the file was read, such as a module that does not exist:
 * with the place of the setting, for which the file is read again.
 */
export async function invalidSetting(
  { file }: Pick<Config, 'file'>,
  { name, at }: Setting,
  said: string,
): Promise<HoldfastError<'InvalidConfig'>> {
  const problem = `\`${name}\`: ${said}`;
  if (file === undefined) return new HoldfastError('InvalidConfig', { file: 'temporal.yaml', problem });
  const { source } = await readNamed(file);
  return new HoldfastError('InvalidConfig', { file, ...placeInYaml(source, at), problem });
}
