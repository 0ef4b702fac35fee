/** How a language says that the user agreed to something or asked for it; the verb may stand before or behind what it is about. */
type Tongue = {
  readonly who: RegExp;
  readonly consent: RegExp;
  readonly request: RegExp;
  /** What may be so, or is not so, is no claim. */
  readonly open: RegExp;
};

/** What a sentence in another language than English says of the user; `about` is the rest of it. */
export type ForeignClaim = { readonly kind: 'consent' | 'request'; readonly about: string };

/** The claim of a sentence about the user, where it is in one of the languages that are known. */
export function foreignClaimIn(sentence: string): ForeignClaim | undefined {
  for (const { who, consent, request, open } of TONGUES) {
    if (!who.test(sentence) || open.test(sentence) || /[?？]$/.test(sentence)) continue;
    const kind = consent.test(sentence) ? 'consent' : request.test(sentence) ? 'request' : undefined;
    if (kind === undefined) continue;
    const about = sentence.replace(who, ' ').replace(kind === 'consent' ? consent : request, ' ');
    return { kind, about: about.replace(SMALL, ' ') };
  }
  return undefined;
}

// Words that say nothing by themselves.
const SMALL =
  /(?<![\p{L}])(?:der|die|das|den|dem|des|dass|und|ist|hat|hatte|wird|werden|darf|dürfen|kann|soll|ein|eine|zu|zur|zum|auf|mit|von|le|la|les|un|une|des|du|de|que|qu|a|est|et|à|au|sur|peut|être|el|los|las|se|que|puede|en|y|o|os|as|um|uma|do|da|pode|ser|il|gli|che|è|per|può|het|een|en|van|dat|mag|worden|is)(?![\p{L}])/giu;

const TONGUES: readonly Tongue[] = [
  {
    who: /(?:(?<!\p{L})(?:der|die|vom|dem) |^[^\p{L}]*)(?:Be|An)?(?:nutzer|wender)(?:in|s)?(?!\p{L})/iu,
    consent:
      /(?<!\p{L})(?:bestätigte?|zugestimmt|stimmte? (?:\p{L}+ ){0,4}zu|genehmigte?|erlaubte?|freigegeben|einverstanden|gebilligt|akzeptierte?)(?!\p{L})/iu,
    request:
      /(?<!\p{L})(?:möchte|will|wollte|wünscht|bat|gebeten|verlangte?|fordert|gefordert|angewiesen|beauftragte?)(?!\p{L})/iu,
    open: /(?<!\p{L})(?:wenn|falls|ob|sobald|nicht|noch|kein\p{L}*)(?!\p{L})/iu,
  },
  {
    who: /(?:(?<!\p{L})l['’]|^[^\p{L}]*)utilisa(?:teur|trice)(?!\p{L})/iu,
    consent:
      /(?<!\p{L})(?:confirmée?|approuvée?|accepté|autorisé|consenti|validé|donné (?:son|l['’]) ?accord|d['’]accord)(?!\p{L})/iu,
    request: /(?<!\p{L})(?:souhaite|veut|voulait|demandée?|demande|exige|exigé|ordonné)(?!\p{L})/iu,
    open: /(?<!\p{L})(?:si|quand|pas|jamais|n['’]\p{L}+)(?!\p{L})/iu,
  },
  {
    who: /(?:(?<!\p{L})(?:el|la) |^[^\p{L}]*)usuari[oa](?!\p{L})/iu,
    consent:
      /(?<!\p{L})(?:confirmó|confirmado|aprobó|aprobado|aceptó|aceptado|autorizó|autorizado|acordó|consintió|(?:dio|está) (?:su |de )?(?:permiso|acuerdo))(?!\p{L})/iu,
    request: /(?<!\p{L})(?:quiere|quería|pidió|pedido|solicitó|solicitado|exigió|ordenó|desea)(?!\p{L})/iu,
    open: /(?<!\p{L})(?:si|cuando|no|nunca)(?!\p{L})/iu,
  },
  {
    who: /(?:(?<!\p{L})[oa] |^[^\p{L}]*)(?:usuári[oa]|utilizador[a]?)(?!\p{L})/iu,
    consent: /(?<!\p{L})(?:confirmou|aprovou|aceitou|autorizou|concordou|permitiu)(?!\p{L})/iu,
    request: /(?<!\p{L})(?:quer|queria|pediu|solicitou|exigiu|deseja)(?!\p{L})/iu,
    open: /(?<!\p{L})(?:se|quando|não|nunca)(?!\p{L})/iu,
  },
  {
    who: /(?:(?<!\p{L})(?:l['’]|il )|^[^\p{L}]*)(?:utente|cliente)(?!\p{L})/iu,
    consent: /(?<!\p{L})(?:confermato|approvato|accettato|autorizzato|acconsentito|d['’]accordo)(?!\p{L})/iu,
    request: /(?<!\p{L})(?:vuole|voleva|chiesto|richiesto|ordinato|desidera)(?!\p{L})/iu,
    open: /(?<!\p{L})(?:se|quando|non|mai)(?!\p{L})/iu,
  },
  {
    who: /(?:(?<!\p{L})de |^[^\p{L}]*)gebruiker(?!\p{L})/iu,
    consent: /(?<!\p{L})(?:bevestigde?|goedgekeurd|ingestemd|toegestaan|akkoord|geaccepteerd)(?!\p{L})/iu,
    request: /(?<!\p{L})(?:wil|wilde|vroeg|gevraagd|verzocht|eiste)(?!\p{L})/iu,
    open: /(?<!\p{L})(?:als|zodra|of|niet|geen)(?!\p{L})/iu,
  },
  {
    who: /用户|用戶|使用者/u,
    consent: /(?:已经|已經|已)?(?:确认|確認|同意|批准|授权|授權|允许|允許|接受|许可|許可)(?:了|过|過)?/u,
    request: /要求|请求|請求|希望|想要|命令/u,
    open: /如果|是否|尚未|没有|沒有|未/u,
  },
  {
    who: /ユーザー?/u,
    consent: /(?:確認|承認|同意|許可|了承)(?:し(?:た|て)|済み)?/u,
    request: /(?:要求|依頼|希望|指示)し?/u,
    open: /もし|かどうか|ない|まだ/u,
  },
];
