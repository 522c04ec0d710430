import { defineTool, type Tool } from 'holdfast';
import { z } from 'zod';

/** Names and descriptions of the tools of an office, more than a filter offers. */
export const OFFICE: { readonly [name: string]: string } = {
  refund_payment: 'Refund a payment of a customer',
  find_order: 'Find an order by its number',
  cancel_order: 'Cancel an order that has not been shipped',
  track_parcel: 'Tell where a parcel is',
  send_mail: 'Send a mail to a customer',
  read_inbox: 'Read the newest mails of the inbox',
  book_room: 'Book a meeting room',
  list_rooms: 'List the meeting rooms that are free',
  translate_text: 'Translate a text into another language',
  convert_currency: 'Convert an amount of money into another currency',
  weather_forecast: 'Get the forecast of the weather for a city',
  water_plants: 'Water the plants in the office',
};

/** A tool for each of these names, which returns its own name. */
export function toolsOf(descriptions: { readonly [name: string]: string }): { [name: string]: Tool } {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      defineTool({
        description,
        effect: 'read',
        inputSchema: z.object({ about: z.string().optional() }),
        execute: () => `${name} is done`,
      }),
    ]),
  );
}
