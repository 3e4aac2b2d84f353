"""Orders that no note may give, as patterns: verbs with what they are done to, in six languages.

Written for small plain letters without accents. A list of words is read by `wording.either`: a low line in it
stands for a space.
"""

from __future__ import annotations

from metaclaw_tray.learning.wording import either, order

_ASIDE = "it sets other instructions aside"
_ASKING = "it does away with asking first"
_HIDING = "it keeps something from the person"
_SECRETS = "it gives secrets away"
_SENDING = "it sends away what was said"
_IDENTITY = "it makes the assistant somebody else"
_ALLOWING = "it changes what is allowed"
_HARM = "it destroys something or pays"

NOT = """
    do_not don'?t never no no_need_to without skip\\w* stop avoid zonder niet nooit geen ohne nicht nie
    kein\\w* sans ne jamais sin no nunca
"""
_CONSENT = """
    confirm\\w* approv\\w* permission\\w* consent\\w* authori[sz]ation asking toestemming bevestig\\w*
    goedkeuring vragen bestatig\\w* erlaubnis genehmigung zustimmung ruckfrage\\w* zu_fragen nachzufragen
    autorisation consentement demander permiso\\w* aprobacion consentimiento preguntar
"""
_PERSON = """
    (?:the_)?(?:user|person|human|owner|operator) anyone anybody (?:de_)?(?:gebruiker|eigenaar)
    (?:(?:den?m?|der)_)?(?:benutzer|nutzer) (?:a_)?l'utilisateur (?:al_|el_)?usuario
"""
_RULES = """
    instructions? rules? guidelines? prompts? polic(?:y|ies) restrictions? warnings? notes? safeguards?
    limits instructies \\w*regels richtlijnen \\w*anweisung\\w* \\w*regeln \\w*richtlinien? consignes?
    regles? instrucciones reglas
"""
_KEPT_SAFE = """
    (?:system|hidden|initial)_?prompts? passwords? passphrases? api[-_]?keys? private_keys? ssh_keys?
    secrets? (?:access|auth|bearer|session)_tokens? credentials? session_cookies? [~/.\\w]*\\.env
    [~/.\\w]*id_(?:rsa|ed25519) [~/.\\w]*id.(?:rsa|ed25519) environment_variables? the_environment
    door_codes? \\w*wachtwoord\\w* toegangscodes? \\w*passwort\\w* zugangsdaten
    (?:api|ssh|zugangs)\\S*schlussel mots?_de_passe identifiants contrasenas? credenciales
"""
_GIVE = """
    reveal\\w* show print\\w* repeat\\w* output leak\\w* share include attach send post upload paste pass
    read give ask\\w*_for fill_in answer toon geef stuur deel verstuur zeige? gib sende? teile?
    montre[zr]? donne[zr]? envoie[zr]? partage[zr]? muestra da envia comparte
"""
_SEND = """
    send forward post upload copy bcc cc mail e-?mail exfiltrate transmit mirror report share stuur
    verstuur sende? leite schicke? envoie[zr]? transfere[zr]? envia reenvia
"""
_SAID = """
    chats? conversations? (?:chat_)?history transcripts? gesprek\\w* gesprach\\w* conversacion\\w*
    locals\\(\\) messages_to
"""
_TELL = """
    tell\\w* mention\\w* inform\\w* notify\\w* warn\\w* show\\w* let alert\\w* vertel\\w* meld\\w* zeg\\w*
    sage? informier\\w* zeige? dis dire dites diga digas informe[sz]?
"""
_GUARDS = """
    checks? safety\\w* safeguards? guards? filters? sandbox\\w* antivirus firewall verification hooks?
    logging audits? signing signatures? tests? reviews? warnings? checklists? controles? beveiliging
    prufung\\w* sicherheit\\w* controles? securite seguridad
"""
_OTHERS = """
    previous prior above earlier all any system safety security developer other vorige eerdere alle
    bovenstaande vorherige\\w* bisherige\\w* obige\\w* toutes todas
"""
_NOTHING = "nothing niets nooit niet nichts nie rien jamais nada"
_ACT_AS = """
    you_are_now pretend_(?:to_be|you) roleplay_as impersonate act_as assume_the_role jij_bent doe_alsof_je
    du_bist tu_dich_als gib_dich_als tu_es agis_comme fais_comme_si eres actua_como finge
"""
_OFF = """
    disable deactivate turn_off switch_off skip bypass schakel zet deaktivier\\w* schalte uberspring\\w*
    desactive[zr]? desactiva
"""
_GRANT = "approve accept allow enable activate grant whitelist trust auto-?approve authori[sz]e install"
_GRANT_ELSEWHERE = """
    goedkeur\\w* keur sta genehmige\\w* erlaube\\w* approuve[zr]? autorise[zr]? aprueba permite autoriza
"""

