/** True for a sentence in another language than English that demands or forbids something. */
export function isForeignDemand(sentence: string): boolean {
  return HINT.test(sentence) && FOREIGN.test(sentence) && !TOLD.test(sentence);
}

// No such sentence of another language is without one of these; nearly all English sentences are, and told several times faster.
const HINT =
  /nicht|kein|\bnie|\bnur\b|ohne|finger|nessun|nunca|jam[aá]|mai pi|nooit|geen|niet|\bn(?:e |['’])|interdit|d[ée]fense|veuillez|prohib|proib|vietato|\bnon? |não|deutsch|englisch|\b(?:ab|von) (?:jetzt|sofort|nun)|künftig|\bfrag|\bimmer\b|\bhalte\b|\bbleibe?\b|français|anglais|d[ée]sormais|dor[ée]navant|\b[àa] partir\b|\baucun|\bdemande|toujours|español|ingl[eéê]s|\bahora\b|preg[uú]nta|ninguna|ningún|siempre|portugu|\bagora\b|pergunt|sempre|alguma|italiano|\bora in\b|\bchied|nederlands|engels|vanaf nu|voortaan|\bvraag|altijd|[\u0370-\u1fff\u2c00-\ud7ff\uf900-\uffff]/i;

// What was, or is, so and so: told, not asked for.
const TOLD =
  /\b(?:war|waren|wurden?|hat|hatte|haben|était|étaient|era|fue|è stato|was|heeft|hebben) (?:\p{L}+ ){0,3}(?:niemals|nie|immer|jamais|toujours|nunca|siempre|sempre|nooit|altijd)\b/iu;

// By a word for never, a negation next to a request, or how it is to be done from now on.
const FOREIGN = new RegExp(
  [
    // German
    '\\b(?:niemals|nie wieder|auf keinen fall|unter keinen umständen|keinesfalls|finger weg)\\b',
    '\\b(?:nicht|kein\\w{0,2}) .{0,80}!|\\bbitte\\b.{0,120}\\b(?:nicht|kein\\w{0,2}|nie|ohne|nur)\\b',
    '(?:^\\W*|[,.;:] |\\b(?:aber|und|dann) )\\p{L}{2,20}n sie\\b.{0,80}\\b(?:nicht|kein\\w{0,2}|nie|nur)\\b',
    '\\b(?:darfst?|dürfen|sollst?|sollen)\\b.{0,80}\\b(?:nicht|kein\\w{0,2}|nie|nur)\\b|\\bnicht (?:\\p{L}+ )?\\p{L}{3,}e?n[.!]?$',
    '^\\W*(?:bitte )?(?:antworte|schreib|sprich|kommentier|rede)\\p{L}{0,3}\\b.{0,60}\\bauf (?:deutsch|englisch|französisch|spanisch)\\b',
    '^\\W*(?:(?:ab|von) (?:jetzt|sofort|nun)(?: an)?|künftig|in zukunft)\\b(?!.{0,60}\\b(?:ist|sind|war|läuft|geht)\\b)',
    '^\\W*(?:bitte )?frage?(?:n sie)?\\b.{0,40}\\b(?:bevor|vorher|zuerst|erst|vor)\\b|^\\W*immer (?!wieder|noch).{2,80}n[.!]?$|^\\W*(?:halte dich an|bleibe? (?:bei|auf))\\b',
    // French
    "\\bn(?:e |['’])(?!sais|ai |est |a )\\S{1,30} (?:jamais|pas|rien|plus)\\b.{0,40}!|\\bne (?:pas|jamais|rien|plus|me|le|la|les|touche[zr]?|faites|mettez) |\\b(?:il ne faut pas|interdit|défense de|veuillez ne|jamais|en aucun cas|sous aucun prétexte)\\b",
    '^\\W*(?:réponds?|répondez|écris|écrivez|parlez?|commentez?)(?!\\p{L}).{0,60}\\ben (?:français|anglais|allemand|espagnol)|^\\W*(?:désormais|dorénavant|à partir de maintenant)(?!.{0,60} (?:est|sont)\\b)|^\\W*demandez?[- ](?:moi|nous)\\b.{0,60}\\bavant\\b|^\\W*(?:utilis|écri|fai|lanc|vérifi|gard)\\p{L}{1,3} toujours\\b',
    // Spanish, Portuguese, Italian
    '\\b(?:nunca|jamás|mai più|in nessun caso|bajo ninguna circunstancia|en ningún caso|em hipótese alguma)\\b|^\\W*(?:por favor,? |pero |e |y |ma |mas )?(?:no|não|non) (?:(?:me|se|lo|la|los|las|le|te|o|a) )?(?!(?:one|clue|idea|more|funciona|sabe|puede|hay|existe|pasa|aparece|va|carga|arranca|compila|era|fue|funziona|parte|esiste|trova)\\b)\\p{L}{2,}(?:[aeo]|[ae]s|[ae]n|[ae]te|[ae]m|[ae]r)(?=[ .!,]|$)|\\b(?:prohibido|no se (?:debe|puede|toca)|no hay que|está proibido|vietato)\\b',
    '^\\W*(?:por favor,? )?(?:responde|contesta|escribe|habla|responda|escreva|fale|rispondi|scrivi|parla)n?(?!\\p{L}).{0,60}\\b(?:en|em|in) (?:español|inglés|alemán|francés|português|inglês|espanhol|italiano|inglese|tedesco)(?!\\p{L})',
    "^\\W*(?:a partir de (?:ahora|hoy|agora)|de (?:ahora|agora) en adelante|de agora em diante|daqui em diante|d['’]ora in (?:poi|avanti)|da ora in poi)(?!\\p{L})(?!.{0,60} (?:está|é|è)(?!\\p{L}))",
    '^\\W*(?:por favor,? )?(?:preg[uú]nta|pergunt[ea]|chied[ie])\\p{L}{0,4}(?:-me)?\\b.{0,60}\\b(?:antes|prima)\\b|^\\W*(?:us[ae]|utili[cz][ae]|utilizza|escribe|escreva|scrivi|ejecuta|execute|esegui|haz|mantén|mantenha|mantieni|comprueba|revisa) (?:siempre|sempre)\\b',
    // Dutch
    '\\b(?:nooit|onder geen beding)\\b|\\b(?:geen|niet) (?:\\p{L}+ )?\\p{L}{3,}en[.!]?$|\\b(?:mag|mogen) (?:niet|geen)\\b|^\\W*(?:antwoord|schrijf|praat)\\b.{0,60}\\bin het (?:nederlands|engels|duits)\\b|^\\W*(?:vanaf nu|voortaan)\\b(?!.{0,60}\\b(?:is|zijn)\\b)|^\\W*vraag\\b.{0,60}\\b(?:voordat|eerst|vooraf)\\b|^\\W*(?:gebruik|schrijf|draai|test) altijd\\b',
    // Russian
    '(?:^|[\\s,])не \\p{L}{2,}(?:й|йте|и|ите|ь|ьте|ть)(?=[\\s.,!]|$)(?<!^\\P{L}*я .*)|нельзя|никогда|ни в коем случае|^\\P{L}*(?:отвечай|пиши|говори)(?:те)?(?!\\p{L}).{0,60}(?:на \\p{L}+ском|по-\\p{L}+ски)|^\\P{L}*(?:отныне|впредь|с этого момента)(?!\\p{L})|^\\P{L}*(?:спрашивай|спроси)(?:те)?(?!\\p{L}).{0,60}(?:перед|прежде|сначала)|^\\P{L}*всегда \\p{L}+(?:й|йте|и|ите|ь|ьте)(?!\\p{L})',
    // Chinese, Japanese, Korean
    '不要|必须|必須|不得|绝对|絕對|禁止|不用|别(?:再|动|改|碰)|用(?:中文|英文|英语|汉语|日文).{0,2}(?:回答|回复|写|说|交流|解释)|从现在(?:开始|起)|今后|先(?:问|告诉|通知)我|务必|一律|只(?:能|准|许)',
    'ないで|てはいけ|でお願い(?:し|いたし)ます|してはなら|(?:日本語|英語|中国語)で.{0,12}(?:ください|下さい|お願い|答え|回答)|今後は|これからは|必ず|絶対に|前に.{0,10}(?:確認|聞い|相談)(?:して|て)',
    '하지 ?마|해서는 안|(?:한국어|영어|일본어)로.{0,12}(?:답|작성|써|말)|앞으로는|이제부터|반드시|절대|(?:전에|먼저).{0,10}(?:물어|확인|알려)',
  ].join('|'),
  'iu',
);
