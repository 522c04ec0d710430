import { signOut } from './rights';

/** The page shows runs: a key that may not read them is for programs. */
export function NotForReading({ why }: { why: string }) {
  return (
    <main className="sign-in">
      <h1>Holdfast</h1>
      <p>{why} Without it, the page has nothing to show.</p>
      <button type="button" className="primary" onClick={signOut}>
        Use another key
      </button>
    </main>
  );
}
