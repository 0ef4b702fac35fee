const ENGLISH = [
  "i'?m (?:very |really |so |truly )?sorry",
  'i am (?:very |really |so )?sorry',
  'sorry,',
  'i (?:sincerely )?apologi[sz]e',
  "i (?:can(?:no|')t|cannot|could not|couldn't|won't|will not|am unable to|am not able to|do not feel comfortable)",
  "i'm (?:unable|not able|not comfortable|not going to|afraid)",
  'i am (?:afraid|not comfortable|not going to)',
  '(?:i |we )?(?:must|have to|need to|will|shall|would) (?:respectfully |politely )?(?:decline|refuse)',
  "i'(?:ll|m going to|d) (?:have to )?(?:respectfully |politely )?(?:decline|refuse|rather not)",
  '(?:i |we )(?:respectfully |politely )?(?:decline|refuse)\\b',
  "i (?:must|need to|have to|will) (?:stop|end|pause) (?:here|now|this)\\b.{0,40}\\bi (?:can't|cannot|am unable|won't|will not)",
  'as an ai\\b',
  'as a (?:large )?language model\\b',
  "unfortunately,? (?:i|we) (?:can|am|was|are|do|must|won't)",
  "(?:this|that|the) (?:request|content|conversation|material) (?:can(?:no|')t be summari[sz]ed|violates|goes against)",
];

const LATIN = [
  // German
  '(?:es )?tut mir (?:sehr )?leid',
  'entschuldig(?:ung|e|en sie)[,:. ]',
  'leider (?:kann|darf|ist es mir|muss) ?(?:ich|nicht)?',
  'ich (?:kann|darf|werde) (?:\\S{1,20} ){0,6}nicht (?:helfen|zusammenfassen|bearbeiten|beantworten|weiterhelfen)',
  'ich muss (?:das |dies |diese anfrage )?ablehnen',
  'dabei kann ich (?:ihnen |dir )?nicht',
  // French
  '(?:je suis )?(?:vraiment )?d[ée]sol[ée]e?[,. ]',
  'je ne (?:peux|puis|suis|pourrai) pas',
  "je (?:dois|me vois dans l'obligation de) (?:d[ée]cliner|refuser)",
  'malheureusement,? je ne',
  // Spanish, Portuguese, Italian
  'lo siento[,. ]',
  '(?:lamentablemente|desafortunadamente),? no (?:puedo|podemos)',
  'no (?:puedo|podré) (?:ayudar|resumir|hacer|cumplir|proporcionar|continuar)',
  'me temo que no',
  'debo (?:rechazar|negarme)',
  '(?:desculpe|sinto muito|lamento)[,. ]',
  '(?:eu )?não posso (?:ajudar|resumir|fazer|continuar)',
  '(?:mi dispiace|spiacente)[,. ]',
  'non posso (?:aiutar|riassumere|fare|continuare)',
  // Dutch, Polish
  'het spijt me',
  'ik kan (?:\\S{1,20} ){0,6}niet (?:helpen|samenvatten)',
  'przykro mi',
];

const OTHERS = [
  // Chinese
  '(?:非常|很|十分)?抱歉',
  '(?:实在)?对不起',
  '對不起',
  '我(?:无法|無法|不能|不可以)(?:协助|協助|帮助|幫助|提供|总结|總結|完成|处理|處理|满足|继续)',
  '作为(?:一个|一個)?(?:ai|人工智能|语言模型)',
  // Japanese, Korean
  '(?:大変|誠に)?申し訳(?:ありません|ございません|ない)',
  'すみません',
  'ごめんなさい',
  '(?:恐れ入りますが|残念ながら)',
  '(?:그 )?(?:요청|내용)(?:을|은|에) .{0,20}(?:드릴|할) 수 없습니다',
  '죄송(?:합니다|하지만)',
  // Russian, Arabic
  '(?:извините|простите|к сожалению)[,. ]',
  'я не могу (?:помочь|обобщить|выполнить|продолжить)',
  '(?:عذر|آسف)',
];

/** Whether a text begins by declining instead of summarizing, in the languages models decline in. */
export function isRefusal(text: string): boolean {
  // Small letters and no classes of Unicode: the pattern is made within a tenth of the time it would take with them.
  return REFUSAL.test(text.slice(0, BEGINNING).replace(MARKS, '').toLowerCase());
}

const BEGINNING = 300;
const MARKS = /^[\s\p{P}\p{S}]{1,3}/u;
const REFUSAL = /* @__PURE__ */ new RegExp(`^(?:${openings().join('|')})`);

// `'` stands for any apostrophe.
function openings(): readonly string[] {
  return [...ENGLISH, ...LATIN, ...OTHERS].map((opening) => opening.replaceAll("'", "['’]"));
}
