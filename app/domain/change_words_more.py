"""The marks of change in German, French, Spanish and Chinese; see `change_words`."""

from __future__ import annotations

from typing import Final

from app.domain.change_words import Tongue, marks_of, terms_of

_NONE: Final = marks_of(r"(?!)")

GERMAN: Final = Tongue(
    endings=(
        marks_of(r"\b(?:nicht|kein\w*|nie) (?:(?:mehr|länger) )?(?P<what>.{0,60}?) ?\bmehr\b"),
        marks_of(r"(?P<what>[\wäöüß .'-]{2,60}?) (?:nicht|kein\w*|nie) mehr\b"),
        marks_of(r"\b(?:nicht|kein\w*|nie) mehr (?P<what>.{2,60})"),
        marks_of(
            r"(?P<what>[\wäöüß'-]+(?: [\wäöüß'-]+){0,4}?) (?:verkauft|gekündigt|abgesagt|aufgegeben|aufgehört"
            r"|abgeschafft"
            r"|gestrichen|abgebrochen|storniert|gestorben|beendet|geschlossen|weggegeben|weggeworfen|gelöscht|abgesetzt"
            r"|abbestellt|kaputt|vorbei|geschichte|gestohlen|einschläfern|fertig|zurückgegeben|gegangen"
            r"|verlassen|ersetzt|abgelöst|getrennt|ausgezogen|hingeschmissen"
            r"|verloren)\b"
        ),
        marks_of(r"\b(?:aufgehört|schluss|ausgelassen|abgewöhnt) (?:mit (?:dem |der )?)?(?P<what>[\wäöüß-]+)"),
        marks_of(
            r"\bmit (?:dem |der |den )?(?P<what>[\wäöüß-]+) (?:aufgehört|schluss|abgeschlossen"
            r")\b"
        ),
    ),
    changed=marks_of(
        r"\b(?:jetzt|nun|inzwischen|mittlerweile|neuerdings|seitdem|ab sofort|ab jetzt|von jetzt an|künftig"
        r"|nunmehr|stattdessen"
        r"|statt|anstatt|anstelle|umgezogen|gezogen|gewechselt|umgestiegen|verschoben|geändert|umbenannt|erhöht|gesenkt"
        r"|doch|eigentlich|korrektur|falsch|meinte|vertan|verwechselt|wieder|seit|neue[rsn]?|vorverlegt"
        r"|verlegt|befördert"
        r"|umgestellt|ersetzt|geworden|übernommen|aufgestockt|reduziert|runtergesetzt|hochgesetzt|zurück auf|ab"
        r" (?:januar|februar|märz|april|mai"
        r"|juni|juli|august|september|oktober|november|dezember|nächster|nächstem|kommender|diesem)|verlängert"
        r"|fristverlängerung|dazubekommen"
        r"|verwechselt|stimmt nicht|bestellt|angefangen|gestiegen|gesunken)\b"
    ),
    moved=marks_of(
        r"\b(?:jetzt|nun|inzwischen|mittlerweile|neuerdings|seitdem|ab sofort|ab jetzt|von jetzt an|künftig"
        r"|nunmehr|stattdessen"
        r"|statt|anstatt|anstelle|umgezogen|gezogen|gewechselt|umgestiegen|verschoben|geändert|umbenannt|erhöht|gesenkt"
        r"|doch|eigentlich|korrektur|falsch|meinte|vertan|verwechselt|wieder|seit|neue[rsn]?|vorverlegt"
        r"|verlegt|befördert"
        r"|umgestellt|ersetzt|geworden|übernommen|aufgestockt|reduziert|runtergesetzt|hochgesetzt|zurück auf|ab"
        r" (?:januar|februar|märz|april|mai"
        r"|juni|juli|august|september|oktober|november|dezember|nächster|nächstem|kommender|diesem)|verlängert"
        r"|fristverlängerung|dazubekommen"
        r"|verwechselt|stimmt nicht|bestellt|angefangen|gestiegen|gesunken)\b"
    ),
    marks=marks_of(
        r"\b(?:jetzt|nun|inzwischen|mittlerweile|nicht|kein\w*|mehr|statt\w*|wieder|seit|doch|gewechselt|verschoben)\b"
    ),
    adds=marks_of(
        r"\b(?:auch|außerdem|zusätzlich|zudem|noch ein\w*|zweite[rsn]?|ebenfalls|daneben|nebenbei|sowohl"
        r"|weitere[rsn]?)\b"
    ),
    passing=marks_of(
        r"\b(?:diese woche|dieses wochenende|heute|morgen|gerade|bis|für (?:ein|zwei|drei|ein paar)\w*"
        r" (?:tage?|wochen?)"
        r"|vorübergehend|ausnahmsweise|während|solange|im urlaub|kurz)\b"
    ),
    doubt=marks_of(
        r"\b(?:vielleicht|wenn|falls|ob|überlege|könnte\w*|würde\w*|hätte\w*|wäre\w*|möchte|wahrscheinlich|fast|beinahe"
        r"|^angenommen|angenommen,|möglicherweise|beim \w+ haben wir (?:\w+ ){0,2}verloren|frage mich|denke darüber"
        r"|vergiss nicht|nicht nur|kann es kaum erwarten)\b"
    ),
    doubt_everywhere=marks_of(
        r"\b(?:früher|damals|als (?:kind|student\w*|ich klein)|als ich|unser erster|mein erster|meine erste|vor"
        r" (?:vielen )?jahren|im roman|im film)\b"
    ),
    denied=_NONE,
    generic=terms_of(
        "ich wir mein meine meinen meinem meiner unser unsere habe haben hat bin ist sind war wurde wird "
        "werde der die das "
        "den dem des ein eine einen einem einer und oder aber mit für auf bei zu im am in von vom es sie er "
        "uns mich mir "
        "dort hier ganz sehr mehr nur schon noch immer nie alles nichts alle jeden jede jeder tag woche monat jahr uhr "
        "montag dienstag mittwoch donnerstag freitag samstag sonntag nach seit als wie so dass sich man neu neue neuen "
        "arbeite wohne mag trinke esse spiele benutze nutze lebe heiße gehe mache habe wieder gern gerne "
        "lieber zum zur "
        "einfach wegen über unter aus um an hab hatte montags letzte letzten woche"
    ),
)