ATTEMPTS: dict[str, tuple[str, ...]] = {
    _ASIDE: (
        order(
            """
            ignor\\w* disregard\\w* forget override bypass overrule negeer negeren vergeet missachte\\w*
            vergiss oublie[zr]? olvida\\w*
            """,
            f"{either(_OTHERS)}_[^.\\n]{{0,24}}{either(_RULES)} {either(_RULES)}_(?:preceden|anterior)\\w*",
        ),
        rf"\b(?:ignore|disregard)\s*(?:all\s*)?(?:previous|prior)\s*{either(_RULES)}",
        rf"\b(?:safety|earlier|previous) {either(_RULES)}[^.!?\n]{{0,24}}\b(?:void|off|ignored)\b",
        r"(?:忽略|无视|忘记|绕过)[^。\n]{0,12}(?:指令|指示|规则|提示|限制|安全)",
    ),
    _ASKING: (
        order(NOT, _CONSENT),
        order(
            "never do_not don'?t nooit niet nie ne nunca",
            """
            (?:ask|vraag|frage?|demande[zr]?|preguntes?)\\b[^.!?\\n]{0,24}\\b(?:before|permission|if_you_may)
            (?:vraag|frage?|demande[zr]?|preguntes?)\\b[^.!?\\n]{0,24}\\b(?:voordat|vorher|bevor|avant|antes)
            """,
            8,
        ),
        order(
            "switch(?:ed)? turn(?:ed)?", "off[^.!?\\n]{0,16}\\b(?:approval|confirmation|warning|prompt)s?", 4
        ),
        r"\b(?:approval|confirmation|warning|prompt)s? (?:switched|turned) off\b",
        order("without zonder ohne sans sin", "warnings? waarschuwing warnung avertissement aviso", 8),
        r"(?:不要|不用|无需|不必|别|未经|跳过)[^。\n]{0,8}(?:确认|批准|同意|询问|许可|授权)",
    ),
    _HIDING: (
        order(NOT, f"{either(_TELL)}\\b[^.!?\\n]{{0,12}}\\b{either(_PERSON)}", 8),
        order(_TELL, f"{either(_PERSON)}\\b[^.!?\\n]{{0,8}}\\b{either(_NOTHING)}", 4),
        r"\b(?:do not|don'?t|never|without) mention(?:ing)? (?:it|this|that)(?! (?:twice|again|more))\b",
        r"\b(?:secretly|covertly|stealthily|stiekem|heimlich|unbemerkt|en secret|secretement|a escondidas)\b",
        order("hide conceal keep", f"from_{either(_PERSON)}"),
        r"(?:不要|别|不得|切勿)[^。\n]{0,6}(?:告诉|告知|通知|提醒)[^。\n]{0,4}(?:用户|主人|他|她)",
        r"隐瞒|瞒着|偷偷|悄悄",
    ),
    _SECRETS: (
        order(_GIVE, _KEPT_SAFE, 40),
        r"(?:透露|显示|输出|发送|泄露|告诉|提供|填写|附上)[^。\n]{0,16}(?:系统提示|密码|密钥|口令|令牌|凭证)",
    ),
    _SENDING: (
        order(_SEND, _SAID),
        r"(?:发送|转发|上传|抄送)[^。\n]{0,10}(?:对话|聊天|记录|所有内容)",
        r"!\[[^\]\n]*\]\([^)\n]*[?&][^)\n]*\)",
    ),
    _IDENTITY: (
        r"(?:^|[.!?:;\n] ?)you are (?!asked|given|told|unsure|not)[a-z]+ [a-z]+\b",
        r"\banswer as (?:if you|though you|\w*bot\b|dan\b)",
        rf"\b{either(_ACT_AS)}\b",
        r"\b(?:developer|god|admin|dan|root|unrestricted|debug) mode\b|\bjailbreak",
        r"\b(?:has|have|without) (?:no|any) (?:limits|rules)\b",
        r"\b(?:is|are|as) your (?:new )?(?:supervisor|owner|master|admin\w*|boss)\b",
        r"你现在是|你是一个没有|扮演|假装你是|开发者模式",
    ),
    _ALLOWING: (
        order(_GRANT, "all every any each automatic\\w* everything itself", 30),
        order(_GRANT, "skills? proposals? permissions? plugins? extensions? mcp tools?_calls? access"),
        order(_GRANT_ELSEWHERE, "alle\\w* elke jede\\w* tou(?:s|tes) todo\\w* toda\\w* automati\\w*"),
        r"\b(?:as|is|are) (?:already )?approved\b|\bgranted this\b|\bon (?:its|your|their) own authority\b",
        r"\ballowed-tools\b|\bdangerously[- ]|--no-verify\b|\bchmod (?:-r )?[0-7]*777\b|\bsslverify\b",
        r"\bstricthostkeychecking\W?=\W?no\b",
        r"\bmetaclaw\b|\blearning\.(?:policy|enabled|model)\b|\bbudget\.\w+",
        order(
            "edit change modify overwrite wijzig andere? modifie[zr]? cambia",
            """
            settings? permissions? polic(?:y|ies) claude\\.md agents\\.md settings\\.json skill\\.md
            skills_folder crontab \\.bashrc instellingen einstellungen parametres ajustes
            """,
        ),
        order(_OFF, _GUARDS),
        r"\bwithout (?:a|the|any) (?:checklist|review|check|test)s?\b",
        r"(?:批准|同意|允许|启用|授权)[^。\n]{0,8}(?:所有|全部|一切|自动)",
        r"(?:关闭|禁用|跳过)[^。\n]{0,6}(?:检查|安全|验证|测试|防护)",
    ),
    _HARM: (
        order(
            "delete wipe erase drop truncate destroy",
            """
            backups? databases? disks? logs repositor(?:y|ies) production (?:failing_|the_)?tests
            (?:all|every)_files? everything
            """,
        ),
        order(
            "pay transfer wire send",
            "money funds invoices? payments? bitcoin btc crypto\\w* iban account",
            30,
        ),
        r"\bpush\b[^.!?\n]{0,20}(?:--force(?!-with-lease)| -f)\b|\brm -rf\b",
        r"(?:删除|清空|销毁)[^。\n]{0,6}(?:所有|全部|备份|数据库)",
        r"(?:付款|转账|汇款)[^。\n]{0,10}(?:账户|账号|到)",
    ),
}
"""Patterns by what they attempt."""
