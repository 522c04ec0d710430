import { call, type ScriptedModel, text } from 'holdfast/testing';

/** Plays a model that takes the customer's word for an article number, and is corrected. */
export function play(model: ScriptedModel): ScriptedModel {
  return model.script(
    call('stock', { sku: 'lamp' }),
    { ...call('stock', { sku: 'lamp-3' }), text: 'That was no count. Lamps are lamp-3 here, so I ask again.' },
    ({ request }) => {
      const left = /"left":(\d+)/.exec(String(request.messages.at(-1)?.content))?.[1];
      return text(JSON.stringify({ accepted: Number(left) >= 2, why: `There are ${left} left.` }));
    },
  );
}
