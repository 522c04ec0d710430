import { cancelCalls } from './cancels';
import { PROVIDERS } from './wires';

test.each(PROVIDERS.map((kind) => [kind.name, kind] as const))(
  'a cancel closes the socket to %s at any moment',
  async (_, kind) => {
    expect(await cancelCalls(kind, 10)).toHaveLength(10);
  },
);