FRENCH: Final = Tongue(
    endings=(
        marks_of(r"\b(?:ne |n')(?P<what>.{2,60}?) plus\b(?P<rest>.{0,60})"),
        marks_of(r"\b(?:ne |n')\w+ plus (?:de |d'|du |à |au |en |dans )?(?P<what>.{2,60})"),
        marks_of(r"\b(?:plus de|fini(?:e|s)? (?:le|la|les)?|terminé (?:le|la|les)?) ?(?P<what>.{2,40})"),
        marks_of(
            r"\b(?:vendu|quitté|arrêté(?: de)?|abandonné|annulé|résilié|supprimé|laissé tomber|remplacé|cessé de|perdu"
            r"|rompu avec|démissionné de|renoncé à|jeté|fermé|rendu) (?:le |la |les |l'|mon |ma |mes |notre |nos "
            r"|d'|de |du )*"
            r"(?P<what>[\w'àâéèêëîïôûùç-]+(?: [\w'àâéèêëîïôûùç-]+){0,2})"
        ),
        marks_of(
            r"(?P<what>[\w'àâéèêëîïôûùç-]+(?: [\w'àâéèêëîïôûùç-]+){0,2}?) (?:est|sont|a été|ont été|a)"
            r" (?:annulée?s?|morte?s?"
            r"|finie?s?|vendue?s?|fermée?s?|terminée?s?|supprimée?s?|décédée?s?|partie?s?|volée?s?|remplacée?s?)\b"
        ),
    ),
    changed=marks_of(
        r"\b(?:maintenant|désormais|dorénavant|à présent|ces temps-ci|depuis|à partir de|au lieu d\w*|à la"
        r" place|déménagé|changé"
        r"|passée? (?:à|de|du|au)|reporté\w*|décalé\w*|avancé\w*|déplacé\w*|renommé\w*|augmenté\w*|baissé\w*"
        r"|en fait|finalement"
        r"|je voulais dire|erreur|trompée?|correction|de nouveau|à nouveau|remplacé\w*|nouve(?:au|lle|l)"
        r"|plutôt|devenue?"
        r"|promue?|migré\w*|repoussé\w*|quitté\w*|repris|recommencé|remange|réconcilié\w*|lâchée?|bascul\w+"
        r"|tourne chez|ancien\w*|dorénavant|c'est le"
        r"|embauché\w*|pris (?:le|la|un|une)|passe à|d'ici|on a enfin|finie?|mal donné|inversé|rectif\w+|craqué)\b"
    ),
    moved=marks_of(
        r"\b(?:maintenant|désormais|dorénavant|à présent|ces temps-ci|depuis|à partir de|au lieu d\w*|à la"
        r" place|déménagé|changé"
        r"|passée? (?:à|de|du|au)|reporté\w*|décalé\w*|avancé\w*|déplacé\w*|renommé\w*|augmenté\w*|baissé\w*"
        r"|en fait|finalement"
        r"|je voulais dire|erreur|trompée?|correction|de nouveau|à nouveau|remplacé\w*|nouve(?:au|lle|l)"
        r"|plutôt|devenue?"
        r"|promue?|migré\w*|repoussé\w*|quitté\w*|repris|recommencé|remange|réconcilié\w*|lâchée?|bascul\w+"
        r"|tourne chez|ancien\w*|dorénavant|c'est le"
        r"|embauché\w*|pris (?:le|la|un|une)|passe à|d'ici|on a enfin|finie?|mal donné|inversé|rectif\w+|craqué)\b"
    ),
    marks=marks_of(r"\b(?:maintenant|désormais|plus|depuis|changé|nouve(?:au|lle)|en fait|finalement)\b"),
    adds=marks_of(
        r"\b(?:aussi|également|en plus|de plus|un autre|une autre|deuxième|second\w*|encore un\w*"
        r"|à côté|non seulement)\b"
    ),
    passing=marks_of(
        r"\b(?:cette semaine|ce week-end|aujourd'hui|ce soir|demain|jusqu'\w*|pour (?:deux|trois|quelques)"
        r" (?:jours|semaines)"
        r"|temporairement|exceptionnellement|pendant|en ce moment|en vacances)\b"
    ),
    doubt=marks_of(
        r"\b(?:peut-être|si|j'envisage|je me demande|pourrais|pourrait|voudrais|aimerais|presque|imagin\w+|probablement"
        r"|failli|n'oublie pas|pas seulement|hâte)\b"
    ),
    doubt_everywhere=marks_of(
        r"\b(?:quand j'étais|autrefois|à l'époque|il y a (?:des|dix|vingt|\w+) ans|étant enfant"
        r"|dans le (?:roman|film))\b"
    ),
    denied=_NONE,
    generic=terms_of(
        "je j ai suis est sont été avons ont mon ma mes notre nos le la les un une des du de d l et ou mais "
        "avec pour dans "
        "sur en au aux ce cette ces se me nous on il elle ils ne n pas plus que qui où très tout tous toute jour jours "
        "semaine mois année heure heures lundi mardi mercredi jeudi vendredi samedi dimanche habite "
        "travaille aime bois "
        "mange joue utilise vis fais vais nouveau nouvelle depuis comme chez par fait être avoir y a c m s qu"
    ),
)

