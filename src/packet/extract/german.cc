// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See cues.h: German.
#include "packet/extract/cue_names.h"

namespace accp::packet {

namespace {

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
     "erstellt|eingebaut / hinzugefügt|umgestellt|eingeführt"},
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
    {kAccept, kU, 20, "^ ja|ok|okay|gut|klar|genau|einverstanden|passt|mach|gerne / leg los"},
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
    {kOptions, kA, 20, "optionen|alternativen|möglichkeiten|varianten"},
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
constexpr std::string_view kLeads[] = {"soll ich ", "sollen wir ", "möchtest du, dass ich ",
                                       "ich schlage vor, ", "wie wäre "};
constexpr std::string_view kMarks =
    "der|die|das|und|ist|nicht|ich|wir|ein|eine|mit|auf|für|zu|den|von|dass|auch|es|im|bitte|wie|"
    "noch|soll|kein|keine";

}  // namespace german_table

}  // namespace

const Language &german() {
    using namespace german_table;
    static constexpr Language kGerman = {1,        "de",     kMarks,   kCues,
                                         kChatter, kReasons, kRejects, kLeads};
    return kGerman;
}

}  // namespace accp::packet
