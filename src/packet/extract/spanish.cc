// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See cues.h: Spanish.
#include "packet/extract/cue_names.h"

namespace accp::packet {

namespace {

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
     "actualizado|refactorizado / agregué|añadí|cambié|reemplacé|creé|moví|eliminé|usé"},
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
    {kAccept, kU, 20, "^ sí|si|ok|vale|claro|dale|perfecto|adelante|hazlo|correcto / de acuerdo"},
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
    {kOptions, kA, 20, "opciones|alternativas|posibilidades"},
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
constexpr std::string_view kLeads[] = {"¿quieres que ", "quieres que ", "¿te gustaría ",
                                       "te gustaría ",  "¿deberíamos ", "qué tal si "};
constexpr std::string_view kMarks =
    "el|la|los|las|que|de|en|y|un|una|es|por|con|para|se|del|lo|como|pero|está|al|si|sí|este|esta|"
    "quiero|debe";

}  // namespace spanish_table

}  // namespace

const Language &spanish() {
    using namespace spanish_table;
    static constexpr Language kSpanish = {2,        "es",     kMarks,   kCues,
                                          kChatter, kReasons, kRejects, kLeads};
    return kSpanish;
}

}  // namespace accp::packet
