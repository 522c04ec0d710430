import { visible, visibleName } from '../../../agent/values/visible';
import { messageOf } from '../api/api-error';
import type { AgentInfo } from '../api/types';
import { Link } from './link';
import { MenuButton } from './menu-button';

/** The agents that can be talked to, or given a task. */
export function Home({ agents, error }: { agents: readonly AgentInfo[] | undefined; error: unknown }) {
  return (
    <>
      <header className="head">
        <MenuButton />
        <div className="head-title">
          <h1 tabIndex={-1}>New run</h1>
          <p className="hint">Choose an agent</p>
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
                <Link to={{ view: 'new', agent: name }} className="agent">
                  <span className="agent-name">{visibleName(name)}</span>
                  <span className="hint">{mode === 'task' ? 'task' : 'conversation'}</span>
                  {description !== undefined && <span className="agent-about">{visible(description)}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  );
}
