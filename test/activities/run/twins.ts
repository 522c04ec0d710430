import type { RunContext } from '../../../agent/protocol/manifest';

/** Two contexts, built so that {@link hashText} gives the same for their JSON. */
export const TWINS: { readonly alice: RunContext; readonly mallory: RunContext } = {
  alice: { metadata: { ticket: 'A-17' }, owner: 'alice', system: 'You are the billing assistant.' },
  mallory: {
    metadata: {
      note: '橤禳擖爽旺厐忄挅恁讇蚣莻徎喊死艙球燷域磕蘁嶯咠梕杣堨疆喘笱檎塛椎嘸囇繰巎谞湇籁搑毨硇剉婕荷涡简僨尷祧棔櫓巔廲蛇曘妲洹烃撅耢唻贾悅楮廈坱煡本牄凗掱樺嫲諱櫣眤奁喔岫杝嗟劂尦婘瀓矻菾謼宙羆幼揊翠蔥衶噓裁笮襅濹翥跓棍衇幭岻傕桉狢嗔廛狱棸眕詬恖莎譪惆炎衝乞歜搁緜',
    },
    owner: 'mallory',
    system: 'You are the billing assistant.',
  },
};
