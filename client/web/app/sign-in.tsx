import { useState } from 'react';
import { connection } from '../api/connection';
import { setToken, token } from '../api/token';

/** Asks for a token: the server does not know the one that the page has. */
export function SignIn() {
  const [text, setText] = useState('');
  return (
    <main className="sign-in">
      <h1>Holdfast</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setToken(text.trim());
          connection.set('connected');
        }}
      >
        <label htmlFor="token">
          {token() === undefined ? 'Token' : 'The server does not accept the token. New token'}
        </label>
        <input
          id="token"
          type="password"
          autoComplete="current-password"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p className="hint">
          <code>holdfast serve</code> prints an address that contains a token. With API keys or JWTs, it is the key or
          the JWT that you were given.
        </p>
        <button type="submit" className="primary" disabled={text.trim() === ''}>
          Sign in
        </button>
      </form>
    </main>
  );
}
