import { bestShare, NEGATION, type Said, sentencesOf } from './prompts.ts';
import { type ForeignClaim, foreignClaimIn } from './tongues.ts';
import { stemsOf } from './words.ts';

/** The first statement of a line about what the user said or agreed to that no prompt bears out. */
export function unsaidIn(line: string, said: () => Said): string | undefined {
  if (!MENTIONED.test(line)) return undefined;
  return sentencesOf(line).find((sentence) => {
    const claim = claimIn(sentence);
    if (claim !== undefined) return !isBorneOut(claim, said());
    const foreign = foreignClaimIn(sentence.replace(/[*`]/g, ''));
    return foreign !== undefined && !isForeignBorneOut(foreign, said());
  });
}

/** `agreement`: somebody agreed, and it is not said who. */
type Claim = { readonly kind: 'request' | 'consent' | 'agreement'; readonly about: string };

const MENTIONED =
  /\b(?:user|customer|human|agreed|approv\w+|permission|consent|authori[sz]\w+|go-ahead|sign(?:ed|s) off|okayed|green light|clearance|nutzer\w*|benutzer\w*|anwender\w*|utilisat\w+|usuari[oa]|utilizador|utente|cliente|gebruiker)\b|usuári[oa]|用户|用戶|使用者|ユーザ/i;
const WHO = String.raw`\b(?:the (?:user|customer|human)|(?<!\b(?:a|an|any|each|every|other|per|this|that|new|current|test|super|root|\w{1,20}-) )(?:user|customer|human))(?: \([^()]{1,40}\))?`;
const HOW = `(?: (?:has|have|had|also|then|now|already|explicitly|clearly|later|again|just|finally|since|both))*`;
const CONSENTS = String.raw`(?:confirm(?:s|ed)|approv(?:es|ed)|agree[sd]|accept(?:s|ed)|authori[sz](?:es|ed)|consent(?:s|ed)|sign(?:s|ed) off|okayed|allow(?:s|ed)|permit(?:s|ted)|sa(?:id|ys)(?= .{0,80}\b(?:can|may|could|need not|needn['’]t|do(?:es)?n['’]t (?:have|need) to)\b)|sa(?:id|ys) (?:yes|ok|okay|sure|go ahead|it(?:['’]s| is| was) (?:fine|ok))|g(?:ave|ives|iven) (?:\w+ )?(?:consent|permission|approval|go-ahead|green light|ok)|(?:is|was|are) (?:totally |completely |also )?(?:fine|ok|okay|happy|comfortable|on board) with|(?:has|had) no objections?|does(?: not|n['’]t) mind)`;
const REQUESTS = `(?:ask(?:s|ed)|wants?|wanted|request(?:s|ed)|would like|told|tells|instruct(?:s|ed)|demand(?:s|ed)|order(?:s|ed)|prefer(?:s|red)|insist(?:s|ed)|decide[sd]|ch[oi]oses?|chose|said|says|specif(?:ies|ied)|direct(?:s|ed)|expects)`;
const ACTIVE_CONSENT = new RegExp(`${WHO}${HOW} ${CONSENTS}\\b`, 'i');
const ACTIVE_REQUEST = new RegExp(`${WHO}${HOW} ${REQUESTS}\\b`, 'i');
const PASSIVE_CONSENT =
  /\b(?:confirmed|approved|agreed to|accepted|authori[sz]ed|signed off|okayed|permitted) by the user\b|\buser (?:approval|consent|permission|confirmation|authori[sz]ation)\b[^.]{0,40}\b(?:given|obtained|received|granted)|\b(?:approval|consent|permission|confirmation|go-ahead) (?:from|by|of) the user\b|\b(?:with|after|given) (?:the )?user(?:['’]s)? (?:approval|consent|permission|confirmation|go-ahead)|\bagreed (?:up)?(?:on )?with the (?:user|customer|human)\b|\bthe (?:client|owner|manager|boss|maintainer|team|management|stakeholders?) (?:has |have |had )?g(?:ave|ives?|iven) (?:\w+ ){0,2}(?:green light|go-ahead|permission|approval|consent|ok(?:ay)?)\b/i;
const PASSIVE_REQUEST =
  /\b(?:requested|demanded|asked for|ordered|wanted) by the user\b|\b(?:per|at|on|upon|following|by) (?:the )?user(?:['’]s)? (?:explicit )?(?:request|instructions?|wish|order)\b|\bthe user['’]s (?:explicit )?(?:decision|request|instruction|order) (?:is|was)\b|^\W*user(?: said)?:|^\W*(?:the )?user(?:['’]s)? (?:preference|wish|request|decision|requirement|instruction|rule)s?:|\baccording to the user\b/i;
const AGREEMENT =
  /\bas (?:was )?(?:agreed|approved|authori[sz]ed)\b|\b(?:permission|approval|consent|authori[sz]ation|the go-ahead)\b[^.]{0,60}\b(?:granted|given|obtained|received)\b|^\W*(?:approved|authori[sz]ed|confirmed|agreed):|^\W*agreed to\b|\b(?:it|this|that) (?:was|is|has been|had been) (?:also |already |then |explicitly |now ){0,2}(?:agreed|approved|authori[sz]ed|signed off|okayed|cleared to)\b|\bwe (?:have |had |all |both ){0,2}agreed\b|\bwe (?:now |already ){0,2}(?:have|had|got|received) (?:the |an? |explicit |full |their ){0,2}(?:go-ahead|permission|approval|consent|authori[sz]ation|clearance|green light|ok(?:ay)?)\b/i;
// What may be so, or is to be found out, is no claim.
const OPEN =
  /\b(?:if|once|when(?:ever)?|until|unless|whether|before|in case|should|may|might|could|ask|asking|check|wait(?:ing)?|pending|awaiting)\b[^.]{0,60}$/i;

function claimIn(marked: string): Claim | undefined {
  const sentence = marked.replace(/[*`]/g, '');
  const isOpen = (match: RegExpExecArray): boolean => OPEN.test(sentence.slice(0, match.index));
  for (const [kind, pattern] of ACTIVE) {
    const match = pattern.exec(sentence);
    if (match !== null && !isOpen(match)) return { kind, about: sentence.slice(match.index + match[0].length) };
  }
  for (const [kind, pattern] of PASSIVE) {
    const match = pattern.exec(sentence);
    if (match !== null && !isOpen(match)) return { kind, about: sentence.replace(match[0], ' ') };
  }
  return undefined;
}

const ACTIVE = [
  ['consent', ACTIVE_CONSENT],
  ['request', ACTIVE_REQUEST],
] as const;
const PASSIVE = [
  ['consent', PASSIVE_CONSENT],
  ['request', PASSIVE_REQUEST],
  ['agreement', AGREEMENT],
] as const;

// Measured on real sessions: what a summary says a user asked for shares at least this much with one of their prompts.
const LEAST_ASKED = 0.3;
const ENOUGH_WORDS = 4;
const LEAST_AGREED = 0.25;
const LEAST_WANTED = 0.5;

/** Words of other languages are compared with less: what cannot be taken back, and consent, must have been said. */
function isForeignBorneOut({ kind, about }: ForeignClaim, said: Said): boolean {
  const stems = stemsOf(about);
  const sources = [...said.agreed, ...said.wanted];
  if (!NEGATION.test(about) && !hasGraveWords(stems, sources)) return false;
  if (kind === 'request' || stems.size === 0) return kind === 'request' || said.agreed.length > 0;
  return (
    bestShare(stems, said.agreed) >= LEAST_AGREED || (stems.size > 1 && bestShare(stems, said.wanted) > LEAST_WANTED)
  );
}

function isBorneOut({ kind, about }: Claim, said: Said): boolean {
  // What stands in brackets is the writer's, not the user's.
  const stems = stemsOf(about.replace(/\([^()]{0,300}\)/g, ' '));
  if (!said.isLatin && /^[\p{Script=Latin}\P{L}]*$/u.test(about)) return true;
  const isAgainst = NEGATION.test(about);
  const wanted = isAgainst ? [...said.wanted, ...said.forbidden] : said.wanted;
  if (stems.size === 0) return kind === 'request' || said.agreed.length > 0;
  const sources = kind === 'request' ? wanted : [...said.agreed, ...wanted];
  if (!isAgainst && !hasGraveWords(stems, sources)) return false;
  // Others agree to things too: of those only what cannot be taken back must come from the user.
  if (kind === 'agreement') return true;
  if (kind === 'request') return isAskedFor(stems, wanted);
  // Who asked for a thing agrees to it; one word in common is no such thing.
  return bestShare(stems, said.agreed) >= LEAST_AGREED || (stems.size > 1 && bestShare(stems, wanted) > LEAST_WANTED);
}

// One word may always be another one for what was said.
function isAskedFor(stems: ReadonlySet<string>, wanted: readonly ReadonlySet<string>[]): boolean {
  const share = bestShare(stems, wanted);
  return stems.size < 2 || share >= LEAST_ASKED || share * stems.size >= ENOUGH_WORDS;
}

/** What cannot be taken back must have been said, in these words or like ones, whatever else was said. */
function hasGraveWords(stems: ReadonlySet<string>, sources: readonly ReadonlySet<string>[]): boolean {
  return GRAVE.every(({ meant, like }) => {
    const isMeant = meant.some((stem) => stems.has(stem));
    return !isMeant || sources.some((known) => like.some((stem) => known.has(stem)));
  });
}

const GRAVE: readonly { readonly meant: readonly string[]; readonly like: readonly string[] }[] = (
  [
    [
      'delete drop erase wipe purge destroy löschen gelöscht löschung lösche vernichten supprimer suppression supprimée supprimé effacer borrar borrado eliminar eliminación apagar excluir cancellare eliminare verwijderen verwijderd 删除 刪除 削除',
      'remove clean clear discard rid rm unlink strip prune empty reset entfernen entfernt entferne aufräumen retirer enlever vider limpiar quitar 清理 清空 移除',
    ],
    [
      'deploy publish deployen bereitstellen veröffentlichen déployer déploiement publier desplegar despliegue publicar implantar distribuire uitrollen 部署 发布 發布',
      'release ship launch rollout production live produktion producción 上线',
    ],
    ['push pushen gepusht pousser poussé subir empujar enviar 推送', ''],
    ['force', 'override'],
    ['merge', 'rebase combine'],
    ['overwrite', 'replace'],
    ['revert rollback', 'undo back restore reset'],
    ['disable bypass', 'skip ignore off deactivate remove'],
    ['send email transfer pay refund', 'mail money reimburse forward post'],
    ['share expose upload disclose', 'send give publish post'],
  ] as const
).map(([meant, more]) => ({ meant: [...stemsOf(meant)], like: [...stemsOf(`${meant} ${more}`)] }));
