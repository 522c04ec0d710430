import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RankedTool } from '../../agent/tool-filter/tool-text';

/** What a person asks for, the tools of which one does it, and two searches that a model makes for it. */
export interface Task {
  request: string;
  tools: string[];
  searches: [string, string];
}

/** From the repository: the compiled benchmark has no copy. */
const read = (name: string): unknown => JSON.parse(readFileSync(join('bench/tools/fixtures', name), 'utf8'));

/** 84 tools of public MCP servers, as the servers list them, and 16 invented ones. */
export const TOOLS = read('tools.json') as RankedTool[];

/** 60 requests for some of {@link TOOLS}. */
export const TASKS = read('tasks.json') as Task[];

/** Products that do similar things, and what each of them can do. */
const PRODUCTS: readonly { products: string[]; actions: [name: string, description: string][] }[] = [
  {
    products: ['dropbox', 'gdrive', 'onedrive', 'box', 's3', 'sharepoint'],
    actions: [
      ['upload_file', 'Upload a file to $.'],
      ['download_file', 'Download a file from $.'],
      ['move_file', 'Move or rename a file in $.'],
      ['delete_file', 'Delete a file from $.'],
      ['list_folder', 'List the files and folders in a folder of $.'],
      ['create_folder', 'Create a folder in $.'],
      ['search_files', 'Search for files in $ by name or content.'],
      ['share_link', 'Create a link to a file in $ that others can open.'],
      ['file_versions', 'List the versions of a file in $.'],
      ['restore_version', 'Restore an earlier version of a file in $.'],
    ],
  },
  {
    products: ['jira', 'linear', 'gitlab', 'asana', 'trello', 'youtrack', 'redmine'],
    actions: [
      ['create_issue', 'Create an issue in $.'],
      ['update_issue', 'Change fields of an issue in $, such as its state.'],
      ['list_issues', 'List issues of a project in $, with filters.'],
      ['comment_issue', 'Comment on an issue in $.'],
      ['assign_issue', 'Assign an issue in $ to a person.'],
      ['search_issues', 'Search for issues in $.'],
      ['create_project', 'Create a project in $.'],
      ['list_sprints', 'List the sprints of a board in $.'],
      ['log_work', 'Log time that was spent on an issue in $.'],
      ['link_issues', 'Link two issues in $.'],
    ],
  },
  {
    products: ['slack', 'teams', 'discord', 'mattermost', 'zulip'],
    actions: [
      ['post_message', 'Post a message to a channel in $.'],
      ['list_channels', 'List the channels in $.'],
      ['read_channel', 'Read the newest messages of a channel in $.'],
      ['create_channel', 'Create a channel in $.'],
      ['invite_user', 'Invite a person to a channel in $.'],
      ['search_messages', 'Search for messages in $.'],
      ['set_status', 'Set your own status in $.'],
      ['upload_attachment', 'Attach a file to a message in $.'],
    ],
  },
  {
    products: ['postgres', 'mysql', 'mongodb', 'bigquery', 'snowflake', 'redis', 'elastic'],
    actions: [
      ['run_query', 'Run a query that reads data in $.'],
      ['execute_statement', 'Run a statement that changes data in $.'],
      ['list_tables', 'List the tables or collections in $.'],
      ['describe_table', 'Describe the columns of a table or collection in $.'],
      ['create_index', 'Create an index in $.'],
      ['explain_query', 'Explain how $ would run a query.'],
      ['export_table', 'Export a table or collection from $ to a file.'],
      ['backup', 'Make a backup of a database in $.'],
    ],
  },
  {
    products: ['hubspot', 'salesforce', 'pipedrive', 'zoho'],
    actions: [
      ['create_contact', 'Create a contact in $.'],
      ['find_contact', 'Find a contact in $ by name or e-mail.'],
      ['create_deal', 'Create a deal in $.'],
      ['update_deal', 'Change the stage or the amount of a deal in $.'],
      ['list_deals', 'List open deals in $.'],
      ['log_call', 'Log a call with a customer in $.'],
      ['add_note', 'Add a note to a contact in $.'],
    ],
  },
  {
    products: ['stripe', 'paypal', 'shopify', 'square', 'adyen'],
    actions: [
      ['create_invoice', 'Create an invoice in $.'],
      ['create_refund', 'Refund a charge in $.'],
      ['list_payments', 'List payments in $.'],
      ['create_customer', 'Create a customer in $.'],
      ['cancel_subscription', 'Cancel the subscription of a customer in $.'],
      ['get_balance', 'Get the balance of the account in $.'],
      ['list_disputes', 'List disputed charges in $.'],
    ],
  },
  {
    products: ['gmail', 'outlook', 'fastmail'],
    actions: [
      ['send', 'Send an e-mail with $.'],
      ['reply', 'Reply to an e-mail in $.'],
      ['search', 'Search for e-mails in $.'],
      ['move_to_folder', 'Move an e-mail to a folder in $.'],
      ['create_draft', 'Save a draft of an e-mail in $.'],
      ['schedule_meeting', 'Invite people to a meeting with $.'],
      ['set_out_of_office', 'Set an automatic reply in $.'],
    ],
  },
  {
    products: ['aws', 'azure', 'gcp', 'hetzner', 'kubernetes', 'docker'],
    actions: [
      ['list_instances', 'List running machines or containers in $.'],
      ['start_instance', 'Start a machine or a container in $.'],
      ['stop_instance', 'Stop a machine or a container in $.'],
      ['read_logs', 'Read the logs of a machine or a container in $.'],
      ['deploy', 'Deploy a new version of a service to $.'],
      ['scale_service', 'Change how many copies of a service run in $.'],
      ['get_metrics', 'Get load and memory of a service in $.'],
      ['list_secrets', 'List the names of secrets in $.'],
      ['monthly_cost', 'Tell what $ has cost this month.'],
      ['create_alert', 'Create an alert on a metric in $.'],
    ],
  },
  {
    products: ['notion', 'confluence', 'evernote', 'obsidian', 'coda'],
    actions: [
      ['create_page', 'Create a page in $.'],
      ['read_page', 'Read a page of $ as text.'],
      ['update_page', 'Change the text of a page in $.'],
      ['search_pages', 'Search for pages in $.'],
      ['list_spaces', 'List workspaces or notebooks in $.'],
      ['add_tag', 'Add a tag to a page in $.'],
      ['delete_page', 'Delete a page from $.'],
    ],
  },
  {
    products: ['spotify', 'youtube', 'twitter', 'mastodon', 'linkedin', 'instagram', 'reddit', 'tiktok'],
    actions: [
      ['search', 'Search $ for posts, videos or songs.'],
      ['publish_post', 'Publish a post on $.'],
      ['list_followers', 'List the followers of an account on $.'],
      ['get_statistics', 'Get statistics of a post on $.'],
      ['delete_post', 'Delete a post from $.'],
      ['send_direct_message', 'Send a direct message to a person on $.'],
      ['follow_account', 'Follow an account on $.'],
      ['list_comments', 'List the comments on a post on $.'],
    ],
  },
];

/** {@link TOOLS} and similar ones of other products, `count` together. */
export function manyTools(count: number): RankedTool[] {
  const similar = PRODUCTS.flatMap(({ products, actions }) =>
    products.flatMap((product) =>
      actions.map(([name, description]) => ({
        name: `${product}.${name}`,
        description: description.replace('$', product),
        inputSchema: { type: 'object' },
      })),
    ),
  );
  if (TOOLS.length + similar.length < count) throw new Error(`There are only ${TOOLS.length + similar.length} tools`);
  return [...TOOLS, ...similar].slice(0, count);
}
