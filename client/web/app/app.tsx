import { lazy, Suspense, useEffect, useRef } from 'react';
import { messageOf } from '../api/api-error';
import { connection } from '../api/connection';
import { useNews } from '../api/run-news';
import { agents, info, sessions, waitingOfAll } from '../api/runs';
import { useStore } from '../api/store';
import type { Session, WaitingOfAll } from '../api/types';
import { type Polled, usePolled } from '../api/use-polled';
import { Conversation } from '../conversation/conversation';
import { NewRun } from '../new/new-run';
import { Announcer } from './announcer';
import { Banners } from './banners';
import { Home } from './home';
import { sidebarOpen } from './menu-button';
import { useRoute } from './navigation';
import { NotForReading } from './not-for-reading';
import { findMe, useRefusal } from './rights';
import type { Route } from './routes';
import { serverInfo } from './server-info';
import { Sidebar } from './sidebar';
import { SignIn } from './sign-in';

const Inbox = lazy(() => import('../inbox/inbox'));
const Timeline = lazy(() => import('../timeline/timeline'));

/** Milliseconds between looks at the lists, while the page is visible. */
const LOOK = 4_000;
const LOOK_AROUND = 10_000;

/** The page. */
export function App() {
  return useStore(connection) === 'unauthorized' ? <SignIn /> : <SignedIn />;
}

/** Shows nothing before it is known what the token allows, so that no button comes and goes. */
function SignedIn() {
  const { value, error } = usePolled(findMe, 6 * LOOK_AROUND);
  const refusal = useRefusal('read');
  if (value === undefined && error === undefined) return null;
  return refusal === undefined ? <Views /> : <NotForReading why={refusal} />;
}

function Views() {
  const route = useRoute();
  const about = usePolled(info, LOOK_AROUND);
  const known = usePolled(agents, 6 * LOOK_AROUND);
  const runs = usePolled(sessions, LOOK);
  useNews(runs.refresh);
  const inbox = useInbox(runs.value, route.view === 'inbox');
  const { count: waits } = inbox;
  const main = useRef<HTMLElement>(null);
  useViewChange(route, main);
  useEffect(() => serverInfo.set(about.value), [about.value]);
  useEffect(() => {
    document.title = waits === 0 ? 'Holdfast' : `(${waits}) Holdfast`;
  }, [waits]);
  const agent = route.view === 'new' ? known.value?.find(({ name }) => name === route.agent) : undefined;
  return (
    <>
      <a href="#main" className="skip">
        Skip to the content
      </a>
      <Sidebar
        route={route}
        agents={known.value ?? []}
        sessions={runs.value}
        problem={runs.error === undefined || runs.value !== undefined ? '' : messageOf(runs.error)}
        waits={waits}
      />
      <main id="main" ref={main} tabIndex={-1}>
        <Banners info={about.value} />
        <Suspense fallback={<p className="hint">Loading …</p>}>
          {route.view === 'run' && <Conversation id={route.id} />}
          {route.view === 'timeline' && <Timeline id={route.id} />}
          {route.view === 'inbox' && <Inbox inbox={inbox} onDecided={runs.refresh} />}
          {route.view === 'home' && <Home agents={known.value} error={known.error} />}
          {agent !== undefined && <NewRun key={agent.name} agent={agent} onStarted={runs.refresh} />}
        </Suspense>
      </main>
      <Announcer />
    </>
  );
}

const NOTHING = async (): Promise<WaitingOfAll | undefined> => undefined;

/**
 * What waits for a person, which is asked of each run that waits: often where it is shown, otherwise when other runs wait
 * than before, and now and then.
 */
function useInbox(
  runs: readonly Session[] | undefined,
  shown: boolean,
): Polled<WaitingOfAll | undefined> & { count: number } {
  const waiting = runs?.filter(({ waits }) => waits === 'approval' || waits === 'question') ?? [];
  const which = waiting.map(({ id, waits }) => `${id} ${waits}`).join('\n');
  const fetchIt = waiting.length > 0 || shown ? waitingOfAll : NOTHING;
  const inbox = usePolled<WaitingOfAll | undefined>(fetchIt, shown ? LOOK : 6 * LOOK_AROUND);
  const { value, refresh } = inbox;
  useNews(refresh);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other runs wait.
  useEffect(refresh, [which]);
  if (fetchIt === NOTHING) return { ...inbox, count: 0 };
  return { ...inbox, count: value === undefined ? waiting.length : value.approvals.length + value.questions.length };
}

/** After a change of the view, the focus is in it, and not on a link that may be gone. */
function useViewChange(route: Route, main: React.RefObject<HTMLElement | null>): void {
  const shown = useRef(route);
  useEffect(() => {
    if (shown.current === route) return;
    shown.current = route;
    sidebarOpen.set(false);
    const box = main.current?.querySelector<HTMLElement>('textarea:not(:disabled), h1');
    (box ?? main.current)?.focus();
  }, [route, main]);
}
