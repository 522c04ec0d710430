/** The output of a command, and its exit code or error. */
export async function said(command: () => Promise<number>) {
  const printed = { out: '', err: '' };
  const spies = (['out', 'err'] as const).map((name) =>
    jest.spyOn(name === 'out' ? process.stdout : process.stderr, 'write').mockImplementation((line) => {
      printed[name] += line;
      return true;
    }),
  );
  try {
    return { code: await command(), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
