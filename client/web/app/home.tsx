import type { ReactNode } from 'react';
import { visible, visibleName } from '../../../agent/values/visible';
import { messageOf } from '../api/api-error';
import type { AgentInfo } from '../api/types';
import { Link } from './link';
import { MenuButton } from './menu-button';
import { useRefusal } from './rights';

/** The agents that can be talked to, or given a task. */
export function Home({ agents, error }: { agents: readonly AgentInfo[] | undefined; error: unknown }) {
  const refusal = useRefusal('start');
  return (
    <>
      <header className="head">
        <MenuButton />
        <div className="head-title">
          <h1 tabIndex={-1}>{refusal === undefined ? 'New run' : 'Agents'}</h1>
          <p className="hint">{refusal ?? 'Choose an agent'}</p>
        </div>
      </header>
      <div className="scroller">
        <div className="column">
          {error !== undefined && agents === undefined && (
            <p className="problem" role="alert">
              {messageOf(error)}
            </p>
          )}
          {agents?.length === 0 && <p className="empty">The server has no agents.</p>}
          <ul className="agents">
            {agents?.map(({ name, description, mode }) => (
              <li key={name}>
                <AgentBox name={name} mayStart={refusal === undefined}>
                  <span className="agent-name">{visibleName(name)}</span>
                  <span className="hint">{mode === 'task' ? 'task' : 'conversation'}</span>
                  {description !== undefined && <span className="agent-about">{visible(description)}</span>}
                </AgentBox>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  );
}

function AgentBox({ name, mayStart, children }: { name: string; mayStart: boolean; children: ReactNode }) {
  if (!mayStart) return <div className="agent">{children}</div>;
  return (
    <Link to={{ view: 'new', agent: name }} className="agent">
      {children}
    </Link>
  );
}
