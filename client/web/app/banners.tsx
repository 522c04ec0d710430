import type { ReactNode } from 'react';
import { tryNow } from '../api/back-off';
import { connection } from '../api/connection';
import { useStore } from '../api/store';
import type { ServerInfo } from '../api/types';

/** Says what is unavailable, and what that means. */
export function Banners({ info }: { info: ServerInfo | undefined }) {
  const state = useStore(connection);
  return (
    <div role="status" className="banners">
      {state === 'away' ? (
        <Banner title="No connection to the server.">
          Your runs go on without this page. It connects again by itself.{' '}
          <button type="button" className="small" onClick={tryNow}>
            Try now
          </button>
        </Banner>
      ) : info?.temporal.reachable === false ? (
        <Banner title="The Temporal server is away.">Runs go on when it is there again. Nothing is lost.</Banner>
      ) : (
        info?.worker.polling === false && (
          <Banner title="No worker is running.">Runs wait until one is started. Messages are kept.</Banner>
        )
      )}
    </div>
  );
}

function Banner({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className="banner warn">
      <strong>{title}</strong> {children}
    </p>
  );
}
