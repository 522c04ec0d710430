import type { PendingApproval } from '../../../agent/approvals/approval';
import type { PendingQuestion } from '../../../agent/conversation/questions';
import type { PendingService } from '../../../agent/protocol/calls/pending-service';
import type { PendingModel } from '../../../agent/protocol/queries';
import type { JsonObject } from '../../../agent/values/json';
import type { Session } from '../../runs/sessions';

export type { PendingApproval, PendingModel, PendingQuestion, PendingService, Session };

/** An agent that the server knows. */
export interface AgentInfo {
  name: string;
  description?: string;
  mode: 'task' | 'conversation';
  inputSchema?: JsonObject;
}

/** What a key or token may do. `admin` has all others. */
export type Scope = 'start' | 'read' | 'message' | 'decide' | 'admin';

/** Who uses the page, by its token. */
export interface Me {
  user: string;
  tenant?: string;
  scopes: Scope[];
}

/** What is behind the server. */
export interface ServerInfo {
  version: string;
  namespace: string;
  /** Where Temporal's Web UI lists the runs; ends with `/`. */
  webUi?: string;
  worker: { polling: boolean };
  temporal: { reachable: boolean };
}

/** What a run, or all runs, wait for. */
export interface Waiting {
  approvals: PendingApproval[];
  questions: PendingQuestion[];
  services?: PendingService[];
  models?: PendingModel[];
}

/** What waits for people in all runs. */
export interface WaitingOfAll extends Waiting {
  /** How many runs wait as well, but did not say what for. */
  unanswered: number;
}
