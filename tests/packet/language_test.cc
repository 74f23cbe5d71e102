// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// packet/extract/cues.h: each language recognises each kind, and each message is read in its own
// language.
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <vector>

#include "packet/extract/extract.h"
#include "unit.h"

namespace {

using namespace accp;
using packet::SentenceKind;
using packet::Speaker;

constexpr Speaker kUser = Speaker::kUser, kAgent = Speaker::kAgent;

const struct {
    const char *language;
    Speaker speaker;
    const char *text;
    SentenceKind kind;
} kSentences[] = {
    {"en", kUser, "You must keep the old port open for them", SentenceKind::kConstraint},
    {"en", kUser, "ok, lets go with RS256 for that", SentenceKind::kDecision},
    {"en", kAgent, "I'll switch to python-jose instead of PyJWT", SentenceKind::kDecision},
    {"en", kAgent, "The setting isn't available, because it is not supported",
     SentenceKind::kFailure},
    {"en", kUser, "Should we support refresh tokens for that?", SentenceKind::kQuestion},
    {"en", kUser, "Whether it is Redis or Postgres is not decided yet", SentenceKind::kQuestion},
    {"de", kUser, "Sollen wir das auch noch anbieten?", SentenceKind::kQuestion},
    {"de", kUser, "Der alte Port muss offen bleiben, das ist wichtig", SentenceKind::kConstraint},
    {"de", kUser, "Bitte die Registrierung auf keinen Fall anfassen", SentenceKind::kConstraint},
    {"de", kUser, "ok, lass uns das mit RS256 machen", SentenceKind::kDecision},
    {"de", kAgent, "Ich verwende jetzt python-jose statt PyJWT", SentenceKind::kDecision},
    {"de", kAgent, "Das geht leider nicht, weil es nicht unterst\u00FCtzt ist: nicht m\u00F6glich",
     SentenceKind::kFailure},
    {"es", kUser, "El puerto debe quedar abierto para todos", SentenceKind::kConstraint},
    {"es", kUser, "No toques nunca el flujo de registro", SentenceKind::kConstraint},
    {"es", kUser, "vale, usemos RS256 para eso", SentenceKind::kDecision},
    {"es", kAgent, "Voy a usar python-jose en lugar de PyJWT", SentenceKind::kDecision},
    {"es", kAgent, "La biblioteca no funciona porque no est\u00E1 disponible",
     SentenceKind::kFailure},
    {"zh", kUser, "\u65E7\u7AEF\u53E3\u5FC5\u987B\u4FDD\u6301\u5F00\u653E",
     SentenceKind::kConstraint},
    {"zh", kUser, "\u4E0D\u8981\u4FEE\u6539\u6CE8\u518C\u6D41\u7A0B", SentenceKind::kConstraint},
    {"zh", kUser, "\u90A3\u5C31\u7528 RS256 \u7684\u65B9\u6848", SentenceKind::kDecision},
    {"zh", kAgent, "\u6211\u5C06\u6539\u7528 python-jose\uFF0C\u800C\u4E0D\u662F PyJWT",
     SentenceKind::kDecision},
    {"zh", kAgent,
     "\u8FD9\u4E2A\u5E93\u65E0\u6CD5\u5B89\u88C5\uFF0C\u56E0\u4E3A\u73AF\u5883\u4E0D\u652F\u6301",
     SentenceKind::kFailure},
};

TEST(PacketLanguage, ShowsEachKind) {
    accp_unit::Room room;
    packet::Extractor extractor(room.memory);
    text::Words words(room.memory);
    for (const auto &sentence : kSentences) {
        EXPECT_EQ(packet::language_of(sentence.text, packet::english(), words).name,
                  sentence.language)
            << sentence.text;
        const packet::Utterance said = {sentence.speaker, sentence.text};
        extractor.extract("x", {&said, 1});
        ASSERT_FALSE(extractor.findings().empty()) << sentence.text;
        EXPECT_EQ(extractor.findings()[0].kind, sentence.kind) << sentence.text;
    }
}

// How a second turn changes the first, in each language.
const struct {
    const char *agent, *user;
    SentenceKind kind;  // the resulting kind
    Speaker by;
} kTurns[] = {
    {"I added a cache to the parser now.", "nope, still the same", SentenceKind::kFailure, kAgent},
    {"Shall we keep the menu in the middle?", "yes", SentenceKind::kDecision, kUser},
    {"Ich habe einen Cache f\u00FCr den Parser hinzugef\u00FCgt.", "nein, es geht immer noch nicht",
     SentenceKind::kFailure, kAgent},
    {"Soll ich das Men\u00FC in der Mitte lassen?", "ja, bitte", SentenceKind::kDecision, kUser},
    {"He agregado una cach\u00E9 para el analizador.", "no, sigue igual que antes, no funciona",
     SentenceKind::kFailure, kAgent},
    {"\u00BFQuieres que el men\u00FA se quede en el centro?", "s\u00ED, dale",
     SentenceKind::kDecision, kUser},
    {"\u5DF2\u6DFB\u52A0\u7F13\u5B58\u5230\u89E3\u6790\u5668\u3002",
     "\u8FD8\u662F\u4E0D\u884C\uFF0C\u6CA1\u53D8\u5316", SentenceKind::kFailure, kAgent},
    {"\u662F\u5426\u9700\u8981\u6211\u628A\u83DC\u5355\u653E\u5728\u4E2D\u95F4\uFF1F",
     "\u597D\u7684", SentenceKind::kDecision, kUser},
};

TEST(PacketLanguage, AnswersSayWhatBecameOfATurn) {
    accp_unit::Room room;
    packet::Extractor extractor(room.memory);
    for (const auto &turn : kTurns) {
        const packet::Utterance talk[] = {
            {kUser, "hello"}, {kAgent, turn.agent}, {kUser, turn.user}};
        extractor.extract("x", talk);
        ASSERT_FALSE(extractor.findings().empty()) << turn.agent;
        EXPECT_EQ(extractor.findings()[0].kind, turn.kind) << turn.agent;
        EXPECT_EQ(extractor.findings()[0].speaker, turn.by) << turn.agent;
        EXPECT_EQ(extractor.findings()[0].text, turn.agent);
    }
}

TEST(PacketLanguage, EachAttemptThatFailedStays) {
    accp_unit::Room room;
    packet::Extractor extractor(room.memory);
    const packet::Utterance talk[] = {
        {kUser, "hello", false, 0},
        {kAgent, "I added a cache to the parser now.", false, 1},
        {kUser, "nope, still the same", false, 2},
        {kAgent, "I'll use a table of words instead of it now.", false, 3},
        {kUser, "no, it still doesn't work", false, 4},
        {kAgent, "I moved the words into the lexer now.", false, 5}};
    extractor.extract("x", talk);
    size_t failures = 0;
    for (const packet::Finding &found : extractor.findings())
        failures += found.kind == SentenceKind::kFailure;
    EXPECT_EQ(failures, 2u);
}

TEST(PacketLanguage, WhatIsTakenBackIsNotThere) {
    const struct {
        const char *before, *after;
    } cases[] = {
        {"The menu must not cover the dock", "never mind the menu and the dock"},
        {"Das Men\u00FC darf das Dock nicht verdecken", "Das Men\u00FC und das Dock sind egal"},
        {"El men\u00FA no debe cubrir el panel", "olvida lo del men\u00FA y el panel"},
        {"\u83DC\u5355\u4E0D\u8981\u906E\u4F4F\u4EFB\u52A1\u680F",
         "\u83DC\u5355\u906E\u4F4F\u4EFB\u52A1\u680F\u4E5F\u7B97\u4E86"},
    };
    accp_unit::Room room;
    packet::Extractor extractor(room.memory);
    for (const auto &one : cases) {
        const packet::Utterance before = {kUser, one.before};
        extractor.extract("x", {&before, 1});
        EXPECT_EQ(extractor.findings().size(), 1u) << one.before;
        const packet::Utterance talk[] = {before, {kUser, one.after, false, 1}};
        extractor.extract("x", talk);
        EXPECT_EQ(extractor.findings().size(), 0u) << one.after;
    }
}

TEST(PacketLanguage, WhatIsReplacedIsNoDecision) {
    accp_unit::Room room;
    packet::Extractor extractor(room.memory);
    const packet::Utterance talk[] = {
        {kAgent, "I'll use **bun-promptx** for the best experience here.", false, 0},
        {kUser, "use `@clack/prompts` instead of bun-promptx", false, 1}};
    extractor.extract("x", talk);
    ASSERT_EQ(extractor.findings().size(), 1u);
    EXPECT_EQ(extractor.findings()[0].speaker, kUser);
}

// Only users overrule what users decided.
TEST(PacketLanguage, AnAssistantReplacesNoDecisionOfTheUser) {
    accp_unit::Room room;
    packet::Extractor extractor(room.memory);
    const packet::Utterance talk[] = {{kUser, "Let's use Postgres for the store.", false, 0},
                                      {kAgent, "I'll use Redis instead of Postgres.", false, 1}};
    extractor.extract("x", talk);
    const auto is_decision_of_user = [](const packet::Finding &found) {
        return found.kind == SentenceKind::kDecision && found.speaker == kUser;
    };
    EXPECT_EQ(std::count_if(extractor.findings().begin(), extractor.findings().end(),
                            is_decision_of_user),
              1);
}

// Whether the rules know the language of a conversation (extract/language_fit.h). `is_known` is
// false if most of what one side says is in another language.
struct Talk {
    const char *what;
    bool is_known;
    std::vector<std::pair<Speaker, std::string>> turns;
};

const std::string kEnglish =
    "Add authentication to the login endpoint. Don't touch the registration flow, and tokens must "
    "expire after an hour. We use PostgreSQL rather than MySQL, because the team knows it already.";
const std::string kGerman =
    "Füge Authentifizierung zum Login-Endpunkt hinzu. Fass die Registrierung nicht an, und Tokens "
    "müssen nach einer Stunde ablaufen. Wir nutzen PostgreSQL statt MySQL, weil das Team es kennt.";
const std::string kSpanish =
    "Agrega autenticación al endpoint de inicio de sesión. No toques el flujo de registro, y los "
    "tokens deben expirar después de una hora. Usamos PostgreSQL, porque el equipo ya lo conoce.";
const std::string kChinese =
    "请为登录接口增加身份验证。不要修改注册流程，令牌必须在一小时后过期。我们使用PostgreSQL而不是"
    "MySQL，因为团队已经熟悉它。";
const std::string kFrench =
    "Ajoute une authentification au point d'entrée de connexion. Il ne faut pas toucher au flux "
    "d'inscription, et les jetons doivent expirer après une heure. On utilise PostgreSQL.";
const std::string kJapanese =
    "ログインのエンドポイントに認証を追加してください。登録の流れは変更しないでください。トークンは"
    "一時間で期限切れにする必要があります。MySQLではなくPostgreSQLを使います。";
const std::string kPortuguese =
    "Adicione autenticação ao endpoint de login. Não mexa no fluxo de cadastro, e os tokens devem "
    "expirar depois de uma hora. Vamos usar PostgreSQL em vez de MySQL, porque a equipe já "
    "conhece.";

const Talk kTalks[] = {
    {"English", true, {{kUser, kEnglish}}},
    {"German", true, {{kUser, kGerman}}},
    {"Spanish", true, {{kUser, kSpanish}}},
    {"Chinese", true, {{kUser, kChinese}}},
    {"two known languages", true, {{kUser, kGerman}, {kAgent, kEnglish}}},
    {"nothing", true, {}},
    {"too little to tell", true, {{kUser, "ajoute un test"}}},
    {"commands in English without common words",
     true,
     {{kUser,
       "fix tests. run lint, commit, push. rename getUser fetchUser. bump version. add retry "
       "logic http client, exponential backoff max five tries. update README changelog. "
       "remove dead code, move helpers, delete old fixtures, regenerate snapshots"},
      {kAgent, kEnglish}}},
    {"much code",
     true,
     {{kUser,
       "It fails with this error, can you fix it in the parser?\n```\nint main(void) {\n  "
       "struct node *next = NULL;\n  while (next != NULL && next->value > limit) next = "
       "next->next;\n}\n```\nThe test is in `tests/parser_test.c`."},
      {kAgent,
       "I changed `parse_node()` in src/parser.c, and it returns ERR_DEPTH now.\n```diff\n-"
       "  return parse(node);\n+  return depth > MAX ? ERR_DEPTH : parse(node);\n```"}}},
    {"a few words of another language",
     true,
     {{kUser, kEnglish + " The button says \"Se connecter avec un compte\" in French."}}},
    {"a quote in Japanese",
     true,
     {{kUser, kEnglish + kEnglish}, {kAgent, "ログインに失敗しました"}}},
    {"French", false, {{kUser, kFrench}}},
    {"Japanese", false, {{kUser, kJapanese}}},
    {"Portuguese", false, {{kUser, kPortuguese}}},
    {"French, answered in English", false, {{kUser, kFrench}, {kAgent, kEnglish}}},
    {"Italian",
     false,
     {{kUser,
       "Aggiungi l'autenticazione all'endpoint di login. Non toccare il flusso di "
       "registrazione, e i token devono scadere dopo un'ora. Usiamo PostgreSQL invece di "
       "MySQL perché il team lo conosce già."}}},
    {"Dutch",
     false,
     {{kUser,
       "Voeg authenticatie toe aan het login-endpoint. Raak de registratie niet aan, en de "
       "tokens moeten na een uur verlopen. We gebruiken PostgreSQL in plaats van MySQL, "
       "omdat het team het al kent."}}},
    {"Swedish",
     false,
     {{kUser,
       "Lägg till autentisering på inloggningen. Rör inte registreringen, och tokens måste "
       "gå ut efter en timme. Vi använder PostgreSQL i stället för MySQL, eftersom teamet "
       "redan kan det."}}},
    {"Polish",
     false,
     {{kUser,
       "Dodaj uwierzytelnianie do punktu logowania. Nie ruszaj rejestracji, a tokeny muszą "
       "wygasać po godzinie. Używamy PostgreSQL zamiast MySQL, bo zespół już go zna. Nie "
       "zmieniaj też testów do tego punktu."}}},
    {"Turkish",
     false,
     {{kUser,
       "Giriş uç noktasına kimlik doğrulama ekle. Kayıt akışına dokunma ve belirteçler bir "
       "saat sonra geçersiz olmalı. MySQL yerine PostgreSQL kullanalım, çünkü ekip onu "
       "zaten biliyor. Testleri de çalıştır ve sonucu bana yaz."}}},
    {"Vietnamese",
     false,
     {{kUser,
       "Thêm xác thực vào điểm đăng nhập. Đừng chạm vào luồng đăng ký, và token phải hết "
       "hạn sau một giờ. Chúng ta dùng PostgreSQL thay vì MySQL vì nhóm đã biết nó."}}},
    {"Indonesian",
     false,
     {{kUser,
       "Tambahkan autentikasi ke endpoint login. Jangan ubah alur pendaftaran, dan token "
       "harus kedaluwarsa setelah satu jam. Kita pakai PostgreSQL daripada MySQL, karena "
       "tim sudah mengenalnya. Jalankan juga pengujian dan tuliskan hasilnya kepada saya."}}},
    {"Russian",
     false,
     {{kUser,
       "Добавь аутентификацию в точку входа. Не трогай регистрацию, а токены должны истекать "
       "через час. Используем PostgreSQL вместо MySQL, потому что команда его знает."}}},
    {"Korean",
     false,
     {{kUser,
       "로그인 엔드포인트에 인증을 추가해 주세요. 회원가입 흐름은 건드리지 마세요. 토큰은 한 "
       "시간 후에 만료되어야 합니다. MySQL 대신 PostgreSQL을 사용합니다."}}},
    {"Arabic",
     false,
     {{kUser,
       "أضف المصادقة إلى نقطة تسجيل الدخول. لا تلمس مسار التسجيل، ويجب أن تنتهي صلاحية "
       "الرموز بعد ساعة. نستخدم PostgreSQL بدلا من MySQL لأن الفريق يعرفه."}}},
};

TEST(PacketLanguage, SaysWhenItIsUnknown) {
    accp_unit::Room room;
    packet::Extractor extractor(room.memory);
    for (const Talk &talk : kTalks) {
        std::vector<packet::Utterance> said;
        for (const auto &[speaker, text] : talk.turns) said.push_back({speaker, text});
        extractor.extract("login", said);
        EXPECT_EQ(extractor.knows_language(), talk.is_known) << talk.what;
    }
}

}  // namespace
