interface Closable {
  close(): Promise<unknown>;
}
const open: Closable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** Closes a server or a client after the test that opened it, in the order of opening. */
export function closeAfterTest<T extends Closable>(each: T): T {
  open.push(each);
  return each;
}