SPANISH: Final = Tongue(
    endings=(
        marks_of(r"\bya no (?P<what>.{2,60})"),
        marks_of(r"\b(?:no|nunca) (?P<what>.{2,60}?) más\b"),
        marks_of(
            r"\b(?:se (?:nos|me|le) murió|murió|falleció|he anulado|hemos anulado|anulé|anulamos|corté con|cortó"
            r" con|cortamos con|me quitaron"
            r"|sin|dejé|dejado) (?:el |la |los |las |lo de |a |de )*(?P<what>[\wáéíóúñü'-]+(?: [\wáéíóúñü'-]+)?)"
        ),
        marks_of(r"(?P<what>[\wáéíóúñü' -]{2,40}?),? ya no\b"),
        marks_of(
            r"\b(?:vendí|vendimos|vendido|dejé(?: de)?|dejado(?: de)?|dejamos(?: de)?|abandoné|cancelé|cancelamos"
            r"|cancelado|borré"
            r"|renuncié a|cerré|cerraron|perdí|rompí con|me deshice de|quité|tiré|he dejado(?: de)?|reemplacé"
            r"|sustituí|devolví)"
            r" (?:el |la |los |las |mi |mis |nuestr[oa]s? |un |una |de |a |en )*(?P<what>[\wáéíóúñü'-]+(?:"
            r" [\wáéíóúñü'-]+){0,2})"
        ),
        marks_of(
            r"(?P<what>[\wáéíóúñü'-]+(?: [\wáéíóúñü'-]+){0,2}?) (?:se canceló|está cancelad[oa]|murió|se acabó|se"
            r" terminó|cerró"
            r"|falleció|fue anulad[oa]|fue cancelad[oa]|se rompió|se murió|quedó atrás)\b"
        ),
    ),
    changed=marks_of(
        r"\b(?:ahora|actualmente|desde|a partir de|en vez de|en lugar de|me mudé|nos mudamos|cambié|cambiamos"
        r"|cambiado|cambió"
        r"|cambiaron|pasé a|pasamos a|pasado a|aplazad\w+|movid\w+|movieron|adelantad\w+|renombr\w+|subi\w+"
        r"|bajó|en realidad"
        r"|quise decir|quería decir|me equivoqué|error|corrección|de nuevo|otra vez|volví a|vuelto a|nuev[oa]"
        r"|reemplaz\w+"
        r"|ascendi\w+|migr\w+|ya|anul\w+|retras\w+|pasamos|cerr\w+ la cuenta|me chiflan?|dije mal|me lie|mal|lo"
        r" dejaron en|me dejaron|quitaron"
        r"|pill\w+|compr\w+|vend\w+|llevo|empec\w+|empez\w+|destin\w+|va por|dejado|dejé)\b"
    ),
    moved=marks_of(
        r"\b(?:ahora|actualmente|desde|a partir de|en vez de|en lugar de|me mudé|nos mudamos|cambié|cambiamos"
        r"|cambiado|cambió"
        r"|cambiaron|pasé a|pasamos a|pasado a|aplazad\w+|movid\w+|movieron|adelantad\w+|renombr\w+|subi\w+"
        r"|bajó|en realidad"
        r"|quise decir|quería decir|me equivoqué|error|corrección|de nuevo|otra vez|volví a|vuelto a|nuev[oa]"
        r"|reemplaz\w+"
        r"|ascendi\w+|migr\w+|ya|anul\w+|retras\w+|pasamos|cerr\w+ la cuenta|me chiflan?|dije mal|me lie|mal|lo"
        r" dejaron en|me dejaron|quitaron"
        r"|pill\w+|compr\w+|vend\w+|llevo|empec\w+|empez\w+|destin\w+|va por|dejado|dejé)\b"
    ),
    marks=marks_of(r"\b(?:ahora|ya|no|más|desde|cambi\w+|nuev[oa]|en realidad)\b"),
    adds=marks_of(r"\b(?:también|además|otr[oa]|segund[oa]|aparte|asimismo|no solo|no sólo|encima)\b"),
    passing=marks_of(
        r"\b(?:esta semana|este fin de semana|hoy|mañana|hasta|por (?:unos|dos|tres) (?:días|semanas)"
        r"|temporalmente|mientras"
        r"|durante|de momento|por ahora|de vacaciones|esta noche)\b"
    ),
    doubt=marks_of(
        r"\b(?:quizás?|tal vez|si|podría|debería|quisiera|me gustaría|casi|imagin\w+|probablemente|pensando"
        r" en|me pregunto"
        r"|no olvides|no solo|no veo la hora)\b"
    ),
    doubt_everywhere=marks_of(
        r"\b(?:cuando era|de niñ[oa]|hace (?:muchos )?años|en aquella época|antes de|en la (?:novela|película))\b"
    ),
    denied=_NONE,
    generic=terms_of(
        "yo mi mis me nos nuestro nuestra he ha han hemos soy es son era fue está estoy el la los las un una "
        "unos unas de "
        "del al a en con por para y o pero que no ya más muy todo todos toda día días semana mes año hora horas lunes "
        "martes miércoles jueves viernes sábado domingo vivo trabajo tomo como juego uso hago voy tengo "
        "gusta gustan se lo "
        "le su sus como desde ahora nuevo nueva cada siempre nunca"
    ),
)

