// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <iterator>

#include "packet/extract/cues.h"
#include "packet/extract/word_set.h"
#include "text/phrases.h"

#include "base/utf8.h"

namespace accp::packet {

namespace {

constexpr size_t kReadBytes = 500;   // beginning of the text that is examined
constexpr size_t kChineseOfTen = 2;  // characters; code and names are mixed in

bool is_han(uint32_t point) { return point >= 0x4E00 && point <= 0x9FFF; }

bool is_chinese(std::string_view text) {
    size_t han = 0, all = 0;
    for (const char *at = text.data(), *const end = at + text.size(); at < end; ++all)
        han += is_han(read_utf8(at));
    return han * 10 > all * kChineseOfTen;
}

namespace german_table {

using namespace cue;

constexpr Cue kCues[] = {
    {kC, kU, 20, "muss|müssen|musst|müsst|unbedingt|zwingend|pflicht|erforderlich"},
    {kC, kU, 18, "soll|sollen|sollte|sollten|darf|dürfen|braucht|brauchen"},
    {kC, kU, 14, "nie|niemals|nichts|keinesfalls|verboten / auf keinen fall"},
    {kC, kU, 10, "nicht|kein|keine|keinen|keiner|ohne|außer|vermeide*"},
    {kC, kU, 10, "statt|stattdessen|anstatt|lieber|bevorzug*"},
    {kC, kU, 10, "achte*|stell*|behalte|behalten|lass|lasst|möchte|möchten|will|wollen / bitte"},
    {kC, kU, 8, "nur|immer|jede*|alle|genau|mindestens|höchstens|maximal"},
    {kC, kU, 8, "falls|wenn ~ fehler|nötig|möglich / sonst|ansonsten"},
    {kC, kU, 8, "später|platzhalter"},
    {kC, kA, 14, "muss|müssen|nie|niemals|immer|verboten"},
    {kC, kA, 12, "anforderung|anforderungen|vorgabe|vorgaben|bedingung"},
    {kC, kA, 8, "sollte|sollten|nur|ohne|nicht"},

    {kD, kU, 20, "lass|lasst uns / wir nehmen|nutzen|verwenden|machen|bleiben"},
    {kD, kU, 18, "^ nimm|nutze|verwende|bleib / ich nehme|wähle"},
    {kD, kU, 14, "statt|anstatt / anstelle von"},
    {kD, kU, 12, "erstmal|vorerst|zunächst / lösche*|entferne*|ersetze*|benenn*"},
    {kD, kU, 10, "^ ja|ok|okay|gut|klar|einverstanden ~ nimm|mach|nutze|lass|wir"},
    {kD, kA, 16,
     "ich|wir werde|werden|nutze|nutzen|verwende|verwenden|ersetze|ändere|stelle|wechsle"},
    {kD, kA, 14, "statt|anstatt / anstelle von"},
    {kD, kA, 16, "entschieden|gewählt|empfehle|empfehlung|vorgeschlagen"},
    {kD, kA, 12, "nutzt|verwendet|heißt|ist|sind jetzt|nun"},
    {kD, kA, 10,
     "habe|wurde|wurden ~ geändert|ersetzt|umgestellt|umbenannt|verschoben|hinzugefügt|entfernt|"
     "erstellt|eingebaut / hinzugefügt|umgestellt|eingeführt / änderungen|zusammenfassung"},
    {kD, kA, 18, "richtige|beste|einfachste|sauberste lösung|weg|ansatz"},

    {kF, kAny, 22,
     "nicht ~ funktionier*|geht|klapp*|möglich|unterstütz*|gefunden|verfügbar|existier*"},
    {kF, kAny, 14, "fehlgeschlagen|fehlschlägt|scheitert|gescheitert|kaputt|absturz|abgestürzt"},
    {kF, kAny, 10, "fehler|problem|falsch|leer|konflikt*|doppelt"},
    {kF, kAny, 8, "weil|da|wegen|dadurch / problem|ursache ist|war"},
    {kF, kAny, 8, "noch|wieder|weiterhin"},
    {kF, kA, 12, "anderer|anderen ansatz|weg / zurückgenommen|rückgängig"},
    {kF, kA, -12, "sollte|wird|werden|würde|kann|falls|wenn"},

    {kComplaint, kU, 20,
     "nicht ~ funktionier*|geht|klapp*|richtig|passt|an / geht|funktioniert|klappt ~ nicht / "
     "immer noch / noch immer"},
    {kComplaint, kU, 16, "fehler|fehlermeldung|abgestürzt|absturz|kaputt|schiefgelaufen"},
    {kComplaint, kU, 14, "^ nein|nee|hm|hmm / falsch / nichts passiert / kein unterschied"},
    {kComplaint, kU, 10, "^ aber / wieder / weiterhin / zu groß|klein|langsam|viele"},
    {kComplaint, kU, -12, "besser|gut|super|perfekt|danke|klasse"},
    {kComplaint, kA, 20, "entschuldig*|verzeihung / mein fehler / tut mir leid"},
    {kAccept, kU, 20,
     "^ ja|ok|okay|gut|klar|genau|einverstanden|passt|mach|gerne / leg los / gute idee / klingt "
     "gut"},
    {kPropose, kA, 20,
     "soll|sollen ich|wir / möchtest|möchten du|sie / ich schlage|schlage vor / ich empfehle / "
     "mein vorschlag / wie wäre"},
    {kPropose, kA, -12, "weiter*|testen|nächste*|noch etwas|sonst noch"},
    {kRequest, kU, 10,
     "^ füge|nutze|nimm|verwende|erstelle|schreib*|mach*|setz*|entferne|ändere|zeig*|bau*|lösch*|"
     "ersetze|pass*|prüf*|korrigier*|implementier*|teste / bitte"},
    {kRequest, kU, 10, "wir|ich|du sollten|brauchen|will|möchte / kannst|könntest du"},
    {kRetract, kU, 20,
     "vergiss|ignorier* ~ das|die / nicht mehr nötig|notwendig|gebraucht / doch nicht / "
     "brauchen|braucht|muss ~ nicht mehr / egal / darf|darfst|dürfen jetzt|doch / "
     "meinung geändert"},
    {kReason, kAny, 20,
     "^ das|dies|so|damit "
     "verhindert|vermeidet|erlaubt|ermöglicht|sorgt|stellt|bedeutet|macht|hält|spart / ^ "
     "weil|denn|sonst|ansonsten|grund|der grund"},
    {kOptions, kA, 20,
     "optionen|alternativen|möglichkeiten|varianten|vorteile|vorschläge / nächste schritte"},
    {kQ, kAny, 36,
     "offene frage|fragen / ungeklärt / noch offen|nicht ~ entschieden / entscheiden ob"},
    {kQ, kU, 44, "^ soll|sollen|sollten ich|wir"},
};

constexpr Chatter kChatter[] = {
    {kA, 20,
     "^ ich schaue|sehe|prüfe|lese|suche|teste / ^ lass mich / ^ schauen|sehen|prüfen wir / "
     "ich werde|muss ~ prüfen|ansehen|anschauen|lesen"},
    {kAny, 20, "hoffe / sag|sagen|gib ~ bescheid / möchtest|möchten du|sie / soll ich"},
    {kAny, 8, "^ super|perfekt|gut|toll|danke|klasse|entschuldigung"},
    {kA, 10, "^ hier ist|sind / zum beispiel / zusammenfassung"},
    {kU, 24, "warum|wieso|weshalb / wie funktioniert|geht|kann / was ist|bedeutet / erklär*"},
};

constexpr std::string_view kReasons[] = {", weil ", ", da ", ", damit ", ", denn ",       " wegen ",
                                         ", um ",   ", so ", " - ",      " \xE2\x80\x93 "};
constexpr std::string_view kRejects[] = {"statt ", "anstatt ", "anstelle von "};
constexpr std::string_view kDenials =
    "nicht|kein|keine|keinen|nie|ohne|statt|anstatt|doch|streich*|entfern*|weg|lass|vergiss|falsch|"
    "wechsel*|zurück";
constexpr std::string_view kLeads[] = {"soll ich ", "sollen wir ", "möchtest du, dass ich ",
                                       "ich schlage vor, ", "wie wäre "};
constexpr std::string_view kMarks =
    "der|die|das|und|ist|nicht|ich|wir|ein|eine|mit|auf|für|zu|den|von|dass|auch|es|im|bitte|wie|"
    "noch|soll|kein|keine";

}  // namespace german_table

namespace spanish_table {

using namespace cue;

constexpr Cue kCues[] = {
    {kC, kU, 20,
     "debe|deben|debes|debemos|obligatorio|obligatoria|requisito|requiere / "
     "tiene|tienen|hay|tenemos que"},
    {kC, kU, 18, "debería|deberían|necesito|necesita|necesitamos|puede|pueden ~ solo"},
    {kC, kU, 14, "nunca|jamás|prohibido|nada"},
    {kC, kU, 10, "no|sin|evita|evitar|excepto|salvo|ningún|ninguna"},
    {kC, kU, 10, "vez|lugar de / mejor|prefiero|preferiblemente"},
    {kC, kU, 10, "asegúrate|asegurate|mantén|manten|deja|dejar|quiero|queremos|quisiera"},
    {kC, kU, 8,
     "solo|sólo|solamente|siempre|cada|cualquier|todos|todas|exactamente / al menos / como máximo"},
    {kC, kU, 8, "si ~ error|falla|necesario|posible / caso contrario"},
    {kC, kU, 8, "después|luego / más adelante"},
    {kC, kA, 14, "debe|deben|nunca|siempre|obligatorio"},
    {kC, kA, 12, "requisito|requisitos|restricción|restricciones"},
    {kC, kA, 8, "debería|deberían|solo|sin|no"},

    {kD, kU, 20, "vamos a / usemos|hagamos|dejemos|pongamos|cambiemos|sigamos"},
    {kD, kU, 18, "^ usa|utiliza|elijo|prefiero / quédate con / nos quedamos con"},
    {kD, kU, 14, "vez|lugar de"},
    {kD, kU, 12, "por ahora / de momento / elimina*|borra*|renombra*|fusiona*|quita*"},
    {kD, kU, 10, "^ sí|si|ok|vale|claro|dale|perfecto ~ usa|usemos|haz|vamos|sigue"},
    {kD, kA, 16, "voy|vamos a usar|cambiar|reemplazar|reescribir|crear|mover|utilizar"},
    {kD, kA, 14, "vez|lugar de"},
    {kD, kA, 16, "decidí|decidido|elegí|elegido|recomiendo|sugiero|recomendado|optado"},
    {kD, kA, 12, "ahora usa|utiliza|es|está|se|son"},
    {kD, kA, 10,
     "he|hemos|ha|han cambiado|reemplazado|agregado|añadido|movido|creado|eliminado|"
     "actualizado|refactorizado / agregué|añadí|cambié|reemplacé|creé|moví|eliminé|usé / "
     "resumen / cambios realizados"},
    {kD, kA, 18, "mejor|correcta|simple|adecuada solución|opción|forma|manera"},

    {kF, kAny, 22, "no ~ funciona*|soporta*|existe*|encuentra*|disponible|carga*|compila*|posible"},
    {kF, kAny, 14, "falla|fallan|falló|fallaba|roto|rota|rompe|rompió|conflicto*"},
    {kF, kAny, 10, "error|errores|problema|incorrecto|vacío|duplicado*"},
    {kF, kAny, 8, "porque|debido|causa|causado / el problema es|era"},
    {kF, kAny, 8, "sigue|siguen|todavía|aún|otra vez|de nuevo"},
    {kF, kA, 12, "otro|diferente enfoque / enfoque diferente / revertí|deshice"},
    {kF, kA, -12, "debería|podría|si|para evitar"},

    {kComplaint, kU, 20,
     "no ~ funciona*|sirve|muestra|aparece|carga|cambia|veo / sigue|siguen ~ igual|sin|mal|"
     "saliendo|dando|apareciendo / todavía|aún no"},
    {kComplaint, kU, 16, "error|errores|falla|falló|rompió|roto|rota"},
    {kComplaint, kU, 14, "^ no|nop|hmm / está mal / salió mal / nada"},
    {kComplaint, kU, 10, "^ pero / otra vez / de nuevo / demasiado"},
    {kComplaint, kU, -12, "mejor|bien|genial|perfecto|gracias|funciona bien"},
    {kComplaint, kA, 20, "disculpa*|perdón / mi error / lo siento"},
    {kAccept, kU, 20,
     "^ sí|si|ok|vale|claro|dale|perfecto|adelante|hazlo|correcto / de acuerdo / buena idea / "
     "suena bien"},
    {kPropose, kA, 20,
     "quieres|quiere|te|le que|gustaría / deberíamos / sugiero|recomiendo|propongo / qué tal si"},
    {kPropose, kA, -12, "continu*|probar|siguiente|más|algo más"},
    {kRequest, kU, 10,
     "^ agrega|añade|usa|utiliza|crea|escribe|haz|actualiza|elimina|quita|cambia|pon|muestra|"
     "arregla|corrige|implementa|genera|prueba|ejecuta|revisa|mueve / por favor"},
    {kRequest, kU, 10, "podemos|puedes|podrías|debemos|quiero que / necesito que"},
    {kRetract, kU, 20,
     "olvida|olvídate|ignora ~ lo|eso|la|el / ya no ~ necesario|hace|necesit*|hay|importa|quiero / "
     "cambié de opinión|idea / no importa / ahora sí|si puede*"},
    {kReason, kAny, 20,
     "^ esto|así|eso evita|permite|asegura|garantiza|significa|hace|mantiene|reduce / ^ porque|ya "
     "que|razón|la razón|motivo"},
    {kOptions, kA, 20,
     "opciones|alternativas|posibilidades|ventajas|sugerencias / próximos|siguientes pasos"},
    {kQ, kAny, 36, "pregunta abierta / por|sin decidir|definir / decidir si"},
    {kQ, kU, 44, "^ deberíamos|debemos"},
};

constexpr Chatter kChatter[] = {
    {kA, 20,
     "^ voy a revisar|ver|buscar|leer|comprobar|verificar / ^ déjame / ^ veamos|revisemos / "
     "^ primero|ahora voy|vamos"},
    {kAny, 20, "espero que / avísame|dime si / quieres|deseas que|alguna / te gustaría"},
    {kAny, 8, "^ genial|perfecto|excelente|gracias|bien|buen|perdón"},
    {kA, 10, "^ aquí está|tienes|están / por ejemplo / resumen"},
    {kU, 24, "por qué / cómo funciona|se|puedo / qué es|significa|hace / explica*"},
};

constexpr std::string_view kReasons[] = {
    " porque ",   " ya que ", " para que ",   " para evitar ", " debido a ",
    ", así que ", ", así ",   " puesto que ", " - ",           " \xE2\x80\x94 "};
constexpr std::string_view kRejects[] = {"en vez de ", "en lugar de "};
constexpr std::string_view kDenials =
    "no|nunca|sin|ningún|ninguna|quita|quitar|elimina|eliminar|olvida|cambia|cambiar|vez|lugar|ya";
constexpr std::string_view kLeads[] = {"¿quieres que ", "quieres que ", "¿te gustaría ",
                                       "te gustaría ",  "¿deberíamos ", "qué tal si "};
constexpr std::string_view kMarks =
    "el|la|los|las|que|de|en|y|un|una|es|por|con|para|se|del|lo|como|pero|está|al|si|sí|este|esta|"
    "quiero|debe";

}  // namespace spanish_table

namespace chinese_table {

using namespace cue;

constexpr Cue kCues[] = {
    {kC, kU, 20, "*必须*|*必需*|*一定要*|*务必*|*要求*|*严格*"},
    {kC, kU, 18, "*应该*|*应当*|*需要*|*得要*"},
    {kC, kU, 18, "*不要*|*不能*|*不可*|*不许*|*禁止*|*别再*|*不准*|*切勿*|*不允许*"},
    {kC, kU, 10, "*不用*|*不再*|*无需*|*没有*|*避免*|*除了*|*不应*"},
    {kC, kU, 10, "*而不是*|*最好*|*尽量*|*优先*"},
    {kC, kU, 10, "*确保*|*保证*|*保持*|*保留*|*希望*|*注意*|*想要*"},
    {kC, kU, 8,
     "*只能*|*只要*|*只需*|*仅*|*都要*|*所有*|*每个*|*每次*|*至少*|*最多*|*统一*|*默认*"},
    {kC, kU, 8, "*如果*|*否则*|*报错*"},
    {kC, kU, 8, "*以后*|*后续*|*占位*"},
    {kC, kU, 8, "*要*|*请*|*参考*|*按照*|*根据*|*能*"},
    {kC, kU, 8, "我有*|我的*|*用的是*|*目前*|*现在是*|是在*"},
    {kC, kA, 14, "*必须*|*不能*|*禁止*|*不得*|*务必*|*始终*"},
    {kC, kA, 12, "*约束*|*限制*|*要求*"},
    {kC, kA, 8, "*应该*|*只能*|*仅*|*不要*"},

    {kD, kU, 20, "*就用*|*就按*|*还是用*|*那就*|*就这样*|*咱们*|*我们用*"},
    {kD, kU, 16, "*改用*|*改成*|*改为*|*换成*|*采用*|*决定*|*选择*|*选用*|用*"},
    {kD, kU, 14, "*而不是*|*代替*|*替代*"},
    {kD, kU, 12, "*暂时*|*先不*|*目前先*|*合并*|*删除*|*去掉*|*移除*|*重命名*|*回退*"},
    {kD, kU, 10, "好的*|可以*|同意*|行*|对*"},
    {kD, kA, 16, "*我将*|*我会*|*我们将*|*我来*|*改用*|*改为*|*改成*|*替换为*|*切换到*"},
    {kD, kA, 14, "*而不是*|*代替*|*取代*"},
    {kD, kA, 16, "*决定*|*选择*|*推荐*|*建议*|*最佳*|*最好*|*正确的*|*方案*|*直接*"},
    {kD, kA, 12, "*现在使用*|*现在会*|*统一*|*采用*|*使用了*"},
    {kD, kA, 10,
     "*已添加*|*已修改*|*已更新*|*已删除*|*已实现*|*新增*|*添加了*|*修改了*|*引入*|*重构*|"
     "*移除*|*创建了*|*实现了*|*更新了*|*替换*"},
    {kD, kA, 6, "*使用*|*通过*"},

    {kF, kAny, 22,
     "*不起作用*|*没有生效*|*不生效*|*不支持*|*无法*|*不存在*|*找不到*|*没有被*|*不兼容*|*未能*"},
    {kF, kAny, 14, "*失败*|*崩溃*|*冲突*|*报错*|*异常*|*不一致*"},
    {kF, kAny, 10, "*错误*|*问题*|*不正确*|*空白*|*重复*"},
    {kF, kAny, 8, "*因为*|*导致*|*由于*|*原因*"},
    {kF, kAny, 8, "*仍然*|*依然*|*还是*|*又*|*一直*"},
    {kF, kA, 12, "*换一种*|*另一种*|*其他方式*|*回退*|*撤销*"},
    {kF, kA, -12, "*应该*|*将会*|*可以*|*如果*|*避免*|*防止*|*确保*"},

    {kComplaint, kU, 20,
     "*还是不*|*还是没*|*仍然*|*依然*|*不行*|*没有生效*|*没反应*|*没变化*|*不起作用*|*没用*|*"
     "不对*"},
    {kComplaint, kU, 16, "*报错*|*错误*|*失败*|*异常*|*崩溃*|*出错*|*有问题*|*挂了*"},
    {kComplaint, kU, 14, "*没有*|*不见了*|*不显示*|*看不到*|*不是*|*打不开*|*怎么还*"},
    {kComplaint, kU, 10, "*还是*|*又*|*但是*|*太大*|*太小*|*太慢*|不*"},
    {kComplaint, kU, -12, "*好多了*|*很好*|*可以了*|*成功了*|*谢谢*"},
    {kComplaint, kA, 20, "*抱歉*|*对不起*|*我的错*|*我弄错*"},
    {kAccept, kU, 20, "好*|可以*|行*|是的*|对*|同意*|继续*|没问题*|嗯*|开始吧*"},
    {kPropose, kA, 20, "*是否需要*|*要不要*|*需要我*|*您希望*|*你希望*|*建议*|*推荐*|*您想*"},
    {kPropose, kA, -12, "*继续*|*测试*|*其他*|*还有*|*下一步*"},
    {kRequest, kU, 10,
     "增加*|添加*|使用*|创建*|修改*|删除*|改成*|支持*|显示*|把*|将*|去掉*|帮我*|给我*|请*|重新*|"
     "优化*|实现*|检查*|生成*|新增*|调整*|修复*|更新*|在*加*"},
    {kRetract, kU, 20,
     "*不用管*|*不用了*|*取消*|*算了*|*不再需要*|*不需要了*|*忽略*|*可以不*|*改主意*"},
    {kReason, kAny, 20, "这样*|因为*|原因*|避免*|从而*|否则*|以便*|这能*|这可以*"},
    {kOptions, kA, 20, "*选项*|*备选*|*几种*|*方案如下*|*可以选择*|*优点*|*优势*|*后续*"},
    {kQ, kAny, 36, "*待定*|*未确定*|*还没决定*|*待确认*|*再决定*"},
};

constexpr Chatter kChatter[] = {
    {kA, 20, "让我*|现在让我*|首先让我*|我来看*|我需要先*|我先*|我们来看*"},
    {kAny, 20, "*希望这*|*如果您*|*如需*|*请告诉我*|*随时*|*请问*"},
    {kAny, 8, "谢谢*|太好了*|很好*|完美*|抱歉*"},
    {kA, 10, "以下是*|下面是*|*例如*|*总结*"},
    {kU, 12,
     "*为什么*|*怎么*|*如何*|*是什么*|*解释*|*什么意思*|*是不是*|*能不能*|*有没有*|*吗|*呢|*么"},
};

constexpr std::string_view kReasons[] = {"，因为", "因为",   "，由于", "，以便", "，这样",
                                         "，避免", "，从而", "，以免", "，确保", "，防止"};
constexpr std::string_view kRejects[] = {"而不是", "代替", "取代"};
constexpr std::string_view kDenials = "*不*|*别*|*没*|*改*|*换*|*取消*|*删*|*而是*|*去掉*";
constexpr std::string_view kLeads[] = {"是否需要我", "需要我", "要不要", "您希望我", "你希望我"};

}  // namespace chinese_table

}  // namespace

const Language &language_of(std::string_view text, const Language &before, text::Words &scratch) {
    text = text.substr(0, kReadBytes);
    text = text.substr(0, valid_utf8_prefix(text.data(), text.size()));
    if (is_chinese(text)) return chinese();
    scratch.read(text);
    static const WordSet kMarks[] = {WordSet(english().marks), WordSet(german().marks),
                                     WordSet(spanish().marks)};
    size_t counts[kLanguages] = {};
    for (size_t i = 0; i < scratch.size(); ++i) {
        const uint64_t hash = WordSet::hash(scratch[i]);
        for (size_t number = 0; number < std::size(kMarks); ++number)
            counts[number] += kMarks[number].has_hash(hash);
    }
    const Language *best = &before;
    for (const Language *language : {&english(), &german(), &spanish()})
        if (counts[language->number] > counts[best->number]) best = language;
    return *best;
}

const Language &german() {
    using namespace german_table;
    static constexpr Language kGerman = {1,        "de",     kMarks, kCues,   kChatter,
                                         kReasons, kRejects, kLeads, kDenials};
    return kGerman;
}

const Language &spanish() {
    using namespace spanish_table;
    static constexpr Language kSpanish = {2,        "es",     kMarks, kCues,   kChatter,
                                          kReasons, kRejects, kLeads, kDenials};
    return kSpanish;
}

const Language &chinese() {
    using namespace chinese_table;
    static constexpr Language kChinese = {3,        "zh",     {},     kCues,   kChatter,
                                          kReasons, kRejects, kLeads, kDenials};
    return kChinese;
}

}  // namespace accp::packet
