import { call, type ScriptedModel, text } from 'holdfast/testing';

/** Plays a model that orders the pickup of one parcel. */
export function play(model: ScriptedModel): ScriptedModel {
  return model.script(call('carrier', { address: 'Elm Street 5', kilograms: 3 }), ({ request }) => {
    const tracking = /"tracking":"([^"]+)"/.exec(String(request.messages.at(-1)?.content))?.[1];
    return text(JSON.stringify({ tracking }));
  });
}