CHINESE: Final = Tongue(
    endings=(
        marks_of(r"(?:不再|再也不|已经不|不)(?P<what>[^，。]{1,14})了"),
        marks_of(
            r"(?:卖掉|卖了|取消|辞掉|辞了|走了|不去|不跑|不回来|卖给|放弃|戒掉|戒了|停掉|停了|删掉|删了|扔掉|退掉|退出|离开|换掉|关掉|分手)了?(?P<what>[^，。]{1,12})"
        ),
        marks_of(
            r"(?P<what>[^，。]{1,12})(?:已经|被|早就|都|也)?(?:卖掉|卖了|取消|辞掉|辞了|走了|不去|不跑|不回来|卖给|放弃|戒掉|戒了|停掉|停了|删掉|删了|扔掉|退掉"
            r"|换掉|关了|关门|去世|死了|没了|坏了|结束|倒闭|分手)"
        ),
        marks_of(r"没有(?P<what>[^，。]{1,10})了"),
    ),
    changed=marks_of(
        r"现在|如今|目前|改成|改为|改到|改用|换成|换到|换了|搬到|搬去|搬家|变成|从.{1,8}开始|以后|不再|而不是|推迟|提前|其实|说错|弄错|纠正"
        r"|更正|原来|搞错|已经|早就|刚|终于|全部|这下|从这|九月开学|应该是|调到|升为|升职|涨到|降到|重新|跳槽|转到|挪到|迁到|换端口|换号|拖到|涨价|都是找"
    ),
    moved=marks_of(
        r"现在|如今|目前|改成|改为|改到|改用|换成|换到|换了|搬到|搬去|搬家|变成|从.{1,8}开始|以后|不再|而不是|推迟|提前|其实|说错|弄错|纠正"
        r"|更正|原来|搞错|已经|早就|刚|终于|全部|这下|从这|九月开学|应该是|调到|升为|升职|涨到|降到|重新|跳槽|转到|挪到|迁到|换端口|换号|拖到|涨价|都是找"
    ),
    marks=marks_of(r"现在|如今|目前|不再|其实|已经|我们|我的|了"),
    adds=marks_of(r"也|还(?!是)|又|另外|另一|第二|同时|此外|又养|又买|不仅|除了"),
    passing=marks_of(r"这周|本周|这个星期|今天|今晚|明天|暂时|临时|这几天|直到|出差|期间"),
    doubt=marks_of(r"也许|可能|如果|要是|考虑|想要|打算|是否|差点|假如|或许|好像|别忘|不要忘|等不及|吗|呢"),
    doubt_everywhere=marks_of(r"以前|小时候|当年|年前|曾经|小说里|电影里"),
    denied=_NONE,
    generic=terms_of(
        "我在 我是 我的 我们 我喜 喜欢 欢喝 现在 已经 在用 使用 工作 住在 一个 一只 每天 每周 "
        "是我 的是 我用 我有 在北 在上"
    ),
)

TONGUES: Final = {"de": GERMAN, "fr": FRENCH, "es": SPANISH, "zh": CHINESE}
