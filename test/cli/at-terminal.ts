import { createProgram } from '../../cli/main';

/** The output of a command, and its exit code. */
export interface Printed {
  code: number | undefined;
  out: string;
  err: string;
}

class Exit extends Error {
  constructor(readonly code: number | undefined) {
    super('exit');
  }
}

/** Runs the command line in this process, with standard output and error that look like a terminal or like pipes. */
export async function holdfastAt(where: 'terminal' | 'pipe', ...args: string[]): Promise<Printed> {
  const printed: Printed = { code: undefined, out: '', err: '' };
  const spies = (['out', 'err'] as const).map((name) =>
    jest.spyOn(name === 'out' ? process.stdout : process.stderr, 'write').mockImplementation(((
      text: string,
      done?: () => void,
    ) => {
      printed[name] += text;
      done?.();
      return true;
    }) as never),
  );
  const exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Exit(Number(code));
  });
  const before = process.stdout.isTTY;
  process.stdout.isTTY = where === 'terminal';
  try {
    await createProgram().parseAsync(['node', 'holdfast', ...args]);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    printed.code = error.code;
  } finally {
    process.stdout.isTTY = before;
    for (const spy of [...spies, exit]) spy.mockRestore();
    process.stdout.removeAllListeners('error');
    process.stderr.removeAllListeners('error');
  }
  return printed;
}
