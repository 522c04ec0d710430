import { type KeyboardEvent, useState } from 'react';
import { visibleName } from '../../../agent/values/visible';
import { useStore } from '../api/store';
import type { AgentInfo, Session } from '../api/types';
import { roughly } from '../text/times';
import { useFirstWords } from './first-words';
import { Link } from './link';
import { sidebarOpen } from './menu-button';
import { signOut, useMe, useRefusal } from './rights';
import type { Route } from './routes';
import { ThemeSwitch } from './theme';

interface Props {
  route: Route;
  agents: readonly AgentInfo[];
  sessions: readonly Session[] | undefined;
  problem: string;
  waits: number;
}

/** The list of runs, the inbox, and what can be started. */
export function Sidebar({ route, agents, sessions, problem, waits }: Props) {
  const open = useStore(sidebarOpen);
  const [agent, setAgent] = useState('');
  const mayStart = useRefusal('start') === undefined;
  const current = 'id' in route ? route.id : undefined;
  const shown = sessions?.filter((session) => agent === '' || session.agent === agent);
  const close = () => sidebarOpen.set(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };
  return (
    <>
      {open && <button type="button" className="shade" aria-label="Hide runs" onClick={close} />}
      <nav className={`sidebar ${open ? 'open' : ''}`} aria-label="Runs" onKeyDown={onKeyDown}>
        <div className="sidebar-top">
          <Link to={{ view: 'home' }} className="brand">
            Holdfast
          </Link>
          <button type="button" className="quiet narrow-only" onClick={close}>
            Close
          </button>
        </div>
        <Link to={{ view: 'inbox' }} className="nav-item" aria-current={route.view === 'inbox' ? 'page' : undefined}>
          <span>Inbox</span>
          {waits > 0 && <span className="badge">{waits}</span>}
        </Link>
        {mayStart && (
          <Link
            to={{ view: 'home' }}
            className="nav-item"
            aria-current={route.view === 'home' || route.view === 'new' ? 'page' : undefined}
          >
            New run
          </Link>
        )}
        <div className="list-head">
          <h2>Runs</h2>
          {agents.length > 1 && (
            <select aria-label="Agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
              <option value="">all agents</option>
              {agents.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </div>
        {problem !== '' && <p className="problem">{problem}</p>}
        {shown?.length === 0 && <p className="hint">No runs yet.</p>}
        <ul className="sessions">
          {shown?.map((session) => (
            <li key={session.id}>
              <SessionLink session={session} current={session.id === current} />
            </li>
          ))}
        </ul>
        <div className="sidebar-foot">
          <User />
          <ThemeSwitch />
        </div>
      </nav>
    </>
  );
}

/** Whose token this browser has, and what it allows. */
function User() {
  const me = useMe();
  if (me === undefined) return null;
  const { user, scopes } = me;
  return (
    <p className="user hint">
      <span title={`Scopes: ${scopes.join(', ')}`}>
        {visibleName(user)}
        {!scopes.includes('admin') && ` (${scopes.join(', ')})`}
      </span>
      <button type="button" className="quiet small" onClick={signOut}>
        Sign out
      </button>
    </p>
  );
}

function SessionLink({ session, current }: { session: Session; current: boolean }) {
  const { id, agent, title, startedAt } = session;
  const words = useFirstWords(id);
  return (
    <Link to={{ view: 'run', id }} className="session" aria-current={current ? 'page' : undefined}>
      <span className="session-title">{visibleName(title ?? words ?? id)}</span>
      <span className="session-about">
        <span>{visibleName(agent)}</span>
        <StatusDot session={session} />
        <span className="session-time">{roughly(Date.now() - startedAt)}</span>
      </span>
    </Link>
  );
}

const WAITS = {
  approval: 'needs approval',
  question: 'has a question',
  answer: 'waits for a service',
  message: 'ready',
  model: 'waits for the model',
};

function StatusDot({ session: { status, waits, agentWaits } }: { session: Session }) {
  const own = waits === undefined ? status : WAITS[waits];
  const word = agentWaits === undefined ? own : 'an agent waits for its model';
  const urgent = waits === 'approval' || waits === 'question';
  const tone = urgent ? 'urgent' : waits === 'message' ? 'ready' : status.replace(' ', '-');
  return <span className={`status ${tone}`}>{word}</span>;
}
