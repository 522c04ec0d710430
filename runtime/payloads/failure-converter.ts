import {
  DefaultFailureConverter,
  type FailureConverter,
  type PayloadConverter,
  type SerializationContext,
} from '@temporalio/common';

type ProtoFailure = ReturnType<FailureConverter['errorToFailure']>;

/**
 * Writes stacks into histories without the folders of the machine that they come from: histories are read by people who
 * have nothing to do with it, and are kept for years. It is part of the workflow bundle, and of the worker in Node.
 * Clients only read failures, whose form is Temporal's own.
 */
class ShortStacks extends DefaultFailureConverter {
  /** Called again for each cause. */
  override errorToFailure(error: unknown, converter: PayloadConverter, context?: SerializationContext): ProtoFailure {
    const failure = super.errorToFailure(error, converter, context);
    return failure.stackTrace ? { ...failure, stackTrace: shortStack(failure.stackTrace) } : failure;
  }
}

export const failureConverter = new ShortStacks();

/** Characters of a frame. The thrower of an error may write its stack, and the patterns take quadratic time. */
const LONGEST = 2000;
/** A frame and the place that it names; folders may have any name: `at pick (file:///home/me (old)/tools.js:3:7)`. */
const FRAME = /^(\s+at (?:async )?(?:.*? \()??)(?:file:\/\/)?((?:[A-Za-z]:)?[\\/].*):(\d+:\d+\)?)$/;
/** Places inside a frame, as in code that was made by `eval`. */
const PLACE = /(?<=[\s(])(?:file:\/\/)?((?:[A-Za-z]:)?[\\/][^():]*):(\d+:\d+)/g;

/**
 * A stack with places relative to a package (`node_modules/zod/index.js:3:7`) or to the project; of other places only
 * the file name is kept.
 */
export function shortStack(stack: string): string {
  const root = rootFolder();
  return stack
    .split('\n')
    .map((line) => {
      if (!/^\s+at /.test(line)) return line;
      if (line.length > LONGEST) return '    at …';
      const [, before, path, after] = FRAME.exec(line) ?? [];
      if (path !== undefined) return `${before}${shortPath(path, root)}:${after}`;
      return line.replace(PLACE, (_, place: string, row: string) => `${shortPath(place, root)}:${row}`);
    })
    .join('\n');
}

function shortPath(path: string, root: string): string {
  const plain = path.replaceAll('\\', '/');
  const inPackage = plain.lastIndexOf('/node_modules/');
  if (inPackage >= 0) return plain.slice(inPackage + 1);
  if (root !== '' && plain.startsWith(`${root}/`)) return plain.slice(root.length + 1);
  return plain.slice(plain.lastIndexOf('/') + 1);
}

/** Workflows have no working directory: the places of their bundle are already relative. */
function rootFolder(): string {
  const { process } = globalThis as { process?: { cwd?: () => string } };
  return process?.cwd?.().replaceAll('\\', '/') ?? '';
}
