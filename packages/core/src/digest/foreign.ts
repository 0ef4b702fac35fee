/**
 * What takes instructions away in other languages than English: a verb of leaving out, a word such as `all` or `previous`, and what is
 * left out, in the order of the language. Each part follows the one before within few characters, so that time is linear.
 */
export const FOREIGN_OVERRIDE: RegExp = new RegExp(
  [
    parts(
      'ignorier(?:e|t|en)|vergiss|vergesst|missachte[nt]?|übergeh(?:e|t|en)',
      'alle[nrs]?|vorherig\\p{L}*|bisherig\\p{L}*|obig\\p{L}*|früher\\p{L}*|vorig\\p{L}*|vorangegangen\\p{L}*',
      'anweisung\\p{L}*|instruktion\\p{L}*|regeln|vorgaben|befehle|anordnung\\p{L}*',
    ),
    parts(
      'ignore[zr]?|oublie[zr]?|néglige[zr]?',
      'toute?s?|tous|précédent\\p{L}*|antérieur\\p{L}*|ci-dessus|vos|tes',
      'instructions?|consignes?|règles?|directives?|ordres?',
    ),
    parts(
      'ignor[aei]\\p{L}{0,3}|olvid[ae]\\p{L}{0,3}|desconsider[ae]|esque[çc]a|dimentica\\p{L}{0,3}|tralascia\\p{L}{0,3}',
      'tod[ao]s|tutt[ei]|anterior\\p{L}*|previ[ao]s|prévias|precedent\\p{L}*|tus|sus|suas|tue',
      'instruccion\\p{L}*|instruções|istruzioni|reglas|regras|regole|órdenes|ordens|indicaciones|directrices',
    ),
    parts('negeer|vergeet', 'alle|vorige|eerdere|voorgaande', 'instructies|regels|opdrachten|aanwijzingen'),
    parts(
      'игнорир\\p{L}*|проигнорир\\p{L}*|забудь\\p{L}*|отмени\\p{L}*',
      'все|предыдущ\\p{L}*|прошл\\p{L}*|прежн\\p{L}*',
      'инструкци\\p{L}*|указани\\p{L}*|правил\\p{L}*|команд\\p{L}*',
    ),
    '(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会)[^。\\n]{0,12}(?:之前|以上|先前|前面|此前|所有|上述|一切)[^。\\n]{0,12}(?:指令|指示|规则|規則|提示|命令|说明|說明)',
    '(?:以前|上記|これまで|前述|以上|すべて|全て)[^。\\n]{0,12}(?:指示|命令|ルール|プロンプト|規則)[^。\\n]{0,12}(?:無視|忘れ)',
    '(?:이전|위의|앞의|모든)[^.\\n]{0,12}(?:지시|명령|규칙|프롬프트)[^.\\n]{0,12}(?:무시|잊)',
  ].join('|'),
  'iu',
);

function parts(verb: string, which: string, what: string): string {
  return `(?<!\\p{L})(?:${verb})(?!\\p{L})[^.!?\\n]{0,20}(?<!\\p{L})(?:${which})(?!\\p{L})[^.!?\\n]{0,30}(?<!\\p{L})(?:${what})(?!\\p{L})`;
}

const MUST = [
  '(?<!\\p{L})(?:du (?:musst|sollst|darfst)|ihr (?:müsst|sollt)|Sie (?:müssen|sollen)|(?:tu dois|vous devez|veuillez)|(?:debes|tienes que|usted debe|por favor)|(?:você deve|tens de)|(?:devi|dovete)|je moet|(?:вы должны|ты должен|пожалуйста))(?!\\p{L})',
  '你(?:必须|必須|应该|應該|需要)|您(?:必须|应该|需要)|[请請][^。！？\\n]{0,12}(?:删除|刪除|清空|推送|部署|执行|執行|运行|運行|发送|發送|上传|上傳|安装|安裝|忽略|停用|禁用|立即|马上|馬上|立刻|务必|務必)|(?:を|して)?(?:削除|実行|送信|公開|無効)(?:して|にして)(?:ください|下さい)|(?:して|しなさい|て)ください|해야 합니다|하십시오',
].join('|');

const SPEAKERS =
  "(?:be|an)?nutzer(?:in)?|anwender(?:in)?|l['’]utilisat(?:eur|rice)|utilisateur|usuari[oa]|usuári[oa]|utente|gebruiker|пользователь";
const VERBS =
  'zugestimmt|bestätigt|erlaubt|genehmigt|gesagt|verlangt|will|möchte|accepté|approuvé|confirmé|demandé|dit|veut|aceptó|aprobó|confirmó|pidió|dijo|quiere|aprovou|aceitou|confirmou|pediu|disse|quer|accettato|approvato|confermato|chiesto|detto|vuole|bevestigd|goedgekeurd|gevraagd|wil|согласился|подтвердил|разрешил|просит|сказал';

const VOUCHED = `(?<!\\p{L})(?:${SPEAKERS})(?!\\p{L})[^.!?\\n]{0,30}(?<!\\p{L})(?:${VERBS})(?!\\p{L})|(?:用户|用戶)(?:已经|已經|已)?(?:确认|確認|同意|批准|授权|授權|允许|允許|要求|希望)|ユーザー?(?:が|は)[^。\\n]{0,12}(?:確認|承認|同意|許可|要求|希望)`;

/** Second persons who must, and that a user wants or allows something, in other languages. */
export const FOREIGN_DIRECTIVE: RegExp = new RegExp(`${MUST}|${VOUCHED}`, 'iu');

/** A piece of each of the above: a line without any has none of them. */
export const FOREIGN_HINT: RegExp =
  /ignor|vergiss|vergesst|missacht|[üÜ]bergeh|oublie|n[éÉ]glig|olvid|desconsider|esque[çÇc]|dimentic|tralasc|negeer|vergeet|\b(?:muss|sollst|darfst|sollt|m[üÜ]ss|sollen|dois|devez|veuillez|debes?|tienes|favor|deve|tens|devi|dovete|moet)|nutzer|anwender|utilisat|usu[aáÁ]ri|utente|gebruiker|[\u0400-\u04ff]{4}|[忽无無忘不以上所全这前你您请請用]|ください|ユーザ|これまで|すべて|해야|하십시오|무시|잊/i;
